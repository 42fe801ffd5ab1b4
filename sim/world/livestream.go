package world

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"
)

// Idle times of pending entries run on a server in real time. Here an entry has the
// virtual instant of its last delivery, noted when it is first seen; whenever somebody
// may ask, the server is told how long that was ago.

// delivery is an entry that is pending in a group.
type delivery struct{ stream, group, id string }

// mark is what is known of its last delivery.
type mark struct {
	at       time.Duration // virtual
	consumer string
	count    int64
	aged     time.Duration // idle time on the server when it was last set; it has grown since
}

// readPending fills in what is pending.
func (s *remote) readPending(ctx context.Context, values map[string]*value) error {
	var fills []func() error
	p := s.raw.Pipeline()
	for k, v := range values {
		for i := range v.groups {
			g := &v.groups[i]
			if len(g.pending) == 0 {
				continue
			}
			c := p.XPendingExt(ctx, &redis.XPendingExtArgs{Stream: k, Group: g.name, Start: "-", End: "+", Count: pendingLimit})
			fills = append(fills, func() error { g.pending = c.Val(); return c.Err() })
		}
	}
	if len(fills) == 0 {
		return nil
	}
	_, err := p.Exec(ctx)
	for _, f := range fills {
		err = errors.Join(err, f())
	}
	return err
}

// mark notes new deliveries and puts virtual idle times into what was read.
func (s *remote) mark() {
	now := s.w.Kernel.Now
	seen := map[delivery]mark{}
	for k, v := range s.values {
		for _, g := range v.groups {
			for i := range g.pending {
				p := &g.pending[i]
				d := delivery{k, g.name, p.ID}
				m, known := s.marks[d]
				// An idle time that has become shorter was set to nought since.
				if !known || m.consumer != p.Consumer || m.count != p.RetryCount || p.Idle < m.aged {
					m = mark{at: now, consumer: p.Consumer, count: p.RetryCount}
				}
				seen[d] = m
			}
		}
	}
	s.marks = seen
	s.grow()
}

// grow brings idle times to the present.
func (s *remote) grow() {
	s.at = s.w.Kernel.Now
	for k, v := range s.values {
		for _, g := range v.groups {
			for i := range g.pending {
				p := &g.pending[i]
				p.Idle = s.at - s.marks[delivery{k, g.name, p.ID}].at
			}
		}
	}
}

// age tells the server how long entries have been pending in virtual time. JUSTID
// leaves the number of deliveries as it is. An entry that was deleted from its stream
// is left alone: a claim would drop it.
func (s *remote) age() {
	ctx := context.Background()
	p := s.raw.Pipeline()
	n := 0
	for k, v := range s.look() {
		for _, g := range v.groups {
			for i := range g.pending {
				x := &g.pending[i]
				if !slices.ContainsFunc(v.entries, func(e miniredis.StreamEntry) bool { return e.ID == x.ID }) {
					continue
				}
				d := delivery{k, g.name, x.ID}
				m := s.marks[d]
				m.aged = (s.w.Kernel.Now - m.at) * 1000 // as live.Clock stretches idle times
				s.marks[d] = m
				p.Do(ctx, "XCLAIM", k, g.name, x.Consumer, 0, x.ID, "IDLE", m.aged.Milliseconds(), "JUSTID")
				n++
			}
		}
	}
	if n > 0 {
		_, err := p.Exec(ctx)
		s.fail(err)
	}
}

// stream returns a stream as it stands, nil if there is none.
func (s *remote) stream(name string) *value {
	if v := s.look()[name]; v != nil && v.kind == "stream" {
		return v
	}
	return nil
}

// ready reports whether a group has an entry that nobody has got.
func (s *remote) ready(stream, group string) bool {
	v := s.stream(stream)
	if v == nil {
		return true // the server is left to answer
	}
	for _, g := range v.groups {
		if g.name == group {
			n := len(v.entries)
			return n > 0 && idLess(g.delivered, v.entries[n-1].ID)
		}
	}
	return true
}

// Messages come from the server: while actors listen to a channel there is a real
// subscription for each of them, so that PUBLISH counts them. They are read at the
// step that publishes, when the server has answered a PING behind them.

// listen has as many ears on each channel as actors listen to it.
func (s *remote) listen() {
	want := s.w.Topics.Listening()
	for channel, ears := range s.ears {
		for len(ears) > want[channel] {
			ears[len(ears)-1].Close()
			ears = ears[:len(ears)-1]
		}
		s.ears[channel] = ears
	}
	ctx := context.Background()
	for channel, n := range want {
		for len(s.ears[channel]) < n && s.guard.Trouble() == nil {
			ear := s.raw.Subscribe(ctx, s.run.Space.Prefix()+channel)
			s.ears[channel] = append(s.ears[channel], ear)
			if _, err := ear.ReceiveTimeout(ctx, time.Second); err != nil {
				s.fail(s.explain(err))
				return
			}
		}
	}
}

// hear hands to the actors what was published since the last call.
func (s *remote) hear() {
	for channel, ears := range s.ears {
		for i, ear := range ears {
			messages, err := drain(ear)
			if err != nil {
				s.fail(s.explain(err))
				return
			}
			if i > 0 {
				continue // all hear the same
			}
			for _, m := range messages {
				s.w.Topics.Publish(channel, m)
			}
		}
	}
}

// drain returns the messages before the answer to a PING.
func drain(ear *redis.PubSub) (messages []string, err error) {
	ctx := context.Background()
	if err := ear.Ping(ctx); err != nil {
		return nil, err
	}
	for {
		x, err := ear.ReceiveTimeout(ctx, time.Second)
		if err != nil {
			return nil, err
		}
		switch x := x.(type) {
		case *redis.Message:
			messages = append(messages, x.Payload)
		case *redis.Pong:
			return messages, nil
		}
	}
}

func (s *remote) explain(err error) error {
	if x := s.run.Target.Explain(err); x != nil {
		return x
	}
	return err
}

func (s *remote) hangUp() {
	for _, ears := range s.ears {
		for _, ear := range ears {
			ear.Close()
		}
	}
	clear(s.ears)
}
