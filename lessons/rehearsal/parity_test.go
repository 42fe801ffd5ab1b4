package rehearsal_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"flashlab/lessons"
	_ "flashlab/lessons/all"
	"flashlab/sim"
	"flashlab/sim/live/livetest"
	"flashlab/sim/redisgate"
	"flashlab/sim/scenario"
	"flashlab/sim/token"
	"flashlab/sim/trace"
)

// apart lists the schedules that not every server can follow, and what it needs for
// them. All others are compared with every server.
var apart = []struct{ lesson, schedule, command, reason string }{
	{"lua-unlock", "one-command", "delex", "DELEX came with Redis 8.4; what it does in one command the other schedules do by a script"},
}

// TestParity runs every staged schedule that uses Redis on the embedded engine and
// sends the same commands in the same order to a real server: answers, keys and
// pending entries must be equal. Time is moved on the server as the schedule moved
// it. Ids of stream entries hold the time of their making, so entries are called by
// the order in which they came.
func TestParity(t *testing.T) {
	server := livetest.Start(t)
	live := server.Client(t)
	known, err := live.Command(t.Context()).Result()
	if err != nil {
		t.Fatal(err)
	}
	cannot := map[string]string{} // schedule -> why this server cannot
	for _, x := range apart {
		l, err := lessons.Find(x.lesson)
		if err == nil {
			_, err = l.StagedSchedule(x.schedule)
		}
		if err != nil {
			t.Errorf("the list of schedules apart is out of date: %v", err)
		}
		if known[x.command] == nil {
			cannot[x.lesson+"/"+x.schedule] = x.reason
		}
	}
	schedules := 0
	for _, l := range lessons.All() {
		for i := range l.Staged {
			st := &l.Staged[i]
			v, err := l.Variant(st.Variant)
			if err != nil {
				t.Fatal(err)
			}
			p, err := st.Params(v)
			if err != nil {
				t.Fatal(err)
			}
			s := v.Scenario(p)
			if !s.World.Redis {
				continue
			}
			schedules++
			t.Run(l.Name+"/"+st.Name, func(t *testing.T) {
				if why := cannot[l.Name+"/"+st.Name]; why != "" {
					t.Skip(why)
				}
				server.Reset(t)
				play(t, s, st.Steps).compare(t, live, s.World.Scripts)
			})
		}
	}
	if schedules < 30 {
		t.Errorf("only %d schedules use Redis", schedules)
	}
}

// done is one request to the embedded engine, with its answer.
type done struct {
	cmds  []redis.Cmder
	reply string
	// itself says that the environment has sent it, not an actor.
	itself bool
}

// step is what a step of a schedule did, and Redis after it.
type step struct {
	done    []done
	keys    []trace.Key
	streams []stream
}

// acted reports whether an actor has done something in Redis.
func (s step) acted() bool {
	return slices.ContainsFunc(s.done, func(d done) bool { return !d.itself })
}

// schedule is a staged schedule as the embedded engine has played it; step 0 is the
// setup.
type schedule []step

// play runs a schedule on the embedded engine.
func play(t *testing.T, s *scenario.Scenario, text string) schedule {
	t.Helper()
	moves, err := token.ParseSteps(text)
	if err != nil {
		t.Fatal(err)
	}
	run, err := scenario.Open(s)
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	run.Record(true)
	now := step{}
	note := run.W.Kernel.OnDid
	run.W.Kernel.OnDid = func(a *sim.Actor, op *sim.Op, err error) {
		note(a, op, err)
		if op.Kind == sim.KindRedis && !errors.Is(err, context.Canceled) {
			now.done = append(now.done, done{cmds: redisgate.Commands(op.Detail), reply: op.Detail.Reply()})
		}
	}
	run.W.Direct().AddHook(around{&now})
	var out schedule
	keep := func(f trace.Frame) {
		now.keys, now.streams = f.State.Keys, streamsOf(t, run.W.Direct())
		out = append(out, now)
		now = step{}
	}
	f, err := run.Start()
	if err != nil {
		t.Fatal(err)
	}
	keep(f)
	for _, m := range moves {
		if f, err = run.Play(m, f.State.Lights); err != nil {
			t.Fatal(err)
		}
		keep(f)
	}
	return out
}

// around notes what is written around the gate: by the setup of a scene, and by the
// fault that hands an entry out again.
type around struct{ now *step }

func (a around) DialHook(next redis.DialHook) redis.DialHook { return next }

func (a around) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		err := next(ctx, cmd)
		a.note(cmd)
		return err
	}
}

func (a around) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		err := next(ctx, cmds)
		a.note(cmds...)
		return err
	}
}

// note keeps what names a key that it writes. What it misses, the comparison of keys
// finds missing.
func (a around) note(cmds ...redis.Cmder) {
	for _, cmd := range cmds {
		if keys, _ := redisgate.Writes(cmd); len(keys) == 0 {
			continue
		}
		one := []redis.Cmder{cmd}
		a.now.done = append(a.now.done, done{one, (&redisgate.Command{Cmds: one}).Reply(), true})
	}
}

