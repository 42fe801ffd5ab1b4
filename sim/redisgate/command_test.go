package redisgate_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"flashlab/sim/redisgate"
)

// TestKeys: which keys a command names, and which it may write.
func TestKeys(t *testing.T) {
	for _, c := range []struct {
		command      string
		keys, writes string // "*": any key
	}{
		{"GET a", "a", ""},
		{"SET a 1 NX PX 100", "a", "a"},
		{"MGET a b c", "a b c", ""},
		{"MSET a 1 b 2", "a b", "a b"},
		{"DEL a b", "a b", "a b"},
		{"EXISTS a b", "a b", ""},
		{"RENAME a b", "a b", "a b"},
		{"HSET h f v", "h", "h"},
		{"EVALSHA abc 2 a b 7 8", "a b", "*"},
		{"EVAL script 0 7", "", "*"},
		{"XREADGROUP GROUP g c COUNT 1 STREAMS s >", "s", "s"},
		{"XGROUP CREATE s g $ MKSTREAM", "s", "s"},
		{"XADD s * f v", "s", "s"},
		{"WATCH a b", "a b", ""},
		{"MULTI", "", ""},
		{"PING", "", ""},
		{"COPY a b", "a", "*"}, // outside the table: too careful
		{"FLUSHALL", "", "*"},
	} {
		var args []any
		for _, a := range strings.Fields(c.command) {
			args = append(args, a)
		}
		cmd := redis.NewCmd(context.Background(), args...)
		if got := strings.Join(redisgate.Keys(cmd), " "); got != c.keys {
			t.Errorf("%s: keys %q, want %q", c.command, got, c.keys)
		}
		keys, all := redisgate.Writes(cmd)
		got := strings.Join(keys, " ")
		if all {
			got = "*"
		}
		if got != c.writes {
			t.Errorf("%s: writes %q, want %q", c.command, got, c.writes)
		}
	}
}

// TestRendering: how commands and answers look on one line.
func TestRendering(t *testing.T) {
	w := open(t)
	var got []string
	body := func(ctx context.Context) error {
		rdb := w.Redis
		rdb.Get(ctx, "stock")
		rdb.SetNX(ctx, "lock", "t1", 1500_000_000)
		rdb.SetNX(ctx, "lock", "t2", 1500_000_000)
		redis.NewScript(script).EvalSha(ctx, rdb, []string{"n"}, "x")
		rdb.HGetAll(ctx, "h")
		rdb.Incr(ctx, "lock")
		rdb.TxPipelined(ctx, func(p redis.Pipeliner) error { p.Set(ctx, "a", 1, 0); p.Incr(ctx, "a"); return nil })
		return rdb.Watch(ctx, func(tx *redis.Tx) error { return tx.Get(ctx, "a").Err() }, "a")
	}
	if err := w.Reset(); err != nil {
		t.Fatal(err)
	}
	a, err := w.Kernel.Spawn("actor", "n1", false, body)
	for err == nil && a.Alive() {
		d := a.Op.Detail
		err = w.Kernel.Step(a)
		// The detail of the step just done; a joined one is complete only now.
		got = append(got, fmt.Sprintf("%s -> %s", d.Command(), d.Reply()))
	}
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"GET stock -> (nil)",
		"SET lock t1 px 1500 nx -> OK",
		"SET lock t2 px 1500 nx -> (nil)",
		"EVALSHA count n x -> 1",
		"HGETALL h -> map[]",
		"INCR lock -> ERR value is not an integer or out of range",
		"MULTI; SET a 1; INCR a; EXEC -> OK; 2",
		"WATCH a -> OK",
	}
	for i := range max(len(got), len(want)) {
		g, w := "nothing", "nothing"
		if i < len(got) {
			g = got[i]
		}
		if i < len(want) {
			w = want[i]
		}
		if g != w {
			t.Errorf("step %d: %q, want %q", i+1, g, w)
		}
	}
}
