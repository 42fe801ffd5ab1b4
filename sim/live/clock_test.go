package live

import (
	"fmt"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"flashlab/sim/live/livetest"
)

// TestClock: leases end at virtual instants, to the millisecond, whether a command
// sets and asks for them or a script, and none ends by itself.
func TestClock(t *testing.T) {
	s := livetest.Start(t)
	r := open(t, target(t, "redis://"+s.Addr()))
	epoch := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	now := 5 * time.Second
	clock, err := r.Clock(epoch, func() time.Duration { return now })
	if err != nil {
		t.Fatal(err)
	}
	c, ctx := r.Client(clock), t.Context()
	defer c.Close()
	raw := r.Client()
	defer raw.Close()
	at := epoch.Add(now + 1500*time.Millisecond).UnixMilli()
	sets := map[string][]any{
		"SET PX": {"SET", "k", "v", "PX", 1500}, "SET NX PX": {"SET", "k", "v", "NX", "PX", "1500"},
		"PSETEX": {"PSETEX", "k", 1500, "v"}, "SET PXAT": {"SET", "k", "v", "PXAT", at},
		"PEXPIRE": {"PEXPIRE", "k", 1500}, "PEXPIREAT": {"PEXPIREAT", "k", at}, "GETEX": {"GETEX", "k", "PX", 1500},
	}
	for name, args := range sets {
		for _, how := range []string{"command", "script", "pipeline"} {
			raw.Del(ctx, "k")
			if args[0] != "SET" && args[0] != "PSETEX" {
				raw.Set(ctx, "k", "v", 0)
			}
			var err error
			switch how {
			case "command":
				err = c.Do(ctx, args...).Err()
			case "script":
				err = c.Eval(ctx, "return redis.call(unpack(ARGV))", []string{"k"}, prefixed(r, args)...).Err()
			case "pipeline":
				_, err = c.Pipelined(ctx, func(p redis.Pipeliner) error { p.Do(ctx, args...); return nil })
			}
			if err != nil {
				t.Errorf("%s by %s: %v", name, how, err)
				continue
			}
			if real := raw.PTTL(ctx, "k").Val(); real < 24*time.Hour {
				t.Errorf("%s by %s: it ends by itself in %v", name, how, real)
			}
			ms, _ := raw.Do(ctx, "PEXPIRETIME", "k").Int64()
			if end, ok := clock.Deadline(ms); !ok || end != now+1500*time.Millisecond {
				t.Errorf("%s by %s: it ends at %v", name, how, end)
			}
			now += 100 * time.Millisecond
			got := []any{c.PTTL(ctx, "k").Val(), c.TTL(ctx, "k").Val()}
			for _, ask := range []string{"PTTL", "TTL"} {
				n, err := c.Eval(ctx, "return redis.call(ARGV[1], KEYS[1])", []string{"k"}, ask).Int64()
				got = append(got, n, err)
			}
			if want := "[1.4s 1s 1400 <nil> 1 <nil>]"; fmt.Sprint(got) != want {
				t.Errorf("%s by %s: left %v, want %s", name, how, got, want)
			}
			now -= 100 * time.Millisecond
		}
	}
	if d := c.PTTL(ctx, "none").Val(); d != -2 {
		t.Errorf("no key: %v", d)
	}
	c.Set(ctx, "ever", 1, 0)
	if d := c.TTL(ctx, "ever").Val(); d != -1 {
		t.Errorf("no lease: %v", d)
	}
	// What takes effect at once still does.
	for _, args := range [][]any{{"PEXPIRE", "ever", 0}, {"PEXPIREAT", "ever", 1}, {"EXPIREAT", "ever", epoch.Unix()}} {
		c.Set(ctx, "ever", 1, 0)
		if err := c.Do(ctx, args...).Err(); err != nil || c.Exists(ctx, "ever").Val() != 0 {
			t.Errorf("%v: it is still there, %v", args, err)
		}
	}
	if got := c.Time(ctx).Val(); !got.Equal(epoch.Add(now)) {
		t.Errorf("the time is %v", got)
	}
	sec, err := c.Eval(ctx, "return redis.call('TIME')", nil).StringSlice()
	if err != nil || sec[0] != fmt.Sprint(epoch.Add(now).Unix()) {
		t.Errorf("the time in a script is %v, %v", sec, err)
	}
	for i := range 2 {
		id, err := c.XAdd(ctx, &redis.XAddArgs{Stream: "x", MaxLen: 100, Approx: true, Values: []string{"*", "*"}}).Result()
		if want := fmt.Sprintf("%d-%d", epoch.Add(now).UnixMilli(), i); id != want || err != nil {
			t.Errorf("id %s, %v, want %s", id, err, want)
		}
	}
}

