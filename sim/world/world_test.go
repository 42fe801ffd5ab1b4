package world

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"go.uber.org/goleak"

	"flashlab/sim"
)

var schema = Schema{
	DDL:  []string{"CREATE TABLE n (id INTEGER PRIMARY KEY, v INTEGER, t TEXT)"},
	Seed: []string{"INSERT INTO n VALUES (1, 10, 'ten')", "INSERT INTO n VALUES (2, 20, NULL)"},
	Tables: []Table{
		{Name: "n", Columns: []string{"v", "t"}, Query: "SELECT v, t FROM n ORDER BY v"},
	},
}

func open(t testing.TB, cfg Config) *World {
	t.Helper()
	w, err := Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	if err := w.Reset(); err != nil {
		t.Fatal(err)
	}
	return w
}

// do runs a body as an actor to its end.
func do(t testing.TB, w *World, body func(ctx context.Context) error) {
	t.Helper()
	a, err := w.Kernel.Spawn("actor", "n1", false, body)
	for err == nil && a.Alive() {
		err = w.Kernel.Step(a)
	}
	if err == nil {
		err = a.Err
	}
	if err != nil {
		t.Fatal(err)
	}
}

func rowsText(t testing.TB, w *World) string {
	t.Helper()
	tables, err := w.Tables()
	if err != nil {
		t.Fatal(err)
	}
	var parts []string
	for _, r := range tables[0].Rows {
		parts = append(parts, strings.Join(r, "="))
	}
	return strings.Join(parts, " ")
}

// TestReset: whatever a run has done, the next one finds the start.
func TestReset(t *testing.T) {
	for _, e := range []Engine{Memory, WAL} {
		w := open(t, Config{Engine: e, Schema: schema, Redis: true, Scripts: map[string]string{"one": "return 1"}})
		w.Kernel.OnDid = w.Observe
		start, err := w.AppendKey(nil)
		if err != nil {
			t.Fatal(err)
		}
		for name, body := range map[string]func(ctx context.Context) error{
			"nothing": func(context.Context) error { return nil },
			"update":  func(ctx context.Context) error { _, err := w.DB.ExecContext(ctx, "UPDATE n SET v = 0"); return err },
			"delete":  func(ctx context.Context) error { _, err := w.DB.ExecContext(ctx, "DELETE FROM n"); return err },
			"insert": func(ctx context.Context) error {
				_, err := w.DB.ExecContext(ctx, "INSERT INTO n (v) VALUES (5)")
				return err
			},
			"transaction": func(ctx context.Context) error {
				tx, err := w.DB.BeginTx(ctx, nil)
				if err != nil {
					return err
				}
				defer func() { tx.Rollback() }()
				if _, err := tx.ExecContext(ctx, "UPDATE n SET t = 'x'"); err != nil {
					return err
				}
				return tx.Commit()
			},
			"redis":   func(ctx context.Context) error { return w.Redis.Set(ctx, "a", 1, time.Minute).Err() },
			"scripts": func(ctx context.Context) error { return w.Redis.Eval(ctx, "return 2", nil).Err() },
			"flush":   func(ctx context.Context) error { return w.Redis.ScriptFlush(ctx).Err() },
			"random":  func(ctx context.Context) error { w.Redis.SAdd(ctx, "s", 1, 2, 3); return w.Redis.SPop(ctx, "s").Err() },
		} {
			do(t, w, body)
			w.Advance(time.Hour)
			if err := w.Reset(); err != nil {
				t.Fatalf("%s %s: %v", e, name, err)
			}
			if key, err := w.AppendKey(nil); err != nil || string(key) != string(start) {
				t.Errorf("%s after %s: key %q, at the start %q, %v", e, name, key, start, err)
			}
			if got := rowsText(t, w); got != "10=ten 20=NULL" {
				t.Errorf("%s after %s: rows %s", e, name, got)
			}
			do(t, w, func(ctx context.Context) error { // not what is remembered but what is there
				var rows, sum int
				err := w.DB.QueryRowContext(ctx, "SELECT count(*), sum(v) FROM n WHERE t IS NULL OR t = 'ten'").Scan(&rows, &sum)
				if rows != 2 || sum != 30 {
					t.Errorf("%s after %s: %d rows, %d in all", e, name, rows, sum)
				}
				return err
			})
			if err := w.Reset(); err != nil {
				t.Fatal(err)
			}
			if found, err := w.Direct().ScriptExists(t.Context(), redis.NewScript("return 1").Hash(), redis.NewScript("return 2").Hash()).Result(); err != nil || !found[0] || found[1] {
				t.Errorf("%s after %s: scripts %v, %v", e, name, found, err)
			}
			if now, err := w.Direct().Time(t.Context()).Result(); err != nil || now.Unix()%86400 != 0 {
				t.Errorf("%s after %s: the time is %v, %v", e, name, now, err)
			}
		}
	}
}

