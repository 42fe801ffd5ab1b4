package memredis

import (
	"fmt"
	"testing"
	"time"

	"flashlab/sim/live/livetest"
	"flashlab/sim/memredis/luabox"
)

// untilScript keeps in a key until when something is taken, by the clock of the
// server, and returns how many ms are left to who comes too early.
const untilScript = `local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local till = tonumber(redis.call('GET', KEYS[1]) or '0')
if now < till then return till - now end
redis.call('SET', KEYS[1], string.format('%.0f', now + ARGV[1]))
return 0`

// TestScriptTime: TIME within a script is the virtual time, to the microsecond, and
// stands still while the script runs.
func TestScriptTime(t *testing.T) {
	for _, pool := range []bool{false, true} {
		m, rdb := client(t)
		if pool {
			check[*Scripts](t)(PoolScripts(m, luabox.Limits{}))
		}
		for _, d := range []time.Duration{0, 1500 * time.Microsecond, 90 * time.Minute} {
			now := epoch.Add(d)
			m.SetTime(now)
			// The wall clock must not matter, within a script as little as between two.
			got := check[any](t)(rdb.Eval(ctx, `local a = redis.call('TIME') for i = 1, 2000 do redis.call('GET', 'k') end
				local b = redis.call('TIME') return {a[1], a[2], b[1], b[2]}`, nil).Result())
			s, us := now.Unix(), now.Nanosecond()/1000
			if want := fmt.Sprint([]any{s, us, s, us}); fmt.Sprint(got) != want {
				t.Errorf("pooled %v, after %v: %v, want %v", pool, d, got, want)
			}
		}
		at := func(d time.Duration) int {
			m.SetTime(epoch.Add(d))
			return check[int](t)(rdb.Eval(ctx, untilScript, []string{"till"}, 5000).Int())
		}
		got := fmt.Sprint(at(0), at(0), at(4*time.Second), at(4999*time.Millisecond), at(5*time.Second), at(6*time.Second))
		if want := "0 5000 1000 1 0 4000"; got != want {
			t.Errorf("pooled %v: left %s, want %s", pool, got, want)
		}
	}
}

// TestLiveScriptTime: a real server lets a script write after it has read the time,
// for it hands on to replicas and to the append-only file what a script did, not the
// script. Servers before 5 refused ("Write commands not allowed after non
// deterministic commands").
func TestLiveScriptTime(t *testing.T) {
	s := livetest.Start(t, "--appendonly", "yes", "--enable-debug-command", "local")
	rdb := s.Client(t)
	before := time.Now().UnixMilli()
	if n := check[int](t)(rdb.Eval(ctx, untilScript, []string{"till"}, 60000).Int()); n != 0 {
		t.Errorf("the first one waits %d ms", n)
	}
	till := check[int64](t)(rdb.Get(ctx, "till").Int64())
	if after := time.Now().UnixMilli(); till < before+60000 || till > after+60000 {
		t.Errorf("taken until %d: not 60 s after %d to %d", till, before, after)
	}
	if n := check[int](t)(rdb.Eval(ctx, untilScript, []string{"till"}, 60000).Int()); n <= 0 || n > 60000 {
		t.Errorf("the second one waits %d ms", n)
	}
	// From the file comes the very value: the script does not run again.
	if err := rdb.Do(ctx, "DEBUG", "LOADAOF").Err(); err != nil {
		t.Fatalf("reading the append-only file: %v", err)
	}
	if again := check[int64](t)(rdb.Get(ctx, "till").Int64()); again != till {
		t.Errorf("from the append-only file: %d, not %d", again, till)
	}
}
