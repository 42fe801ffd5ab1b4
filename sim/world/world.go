// Package world holds the engines of one run: a Redis, an SQL database and the
// kernel whose actors use them through gates. It resets them quickly between
// runs and renders their content in canonical form.
//
// The package must not know a lesson or a rule of the shop: schema, scripts and
// seed come from outside.
package world

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"
	"modernc.org/sqlite"

	"flashlab/sim"
	"flashlab/sim/live"
	"flashlab/sim/memredis"
	"flashlab/sim/memredis/luabox"
	"flashlab/sim/proc"
	"flashlab/sim/redisgate"
	"flashlab/sim/sqlgate"
)

// Engine is the form of SQLite a world runs on.
type Engine uint8

const (
	// Memory is the memdb VFS: fastest, but an open write transaction blocks
	// readers. For lessons in autocommit.
	Memory Engine = iota
	// WAL is a write-ahead log in a temporary directory: readers go on beside a
	// writer. For lessons with transactions.
	WAL
)

// String returns "memory" or "wal".
func (e Engine) String() string { return [...]string{"memory", "wal"}[e] }

// Table says how a table is read for keys, checks and panes.
type Table struct {
	Name    string
	Columns []string
	Query   string // in canonical order and without rowids
}

// Schema is the database a scenario starts from.
type Schema struct {
	DDL    []string
	Tables []Table
	Seed   []string // statements that make the initial rows, run at every reset
}

// Config describes the engines of a scenario.
type Config struct {
	Engine  Engine
	Begin   sqlgate.Begin
	Schema  Schema
	Redis   bool              // the scenario uses Redis
	Scripts map[string]string // name -> Lua source, loaded before each run
	// Replace holds, by the name of a script, sources that run in its place, one
	// after the other, each a step: see [redisgate.Substitute].
	Replace map[string][]string
	// ReplaceSQL holds statements that run in the place of others, see
	// [sqlgate.Store.Replace].
	ReplaceSQL map[string]string
	// Rewrite returns what is sent in the place of a Redis command, nil for most of
	// them; see [redisgate.Rewrite]. It must always answer the same.
	Rewrite func(args []any) []any
	// Live, when set, is a server that takes the place of the embedded Redis: the same
	// gates, the same virtual time, every key below a prefix of the run. A state key
	// cannot be taken there, so nothing is explored.
	Live *live.Target
}

// World is one set of engines under one kernel.
type World struct {
	Kernel *sim.Kernel
	Redis  *redis.Client // gated
	DB     *sql.DB       // gated
	Store  *sqlgate.Store
	Topics *redisgate.Topics // pub/sub, for actors

	cfg      Config
	mini     *miniredis.Miniredis
	srv      *remote       // instead of mini
	direct   *redis.Client // around the gate
	dir      string
	conn     driver.Conn // around the gate
	resets   []driver.Stmt
	queries  []driver.Stmt
	rows     rowCache
	seeded   bool // the rows are those of the start, or a commit tells that they are not
	watches  []watch
	handed   []handed          // entries that a fault has redelivered
	scripts  map[string]string // sha -> name
	pool     *memredis.Scripts
	recached bool          // business code has had its hands on the cache of scripts
	drawn    sim.HistoryID // random answers of the embedded Redis
	free     *free         // of a world without a kernel
}

// Open starts the engines. Close must be called.
func Open(cfg Config) (*World, error) {
	w := &World{Kernel: sim.New(), cfg: cfg, scripts: map[string]string{}}
	w.Topics = redisgate.NewTopics(w.Kernel)
	if err := w.openSQL(); err != nil {
		w.Close()
		return nil, fmt.Errorf("opening SQLite (%s): %w", cfg.Engine, err)
	}
	if cfg.Redis && cfg.Live != nil {
		if err := w.openLive(cfg.Live); err != nil {
			w.Close()
			return nil, err
		}
	} else if cfg.Redis {
		if err := w.openRedis(); err != nil {
			w.Close()
			return nil, fmt.Errorf("starting the embedded Redis: %w", err)
		}
	}
	return w, nil
}

