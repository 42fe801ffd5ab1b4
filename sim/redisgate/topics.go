package redisgate

import (
	"context"
	"sort"
	"strconv"
	"time"

	"flashlab/sim"
	"flashlab/sim/trace"
)

// Topics is pub/sub under the lab. go-redis sends subscriptions around its hooks
// and receives on a goroutine of its own; here a subscription is a step, messages
// wait in it, and the receipt of one is a step of the receiver.
type Topics struct {
	kernel *sim.Kernel
	subs   []*subscription
}

// NewTopics returns pub/sub without subscribers for the actors of a kernel.
func NewTopics(k *sim.Kernel) *Topics { return &Topics{kernel: k} }

// subscription is one actor listening to one channel.
type subscription struct {
	actor    *sim.Actor
	channel  string
	messages []string
}

// Publish hands a message to every living subscriber and returns how many got it.
// It is called while the publisher takes its step.
func (t *Topics) Publish(channel, message string) int {
	n := 0
	for _, s := range t.subs {
		if s.channel == channel && s.listens() {
			s.messages = append(s.messages, message)
			n++
		}
	}
	return n
}

// listens reports whether the subscriber is still there. One that has ended without
// closing its subscription is not: its connection went with it.
func (s *subscription) listens() bool {
	switch s.actor.State() {
	case sim.Done, sim.Dead, sim.Crashed:
		return false
	}
	return !s.actor.Refused()
}

// Listening returns how many living subscribers each channel has.
func (t *Topics) Listening() map[string]int {
	n := map[string]int{}
	for _, s := range t.subs {
		if s.listens() {
			n[s.channel]++
		}
	}
	return n
}

// Reset forgets the run.
func (t *Topics) Reset() { t.subs = t.subs[:0] }

// Subscribe starts to listen. wait returns true when a message has come within d
// and false when none has; close ends the subscription.
func (t *Topics) Subscribe(ctx context.Context, channel string) (wait func(context.Context, time.Duration) (bool, error), closed func(), err error) {
	a := sim.From(ctx)
	if a == nil {
		return nil, nil, t.kernel.NoActor("SUBSCRIBE")
	}
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	op, err := a.Prepare(sim.KindMessage, "SUBSCRIBE")
	if err != nil {
		return nil, nil, err
	}
	op.Detail = &topicCall{name: "SUBSCRIBE", channel: channel}
	if err := a.Park(); err != nil {
		return nil, nil, err
	}
	s := &subscription{actor: a, channel: channel}
	t.subs = append(t.subs, s)
	a.Did(nil, nil)
	wait = func(ctx context.Context, d time.Duration) (bool, error) { return t.wait(ctx, s, d) }
	return wait, func() { t.drop(s) }, nil
}

// drop ends a subscription. Nobody else can see that, so it is no step.
func (t *Topics) drop(s *subscription) {
	for i, x := range t.subs {
		if x == s {
			t.subs = append(t.subs[:i], t.subs[i+1:]...)
			return
		}
	}
}

func (t *Topics) wait(ctx context.Context, s *subscription, d time.Duration) (bool, error) {
	a := sim.From(ctx)
	if a == nil {
		return false, t.kernel.NoActor("receiving a message")
	}
	if err := ctx.Err(); err != nil {
		return false, err
	}
	op, err := a.Prepare(sim.KindMessage, "message")
	if err != nil {
		return false, err
	}
	k := t.kernel
	call := &topicCall{name: "wait for message on", channel: s.channel}
	wake := k.Now + d
	op.Detail, op.Wake = call, wake
	op.Blocked = func() (trace.Reason, bool) {
		if len(s.messages) > 0 || k.Now >= wake || k.FreeTime || ctx.Err() != nil {
			return trace.Reason{}, false
		}
		return trace.Reason{Kind: "stream", Name: s.channel, Left: wake - k.Now}, true
	}
	if err := a.Park(); err != nil {
		return false, err
	}
	if err := ctx.Err(); err != nil {
		a.Did(nil, err)
		return false, err
	}
	got := len(s.messages) > 0
	call.reply = "timeout"
	if got {
		call.reply = s.messages[0]
		s.messages = s.messages[1:]
	}
	a.Did(strconv.AppendBool(nil, got), nil)
	return got, nil
}

// AppendKey appends subscriptions and undelivered messages of the living.
func (t *Topics) AppendKey(b []byte) []byte {
	if len(t.subs) > 1 {
		sort.SliceStable(t.subs, func(i, j int) bool { return t.subs[i].actor.ID < t.subs[j].actor.ID })
	}
	for _, s := range t.subs {
		if s.actor.State() != sim.Parked {
			continue
		}
		b = append(b, 'P', byte(s.actor.ID))
		b = append(append(b, s.channel...), 0)
		for _, m := range s.messages {
			b = append(append(b, m...), 1)
		}
	}
	return b
}

// topicCall is the detail of a pub/sub operation.
type topicCall struct{ name, channel, reply string }

func (c *topicCall) Command() string { return c.name + " " + c.channel }
func (c *topicCall) Reply() string   { return c.reply }
func (c *topicCall) Accesses() []trace.Access {
	return []trace.Access{{Resource: c.channel}}
}
