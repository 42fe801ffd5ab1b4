package explore_test

import (
	"context"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"flashlab/sim/proc"
	"flashlab/sim/scenario"
	"flashlab/sim/world"
)

// untilScript keeps in a key until when it is taken, by the clock of the server. It
// returns how many ms are left to who comes too early.
const untilScript = `local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local till = tonumber(redis.call('GET', KEYS[1]) or '0')
if now < till then return till - now end
redis.call('SET', KEYS[1], string.format('%.0f', now + ARGV[1]))
return 0`

// turnstile waits until its turn has come, by the time within the script, and books.
// in is told when that was.
func turnstile(in func(time.Duration)) body {
	return func(w *world.World, ctx context.Context) error {
		for {
			left, err := redis.NewScript(untilScript).Eval(ctx, w.Redis, []string{"till"}, 5000).Int()
			if err != nil {
				return err
			}
			if left == 0 {
				in(w.Kernel.Now)
				_, err := w.DB.ExecContext(ctx, "INSERT INTO orders (buyer) VALUES (1)")
				return err
			}
			if err := proc.Sleep(ctx, time.Duration(left)*time.Millisecond); err != nil {
				return err
			}
		}
	}
}

// TestScriptTime: a script that reads the time acts by the instant itself, which no
// key holds and no actor has seen. States in which only the instant differs must
// stay apart: the graph finds what plain enumeration finds, wherever the clock moves.
func TestScriptTime(t *testing.T) {
	pass := turnstile(func(time.Duration) {})
	late := func(w *world.World, ctx context.Context) error {
		if err := proc.Sleep(ctx, 3*time.Second); err != nil {
			return err
		}
		return pass(w, ctx)
	}
	for _, x := range []timed{
		{name: "eager", time: scenario.Eager, bodies: []body{pass, pass, late}},
		{name: "lazy", time: scenario.Lazy, params: "ticks=3", bodies: []body{pass, late}},
		{name: "lazy, lost reply", time: scenario.Lazy, params: "ticks=2,losses=1", bodies: []body{pass, late}},
	} {
		t.Run(x.name, func(t *testing.T) {
			sc := x.scenario(t)
			r := mustAgree(t, openScenario(t, sc), len(sc.Lights), 20_000)
			t.Logf("%v interleavings, %d states", r.Interleavings, r.States)
		})
	}
}

// TestScriptTimeRepeats: every execution of a schedule sees the same times, and they
// are the virtual ones.
func TestScriptTimeRepeats(t *testing.T) {
	var in []time.Duration
	pass := turnstile(func(at time.Duration) { in = append(in, at) })
	r := openScenario(t, timed{time: scenario.Eager, bodies: []body{pass, pass, pass}}.scenario(t))
	var digests [2][]uint64
	for i := range digests {
		in = nil
		if err := r.Reset(); err != nil {
			t.Fatal(err)
		}
		for moves := r.Moves(nil); len(moves) > 0; moves = r.Moves(nil) {
			if err := r.Do(moves[0]); err != nil {
				t.Fatal(err)
			}
			digests[i] = append(digests[i], r.Digest())
		}
		if len(in) != 3 || in[0] != 0 || in[1] != 5*time.Second || in[2] != 10*time.Second {
			t.Errorf("in at %v, not at 0, 5 and 10 s", in)
		}
		time.Sleep(20 * time.Millisecond) // the wall clock must not matter
	}
	if len(digests[0]) != len(digests[1]) {
		t.Fatalf("%d steps, then %d", len(digests[0]), len(digests[1]))
	}
	for i := range digests[0] {
		if digests[0][i] != digests[1][i] {
			t.Errorf("step %d goes another way the second time", i+1)
		}
	}
}
