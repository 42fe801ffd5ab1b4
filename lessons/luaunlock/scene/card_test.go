package scene_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"

	"flashlab/lessons/lessontest"
	"flashlab/lua"
	"flashlab/sim/memredis"
)

// engines runs a test on the embedded engine and, where one is installed, on a real
// server that listens on a socket in a temporary directory.
func engines(t *testing.T, f func(t *testing.T, rdb *redis.Client)) {
	t.Run("embedded", func(t *testing.T) { f(t, embedded(t)) })
	t.Run("server", func(t *testing.T) { f(t, installed(t)) })
}

// start is when the embedded engine starts.
var start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func embedded(t *testing.T) *redis.Client {
	t.Helper()
	_, rdb := engine(t)
	return rdb
}

// engine is the embedded engine with its clock in reach.
func engine(t *testing.T) (*miniredis.Miniredis, *redis.Client) {
	t.Helper()
	m, err := memredis.Start(start)
	if err != nil {
		t.Fatal(err)
	}
	rdb := memredis.Client(m)
	t.Cleanup(func() { rdb.Close(); m.Close() })
	return m, rdb
}

func installed(t *testing.T) *redis.Client {
	t.Helper()
	program, err := exec.LookPath("redis-server")
	if err != nil {
		t.Skip("no redis-server is installed")
	}
	dir, err := os.MkdirTemp("", "lab") // its path must fit a socket address
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	socket := filepath.Join(dir, "s")
	cmd := exec.Command(program, "--port", "0", "--unixsocket", socket, "--dir", dir, "--save", "", "--appendonly", "no")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	rdb := redis.NewClient(&redis.Options{Network: "unix", Addr: socket, MaxRetries: -1})
	t.Cleanup(func() {
		rdb.Close()
		cmd.Process.Kill()
		cmd.Wait()
	})
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if err = rdb.Ping(context.Background()).Err(); err == nil {
			return rdb
		}
		if time.Now().After(end) {
			t.Fatalf("the server does not answer: %v", err)
		}
	}
}

// TestTheScript runs the very lines of the card, from both languages.
func TestTheScript(t *testing.T) {
	body := lessontest.Lesson(t, "lua-unlock").Cards[0].Body
	var texts []string
	for _, text := range []string{body.EN, body.ZH} {
		texts = append(texts, strings.Join(strings.SplitN(text, "\n", 4)[:3], "\n"))
	}
	if texts[0] != texts[1] {
		t.Errorf("two scripts:\n%s\n%s", texts[0], texts[1])
	}
	engines(t, func(t *testing.T, rdb *redis.Client) {
		ctx := context.Background()
		rdb.Set(ctx, "lock", "B1", time.Minute)
		for _, c := range []struct {
			token string
			want  int
		}{{"A1", 0}, {"B1", 1}, {"B1", 0}} {
			if n, err := rdb.Eval(ctx, texts[0], []string{"lock"}, c.token).Int(); n != c.want || err != nil {
				t.Errorf("%s releases: %d, %v; want %d", c.token, n, err, c.want)
			}
		}
	})
}

// TestNotRolledBack: DECR, then INCR of a word. The script fails and the DECR stays;
// so it does in MULTI.
func TestNotRolledBack(t *testing.T) {
	engines(t, func(t *testing.T, rdb *redis.Client) {
		ctx := context.Background()
		rdb.Set(ctx, "stock", 10, 0)
		rdb.Set(ctx, "name", "word", 0)
		err := rdb.Eval(ctx, `redis.call('DECR', KEYS[1]) return redis.call('INCR', KEYS[2])`, []string{"stock", "name"}).Err()
		if err == nil {
			t.Error("the script did not fail")
		}
		if n := rdb.Get(ctx, "stock").Val(); n != "9" {
			t.Errorf("the stock is %s after the script", n)
		}
		_, err = rdb.TxPipelined(ctx, func(p redis.Pipeliner) error {
			p.Decr(ctx, "stock")
			p.Incr(ctx, "name")
			return nil
		})
		if n := rdb.Get(ctx, "stock").Val(); n != "8" || err == nil {
			t.Errorf("the stock is %s after MULTI, which ended with %v", n, err)
		}
	})
}

// TestReplies is the table of what becomes of values between Lua and the client.
func TestReplies(t *testing.T) {
	engines(t, func(t *testing.T, rdb *redis.Client) {
		ctx := context.Background()
		for _, c := range []struct{ script, want string }{
			{"return redis.call('GET', KEYS[1]) == false", "1"},
			{"return redis.call('GET', KEYS[1]) == nil", "nothing"},
			{"if not redis.call('GET', KEYS[1]) then return 'missing' end", "missing"},
			{"return redis.call('GET', KEYS[1])", "nothing"},
			{"if 0 then return 'true' else return 'untrue' end", "true"},
			{"if redis.call('SISMEMBER', KEYS[1], 7) then return 'member' end return 'none'", "member"},
			{"if redis.call('SISMEMBER', KEYS[1], 7) == 1 then return 'member' end return 'none'", "none"},
			{"return 3", "3"},
			{"return 3.9", "3"},
			{"return tostring(3.9)", "3.9"},
			{"return true", "1"},
			{"return false", "nothing"},
			{"return nil", "nothing"},
			{"return {1, 2, nil, 4}", "[1 2]"},
		} {
			v, err := rdb.Eval(ctx, c.script, []string{"missing"}).Result()
			got := fmt.Sprint(v)
			if errors.Is(err, redis.Nil) {
				got = "nothing"
			} else if err != nil {
				got = err.Error()
			}
			if got != c.want {
				t.Errorf("%s: %s, want %s", c.script, got, c.want)
			}
		}
	})
}

// TestNoScript: after SCRIPT FLUSH a release recovers by itself, in a pipeline it
// does not: the lock stays, and the commands around it have run.
func TestNoScript(t *testing.T) {
	engines(t, func(t *testing.T, rdb *redis.Client) {
		ctx := context.Background()
		if err := lua.Load(ctx, rdb); err != nil {
			t.Fatal(err)
		}
		script := redis.NewScript(lua.Sources()["unlock"])
		flush := func() {
			t.Helper()
			if err := rdb.ScriptFlush(ctx).Err(); err != nil {
				t.Fatal(err)
			}
			if known := script.Exists(ctx, rdb).Val(); len(known) != 1 || known[0] {
				t.Fatalf("the script is still there: %v", known)
			}
		}

		flush()
		rdb.Set(ctx, "lock", "A1", time.Minute)
		_, err := rdb.Pipelined(ctx, func(p redis.Pipeliner) error {
			p.Incr(ctx, "before")
			script.EvalSha(ctx, p, []string{"lock"}, "A1")
			p.Incr(ctx, "after")
			return nil
		})
		if err == nil || !strings.HasPrefix(err.Error(), "NOSCRIPT") {
			t.Errorf("the pipeline ends with %v", err)
		}
		if s := fmt.Sprint(rdb.MGet(ctx, "before", "lock", "after").Val()); s != "[1 A1 1]" {
			t.Errorf("before, lock and after are %s", s)
		}

		if o, err := lua.Unlock(ctx, rdb, "lock", "A1"); o != lua.Done || err != nil {
			t.Errorf("a single release: %v, %v", o, err)
		}
		if known := script.Exists(ctx, rdb).Val(); len(known) != 1 || !known[0] {
			t.Error("the server does not know the script again")
		}
	})
}
