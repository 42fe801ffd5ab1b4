package redisgate

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"flashlab/sim"
	"flashlab/sim/trace"
)

// errWouldBlock answers a kind of blocking command that the gate does not model:
// in the engine it would wait in wall time.
var errWouldBlock = errors.New("redisgate: under the lab only XREADGROUP may block, and only on one stream with >")

// errHanded answers a waiting read in a form that the gate cannot fill.
var errHanded = errors.New("redisgate: only XReadGroup can be handed an entry by a fault")

// Reader is a consumer that waits for an entry of a stream which its group has not
// handed out yet.
type Reader struct{ Stream, Group, Consumer string }

// blockingRead is an XREADGROUP ... BLOCK ms ... STREAMS key >.
type blockingRead struct {
	Reader
	block time.Duration // 0: for ever
}

// Reading returns the waiting read that an actor stands before, if it does.
func Reading(d sim.Detail) (Reader, bool) {
	cmds := Commands(d)
	if len(cmds) != 1 {
		return Reader{}, false
	}
	r, ok, err := blockingOf(cmds[0])
	return r.Reader, ok && err == nil
}

// blockingOf recognises a command that may wait. ok is false for commands that
// never do; the error is for those the gate cannot model.
func blockingOf(cmd redis.Cmder) (r blockingRead, ok bool, err error) {
	args := cmd.Args()
	switch strings.ToLower(cmd.Name()) {
	case "blpop", "brpop", "blmove", "brpoplpush", "bzpopmin", "bzpopmax", "blmpop", "bzmpop", "wait", "waitaof":
		return r, false, errWouldBlock
	case "xread", "xreadgroup":
	default:
		return r, false, nil
	}
	blocks, streams := false, []string(nil)
	for i := 1; i < len(args); i++ {
		switch strings.ToLower(str(args[i])) {
		case "group":
			if i+2 < len(args) {
				r.Group, r.Consumer = str(args[i+1]), str(args[i+2])
			}
		case "block":
			if i+1 < len(args) {
				blocks = true
				d, err := time.ParseDuration(str(args[i+1]) + "ms")
				if err != nil {
					return r, false, nil // the engine will refuse it
				}
				r.block = d
			}
		case "streams":
			for _, s := range args[i+1:] {
				streams = append(streams, str(s))
			}
			i = len(args)
		}
	}
	if !blocks {
		return r, false, nil
	}
	if r.Group == "" || len(streams) != 2 {
		return r, false, errWouldBlock
	}
	if streams[1] != ">" {
		return r, false, nil // a reader of its own pending entries never waits
	}
	r.Stream = streams[0]
	return r, true, nil
}

// await lets a blocking read wait in the gate: it is enabled when an entry is
// there or its time is over. What happened is decided after the park, by answer,
// for a replay steps without asking first.
func (h *Hook) await(a *sim.Actor, op *sim.Op, r blockingRead) {
	k := a.Kernel()
	if r.block > 0 {
		op.Wake = k.Now + r.block
	}
	wake := op.Wake
	op.Blocked = func() (trace.Reason, bool) {
		if h.Streams.Handed(r.Reader) || h.Streams.Ready(r.Reader) || wake > 0 && k.Now >= wake {
			return trace.Reason{}, false
		}
		why := trace.Reason{Kind: "stream", Name: r.Stream}
		if wake > 0 {
			why.Left = wake - k.Now
		}
		return why, true
	}
}

// answer decides what a read that has waited gets: an entry that a fault has put
// into its hands, nothing when its time is over, else what the engine says.
func (h *Hook) answer(ctx context.Context, cmd redis.Cmder, r Reader, next redis.ProcessHook) error {
	if m, ok := h.Streams.Take(r); ok {
		if c, is := cmd.(*redis.XStreamSliceCmd); is {
			c.SetVal([]redis.XStream{{Stream: r.Stream, Messages: []redis.XMessage{m}}})
			return nil
		}
		return errHanded
	}
	if h.Streams.Ready(r) {
		return next(ctx, cmd)
	}
	cmd.SetErr(redis.Nil) // what a reader that has waited long enough gets
	return redis.Nil
}
