package proc

import (
	"context"
	"encoding/binary"
	"time"

	"flashlab/sim"
	"flashlab/sim/trace"
)

// Sleep waits for d, or until ctx is done and then returns its error. Under the
// lab the time is virtual, in a free run it has the run's [Pace].
func Sleep(ctx context.Context, d time.Duration) error {
	a := sim.From(ctx)
	if a == nil {
		t := time.NewTimer(paceOf(ctx).Real(d))
		defer t.Stop()
		select {
		case <-t.C:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	k := a.Kernel()
	op, err := a.Prepare(sim.KindSleep, "sleep")
	if err != nil {
		return err
	}
	wake := k.Now + d
	op.Wake, op.Detail = wake, sleepCall(d)
	if !k.FreeTime {
		op.Blocked = func() (trace.Reason, bool) {
			if k.Now >= wake || ctx.Err() != nil {
				return trace.Reason{}, false
			}
			return trace.Reason{Kind: "sleep", Left: wake - k.Now}, true
		}
	}
	if err := a.Park(); err != nil {
		return err
	}
	err = ctx.Err()
	a.Did(nil, err)
	return err
}

type sleepCall time.Duration

func (c sleepCall) Command() string          { return "sleep " + time.Duration(c).String() }
func (c sleepCall) Reply() string            { return "" }
func (c sleepCall) Accesses() []trace.Access { return nil }

// epoch is virtual time zero, in UTC: the instant embedded engines start at too.
var epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// Epoch is the instant at which virtual time starts.
func Epoch() time.Time { return epoch }

// Now returns the time, in UTC. Under the lab it is virtual. What an actor reads
// becomes part of its history, for it may act on it.
func Now(ctx context.Context) time.Time {
	a := sim.From(ctx)
	if a == nil {
		return paceOf(ctx).Now()
	}
	now := a.Kernel().Now
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], uint64(now))
	a.Saw(b[:])
	return epoch.Add(now)
}
