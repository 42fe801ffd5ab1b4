package redisgate

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"

	"github.com/redis/go-redis/v9"
)

// Substitute is a hook that runs other scripts in the place of some that business
// code calls by their SHA-1: the code stays as it is, and runs what somebody else
// has written. It must be added before a [Hook], so that each part is a step of
// its own.
type Substitute struct {
	// Parts holds, by the SHA-1 of a script, the SHA-1 of those that are called
	// instead, one after the other. Each gets the keys and arguments of the call
	// and, behind them, the answers of the parts before it, as text; a missing
	// answer is "". The last answer is that of the call.
	Parts map[string][]string
}

var _ redis.Hook = (*Substitute)(nil)

// DialHook passes through.
func (s *Substitute) DialHook(next redis.DialHook) redis.DialHook {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		return next(ctx, network, addr)
	}
}

// ProcessHook replaces EVALSHA of a script that has a substitute.
func (s *Substitute) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		call, ok := cmd.(*redis.Cmd)
		if !ok || !strings.EqualFold(cmd.Name(), "evalsha") || len(cmd.Args()) < 3 {
			return next(ctx, cmd)
		}
		parts := s.Parts[fmt.Sprint(cmd.Args()[1])]
		if len(parts) == 0 {
			return next(ctx, cmd)
		}
		return run(ctx, call, parts, next)
	}
}

func run(ctx context.Context, call *redis.Cmd, parts []string, next redis.ProcessHook) error {
	args := append([]any(nil), call.Args()...)
	for _, sha := range parts {
		args[1] = sha
		part := redis.NewCmd(ctx, append([]any(nil), args...)...)
		part.SetFirstKeyPos(3)
		err := next(ctx, part)
		if err != nil && !errors.Is(err, redis.Nil) {
			call.SetErr(err)
			return err
		}
		call.SetErr(err)
		call.SetVal(part.Val())
		answer := ""
		if v := part.Val(); v != nil {
			answer = fmt.Sprint(v)
		}
		args = append(args, answer)
	}
	return call.Err()
}

// ProcessPipelineHook passes through: in a pipeline nothing is replaced.
func (s *Substitute) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

// Rewrite is a hook that sends other arguments than business code does. It must be
// added before a [Hook], which then sees what is really sent. It knows commands
// that answer yes or no (SET NX, EXPIRE) or a number (DEL); pipelines pass through.
type Rewrite struct {
	// Args returns what is sent instead of a command, or nil to leave it alone.
	Args func(args []any) []any
}

var _ redis.Hook = (*Rewrite)(nil)

// DialHook passes through.
func (r *Rewrite) DialHook(next redis.DialHook) redis.DialHook {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		return next(ctx, network, addr)
	}
}

// ProcessHook sends the new arguments and hands on their answer.
func (r *Rewrite) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		args := r.Args(cmd.Args())
		if args == nil {
			return next(ctx, cmd)
		}
		var err error
		switch c := cmd.(type) {
		case *redis.BoolCmd:
			n := redis.NewBoolCmd(ctx, args...)
			err = next(ctx, n)
			c.SetVal(n.Val())
		case *redis.IntCmd:
			n := redis.NewIntCmd(ctx, args...)
			err = next(ctx, n)
			c.SetVal(n.Val())
		case *redis.StatusCmd:
			n := redis.NewStatusCmd(ctx, args...)
			err = next(ctx, n)
			c.SetVal(n.Val())
		default:
			return next(ctx, cmd)
		}
		cmd.SetErr(err)
		return err
	}
}

// ProcessPipelineHook passes through.
func (r *Rewrite) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}
