package world

import (
	"context"
	"errors"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"

	"flashlab/sim/live"
	"flashlab/sim/proc"
	"flashlab/sim/redisgate"
	"flashlab/sim/trace"
)

// remote is a Redis that somebody else operates, as one run sees it. The world looks
// at it after each step and keeps what it saw until something is sent: a picture of
// the state asks many small questions.
type remote struct {
	w     *World
	run   *live.Run
	clock *live.Clock
	guard *live.Guard
	raw   *redis.Client // in the namespace, but in the server's time

	values map[string]*value // what was seen
	failed error             // why the run cannot go on
	fresh  bool
	at     time.Duration // virtual instant that idle times among values are for
	marks  map[delivery]mark
	ears   map[string][]*redis.PubSub // by channel, one for each actor that listens
}

// value is a key as it stands.
type value struct {
	kind    string
	expires time.Duration // virtual instant; only if leased
	leased  bool
	text    string   // of a string
	list    []string // of a list, a set, or a hash as field, value, ...
	entries []miniredis.StreamEntry
	groups  []streamGroup
}

// Server names the live server and its version; ok is false on the embedded engine.
func (w *World) Server() (name, version string, ok bool) {
	if w.srv == nil {
		return "", "", false
	}
	return w.srv.run.Target.String(), w.srv.run.Version, true
}

func (w *World) openLive(t *live.Target) error {
	run, err := live.Open(context.Background(), t, true)
	if err != nil {
		return err
	}
	s := &remote{w: w, run: run, marks: map[delivery]mark{}, ears: map[string][]*redis.PubSub{}}
	w.srv = s
	s.guard = &live.Guard{Target: t, Lost: func(x *live.Trouble) {
		s.failed = x
		w.Kernel.Fail(x)
	}}
	s.clock, err = run.Clock(proc.Epoch(), func() time.Duration { return w.Kernel.Now })
	if err != nil {
		return err
	}
	s.clock.Before, s.clock.After = s.before, s.after
	s.raw = run.Client(s.guard)
	w.direct = run.Client(s.clock, s.guard)
	w.Redis = run.Bare()
	return w.gate(s.clock, s.guard, run.Space)
}

// close removes the run's keys from the server.
func (s *remote) close() error {
	s.hangUp()
	if s.raw != nil {
		s.raw.Close()
	}
	err := s.run.Close()
	if s.guard != nil && s.guard.Trouble() != nil {
		return nil // it has been said
	}
	return err
}

// reset removes what the last run has left.
func (s *remote) reset() error {
	if x := s.guard.Trouble(); x != nil {
		return x
	}
	s.hangUp()
	s.fresh = false
	clear(s.marks)
	if err := s.run.Clear(context.Background()); err != nil {
		return err
	}
	s.clock.Forget()
	return s.w.loadScripts(s.w.direct)
}

// before is called before each command or pipeline of business code.
func (s *remote) before(cmds []redis.Cmder) {
	if slices.ContainsFunc(cmds, tellsIdle) {
		s.age()
	}
	if slices.ContainsFunc(cmds, publishes) {
		s.listen()
	}
}

// after is called after each.
func (s *remote) after(cmds []redis.Cmder) {
	if slices.ContainsFunc(cmds, func(c redis.Cmder) bool {
		keys, all := redisgate.Writes(c)
		return all || len(keys) > 0
	}) {
		s.fresh = false
	}
	if slices.ContainsFunc(cmds, tellsIdle) {
		s.look() // a delivery is noted while nothing else has happened
	}
	if slices.ContainsFunc(cmds, publishes) {
		s.hear()
	}
}

func isScript(c redis.Cmder) bool { return strings.HasPrefix(c.Name(), "eval") }

func publishes(c redis.Cmder) bool { return isScript(c) || c.Name() == "publish" }

func tellsIdle(c redis.Cmder) bool { return isScript(c) || strings.HasPrefix(c.Name(), "x") }

// fail makes an error of looking at the server a hard one.
func (s *remote) fail(err error) {
	if err == nil || errors.Is(err, redis.Nil) {
		return
	}
	if x := s.guard.Trouble(); x != nil {
		err = x
	}
	s.failed = err
	s.w.Kernel.Fail(err)
}

// look reads the keys that commands have named, unless nothing can have changed. On
// an error the picture stays as it was and the run ends.
func (s *remote) look() map[string]*value {
	if s.fresh || s.guard.Trouble() != nil {
		if s.at != s.w.Kernel.Now {
			s.grow()
		}
		return s.values
	}
	s.fresh = true // also after an error: it ends the run
	values, err := s.read()
	if err != nil {
		s.fail(err)
		return s.values
	}
	s.values = values
	s.mark()
	return values
}