// TestKeyOfRedis: any difference in the data makes another key, and the order in
// which it came about does not.
func TestKeyOfRedis(t *testing.T) {
	w := open(t, Config{Schema: schema, Redis: true})
	ctx := t.Context()
	rdb := w.Direct()
	seen := map[string]string{}
	for _, x := range []struct {
		name string
		make []func() error
	}{
		{"empty", nil},
		{"string", []func() error{func() error { return rdb.Set(ctx, "a", "1", 0).Err() }}},
		{"another string", []func() error{func() error { return rdb.Set(ctx, "a", "2", 0).Err() }}},
		{"another key", []func() error{func() error { return rdb.Set(ctx, "b", "1", 0).Err() }}},
		{"with time to live", []func() error{func() error { return rdb.Set(ctx, "a", "1", time.Second).Err() }}},
		{"with more of it", []func() error{func() error { return rdb.Set(ctx, "a", "1", 2*time.Second).Err() }}},
		{"two keys", []func() error{func() error { return rdb.Set(ctx, "a", "1", 0).Err() }, func() error { return rdb.Set(ctx, "b", "1", 0).Err() }}},
		{"list", []func() error{func() error { return rdb.RPush(ctx, "l", "1", "2").Err() }}},
		{"list turned round", []func() error{func() error { return rdb.RPush(ctx, "l", "2", "1").Err() }}},
		{"list of one", []func() error{func() error { return rdb.RPush(ctx, "l", "12").Err() }}},
		{"set", []func() error{func() error { return rdb.SAdd(ctx, "l", "1").Err() }, func() error { return rdb.SAdd(ctx, "l", "2").Err() }}},
		{"hash", []func() error{func() error { return rdb.HSet(ctx, "l", "1", "2").Err() }}},
		{"hash of two", []func() error{func() error { return rdb.HSet(ctx, "l", "1", "2").Err() }, func() error { return rdb.HSet(ctx, "l", "3", "4").Err() }}},
		{"sorted set", []func() error{func() error { return rdb.ZAdd(ctx, "l", z("1", 2)).Err() }}},
		{"other score", []func() error{func() error { return rdb.ZAdd(ctx, "l", z("1", 2.5)).Err() }}},
	} {
		var keys []string
		for _, backwards := range []bool{false, true} {
			if err := w.Reset(); err != nil {
				t.Fatal(err)
			}
			for i := range x.make {
				if backwards {
					i = len(x.make) - 1 - i
				}
				if err := x.make[i](); err != nil {
					t.Fatalf("%s: %v", x.name, err)
				}
			}
			k, err := w.AppendKey(nil)
			if err != nil {
				t.Fatal(err)
			}
			keys = append(keys, string(k))
		}
		if keys[0] != keys[1] {
			t.Errorf("%s: the key depends on the order", x.name)
		}
		if other, ok := seen[keys[0]]; ok {
			t.Errorf("%s looks like %s", x.name, other)
		}
		seen[keys[0]] = x.name
	}
}

func z(member string, score float64) redis.Z { return redis.Z{Member: member, Score: score} }

// TestRowsFollowCommits: what lights see is what is committed, and nothing else.
func TestRowsFollowCommits(t *testing.T) {
	w := open(t, Config{Engine: WAL, Schema: schema})
	a, err := w.Kernel.Spawn("actor", "n1", false, func(ctx context.Context) error {
		tx, err := w.DB.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer func() { tx.Rollback() }()
		if _, err := tx.ExecContext(ctx, "UPDATE n SET v = 30 WHERE v = 20"); err != nil {
			return err
		}
		return tx.Commit()
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"10=ten 20=NULL", "10=ten 20=NULL", "10=ten 20=NULL", "10=ten 30=NULL"} {
		if got := rowsText(t, w); got != want {
			t.Errorf("before step %d: %s, want %s", i+1, got, want)
		}
		if a.State() == sim.Parked {
			if err := w.Kernel.Step(a); err != nil {
				t.Fatal(err)
			}
		}
	}
	// A commit in one run is not taken for one in another.
	for _, v := range []string{"1", "2"} {
		if err := w.Reset(); err != nil {
			t.Fatal(err)
		}
		do(t, w, func(ctx context.Context) error { _, err := w.DB.ExecContext(ctx, "UPDATE n SET v = "+v); return err })
		if got, want := rowsText(t, w), v+"=ten "+v+"=NULL"; got != want {
			t.Errorf("rows %s, want %s", got, want)
		}
	}
	if _, err := w.Rows("nothing"); err == nil {
		t.Error("a table that is not there has rows")
	}
}

// TestClose: goroutines and files go, also when opening fails half-way.
func TestClose(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	dirs := func() int {
		list, err := filepath.Glob(filepath.Join(tempRoot(), tempPrefix+strconv.Itoa(os.Getpid())+"-*"))
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	before := dirs()
	for _, cfg := range []Config{
		{Schema: schema}, {Engine: WAL, Schema: schema}, {Engine: WAL, Schema: schema, Redis: true},
		{Engine: WAL, Schema: Schema{DDL: []string{"NONSENSE"}}},
		{Engine: WAL, Schema: Schema{Tables: []Table{{Name: "missing", Query: "SELECT 1"}}}},
		{Engine: WAL, Schema: schema, Redis: true, Scripts: map[string]string{"bad": "return return"}},
	} {
		w, err := Open(cfg)
		if err == nil {
			if err = w.Reset(); err == nil {
				if _, err = w.Kernel.Spawn("actor", "n1", false, func(ctx context.Context) error {
					_, err := w.DB.BeginTx(ctx, nil) // killed while it stands here
					return err
				}); err != nil {
					t.Error(err)
				}
			}
			if err := w.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	if after := dirs(); after != before {
		t.Errorf("%d directories before, %d after", before, after)
	}
}

// TestRemoveStale: what a killed lab has left goes; what a living one has stays.
func TestRemoveStale(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	mine, parents := tempPrefix+strconv.Itoa(os.Getpid())+"-1", tempPrefix+strconv.Itoa(os.Getppid())+"-1"
	for _, name := range []string{tempPrefix + "99999999-1", mine, parents, tempPrefix + "x-1", "unrelated-99999999-1"} {
		if err := os.Mkdir(filepath.Join(os.TempDir(), name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if n := RemoveStale(); n != 1 {
		t.Errorf("removed %d", n)
	}
	left, err := os.ReadDir(os.TempDir())
	if err != nil || len(left) != 4 {
		t.Errorf("left %v, %v", left, err)
	}
}
