package world

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"net"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"
	"modernc.org/sqlite"

	"flashlab/sim/live"
	"flashlab/sim/memredis"
	"flashlab/sim/memredis/luabox"
	"flashlab/sim/proc"
	"flashlab/sim/redisgate"
	"flashlab/sim/sqlgate"
)

// FreeOptions say where the engines of a free world are.
type FreeOptions struct {
	// Conns is how many connections each engine may have at once; 0: 16.
	Conns int
	// File is the database that another process has made; "": a new one.
	File string
	// Addr and Password reach the embedded Redis of another process.
	Addr, Password string
	// Listen lets other processes reach the embedded Redis of this world, on a free
	// port of the loopback interface and with the password. "" does not listen.
	Listen string
	// Live is a run on a live server, in the place of an embedded one. It stays the
	// caller's, who closes it after the world.
	Live *live.Run
	// Lost is told once when the live server cannot be worked with any more. By then
	// all connections are closed, so that nobody waits; may be nil.
	Lost func(*live.Trouble)
	// Hook watches the Redis commands of business code; may be nil.
	Hook redis.Hook
	// Pace is how fast the time of Redis goes, as far as business code sees it; another
	// process of the same storm must be told the same.
	Pace proc.Pace
	// Distance is how long each statement is on its way to the database.
	Distance time.Duration
	// Ran is told of the scripts that an embedded Redis has run, whoever sent them; see
	// [memredis.Scripts].
	Ran func(sha string, args []string, reply []byte)
}

// free is what a world without a kernel has: real time, many connections.
type free struct {
	file     string
	password string
	hung     atomic.Bool // business code's connections were closed: its errors mean nothing
	lost     atomic.Bool // the live server was
	pace     proc.Pace
	ahead    atomic.Int64
	ticking  chan struct{} // open while the embedded Redis has a clock of its own
	ticked   chan struct{}
	last     time.Time // what that clock was set to
	setting  sync.Mutex
}

// OpenFree starts engines without a kernel: nobody is stepped, time is real, and
// many goroutines and processes may work at once. SQLite is a write-ahead log in a
// file, with a timeout of 5 s for those that meet a lock. Reset, Advance and Observe
// are not for such a world; Kernel is nil. Close must be called.
func OpenFree(cfg Config, o FreeOptions) (*World, error) {
	if o.Conns <= 0 {
		o.Conns = 16
	}
	w := &World{cfg: cfg, scripts: map[string]string{}, free: &free{file: o.File, password: o.Password, pace: o.Pace}}
	if err := w.openFreeSQL(o); err != nil {
		w.Close()
		return nil, fmt.Errorf("opening SQLite: %w", err)
	}
	if cfg.Redis {
		if err := w.openFreeRedis(o); err != nil {
			w.Close()
			return nil, fmt.Errorf("reaching Redis: %w", err)
		}
	}
	return w, nil
}

const freePragmas = "&_pragma=busy_timeout(5000)&_pragma=synchronous(OFF)&_pragma=journal_mode(WAL)"

func (w *World) openFreeSQL(o FreeOptions) error {
	f := w.free
	if f.file == "" {
		dir, err := tempDir()
		if err != nil {
			return err
		}
		w.dir, f.file = dir, filepath.Join(dir, "shop.db")
	}
	base, err := sqlite.NewConnector("file:" + f.file + "?vfs=unix" + freePragmas)
	if err != nil {
		return err
	}
	ctx := context.Background()
	if w.conn, err = base.Connect(ctx); err != nil {
		return err
	}
	if o.File == "" {
		exec := w.conn.(driver.ExecerContext)
		for _, q := range append(slices.Clone(w.cfg.Schema.DDL), w.cfg.Schema.Seed...) {
			if _, err := exec.ExecContext(ctx, q, nil); err != nil {
				return fmt.Errorf("%s: %w", q, err)
			}
		}
	}
	queries := []string{"BEGIN", "COMMIT"}
	for _, t := range w.cfg.Schema.Tables {
		queries = append(queries, t.Query)
	}
	for _, t := range w.cfg.Schema.Tables {
		queries = append(queries, "SELECT COUNT(*) FROM "+t.Name)
	}
	for _, q := range queries {
		st, err := w.conn.(driver.ConnPrepareContext).PrepareContext(ctx, q)
		if err != nil {
			return fmt.Errorf("%s: %w", q, err)
		}
		w.queries = append(w.queries, st)
	}
	w.rows.init(len(w.cfg.Schema.Tables))
	w.Store = sqlgate.NewStore(w.cfg.Begin, false)
	w.Store.Replace, w.Store.Distance = w.cfg.ReplaceSQL, o.Distance
	w.DB = sql.OpenDB(&sqlgate.Connector{Base: base, Store: w.Store})
	w.DB.SetMaxOpenConns(o.Conns)
	w.DB.SetMaxIdleConns(o.Conns)
	return nil
}

