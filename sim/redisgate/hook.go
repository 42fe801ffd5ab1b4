// Package redisgate parks actors in a go-redis hook before each command.
//
// The hook runs on the caller's goroutine before a pool connection is taken, so
// a parked actor holds none. Without an actor in the context it only passes on.
// The package must not know what a key means: lock and shop rules live elsewhere.
package redisgate

import (
	"context"
	"net"
	"strings"

	"github.com/redis/go-redis/v9"

	"flashlab/sim"
)

// Hook gates the commands of actors.
type Hook struct {
	// Kernel, when set, puts the client under control: a command without an
	// actor is a hard error then.
	Kernel *sim.Kernel
	// ScriptName returns the name of a loaded script by its SHA-1, or "".
	ScriptName func(sha string) string
	// Unwatched is told when an actor's transaction ended without EXEC; may be nil.
	Unwatched func(a *sim.Actor)

	scratch []byte
}

var _ redis.Hook = (*Hook)(nil)

// DialHook passes through: dialling is nothing that others can see.
func (h *Hook) DialHook(next redis.DialHook) redis.DialHook {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		return next(ctx, network, addr)
	}
}

// internal tells the commands that go-redis sends by itself, with the caller's
// context, when it opens or cleans a connection. Parking there would hold a pool
// slot in the middle of a command.
func internal(cmds ...redis.Cmder) bool {
	for _, c := range cmds {
		switch c.Name() {
		case "hello", "client", "auth", "select", "readonly", "unwatch", "command":
		default:
			return false
		}
	}
	return true
}

// ProcessHook parks before a single command.
func (h *Hook) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		a := sim.From(ctx)
		if internal(cmd) {
			if a != nil && cmd.Name() == "unwatch" {
				a.CloseJoined() // what comes next is outside the transaction
				if h.Unwatched != nil {
					h.Unwatched(a)
				}
			}
			return next(ctx, cmd)
		}
		if a == nil {
			if h.Kernel != nil {
				err := h.Kernel.NoActor(strings.ToUpper(cmd.Name()))
				cmd.SetErr(err)
				return err
			}
			return next(ctx, cmd)
		}
		if err := h.park(a, &Command{Cmds: []redis.Cmder{cmd}, hook: h}); err != nil {
			cmd.SetErr(err)
			return err
		}
		err := next(ctx, cmd)
		if err == nil && cmd.Name() == "watch" {
			a.Join() // one step with the command that follows
			return nil
		}
		h.scratch = appendReply(h.scratch[:0], cmd)
		a.Did(h.scratch, err)
		return err
	}
}

// ProcessPipelineHook parks once before a pipeline or a MULTI..EXEC: it is one step.
func (h *Hook) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		if internal(cmds...) {
			return next(ctx, cmds)
		}
		a := sim.From(ctx)
		if a == nil {
			if h.Kernel != nil {
				err := h.Kernel.NoActor("a pipeline")
				setErr(cmds, err)
				return err
			}
			return next(ctx, cmds)
		}
		if err := h.park(a, &Command{Cmds: cmds, hook: h}); err != nil {
			setErr(cmds, err)
			return err
		}
		err := next(ctx, cmds)
		b := h.scratch[:0]
		for _, c := range cmds {
			b = appendReply(b, c)
			if err := c.Err(); err != nil {
				b = append(append(b, '!'), err.Error()...)
			}
			b = append(b, 0)
		}
		h.scratch = b
		a.Did(b, err)
		return err
	}
}

func setErr(cmds []redis.Cmder, err error) {
	for _, c := range cmds {
		c.SetErr(err)
	}
}

func (h *Hook) park(a *sim.Actor, c *Command) error {
	name := c.Name()
	if a.Joined() {
		// The command after WATCH belongs to the step already taken.
		return a.Relabel(name, c)
	}
	op, err := a.Prepare(sim.KindRedis, name)
	if err != nil {
		return err
	}
	op.Detail = c
	return a.Park()
}