func (s *remote) read() (map[string]*value, error) {
	ctx := context.Background()
	names := s.run.Space.Names()
	out := map[string]*value{}
	if len(names) == 0 {
		return out, nil
	}
	p := s.raw.Pipeline()
	kinds, ends := make([]*redis.StatusCmd, len(names)), make([]*redis.IntCmd, len(names))
	for i, k := range names {
		kinds[i], ends[i] = p.Type(ctx, k), redis.NewIntCmd(ctx, "pexpiretime", k)
		_ = p.Process(ctx, ends[i]) // queues it
	}
	if _, err := p.Exec(ctx); err != nil {
		return nil, err
	}
	var fills []func() error
	p = s.raw.Pipeline()
	for i, k := range names {
		v := &value{kind: kinds[i].Val()}
		if v.kind == "none" {
			continue
		}
		v.expires, v.leased = s.clock.Deadline(ends[i].Val())
		out[k] = v
		fills = append(fills, ask(ctx, p, k, v))
	}
	if len(fills) == 0 {
		return out, nil
	}
	if _, err := p.Exec(ctx); err != nil {
		return nil, err
	}
	for _, f := range fills {
		if err := f(); err != nil {
			return nil, err
		}
	}
	return out, s.readPending(ctx, out)
}

// ask queues the command that reads a key; the result fills the value.
func ask(ctx context.Context, p redis.Pipeliner, k string, v *value) func() error {
	switch v.kind {
	case "string":
		c := p.Get(ctx, k)
		return func() error { v.text = c.Val(); return c.Err() }
	case "hash":
		c := p.HGetAll(ctx, k)
		return func() error {
			for f, x := range c.Val() {
				v.list = append(v.list, f+"="+x)
			}
			sort.Strings(v.list)
			return c.Err()
		}
	case "set":
		c := p.SMembers(ctx, k)
		return func() error {
			v.list = c.Val()
			sort.Strings(v.list)
			return c.Err()
		}
	case "stream":
		// go-redis would make maps of the fields, without their order.
		entries, groups := p.Do(ctx, "XRANGE", k, "-", "+"), p.XInfoGroups(ctx, k)
		return func() error {
			v.entries = entriesOf(entries.Val())
			for _, g := range groups.Val() {
				v.groups = append(v.groups, streamGroup{name: g.Name, delivered: g.LastDeliveredID, pending: make([]redis.XPendingExt, g.Pending)})
			}
			slices.SortFunc(v.groups, func(a, b streamGroup) int { return strings.Compare(a.name, b.name) })
			return errors.Join(entries.Err(), groups.Err())
		}
	}
	return func() error { return nil }
}

// entriesOf takes an answer of XRANGE apart.
func entriesOf(answer any) (out []miniredis.StreamEntry) {
	list, _ := answer.([]any)
	for _, x := range list {
		one, _ := x.([]any)
		if len(one) != 2 {
			continue
		}
		id, _ := one[0].(string)
		e := miniredis.StreamEntry{ID: id}
		fields, _ := one[1].([]any)
		for _, f := range fields {
			text, _ := f.(string)
			e.Values = append(e.Values, text)
		}
		out = append(out, e)
	}
	return out
}

// sorted lists the keys that exist, by name.
func (s *remote) sorted() []string {
	var out []string
	for k := range s.look() {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

// left is the time that a key still has, 0 without a lease.
func (s *remote) left(v *value) time.Duration {
	if v == nil || !v.leased {
		return 0
	}
	return v.expires - s.w.Kernel.Now
}

// remove deletes keys as the environment does.
func (s *remote) remove(keys ...string) {
	if len(keys) == 0 {
		return
	}
	s.fresh = false
	s.fail(s.raw.Del(context.Background(), keys...).Err())
}

// keys pictures the server for the screen.
func (s *remote) keys() []trace.Key {
	var out []trace.Key
	for _, k := range s.sorted() {
		v := s.values[k]
		ttl := s.left(v)
		if ttl == 0 {
			ttl = -1
		}
		x := trace.Key{Name: k, Type: v.kind, TTL: ttl, Value: v.text}
		switch v.kind {
		case "hash":
			x.Value = strings.Join(v.list, " ")
		case "set":
			x.Value = "{" + strings.Join(v.list, " ") + "}"
		}
		out = append(out, x)
	}
	return out
}

// advance lets the keys expire whose instant has come when it is t, and returns
// their names.
func (s *remote) advance(t time.Duration) []string {
	var gone []string
	for k, v := range s.look() { // and the deliveries of this instant are noted
		if v.leased && v.expires <= t {
			gone = append(gone, k)
		}
	}
	sort.Strings(gone)
	s.remove(gone...)
	return gone
}
