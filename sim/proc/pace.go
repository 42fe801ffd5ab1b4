package proc

import (
	"context"
	"time"
)

// Pace is how fast the time of a lesson goes where no scheduler owns it: with a pace
// of 1000 a second of the lesson lasts a millisecond. The zero value is real time.
// All that take part in a run must have the same one, or leases and those who renew
// them disagree.
type Pace struct {
	since time.Time
	times int
}

// NewPace lets lesson time start at an instant and go so many times as fast as real
// time; 0 and 1 are real time.
func NewPace(since time.Time, times int) Pace {
	if times <= 1 {
		return Pace{}
	}
	return Pace{since, times}
}

// Times is how many times as fast lesson time goes; at least 1.
func (p Pace) Times() int { return max(p.times, 1) }

// Since is when lesson time began, in UTC.
func (p Pace) Since() time.Time { return p.since.UTC() }

// Now is the lesson's time, in UTC.
func (p Pace) Now() time.Time {
	now := time.Now()
	if p.times > 1 {
		now = p.since.Add(now.Sub(p.since) * time.Duration(p.times))
	}
	return now.UTC()
}

// Real is how long a span of the lesson's time really lasts.
func (p Pace) Real(d time.Duration) time.Duration { return d / time.Duration(p.Times()) }

type paceKey struct{}

// WithPace gives those who run with ctx a pace.
func WithPace(ctx context.Context, p Pace) context.Context {
	if p.times <= 1 {
		return ctx
	}
	return context.WithValue(ctx, paceKey{}, p)
}

func paceOf(ctx context.Context) Pace {
	p, _ := ctx.Value(paceKey{}).(Pace)
	return p
}
