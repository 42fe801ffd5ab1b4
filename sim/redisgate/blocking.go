package redisgate

import (
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

// blockingRead is an XREADGROUP ... BLOCK ms ... STREAMS key >.
type blockingRead struct {
	stream, group string
	block         time.Duration // 0: for ever
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
			if i+1 < len(args) {
				r.group = str(args[i+1])
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
	if r.group == "" || len(streams) != 2 {
		return r, false, errWouldBlock
	}
	if streams[1] != ">" {
		return r, false, nil // a reader of its own pending entries never waits
	}
	r.stream = streams[0]
	return r, true, nil
}

// await lets a blocking read wait in the gate: it is enabled when an entry is
// there or its time is over. What happened is decided after the park, by ready,
// for a replay steps without asking first.
func (h *Hook) await(a *sim.Actor, op *sim.Op, r blockingRead) (timedOut func() bool) {
	k := a.Kernel()
	if r.block > 0 {
		op.Wake = k.Now + r.block
	}
	wake := op.Wake
	op.Blocked = func() (trace.Reason, bool) {
		if h.Ready(a, r.stream, r.group) || wake > 0 && k.Now >= wake {
			return trace.Reason{}, false
		}
		why := trace.Reason{Kind: "stream", Name: r.stream}
		if wake > 0 {
			why.Left = wake - k.Now
		}
		return why, true
	}
	return func() bool { return !h.Ready(a, r.stream, r.group) }
}
