package showdown

import (
	"context"
	"errors"
	"slices"
	"time"

	"flashlab/lessons"
	"flashlab/sim/live"
	"flashlab/sim/scenario"
)

// Options of a showdown. Zero values have defaults.
type Options struct {
	Server      *live.Target // nil: the embedded Redis
	Requests    int          // of each sale; 0: 500
	Concurrency []int        // nil: 1, 4, 16, 64, 256
	Stock       []int        // nil: 1, 100, 10000
	Limit       time.Duration
	// Progress is told before each sale how far the showdown is; may be nil. It runs in
	// the goroutine of Run and must not keep it waiting.
	Progress func(Progress)
}

// Progress is how far a showdown is.
type Progress struct {
	Done []Cell // the sales that are over, for reading only
	All  int    // how many there are
	Now  Setting
}

// Defaults fills in what was not said.
func (o Options) Defaults() Options {
	if o.Requests == 0 {
		o.Requests = 500
	}
	if len(o.Concurrency) == 0 {
		o.Concurrency = []int{1, 4, 16, 64, 256}
	}
	if len(o.Stock) == 0 {
		o.Stock = []int{1, 100, 10_000}
	}
	if o.Limit == 0 {
		o.Limit = 20 * time.Second
	}
	return o
}

// Settings are the sales of a showdown: every concurrency at the middle stock, every
// stock at the middle concurrency, each on all paths, with and without a limiter.
func (o Options) Settings() []Setting {
	o = o.Defaults()
	concurrency, stock := o.Middle()
	type pair struct{ concurrency, stock int }
	var at []pair
	for _, c := range o.Concurrency {
		at = append(at, pair{c, stock})
	}
	for _, s := range o.Stock {
		if p := (pair{concurrency, s}); !slices.Contains(at, p) {
			at = append(at, p)
		}
	}
	var out []Setting
	for _, p := range at {
		for _, limited := range []bool{false, true} {
			for _, path := range Paths() {
				out = append(out, Setting{Path: path, Limited: limited, Requests: o.Requests, Concurrency: p.concurrency, Stock: p.stock})
			}
		}
	}
	return out
}

// Middle is where the two curves cross.
func (o Options) Middle() (concurrency, stock int) {
	o = o.Defaults()
	return o.Concurrency[len(o.Concurrency)/2], o.Stock[len(o.Stock)/2]
}

// Run measures all of them. A cancelled ctx stops it; what was measured is returned. A
// server that is lost ends it too, and the last cell says so.
func Run(ctx context.Context, o Options) ([]Cell, error) {
	o = o.Defaults()
	all := o.Settings()
	var out []Cell
	for _, s := range all {
		if o.Progress != nil {
			o.Progress(Progress{out, len(all), s})
		}
		c, err := Measure(ctx, o.Server, s, o.Limit)
		if ctx.Err() != nil {
			return out, nil // the last one is not whole
		}
		var trouble *live.Trouble
		if errors.As(err, &trouble) && len(out) > 0 { // between two sales; what was measured is kept
			return append(out, Cell{Setting: s, Verdict: scenario.Unknown, Lost: trouble}), nil
		}
		if err != nil {
			return out, err
		}
		if out = append(out, c); c.Lost != nil {
			return out, nil
		}
	}
	return out, nil
}

// Ratio compares the script with the synchronous path at one place.
type Ratio struct {
	Limited            bool
	Concurrency, Stock int
	// Answered is the ratio of the answers a second, and Settled that of the orders
	// finished a second, with the drain counted. Both are 0 when a path broke a promise.
	Answered, Settled float64
	Broken            bool // one of the two broke a promise: there is no ratio
}

// Ratios are those of all places where both were measured.
func Ratios(cells []Cell) []Ratio {
	var out []Ratio
	for _, a := range cells {
		if a.Path != Synchronous {
			continue
		}
		for _, c := range cells {
			if c.Path != Script || c.Limited != a.Limited || c.Concurrency != a.Concurrency || c.Stock != a.Stock {
				continue
			}
			r := Ratio{Limited: a.Limited, Concurrency: a.Concurrency, Stock: a.Stock, Broken: a.Verdict == scenario.Breaks || c.Verdict == scenario.Breaks}
			if a.Holds() && c.Holds() && a.Rate > 0 && a.Settled() > 0 {
				r.Answered, r.Settled = c.Rate/a.Rate, c.Settled()/a.Settled()
			}
			out = append(out, r)
		}
	}
	return out
}

// Depends says what the ratio depends on.
var Depends = lessons.Text{
	EN: "It depends on what the database costs: here it is a file in the same process, without a network, so the synchronous path, with its lock and its transaction, pays two commands to Redis and one write lock; every millisecond that a database is away is added to that path alone. As a rule it grows with concurrency, because writers queue for the database, and it is never the same twice on a small machine. The stock matters less: who finds nothing left has paid for the lock and the transaction already.",
	ZH: "这要看数据库有多贵：这里的数据库就是同一个进程里的一个文件，不走网络，所以同步的那条路（加锁、开事务）只付两条 Redis 命令和一次写锁；数据库每远一毫秒，都只加在这条路上。一般来说并发越高倍数越大，因为写要排队等数据库；小机器上每次量都会不一样。库存的影响小一些：发现没货的人，锁和事务的钱已经付过了。",
}

// Embedded says why figures without a server mislead.
var Embedded = lessons.Text{
	EN: "These figures mislead: without --redis the Redis is the embedded one. Its Lua is interpreted in Go and slow, which costs the script most, and no command crosses a network, which favours whoever sends many.",
	ZH: "这些数字会误导人：没有给 --redis，用的是内嵌的 Redis。它的 Lua 由 Go 解释执行，很慢，脚本最吃亏；命令又都不走网络，谁发得多谁占便宜。",
}
