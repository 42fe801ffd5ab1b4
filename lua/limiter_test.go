package lua

import (
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

const counter = "limit:order:7"

func TestPermit(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, e *engine) {
		permit := func(limit int, window time.Duration, want bool) {
			t.Helper()
			if got, err := Permit(ctx, e, counter, limit, window); got != want || err != nil {
				t.Errorf("Permit: %v, %v; want %v", got, err, want)
			}
		}
		for range 3 {
			permit(3, time.Minute, true)
		}
		for range 5 {
			permit(3, time.Minute, false)
		}
		if n := must[int](t)(e.Get(ctx, counter).Int()); n != 3 {
			t.Errorf("the counter is %d: refused calls were counted", n)
		}
		permit(4, time.Minute, true) // a limit that has been raised counts at once
		permit(3, time.Minute, false)

		// The window ends by itself, however often somebody knocks.
		e.Del(ctx, counter)
		permit(1, 3*tick, true)
		e.pass(tick)
		permit(1, time.Hour, false)
		if d := must[time.Duration](t)(e.PTTL(ctx, counter).Result()); d <= 0 || d > 2*tick {
			t.Errorf("the window has %v left after a refused call", d)
		}
		e.pass(3 * tick)
		permit(1, time.Minute, true)

		// A counter that a crash has left without an end does not stay for ever.
		e.Set(ctx, counter, 5, 0)
		permit(1, time.Minute, true)
		permit(1, time.Minute, false)
		if d := must[time.Duration](t)(e.PTTL(ctx, counter).Result()); d <= 0 || d > time.Minute {
			t.Errorf("the window is %v", d)
		}
	})
}

// A crowd that knocks at once: exactly as many pass as may.
func TestPermitCrowd(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, e *engine) {
		var passed atomic.Int64
		var wg sync.WaitGroup
		for range 40 {
			wg.Add(1)
			go func() {
				defer wg.Done()
				ok, err := Permit(ctx, e, counter, 10, time.Hour)
				if err != nil {
					t.Error(err)
				}
				if ok {
					passed.Add(1)
				}
			}()
		}
		wg.Wait()
		if n := passed.Load(); n != 10 {
			t.Errorf("%d passed, 10 may", n)
		}
	})
}

func TestArgumentsOfTheLimiter(t *testing.T) {
	if _, err := Permit(ctx, nil, counter, 0, time.Second); !errors.Is(err, ErrLimit) {
		t.Errorf("limit 0: %v", err)
	}
	if _, err := Permit(ctx, nil, counter, 1, time.Millisecond-1); !errors.Is(err, ErrLimit) {
		t.Errorf("a window below a millisecond: %v", err)
	}
	onEveryEngine(t, func(t *testing.T, e *engine) {
		for _, c := range []struct {
			keys []string
			args []any
		}{
			{[]string{counter}, nil},
			{[]string{counter}, []any{1}},
			{[]string{counter}, []any{0, 1000}},
			{[]string{counter}, []any{1, 0}},
			{[]string{counter}, []any{1, -1}},
			{[]string{counter}, []any{"1.5", 1000}},
			{[]string{counter}, []any{1, "soon"}},
			{[]string{counter, "other"}, []any{1, 1000}},
			{nil, []any{1, 1000}},
		} {
			err := limiter.Run(ctx, e, c.keys, c.args...).Err()
			if err == nil || !strings.HasPrefix(err.Error(), "BADARGS ") {
				t.Errorf("%v %v: %v", c.keys, c.args, err)
			}
		}
		if n := must[int64](t)(e.DBSize(ctx).Result()); n != 0 {
			t.Errorf("%d keys were made", n)
		}
	})
}

// What is no counter is an error and stays as it is.
func TestNoCounter(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, e *engine) {
		e.RPush(ctx, "list", "A")
		e.Set(ctx, "text", "A", 0)
		if _, err := Permit(ctx, e, "list", 1, time.Second); err == nil || !strings.Contains(err.Error(), "WRONGTYPE") {
			t.Errorf("a list: %v", err)
		}
		if _, err := Permit(ctx, e, "text", 1, time.Second); err == nil || !redis.HasErrorPrefix(errors.Unwrap(err), "BADCOUNT") {
			t.Errorf("a text: %v", err)
		}
		if v := must[string](t)(e.Get(ctx, "text").Result()); v != "A" {
			t.Errorf("text: %q", v)
		}
		if n := must[int64](t)(e.LLen(ctx, "list").Result()); n != 1 {
			t.Errorf("list: %d elements", n)
		}
	})
}
