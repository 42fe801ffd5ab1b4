package rehearsal_test

import (
	"context"
	"errors"
	"math"
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

// done is one Redis operation of a schedule, with the answer of the embedded engine.
type done struct {
	cmds  []redis.Cmder
	reply string
	after int // frame that it led to
}

// TestParity runs every staged schedule that uses Redis locks on the embedded engine
// and sends the same commands in the same order to a real server: answers and keys
// must be equal. Time is moved on the server as the schedule moved it. Schedules
// with streams are left out: entries there are named by the wall clock.
func TestParity(t *testing.T) {
	server := livetest.Start(t)
	live := server.Client(t)
	schedules := 0
	// Servers before 8.4 do not have DELEX; there its script form is compared.
	delex := len(live.Command(t.Context()).Val()) > 0 && live.Command(t.Context()).Val()["delex"] != nil
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
			if !s.World.Redis || l.Name == "stream-pipeline" || st.Variant == "delex" && !delex {
				continue
			}
			schedules++
			t.Run(l.Name+"/"+st.Name, func(t *testing.T) {
				server.Reset(t)
				compareOnLive(t, live, s, st.Steps)
			})
		}
	}
	if schedules < 20 {
		t.Errorf("only %d schedules were compared", schedules)
	}
}

func compareOnLive(t *testing.T, live *redis.Client, s *scenario.Scenario, steps string) {
	t.Helper()
	ctx := t.Context()
	for _, src := range s.World.Scripts {
		if err := live.ScriptLoad(ctx, src).Err(); err != nil {
			t.Fatal(err)
		}
	}
	run, err := scenario.Open(s)
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	run.Record(true)
	var ops []done
	frame := 0
	note := run.W.Kernel.OnDid
	run.W.Kernel.OnDid = func(a *sim.Actor, op *sim.Op, err error) {
		note(a, op, err)
		if op.Kind == sim.KindRedis && !errors.Is(err, context.Canceled) {
			ops = append(ops, done{redisgate.Commands(op.Detail), op.Detail.Reply(), frame})
		}
	}
	f, err := run.Start()
	if err != nil {
		t.Fatal(err)
	}
	frames := []trace.Frame{f}
	moves, err := token.ParseSteps(steps)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range moves {
		frame++
		if f, err = run.Play(m, f.State.Lights); err != nil {
			t.Fatal(err)
		}
		frames = append(frames, f)
	}
	at := 0
	for i := 1; i < len(frames); i++ {
		if at < len(ops) && ops[at].after == i {
			sendAgain(t, live, ops[at])
			at++
		} else {
			moveTime(t, live, frames[i].State.Keys)
		}
		compareKeys(t, live, i, frames[i].State.Keys)
	}
	if at != len(ops) {
		t.Errorf("%d of %d operations were compared", at, len(ops))
	}
}

// sendAgain executes the same commands on the server and compares the answers.
func sendAgain(t *testing.T, live *redis.Client, d done) {
	t.Helper()
	for _, cmd := range d.cmds {
		cmd.SetErr(nil)
		// The error is part of the answer and compared with it.
		_ = live.Process(context.Background(), cmd)
	}
	got := (&redisgate.Command{Cmds: d.cmds}).Reply()
	if got == d.reply || nearly(got, d.reply) {
		return
	}
	t.Errorf("%v: the embedded engine answers %q, the server %q", d.cmds[0].Args(), d.reply, got)
}

// nearly reports whether two answers are times to live that differ by the moments
// that a real server takes.
func nearly(a, b string) bool {
	x, err1 := strconv.Atoi(a)
	y, err2 := strconv.Atoi(b)
	return err1 == nil && err2 == nil && y >= 1000 && math.Abs(float64(x-y)) < 900
}

// moveTime brings the server's leases to where virtual time has brought them.
func moveTime(t *testing.T, live *redis.Client, keys []trace.Key) {
	t.Helper()
	ctx := context.Background()
	there, err := live.Keys(ctx, "*").Result()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range there {
		k := find(keys, name)
		switch {
		case k == nil:
			err = live.Del(ctx, name).Err()
		case k.TTL > 0:
			err = live.PExpire(ctx, name, k.TTL).Err()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func find(keys []trace.Key, name string) *trace.Key {
	for i := range keys {
		if keys[i].Name == name && !keys[i].Missing {
			return &keys[i]
		}
	}
	return nil
}

// compareKeys compares names, values and leases.
func compareKeys(t *testing.T, live *redis.Client, step int, keys []trace.Key) {
	t.Helper()
	ctx := context.Background()
	there, err := live.Keys(ctx, "*").Result()
	if err != nil {
		t.Fatal(err)
	}
	sort.Strings(there)
	var want []string
	for _, k := range keys {
		if !k.Missing {
			want = append(want, k.Name)
		}
	}
	sort.Strings(want)
	if strings.Join(there, " ") != strings.Join(want, " ") {
		t.Errorf("step %d: keys %v on the embedded engine, %v on the server", step, want, there)
		return
	}
	for _, k := range keys {
		if k.Missing {
			continue
		}
		if k.Type == "string" {
			if v := live.Get(ctx, k.Name).Val(); v != k.Value {
				t.Errorf("step %d: %s = %q on the embedded engine, %q on the server", step, k.Name, k.Value, v)
			}
		}
		ttl := live.PTTL(ctx, k.Name).Val()
		if (k.TTL > 0) != (ttl > 0) || k.TTL > 0 && (k.TTL-ttl).Abs() > time.Second {
			t.Errorf("step %d: %s has %v left on the embedded engine, %v on the server", step, k.Name, k.TTL, ttl)
		}
	}
}
