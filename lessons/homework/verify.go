package homework

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"flashlab/lessons"
)

// Limits bound the check of reports. Zero values are those of [DefaultLimits].
type Limits struct {
	Row     time.Duration // for one claim
	Report  time.Duration // for all claims of one report
	Workers int           // claims judged at a time
}

// DefaultLimits are enough for every exercise, and an end for answers that are made
// to take long.
var DefaultLimits = Limits{Row: 20 * time.Second, Report: 2 * time.Minute, Workers: 2}

// Checker judges claims and keeps what it has found, so that a class that hands in
// much of the same is checked quickly. It is safe for concurrent use.
type Checker struct {
	ctx    context.Context
	limits Limits

	mu       sync.Mutex
	found    map[string]*finding
	evidence map[string]*lessons.Evidence // by lesson
}

// finding is what the engine said about something, found once.
type finding struct {
	once  sync.Once
	value any
	err   error
}

// NewChecker returns a checker that stops when ctx is cancelled.
func NewChecker(ctx context.Context, limits Limits) *Checker {
	if limits.Row <= 0 {
		limits.Row = DefaultLimits.Row
	}
	if limits.Report <= 0 {
		limits.Report = DefaultLimits.Report
	}
	if limits.Workers <= 0 {
		limits.Workers = DefaultLimits.Workers
	}
	return &Checker{ctx: ctx, limits: limits, found: map[string]*finding{}, evidence: map[string]*lessons.Evidence{}}
}

// Verify judges every claim of a report by running it, and returns a row for each in
// their order. That a claim is not true is no error; the error says why the check
// itself ended early.
func Verify(ctx context.Context, r *Report) ([]Row, error) {
	return NewChecker(ctx, Limits{}).Verify(r)
}

// Verify is [Verify] with what the checker knows already.
func (c *Checker) Verify(r *Report) ([]Row, error) {
	ctx, cancel := context.WithTimeout(c.ctx, c.limits.Report)
	defer cancel()
	rows := make([]Row, len(r.Claims))
	next := make(chan int)
	var workers sync.WaitGroup
	for range c.limits.Workers {
		workers.Add(1)
		go func() {
			defer workers.Done()
			for i := range next {
				c.row(ctx, &rows[i])
			}
		}()
	}
	twice := twices(r.Claims)
	for i := range r.Claims {
		rows[i] = Row{Claim: r.Claims[i], Says: r.Claims[i].says()}
		if twice[i] {
			rows[i].is(False, Twice, "the same is claimed twice", "同一件事写了两遍")
			continue
		}
		next <- i
	}
	close(next)
	workers.Wait()
	return rows, context.Cause(c.ctx)
}

// twices finds the claims that an earlier one has made. An exercise may have two
// schedules: the shortest, and the one with the fewest switches.
func twices(claims []Claim) map[int]bool {
	out := map[int]bool{}
	count := map[[2]string]int{}
	tokens := map[[2]string]bool{}
	for i, c := range claims {
		most := 1
		if c.Kind == Schedule {
			most = 2
		}
		about, token := [2]string{c.Kind, c.Subject}, [2]string{c.Subject, c.Token}
		count[about]++
		out[i] = count[about] > most || c.Kind == Schedule && tokens[token]
		tokens[token] = true
	}
	return out
}

// row judges one claim within its time, if that of the report, ctx, is not up.
func (c *Checker) row(ctx context.Context, r *Row) {
	defer func() {
		if p := recover(); p != nil {
			r.is(Unknown, EngineFault, "internal fault while judging it: %v", "判的时候内部出错：%v", p)
		}
	}()
	if ctx.Err() == nil {
		// Not of ctx: what is found is kept for other reports, whose time is not up.
		own, cancel := context.WithTimeout(c.ctx, c.limits.Row)
		defer cancel()
		c.judge(own, r)
		return
	}
	r.is(Unknown, TimeIsUp, "not judged: the time for this report was up", "没判：这份报告的时间用完了")
}

// once returns what f says about key, asking it the first time only.
func once[T any](c *Checker, key string, f func() (T, error)) (T, error) {
	c.mu.Lock()
	x := c.found[key]
	if x == nil {
		x = &finding{err: errors.New("judging it ended in a fault")} // stays if f panics
		c.found[key] = x
	}
	c.mu.Unlock()
	x.once.Do(func() {
		value, err := f()
		x.value, x.err = value, err
	})
	value, _ := x.value.(T)
	return value, x.err
}

// of returns the evidence for a lesson. Each has its own, for one that searches keeps
// the others waiting.
func (c *Checker) of(l *lessons.Lesson) *lessons.Evidence {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.evidence[l.Name]
	if e == nil {
		e = lessons.NewEvidence(c.ctx)
		c.evidence[l.Name] = e
	}
	return e
}

// trouble notes that the engine could not judge a claim.
func (r *Row) trouble(err error) {
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		r.is(Unknown, TimeIsUp, "not judged: it took too long", "没判完：用时太长")
		return
	}
	text := fmt.Sprint(err)
	r.is(Unknown, EngineFault, "the engine could not judge it: %s", "引擎判不了：%s", text)
}