func (w *World) openSQL() error {
	dsn, dir, err := dsn(w.cfg.Engine)
	if err != nil {
		return err
	}
	w.dir = dir
	base, err := sqlite.NewConnector(dsn)
	if err != nil {
		return err
	}
	ctx := context.Background()
	if w.conn, err = base.Connect(ctx); err != nil {
		return err
	}
	exec := w.conn.(driver.ExecerContext)
	for _, q := range w.cfg.Schema.DDL {
		if _, err := exec.ExecContext(ctx, q, nil); err != nil {
			return fmt.Errorf("%s: %w", q, err)
		}
	}
	prep := w.conn.(driver.ConnPrepareContext)
	add := func(list *[]driver.Stmt, q string) error {
		st, err := prep.PrepareContext(ctx, q)
		if err != nil {
			return fmt.Errorf("%s: %w", q, err)
		}
		*list = append(*list, st)
		return nil
	}
	if err := add(&w.resets, "BEGIN IMMEDIATE"); err != nil { // one commit is cheaper than many
		return err
	}
	for _, t := range w.cfg.Schema.Tables {
		if err := add(&w.resets, "DELETE FROM "+t.Name); err != nil {
			return err
		}
		if err := add(&w.queries, t.Query); err != nil {
			return err
		}
	}
	for _, q := range append(slices.Clone(w.cfg.Schema.Seed), "COMMIT") {
		if err := add(&w.resets, q); err != nil {
			return err
		}
	}
	w.rows.init(len(w.cfg.Schema.Tables))
	w.Store = sqlgate.NewStore(w.cfg.Begin, w.cfg.Engine == Memory)
	w.Store.Kernel = w.Kernel
	w.Store.Replace = w.cfg.ReplaceSQL
	w.DB = sql.OpenDB(&sqlgate.Connector{Base: base, Store: w.Store})
	w.DB.SetMaxIdleConns(sim.MaxActors) // a connection an actor, kept between runs
	return nil
}

func (w *World) openRedis() error {
	m, err := memredis.Start(proc.Epoch())
	if err != nil {
		return err
	}
	w.mini = m
	pool, err := memredis.PoolScripts(m, luabox.Limits{})
	if err != nil {
		return err
	}
	w.pool = pool
	m.Server().SetPreHook(w.publishes(pool.Hook))
	w.direct = memredis.Client(m)
	opt := memredis.Options()
	opt.Dialer = memredis.Dialer(m)
	w.Redis = redis.NewClient(opt)
	return w.gate()
}

// gate puts the gate before the client of business code, and others behind it.
func (w *World) gate(behind ...redis.Hook) error {
	if err := w.replaceScripts(); err != nil {
		return err
	}
	if w.cfg.Rewrite != nil {
		w.Redis.AddHook(&redisgate.Rewrite{Args: w.cfg.Rewrite})
	}
	w.Redis.AddHook(&redisgate.Hook{
		Kernel:     w.Kernel,
		ScriptName: func(sha string) string { return w.scripts[sha] },
		Unwatched:  w.unwatch,
		Streams:    streams{w},
	})
	for _, h := range behind {
		w.Redis.AddHook(h)
	}
	return w.loadScripts(w.direct)
}

// replaceScripts names the scripts by their SHA-1, and puts others in the place of
// those that are to be replaced. The last part keeps the name: rules that go by
// what a script does go by that.
func (w *World) replaceScripts() error {
	for name, src := range w.cfg.Scripts {
		w.scripts[redis.NewScript(src).Hash()] = name
	}
	if len(w.cfg.Replace) == 0 {
		return nil
	}
	sub := &redisgate.Substitute{Parts: map[string][]string{}}
	for name, parts := range w.cfg.Replace {
		old, ok := w.cfg.Scripts[name]
		if !ok {
			return fmt.Errorf("there is no script %s to be replaced", name)
		}
		var list []string
		for i, src := range parts {
			sha := redis.NewScript(src).Hash()
			list = append(list, sha)
			w.scripts[sha] = name
			if i < len(parts)-1 {
				w.scripts[sha] = fmt.Sprintf("%s part %d", name, i+1)
			}
		}
		sub.Parts[redis.NewScript(old).Hash()] = list
	}
	w.Redis.AddHook(sub)
	return nil
}

