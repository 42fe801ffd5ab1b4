package world

import (
	"context"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// Ahead is how far the clock of the embedded Redis goes ahead of the wall clock.
func (w *World) Ahead() time.Duration { return time.Duration(w.free.ahead.Load()) }

// MoveClock lets the clock of the embedded Redis jump forward by d: leases, idle
// times and the patience of readers follow it. In another process than that of the
// server it moves the readers' patience alone. A live server has its own time.
func (w *World) MoveClock(d time.Duration) {
	f := w.free
	f.ahead.Add(int64(d))
	if w.mini == nil {
		return
	}
	w.setClock()
	w.startClock()
}

// setClock tells the embedded Redis what time it is. The clock never goes back, or
// leases would be shortened twice.
func (w *World) setClock() {
	f := w.free
	f.setting.Lock()
	defer f.setting.Unlock()
	if now := f.pace.Now().Add(w.Ahead()); now.After(f.last) {
		f.last = now
		w.mini.SetTime(now)
	}
}

// startClock sees to it that the clock is moved from now on: miniredis takes either
// the wall clock or what it was told last.
func (w *World) startClock() {
	f := w.free
	if f.ticking != nil {
		return
	}
	f.ticking, f.ticked = make(chan struct{}), make(chan struct{})
	go func() {
		defer close(f.ticked)
		t := time.NewTicker(2 * time.Millisecond)
		defer t.Stop()
		for {
			select {
			case <-f.ticking:
				return
			case <-t.C:
				w.setClock()
			}
		}
	}()
}

// slice is how long a reader waits at a time.
const slice = 20 * time.Millisecond

// patience is a hook that cuts a wait for new entries into slices, so that it ends
// by the clock of the embedded Redis: miniredis itself goes by the wall clock there.
type patience struct{ f *free }

var _ redis.Hook = (*patience)(nil)

// DialHook passes through.
func (p *patience) DialHook(next redis.DialHook) redis.DialHook {
	return func(ctx context.Context, network, addr string) (net.Conn, error) { return next(ctx, network, addr) }
}

// ProcessPipelineHook passes through.
func (p *patience) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

// ProcessHook repeats a short wait until something comes or the time is over.
func (p *patience) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		c, ok := cmd.(*redis.XStreamSliceCmd)
		if !ok {
			return next(ctx, cmd)
		}
		i, d := block(c.Args())
		if d <= slice && p.f.pace.Times() == 1 || d == 0 {
			return next(ctx, cmd)
		}
		args := slices.Clone(c.Args())
		args[i] = max(1, min(slice, p.f.pace.Real(d)).Milliseconds()) // 0 is for ever
		for until := p.now().Add(d); ; {
			part := redis.NewXStreamSliceCmd(ctx, args...)
			err := next(ctx, part)
			if err == nil {
				err = ctx.Err() // a wait that was cancelled ends
			}
			if err == redis.Nil && ctx.Err() == nil && p.now().Before(until) {
				continue
			}
			c.SetVal(part.Val())
			c.SetErr(err)
			return err
		}
	}
}

func (p *patience) now() time.Time {
	return p.f.pace.Now().Add(time.Duration(p.f.ahead.Load()))
}

// block returns the wait that a read asks for, and where it stands; 0: none.
func block(args []any) (int, time.Duration) {
	for i := 0; i+1 < len(args); i++ {
		s, ok := args[i].(string)
		if !ok || !strings.EqualFold(s, "block") {
			continue
		}
		switch n := args[i+1].(type) {
		case int64:
			return i + 1, time.Duration(n) * time.Millisecond
		case int:
			return i + 1, time.Duration(n) * time.Millisecond
		case string:
			ms, _ := strconv.ParseInt(n, 10, 64)
			return i + 1, time.Duration(ms) * time.Millisecond
		}
	}
	return 0, 0
}