func (w *World) openFreeRedis(o FreeOptions) error {
	switch {
	case o.Live != nil:
		w.Redis, w.direct = o.Live.Many(o.Conns), o.Live.Client(w.guard(o, &w.free.lost))
	case o.Addr != "":
		opt := freeRedis(o.Conns)
		opt.Addr, opt.Password = o.Addr, o.Password
		w.Redis, w.direct = redis.NewClient(opt), redis.NewClient(opt)
	default:
		if err := w.embed(o); err != nil {
			return err
		}
	}
	if err := w.replaceScripts(); err != nil {
		return err
	}
	if w.cfg.Rewrite != nil {
		w.Redis.AddHook(&redisgate.Rewrite{Args: w.cfg.Rewrite})
	}
	if o.Hook != nil {
		w.Redis.AddHook(o.Hook)
	}
	if o.Live != nil {
		w.Redis.AddHook(w.guard(o, &w.free.hung))
		if o.Pace.Times() > 1 {
			clock, err := o.Live.Paced(o.Pace)
			if err != nil {
				return err
			}
			w.Redis.AddHook(clock)
		}
		w.Redis.AddHook(o.Live.Space) // the last: others see the names of business code
	} else {
		w.Redis.AddHook(&patience{w.free})
	}
	if o.Addr != "" || o.Live != nil && o.File != "" && o.Pace.Times() == 1 {
		return nil // who serves it has loaded the scripts; a clock has its own
	}
	if o.Live != nil && o.Pace.Times() > 1 {
		return w.loadScripts(w.Redis) // behind the clock, which must know them
	}
	return w.loadScripts(w.direct)
}

// guard notices that a live server has gone, unless that is expected.
func (w *World) guard(o FreeOptions, expected *atomic.Bool) *live.Guard {
	return &live.Guard{Target: o.Live.Target, Lost: func(x *live.Trouble) {
		if expected.Load() || w.free.lost.Swap(true) {
			return
		}
		w.free.hung.Store(true)
		w.Redis.Close()
		w.direct.Close()
		if o.Lost != nil {
			o.Lost(x)
		}
	}}
}

// freeRedis are the options of a client that many use at once. Answers may be late
// on a busy machine, and requests are never repeated.
func freeRedis(conns int) *redis.Options {
	opt := memredis.Options()
	opt.PoolSize = conns
	opt.PoolTimeout = time.Minute
	opt.ReadTimeout, opt.WriteTimeout = 30*time.Second, 30*time.Second
	return opt
}

func (w *World) embed(o FreeOptions) error {
	m := miniredis.NewMiniRedis()
	w.mini = m
	if o.Listen != "" {
		w.free.password = o.Listen
		m.RequireAuth(o.Listen)
		if err := m.StartAddr("127.0.0.1:0"); err != nil {
			return err
		}
	}
	c, err := m.Dial() // every other way to start it opens a port
	if err != nil {
		return err
	}
	if err := c.Close(); err != nil {
		return err
	}
	m.ClockTTL(true)
	pool, err := memredis.PoolScripts(m, luabox.Limits{})
	if err != nil {
		return err
	}
	pool.Ran = o.Ran
	if o.Pace.Times() > 1 {
		w.setClock()
		w.startClock()
		pool.Arrived = w.setClock // a tick is long there
	}
	opt := freeRedis(o.Conns)
	opt.Password = w.free.password
	opt.Dialer = func(context.Context, string, string) (net.Conn, error) { return m.Dial() }
	w.Redis, w.direct = redis.NewClient(opt), redis.NewClient(opt)
	return nil
}

// File is the path of the database of a free world.
func (w *World) File() string { return w.free.file }

// Addr is where the embedded Redis of a free world listens; "" if it does not.
func (w *World) Addr() string {
	if w.mini == nil || w.free.password == "" {
		return ""
	}
	return w.mini.Addr()
}

// Embedded reports whether a free world has an embedded Redis of its own.
func (w *World) Embedded() bool { return w.mini != nil }

// HangUp ends the Redis connections of business code: whoever waits in a read gets an
// error. Checks go on.
func (w *World) HangUp() {
	if w.Redis != nil {
		w.free.hung.Store(true)
		w.Redis.Close()
	}
}

func (f *free) close() {
	if f.ticking != nil {
		close(f.ticking)
		<-f.ticked
	}
}

// Warm opens n connections to each engine beforehand, as a shop does before a sale: else
// whoever opens the first one has bought before the others are there.
func (w *World) Warm(n int) error {
	ctx := context.Background()
	if w.Redis != nil {
		for range n {
			c := w.Redis.Conn()
			defer c.Close() // all at the end, or there would be one
			if err := c.Ping(ctx).Err(); err != nil {
				return fmt.Errorf("opening connections: %w", err)
			}
		}
	}
	for range n {
		c, err := w.DB.Conn(ctx)
		if err != nil {
			return fmt.Errorf("opening connections: %w", err)
		}
		defer c.Close() // all at the end, or there would be one
		if err := c.QueryRowContext(ctx, "SELECT 1").Scan(new(int)); err != nil {
			return fmt.Errorf("opening connections: %w", err)
		}
	}
	return nil
}
