package exercise

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"

	"flashlab/sim/memredis"
	"flashlab/sim/memredis/luabox"
	"flashlab/sim/proc"
)

// Session is an engine of its own, with a clock that stands still until time is let
// go by: for what shows only at the second call, or later.
type Session struct {
	mini *miniredis.Miniredis
	rdb  *redis.Client
	now  time.Time
}

// NewSession starts an empty engine. Close ends it.
func NewSession() (*Session, error) {
	s := &Session{now: proc.Epoch()}
	var err error
	if s.mini, err = memredis.Start(s.now); err != nil {
		return nil, fmt.Errorf("trying the answer: %w", err)
	}
	if _, err := memredis.PoolScripts(s.mini, luabox.Limits{}); err != nil {
		s.mini.Close()
		return nil, fmt.Errorf("trying the answer: %w", err)
	}
	s.rdb = memredis.Client(s.mini)
	return s, nil
}

// Close ends the engine.
func (s *Session) Close() {
	s.rdb.Close()
	s.mini.Close()
}

// Pass lets time go by, and leases with it.
func (s *Session) Pass(d time.Duration) {
	s.now = s.now.Add(d)
	s.mini.SetTime(s.now)
}

// Redis is a client of the engine, for preparing and for looking.
func (s *Session) Redis() *redis.Client { return s.rdb }

// Call calls a script as [Try] does, on what the calls before have left.
func (s *Session) Call(ctx context.Context, parts, keys []string, args ...any) (*Outcome, error) {
	o := &Outcome{Call: Try{Keys: keys, Args: args}.call()}
	return o, s.watch(ctx, o, func() {
		args := append([]any(nil), args...)
		for _, src := range parts {
			o.answer(s.rdb.Eval(ctx, src, keys, args...).Result())
			if o.Err != nil {
				return
			}
			answer := ""
			if o.Reply != nil {
				answer = fmt.Sprint(o.Reply)
			}
			args = append(args, answer)
		}
	})
}

// Do sends one command.
func (s *Session) Do(ctx context.Context, args ...any) (*Outcome, error) {
	line := fmt.Sprintln(args...)
	o := &Outcome{Call: line[:len(line)-1]}
	return o, s.watch(ctx, o, func() { o.answer(s.rdb.Do(ctx, args...).Result()) })
}

func (s *Session) watch(ctx context.Context, o *Outcome, f func()) (err error) {
	if o.Before, err = dump(ctx, s.rdb); err != nil {
		return err
	}
	f()
	o.After, err = dump(ctx, s.rdb)
	return err
}

func (o *Outcome) answer(reply any, err error) {
	if errors.Is(err, redis.Nil) {
		reply, err = nil, nil
	}
	o.Reply, o.Err = reply, err
}
