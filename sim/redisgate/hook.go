// Package redisgate parks actors in a go-redis hook before each command.
//
// The hook runs on the caller's goroutine before a pool connection is taken, so
// a parked actor holds none. Without an actor in the context it only passes on.
// The package must not know what a key means: lock and shop rules live elsewhere.
package redisgate

import (
	"context"
	"errors"
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
	// Streams is asked for readers that wait: blocking reads wait in the gate, in
	// virtual time. Without it they go to the engine.
	Streams Streams

	scratch []byte
}

var _ redis.Hook = (*Hook)(nil)

// Streams tells what a reader that waits would get.
type Streams interface {
	// Ready reports whether the group has an entry that nobody has got.
	Ready(Reader) bool
	// Handed reports whether a fault has put an entry into the reader's hands.
	Handed(Reader) bool
	// Take returns that entry, once.
	Take(Reader) (redis.XMessage, bool)
}

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
		r, waits, err := h.park(ctx, a, &Command{Cmds: []redis.Cmder{cmd}, hook: h})
		switch {
		case err != nil:
			cmd.SetErr(err)
			return err
		case waits:
			err = h.answer(ctx, cmd, r, next)
		default:
			if err = next(ctx, cmd); err != nil {
				cmd.SetErr(err) // go-redis does so only later, and who watches wants to see it
			}
		}
		if err == nil && cmd.Name() == "watch" {
			a.Join() // one step with the command that follows
			return nil
		}
		if a.LosesReply() {
			err = ErrLostReply
			cmd.SetErr(err)
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
		if _, _, err := h.park(ctx, a, &Command{Cmds: cmds, hook: h}); err != nil {
			setErr(cmds, err)
			return err
		}
		err := next(ctx, cmds)
		if a.LosesReply() {
			err = ErrLostReply
			setErr(cmds, err)
		}
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

// ErrLostReply is what the caller of a command sees whose answer was lost: the
// command has run.
var ErrLostReply = errors.New("i/o timeout: the reply was lost")

// park stops the actor before the command. waits says that it was a read that has
// waited in the gate, and whose: what it gets is decided at execution.
func (h *Hook) park(ctx context.Context, a *sim.Actor, c *Command) (r Reader, waits bool, err error) {
	// A lost lock cancels its work through its context: nothing more is sent.
	if err := ctx.Err(); err != nil {
		return r, false, err
	}
	name := c.Name()
	if a.Joined() {
		// The command after WATCH belongs to the step already taken.
		return r, false, a.Relabel(name, c)
	}
	read, blocks := blockingRead{}, false
	for _, cmd := range c.Cmds {
		if read, blocks, err = blockingOf(cmd); err != nil {
			a.Kernel().Fail(err)
			return r, false, err
		}
	}
	op, err := a.Prepare(sim.KindRedis, name)
	if err != nil {
		return r, false, err
	}
	op.Detail = c
	waits = blocks && len(c.Cmds) == 1 && h.Streams != nil
	if waits {
		h.await(a, op, read)
	}
	if err := a.Park(); err != nil {
		return r, false, err
	}
	if err := ctx.Err(); err != nil { // cancelled while it stood here
		a.Did(nil, err)
		return r, false, err
	}
	return read.Reader, waits, nil
}