// prefixed puts the whole name of k into the arguments of a script.
func prefixed(r *Run, args []any) []any {
	out := append([]any(nil), args...)
	for i, a := range out {
		if a == "k" {
			out[i] = r.key("k")
		}
	}
	return out
}

// TestScripts: a run knows the scripts that it has loaded and no others; scripts touch
// declared keys only; lines keep their numbers.
func TestScripts(t *testing.T) {
	s := livetest.Start(t)
	r := open(t, target(t, "redis://"+s.Addr()))
	clock, err := r.Clock(time.Unix(0, 0), func() time.Duration { return 0 })
	if err != nil {
		t.Fatal(err)
	}
	c, ctx := r.Client(clock), t.Context()
	defer c.Close()
	const source = "return 7"
	sha := s.Client(t).ScriptLoad(ctx, source).Val()
	if err := c.EvalSha(ctx, sha, nil).Err(); !redis.HasErrorPrefix(err, "NOSCRIPT") {
		t.Errorf("a foreign script: %v", err)
	}
	if got, err := c.ScriptLoad(ctx, source).Result(); got != sha || err != nil {
		t.Errorf("loaded as %s, %v", got, err)
	}
	if v, err := c.EvalSha(ctx, sha, nil).Int(); v != 7 || err != nil {
		t.Errorf("%d, %v", v, err)
	}
	if v, err := c.ScriptExists(ctx, sha, unknownSHA).Result(); err != nil || !v[0] || v[1] {
		t.Errorf("known: %v, %v", v, err)
	}
	if err := c.ScriptFlush(ctx).Err(); err != nil {
		t.Error(err)
	}
	if err := c.EvalSha(ctx, sha, nil).Err(); !redis.HasErrorPrefix(err, "NOSCRIPT") {
		t.Errorf("after SCRIPT FLUSH: %v", err)
	}
	if !s.Client(t).ScriptExists(ctx, sha).Val()[0] {
		t.Error("a foreign script has gone")
	}
	for _, body := range []string{
		"return redis.call('GET', 'foreign')", "return redis.call('DEL', KEYS[1], 'foreign')", "return redis.call('FLUSHALL')",
		"return redis.call('SCAN', 0)", "return redis.call('KEYS', '*')", "return redis.call('PUBLISH', 'foreign', 'x')", "return redis.call('MSET', KEYS[1], 1, 'foreign', 2)",
		"return redis.pcall('RENAME', KEYS[1], 'foreign')", "return redis.call('XREAD', 'STREAMS', 'foreign', '0')", "return redis.call('GET')", "return redis.call('CONFIG', 'SET', 'a', 'b')",
	} {
		if v, err := c.Eval(ctx, body, []string{"k"}).Result(); !redis.HasErrorPrefix(err, "") || err == nil || err == redis.Nil {
			t.Errorf("%s: %v, %v", body, v, err)
		}
	}
	err = c.Eval(ctx, "\n\nreturn nosuch.x", nil).Err()
	if err == nil || !redis.HasErrorPrefix(err, "user_script:3:") {
		t.Errorf("the line of an error: %v", err)
	}
	v, err := c.Eval(ctx, "return {#KEYS, #ARGV, ARGV[1], tostring(ARGV[2]), redis.sha1hex('')}", []string{"k"}, "a").Result()
	if fmt.Sprint(v) != "[1 1 a nil da39a3ee5e6b4b0d3255bfef95601890afd80709]" || err != nil {
		t.Errorf("what a script sees: %v, %v", v, err)
	}
	if v, err := c.Eval(ctx, "#!lua\nreturn redis.call('INCR', KEYS[1])", []string{"k"}).Int(); v != 1 || err != nil {
		t.Errorf("a script with a first line: %d, %v", v, err)
	}
}