// compare plays the schedule again on a server.
func (s schedule) compare(t *testing.T, live *redis.Client, scripts map[string]string) {
	t.Helper()
	for _, src := range scripts {
		if err := live.ScriptLoad(t.Context(), src).Err(); err != nil {
			t.Fatal(err)
		}
	}
	c := &comparison{live: live, entries: newEntries(), handed: map[redisgate.Reader]string{}}
	for i, st := range s {
		var answers []string
		for _, d := range st.done {
			answers = append(answers, c.send(t, d))
		}
		c.entries.learn(t, st.streams, streamsOf(t, live))
		for n, d := range st.done {
			got, want := c.entries.server.name(answers[n]), c.entries.embedded.name(d.reply)
			if got != want && !nearly(got, want) {
				t.Errorf("step %d: %v: the embedded engine answers %q, the server %q", i, d.cmds[0].Args(), want, got)
			}
		}
		if !st.acted() {
			c.moveTime(t, st)
		}
		c.compareKeys(t, i, st.keys)
		c.compareStreams(t, i, st.streams)
		c.setIdle(t, st.streams)
	}
}

// comparison is a schedule on its way through a server.
type comparison struct {
	live    *redis.Client
	entries *entries
	// handed is the answer to the fault that has put an entry into the hands of a
	// reader; the reader's next read returns it, and asks no engine.
	handed map[redisgate.Reader]string
	idle   time.Time // when idle times were set
}

// send executes the same commands on the server and returns the answer.
func (c *comparison) send(t *testing.T, d done) string {
	t.Helper()
	again := &redisgate.Command{Cmds: d.cmds}
	if r, ok := redisgate.Reading(again); ok {
		if entry, ok := c.handed[r]; ok {
			delete(c.handed, r)
			return entry
		}
	}
	for _, cmd := range d.cmds {
		c.entries.address(cmd)
		dontWait(cmd)
		cmd.SetErr(nil)
		// The error is part of the answer and compared with it.
		_ = c.live.Process(context.Background(), cmd)
	}
	reply := again.Reply()
	if cmd := d.cmds[0]; d.itself && cmd.Name() == "xclaim" {
		a := words(cmd)
		c.handed[redisgate.Reader{Stream: a[1], Group: a[2], Consumer: a[3]}] = reply
	}
	return reply
}

// dontWait makes a read wait for one millisecond. On the embedded engine nothing came
// while it waited, or it is not the read that is sent: what it returns is decided
// when it is taken.
func dontWait(cmd redis.Cmder) {
	args := cmd.Args()
	for i := range len(args) - 1 {
		if s, ok := args[i].(string); ok && s == "block" && cmd.Name() == "xreadgroup" {
			args[i+1] = 1
		}
	}
}

// nearly reports whether two answers are times to live that differ by the moments
// that a real server takes.
func nearly(a, b string) bool {
	x, err1 := strconv.Atoi(a)
	y, err2 := strconv.Atoi(b)
	return err1 == nil && err2 == nil && y >= 1000 && math.Abs(float64(x-y)) < 900
}

// moveTime brings the server's leases and idle times to where virtual time has
// brought them.
func (c *comparison) moveTime(t *testing.T, st step) {
	t.Helper()
	ctx := context.Background()
	for _, name := range c.names(t) {
		var err error
		k := find(st.keys, name)
		switch {
		case k == nil:
			err = c.live.Del(ctx, name).Err()
		case k.TTL > 0:
			err = c.live.PExpire(ctx, name, k.TTL).Err()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	c.setIdle(t, st.streams)
}

func find(keys []trace.Key, name string) *trace.Key {
	for i := range keys {
		if keys[i].Name == name && !keys[i].Missing {
			return &keys[i]
		}
	}
	return nil
}

// names lists the keys of the server, sorted.
func (c *comparison) names(t *testing.T) []string {
	t.Helper()
	there, err := c.live.Keys(context.Background(), "*").Result()
	if err != nil {
		t.Fatal(err)
	}
	sort.Strings(there)
	return there
}

// compareKeys compares names, values and leases.
func (c *comparison) compareKeys(t *testing.T, step int, keys []trace.Key) {
	t.Helper()
	ctx := context.Background()
	there := c.names(t)
	var want []string
	for _, k := range keys {
		if !k.Missing {
			want = append(want, k.Name)
		}
	}
	sort.Strings(want)
	if !slices.Equal(there, want) {
		t.Errorf("step %d: keys %v on the embedded engine, %v on the server", step, want, there)
		return
	}
	for _, k := range keys {
		if k.Missing {
			continue
		}
		if v := c.value(t, k); v != k.Value {
			t.Errorf("step %d: %s = %q on the embedded engine, %q on the server", step, k.Name, k.Value, v)
		}
		ttl := c.live.PTTL(ctx, k.Name).Val()
		if (k.TTL > 0) != (ttl > 0) || k.TTL > 0 && (k.TTL-ttl).Abs() > time.Second {
			t.Errorf("step %d: %s has %v left on the embedded engine, %v on the server", step, k.Name, k.TTL, ttl)
		}
	}
}

// value renders what a key holds on the server as the lab's screen does. Streams are
// compared apart.
func (c *comparison) value(t *testing.T, k trace.Key) string {
	t.Helper()
	ctx := context.Background()
	switch k.Type {
	case "string":
		return c.live.Get(ctx, k.Name).Val()
	case "hash":
		var fields []string
		for f, v := range c.live.HGetAll(ctx, k.Name).Val() {
			fields = append(fields, f+"="+v)
		}
		sort.Strings(fields)
		return strings.Join(fields, " ")
	case "set":
		members := c.live.SMembers(ctx, k.Name).Val()
		sort.Strings(members)
		return "{" + strings.Join(members, " ") + "}"
	case "stream":
		return k.Value
	}
	t.Fatalf("%s is a %s, which is not compared yet", k.Name, k.Type)
	return ""
}
