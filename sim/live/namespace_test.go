package live

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"flashlab/sim/live/livetest"
)

// open opens a run that must open.
func open(t testing.TB, x *Target) *Run {
	t.Helper()
	r, err := Open(context.Background(), x, true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// TestNamespace: whatever is sent, only names below the prefix exist, and whoever
// sends it sees none of it: not in replies, not in its own arguments, not in errors.
func TestNamespace(t *testing.T) {
	s := livetest.Start(t)
	r := open(t, target(t, "redis://"+s.Addr()))
	c, ctx := r.Client(), t.Context()
	defer c.Close()
	prefix := r.Space.Prefix()
	ok := func(cmd redis.Cmder) {
		t.Helper()
		if err := cmd.Err(); err != nil && !errors.Is(err, redis.Nil) {
			t.Errorf("%v: %v", cmd.Args(), err)
		}
		if strings.Contains(cmd.String(), root) {
			t.Errorf("the prefix shows in %s", cmd)
		}
	}
	ok(c.Set(ctx, "a", 1, 0))
	ok(c.MSet(ctx, "b", 1, "c", 2))
	ok(c.Do(ctx, "COPY", "b", "d"))
	ok(c.Rename(ctx, "d", "e"))
	ok(c.Eval(ctx, "redis.call('SET', KEYS[1], ARGV[1]) return KEYS[2]", []string{"f", "a"}, "b"))
	ok(c.XGroupCreateMkStream(ctx, "x", "g", "0"))
	ok(c.XGroupCreateMkStream(ctx, "y", "g", "0"))
	ok(c.XAdd(ctx, &redis.XAddArgs{Stream: "x", Values: []string{"k", "v"}}))
	ok(c.XAdd(ctx, &redis.XAddArgs{Stream: "y", Values: []string{"k", "v"}}))
	read := c.XReadGroup(ctx, &redis.XReadGroupArgs{Group: "g", Consumer: "c", Streams: []string{"x", "y", ">", ">"}})
	ok(read)
	if v := read.Val(); len(v) != 2 || v[0].Stream != "x" || v[1].Stream != "y" {
		t.Errorf("read %v", v)
	}
	raw := c.Do(ctx, "XREAD", "STREAMS", "x", "0")
	ok(raw)
	want := []string{"a", "b", "c", "e", "f", "x", "y"}
	keys := c.Keys(ctx, "?")
	ok(keys)
	slices.Sort(keys.Val())
	if !slices.Equal(keys.Val(), want) {
		t.Errorf("KEYS %v", keys.Val())
	}
	scan := c.Scan(ctx, 0, "?", 1000)
	ok(scan)
	if found, _ := scan.Val(); len(found) != len(want) || strings.Contains(fmt.Sprint(found), root) {
		t.Errorf("SCAN %v", found)
	}
	ok(c.RPush(ctx, "list", "v"))
	pop := c.BLPop(ctx, 0, "list", "list2")
	ok(pop)
	if !slices.Equal(pop.Val(), []string{"list", "v"}) {
		t.Errorf("BLPOP %v", pop.Val())
	}
	if _, err := c.TxPipelined(ctx, func(p redis.Pipeliner) error { p.Incr(ctx, "n"); p.Get(ctx, "a"); return nil }); err != nil {
		t.Error(err)
	}
	err := c.Watch(ctx, func(tx *redis.Tx) error {
		_, err := tx.TxPipelined(ctx, func(p redis.Pipeliner) error { p.Incr(ctx, "n"); return nil })
		return err
	}, "n", "a")
	if err != nil || c.Get(ctx, "n").Val() != "2" {
		t.Errorf("WATCH: %v, n = %s", err, c.Get(ctx, "n").Val())
	}
	err = c.XReadGroup(ctx, &redis.XReadGroupArgs{Group: "none", Consumer: "c", Streams: []string{"x", ">"}}).Err()
	if !redis.HasErrorPrefix(err, "NOGROUP") || strings.Contains(err.Error(), root) {
		t.Errorf("an error names %v", err)
	}
	for _, k := range s.Client(t).Keys(ctx, "*").Val() {
		if !strings.HasPrefix(k, prefix) {
			t.Errorf("%s is outside", k)
		}
	}
}

// TestNamespaceRefuses: what concerns the whole server, or names keys nobody knows
// where, is not sent.
func TestNamespaceRefuses(t *testing.T) {
	s := livetest.Start(t)
	r := open(t, target(t, "redis://"+s.Addr()))
	c, ctx := r.Client(), t.Context()
	defer c.Close()
	own := s.Client(t)
	own.Set(ctx, "foreign", "v", 0)
	sha := own.ScriptLoad(ctx, "return 1").Val()
	for _, line := range []string{
		"FLUSHALL", "FLUSHDB", "CONFIG SET maxmemory 1", "CONFIG RESETSTAT", "SCRIPT FLUSH", "SCRIPT KILL", "SHUTDOWN", "DEBUG SLEEP 0", "RANDOMKEY",
		"SORT k BY foreign*", "SCAN 0", "KEYS", "DBSIZE", "SWAPDB 0 1", "MIGRATE h 1 k 0 1", "CLIENT KILL TYPE normal", "CLIENT PAUSE 1",
		"REPLICAOF no one", "ACL SETUSER x", "FUNCTION FLUSH", "FCALL f 1 k", "SAVE", "BGSAVE", "MONITOR", "CLUSTER RESET", "NOSUCH k", "EVAL return 9 foreign",
	} {
		var args []any
		for _, w := range strings.Fields(line) {
			args = append(args, w)
		}
		err := c.Do(ctx, args...).Err()
		var refusal Refused
		if !errors.As(err, &refusal) {
			t.Errorf("%s: %v", line, err)
		}
		_, err = c.Pipelined(ctx, func(p redis.Pipeliner) error { p.Set(ctx, "a", 1, 0); p.Do(ctx, args...); return nil })
		if !errors.As(err, &refusal) {
			t.Errorf("%s in a pipeline: %v", line, err)
		}
	}
	if own.Get(ctx, "foreign").Val() != "v" || !own.ScriptExists(ctx, sha).Val()[0] {
		t.Error("something foreign has gone")
	}
	if n := c.Exists(ctx, "a").Val(); n != 0 {
		t.Error("half a pipeline was sent")
	}
}

// TestUntagged: in a lesson about slots business code tags its names itself.
func TestUntagged(t *testing.T) {
	n := NewNamespace("0123456789ab", false)
	if n.Prefix() != "flashlab:0123456789ab:" {
		t.Error(n.Prefix())
	}
	for _, key := range []string{n.Prefix() + "{v}:stock", NewNamespace("0123456789ab", true).Prefix() + "k"} {
		if run, _, ok := owner(key); !ok || run != "0123456789ab" {
			t.Errorf("%s belongs to %q", key, run)
		}
	}
	for _, key := range []string{"flashlab:", "flashlab:x:y", "flashlab:{0123456789ab", "flashlab:0123456789ag:k", "flashlab:0123456789abc:k"} {
		if run, _, ok := owner(key); ok {
			t.Errorf("%s belongs to %q", key, run)
		}
	}
}