// Reset brings engines and kernel back to the start of a run.
func (w *World) Reset() error {
	if err := w.Kernel.Reset(); err != nil {
		return err
	}
	if err := w.resetSQL(); err != nil {
		return err
	}
	if w.cfg.Redis {
		if err := w.resetRedis(); err != nil {
			return err
		}
	}
	return w.loadAhead()
}

// resetSQL brings the rows back, unless the last run has not changed any.
func (w *World) resetSQL() error {
	changed := !w.seeded || w.Store.Commits() > 0
	if err := w.Store.Reset(); err != nil {
		return err
	}
	if !changed {
		return nil
	}
	for _, st := range w.resets {
		if _, err := st.(driver.StmtExecContext).ExecContext(context.Background(), nil); err != nil {
			return fmt.Errorf("resetting the database: %w", err)
		}
	}
	w.seeded = true
	w.rows.forget()
	return nil
}

func (w *World) resetRedis() error {
	w.watches, w.handed = w.watches[:0], w.handed[:0]
	w.Topics.Reset()
	if w.srv != nil {
		return w.srv.reset()
	}
	w.mini.FlushAll()
	w.mini.SetTime(proc.Epoch())
	if w.recached {
		w.recached = false
		if err := w.direct.ScriptFlush(context.Background()).Err(); err != nil {
			return fmt.Errorf("emptying the script cache: %w", err)
		}
		if err := w.loadScripts(w.direct); err != nil {
			return err
		}
	}
	if w.drawn != 0 {
		w.drawn = 0
		w.mini.Seed(1) // as memredis.Start has done
	}
	return nil
}

func (w *World) loadScripts(c redis.Cmdable) error {
	for name, src := range w.cfg.Scripts {
		if err := c.ScriptLoad(context.Background(), src).Err(); err != nil {
			return fmt.Errorf("loading the script %s: %w", name, err)
		}
	}
	for name, parts := range w.cfg.Replace {
		for _, src := range parts {
			if err := c.ScriptLoad(context.Background(), src).Err(); err != nil {
				return fmt.Errorf("loading what replaces the script %s: %w", name, err)
			}
		}
	}
	return nil
}

// Direct is a Redis client that no gate watches, for setup and checks.
func (w *World) Direct() *redis.Client { return w.direct }

// Advance moves virtual time, in the kernel and in Redis. Watches notice keys that
// expire by it.
func (w *World) Advance(t time.Duration) {
	if w.srv != nil {
		w.touch(w.srv.advance(t), false, "expired")
	}
	w.Kernel.Advance(t)
	if w.mini == nil {
		return
	}
	var there []string
	for _, x := range w.watches {
		for _, k := range x.keys {
			if w.mini.Exists(k) {
				there = append(there, k)
			}
		}
	}
	w.mini.SetTime(proc.Epoch().Add(t))
	for _, k := range there {
		if !w.mini.Exists(k) {
			w.touch([]string{k}, false, "expired")
		}
	}
}

// Close ends the actors and removes what the engines have on disk.
func (w *World) Close() error {
	var err error
	if w.Kernel != nil {
		err = w.Kernel.Close()
	}
	if w.free != nil {
		w.free.close()
	}
	for _, list := range [][]driver.Stmt{w.resets, w.queries} {
		for _, st := range list {
			st.Close()
		}
	}
	if w.DB != nil {
		w.DB.Close()
		w.Store.Close()
	}
	if w.conn != nil {
		w.conn.Close()
	}
	if w.Redis != nil {
		w.Redis.Close()
		w.direct.Close()
	}
	if w.mini != nil {
		w.mini.Close()
	}
	if w.srv != nil {
		err = errors.Join(err, w.srv.close())
	}
	if e := removeDir(w.dir); err == nil {
		err = e
	}
	return err
}
