package live

import (
	"context"
	"time"

	"flashlab/sim/proc"
)

// Paced returns a clock for code that runs free while its time goes faster than the
// server's. A lease of 30 s with a pace of 100 is one of 300 ms there, and told as 30 s.
// Leases are rounded up to the server's milliseconds. Several processes may have such a
// clock for the same run, if their paces are the same.
func (r *Run) Paced(p proc.Pace) (*Clock, error) {
	if !r.joined && !r.atLeast(7, 0) {
		return nil, r.Target.trouble(nil, "version", "trouble.too-old-for-pace", "{server} is Redis {version}: a pace on a server needs 7.0 or newer; with --pace 1 time is the server's own", "version", r.Version)
	}
	began := p.Since()
	asked := time.Now()
	t, err := r.one.Time(context.Background()).Result()
	if err != nil {
		return nil, r.Target.wrap(timing, err)
	}
	// The answer was made after the question and the server counts in milliseconds: what
	// is not known makes leases longer, never shorter than they were asked for.
	base := t.Add(began.Sub(asked) + time.Millisecond - 1)
	return &Clock{
		Epoch: began, Now: func() time.Duration { return p.Now().Sub(began) }, scripts: map[string]string{},
		base: base.UnixMilli(), times: int64(p.Times()), wide: 1,
	}, nil
}
