package lua

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"flashlab/sim/memredis/luabox"
)

// Every script says what it does, takes and answers, and where its rule is from.
func TestSources(t *testing.T) {
	sources := Sources()
	files, err := filepath.Glob("*.lua")
	if err != nil || len(files) != len(sources) || len(files) == 0 {
		t.Fatalf("%d files, %d sources, %v", len(files), len(sources), err)
	}
	for name, src := range sources {
		for _, word := range []string{"-- ", "KEYS[1]", "ARGV", "Answers", "Source:"} {
			header, _, _ := strings.Cut(src, "\nif ")
			if !strings.Contains(header, word) {
				t.Errorf("%s.lua: its header does not mention %q", name, word)
			}
		}
		if _, err := os.Stat(name + ".go"); err != nil {
			t.Errorf("%s.lua has no Go function: %v", name, err)
		}
		s, err := luabox.Compile(src)
		if err != nil {
			t.Errorf("%s.lua: %v", name, err)
		} else if s.SHA != script(name).Hash() {
			t.Errorf("%s.lua: SHA %s here, %s in go-redis", name, s.SHA, script(name).Hash())
		}
		for i, line := range strings.Split(src, "\n") {
			if len(line) > 120 {
				t.Errorf("%s.lua:%d is %d bytes long", name, i+1, len(line))
			}
		}
	}
	sources["unlock"] = "changed"
	if Sources()["unlock"] == "changed" {
		t.Error("a caller can change the sources")
	}
}

// calls runs every function once.
func calls(c redis.Scripter) error {
	owner := Owner{"c", 1}
	_, err1 := Unlock(ctx, c, lock, "A")
	_, err2 := Renew(ctx, c, lock, "A", time.Minute)
	_, err3 := AcquireReentrant(ctx, c, "r", owner, time.Minute)
	_, err4 := RenewReentrant(ctx, c, "r", owner, time.Minute)
	_, err5 := ReleaseReentrant(ctx, c, "r", owner, time.Minute)
	_, err6 := Sell(ctx, c, KeysOf(voucher), 7, voucher, 1)
	_, _, err7 := Bury(ctx, c, Letter{Keys: KeysOf(voucher), Dead: "dead", Group: group, ID: "1-1"})
	_, err8 := Permit(ctx, c, "limit", 9, time.Minute)
	return errors.Join(err1, err2, err3, err4, err5, err6, err7, err8)
}

// Loaded scripts are one command each; forgotten ones take two, once.
func TestOneCommandEach(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, e *engine) {
		e.XGroupCreateMkStream(ctx, KeysOf(voucher).Stream, group, "0")
		count := func(when string, shas, sources int) {
			t.Helper()
			e.sent.take()
			if err := calls(e); err != nil {
				t.Errorf("%s: %v", when, err)
			}
			sent := e.sent.take()
			n := map[string]int{}
			for _, name := range sent {
				n[name]++
			}
			if n["evalsha"] != shas || n["eval"] != sources || len(sent) != shas+sources {
				t.Errorf("%s: sent %v", when, sent)
			}
		}
		all := len(Sources())
		count("loaded", all, 0)
		e.ScriptFlush(ctx)
		count("after SCRIPT FLUSH", all, all)
		count("again", all, 0)
		e.ScriptFlush(ctx)
		if err := Load(ctx, e); err != nil {
			t.Fatal(err)
		}
		count("loaded again", all, 0)
	})
}

// In a pipeline there is nobody to answer NOSCRIPT.
func TestPipelineAfterFlush(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, e *engine) {
		e.Set(ctx, KeysOf(voucher).Stock, 5, 0)
		keys := []string{KeysOf(voucher).Stock, KeysOf(voucher).Users, KeysOf(voucher).Stream}
		run := func() ([]redis.Cmder, error) {
			return e.Pipelined(ctx, func(p redis.Pipeliner) error {
				seckill.EvalSha(ctx, p, keys, 7, voucher, 1)
				p.Incr(ctx, "n")
				return nil
			})
		}
		if cmds, err := run(); err != nil || fmt.Sprint(cmds[0].(*redis.Cmd).Val()) != "0" {
			t.Errorf("loaded: %v, %v", cmds, err)
		}
		e.ScriptFlush(ctx)
		cmds, err := run()
		if !redis.HasErrorPrefix(err, "NOSCRIPT") {
			t.Errorf("after SCRIPT FLUSH: %v", err)
		}
		if cmds[1].Err() != nil {
			t.Errorf("the rest of the pipeline: %v", cmds[1].Err())
		}
		expect(t, e, "stock 4, users 1, orders 1")
	})
}

func TestLoadFails(t *testing.T) {
	rdb := redis.NewClient(&redis.Options{Addr: "127.0.0.1:1", MaxRetries: -1, DialerRetries: 1})
	defer rdb.Close()
	if err := Load(ctx, rdb); err == nil || !strings.Contains(err.Error(), "loading the script dead_letter") {
		t.Errorf("%v", err)
	}
}

// An answer that no script gives is an error, not an outcome.
func TestUnexpectedAnswers(t *testing.T) {
	for _, answer := range []any{int64(9), int64(-9), "x", []any{int64(9), "x"}, []any{int64(1)}, nil} {
		err := calls(liar{answer})
		n := 0
		if err != nil {
			n = len(strings.Split(err.Error(), "\n"))
		}
		want := 8
		if answer == int64(9) || answer == nil {
			want = 7 // a wait of 9 ms; granted
		}
		if n != want {
			t.Errorf("answer %v: %d errors: %v", answer, n, err)
		}
	}
}

// liar answers every script alike.
type liar struct{ answer any }

func (l liar) cmd(ctx context.Context) *redis.Cmd {
	cmd := redis.NewCmd(ctx)
	cmd.SetVal(l.answer)
	if l.answer == nil {
		cmd.SetErr(redis.Nil)
	}
	return cmd
}

func (l liar) Eval(ctx context.Context, _ string, _ []string, _ ...any) *redis.Cmd { return l.cmd(ctx) }
func (l liar) EvalSha(ctx context.Context, _ string, _ []string, _ ...any) *redis.Cmd {
	return l.cmd(ctx)
}
func (l liar) EvalRO(ctx context.Context, _ string, _ []string, _ ...any) *redis.Cmd {
	return l.cmd(ctx)
}
func (l liar) EvalShaRO(ctx context.Context, _ string, _ []string, _ ...any) *redis.Cmd {
	return l.cmd(ctx)
}
func (l liar) ScriptExists(ctx context.Context, _ ...string) *redis.BoolSliceCmd {
	return redis.NewBoolSliceCmd(ctx)
}
func (l liar) ScriptLoad(ctx context.Context, _ string) *redis.StringCmd {
	return redis.NewStringCmd(ctx)
}

func TestNames(t *testing.T) {
	var got []string
	for o := Foreign; o <= StillHeld+1; o++ {
		got = append(got, o.String())
	}
	for s := Accepted; s <= BadArguments+1; s++ {
		got = append(got, s.String())
	}
	for b := NotPending; b <= TooEarly+1; b++ {
		got = append(got, b.String())
	}
	want := []string{
		"someone else's", "expired", "done", "still held", "Outcome(3)",
		"accepted", "sold out", "duplicate", "not on sale", "bad arguments", "Sale(5)",
		"not pending", "returned", "unmarked", "lost", "too early", "Burial(5)",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
