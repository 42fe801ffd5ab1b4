package explore_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"flashlab/sim/explore"
	"flashlab/sim/scenario"
	"flashlab/sim/sqlgate"
	"flashlab/sim/trace"
	"flashlab/sim/world"
)

// The lock families of the oracle as real code on go-redis.

const (
	lockKey  = "lock:order:7"
	fenceKey = "fence"
	highKey  = "highest"
)

const (
	compareAndDelete = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`
	acquireFenced    = `if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return redis.call('INCR', KEYS[2]) end return 0`
	// An accepted access raises the highest token seen.
	readFenced = `local high = tonumber(redis.call('GET', KEYS[2]) or '0')
if tonumber(ARGV[1]) < high then return -1 end
redis.call('SET', KEYS[2], ARGV[1])
return tonumber(redis.call('GET', KEYS[1]))`
	writeFenced = `local high = tonumber(redis.call('GET', KEYS[2]) or '0')
if tonumber(ARGV[1]) < high then return 0 end
redis.call('SET', KEYS[2], ARGV[1])
redis.call('SET', KEYS[1], ARGV[2])
return 1`
)

var lockScripts = map[string]string{
	"compare-and-delete": compareAndDelete, "acquire-fenced": acquireFenced,
	"read-fenced": readFenced, "write-fenced": writeFenced, "sell-one": sellOne,
}

// locker is the code of one actor of these families.
type locker struct {
	rdb     *redis.Client
	db      *sql.DB
	work    int
	tries   int
	release int // 0 DEL, 1 GET and DEL, 2 script
	fence   int // -1: no stock at all
}

var errHeld = errors.New("the lock is held")

func (l *locker) run(ctx context.Context, me string) error {
	token, err := l.acquire(ctx, me)
	if err != nil {
		return err
	}
	if l.fence < 0 {
		for range l.work {
			if err := l.rdb.Get(ctx, "work").Err(); err != nil && err != redis.Nil {
				return err
			}
		}
	} else if err := l.sell(ctx, token); err != nil {
		return err
	}
	return l.unlock(ctx, me)
}

func (l *locker) acquire(ctx context.Context, me string) (token int64, err error) {
	for try := 0; ; try++ {
		if l.fence == 1 || l.fence == 2 {
			token, err = redis.NewScript(acquireFenced).EvalSha(ctx, l.rdb, []string{lockKey, fenceKey}, me, 30000).Int64()
			if err != nil || token > 0 {
				return token, err
			}
		} else {
			ok, err := l.rdb.SetNX(ctx, lockKey, me, 30*time.Second).Result()
			if err != nil || ok {
				return 0, err
			}
		}
		if try == l.tries {
			return 0, errHeld
		}
	}
}

func (l *locker) sell(ctx context.Context, token int64) error {
	var stock int64
	var err error
	if l.fence == 2 {
		stock, err = redis.NewScript(readFenced).EvalSha(ctx, l.rdb, []string{stockKey, highKey}, token).Int64()
	} else {
		stock, err = l.rdb.Get(ctx, stockKey).Int64()
	}
	if err != nil || stock <= 0 {
		return err
	}
	accepted := true
	switch l.fence {
	case 0:
		err = l.rdb.Set(ctx, stockKey, stock-1, 0).Err()
	case 3: // no fencing: one conditional update
		var n int
		n, err = redis.NewScript(sellOne).EvalSha(ctx, l.rdb, []string{stockKey}).Int()
		accepted = n == 1
	default:
		var n int
		n, err = redis.NewScript(writeFenced).EvalSha(ctx, l.rdb, []string{stockKey, highKey}, token, stock-1).Int()
		accepted = n == 1
	}
	if err != nil || !accepted {
		return err
	}
	return l.insert(ctx)
}

func (l *locker) insert(ctx context.Context) error {
	_, err := l.db.ExecContext(ctx, "INSERT INTO orders (buyer) VALUES (1)")
	return err
}

func (l *locker) unlock(ctx context.Context, me string) error {
	switch l.release {
	case 0:
		return l.rdb.Del(ctx, lockKey).Err()
	case 1:
		v, err := l.rdb.Get(ctx, lockKey).Result()
		if err == redis.Nil || err == nil && v != me {
			return nil
		}
		if err != nil {
			return err
		}
		return l.rdb.Del(ctx, lockKey).Err()
	}
	return redis.NewScript(compareAndDelete).EvalSha(ctx, l.rdb, []string{lockKey}, me).Err()
}

// The lights of these families, by the oracle's names.
var lockLights = []string{"MISDELETE", "OVERLAP", "THIRDPARTY", "OVERSELL"}

func lockScenario(actors, expiries, stock int, l locker) *scenario.Scenario {
	p, err := scenario.NewParams([]scenario.Param{scenario.Standard("expiries", 0)}).With("expiries", fmt.Sprint(expiries))
	if err != nil {
		panic(err)
	}
	return &scenario.Scenario{
		Lesson: "oracle", Variant: "lock", Params: p,
		World: world.Config{
			Engine: world.Memory, Begin: sqlgate.Immediate, Redis: true, Scripts: lockScripts,
			Schema: world.Schema{
				DDL:    []string{orders},
				Tables: []world.Table{{Name: "orders", Columns: []string{"buyer"}, Query: "SELECT buyer FROM orders ORDER BY buyer"}},
			},
		},
		Setup: func(w *world.World) error { return w.Direct().Set(context.Background(), stockKey, stock, 0).Err() },
		Locks: []scenario.Lock{{Key: lockKey, Roles: map[string]scenario.Role{
			"compare-and-delete": scenario.Release, "acquire-fenced": scenario.Acquire,
		}}},
		Actors: func(w *world.World) []scenario.Actor {
			var out []scenario.Actor
			for i := range actors {
				me, code := string(rune('A'+i)), l
				code.rdb, code.db = w.Redis, w.DB
				out = append(out, scenario.Actor{Name: trace.Verbatim(me), Node: fmt.Sprintf("n%d", i+1), Body: func(ctx context.Context) error { return code.run(ctx, me) }})
			}
			return out
		},
		Lights: []scenario.Light{
			scenario.NoMisdeletion(), scenario.MutualExclusion(), scenario.ThirdParty(),
			{Name: "no-oversell", Check: func(v *scenario.View) (bool, error) {
				rows, err := v.Rows("orders")
				return len(rows) <= stock, err
			}},
		},
	}
}

// TestLockOracle reproduces every figure of the lock and lockstock families.
func TestLockOracle(t *testing.T) {
	scenes := 0
	for name, want := range oracle(t) {
		var n, w, r, u, e, s, f int
		var sc *scenario.Scenario
		switch {
		case scan(name, "lock N=%d W=%d R=%d U=%d E=%d", &n, &w, &r, &u, &e):
			sc = lockScenario(n, e, 0, locker{work: w, tries: r, release: u, fence: -1})
		case scan(name, "lockstock N=%d S=%d F=%d U=%d E=%d", &n, &s, &f, &u, &e):
			sc = lockScenario(n, e, s, locker{release: u, fence: f})
		default:
			continue
		}
		scenes++
		t.Run(name, func(t *testing.T) { compareLights(t, sc, lockLights, want) })
	}
	if scenes < 34 {
		t.Errorf("the oracle has %d scenes of these families: some are missing", scenes)
	}
}

func scan(name, format string, into ...any) bool {
	n, err := fmt.Sscanf(name, format, into...)
	return err == nil && n == len(into)
}

// compareLights explores a scenario and compares each light that the oracle knows.
func compareLights(t *testing.T, sc *scenario.Scenario, names []string, want figures) {
	t.Helper()
	run, err := scenario.Open(sc)
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	res, err := explore.Run(t.Context(), run, len(sc.Lights), explore.Limits{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := int(res.Interleavings.Int64()); got != want.Interleavings {
		t.Errorf("interleavings = %d, want %d", got, want.Interleavings)
	}
	for k, n := range res.ByPreemptions {
		if got, want := int(n.Int64()), want.ByPreemptions[fmt.Sprint(k)]; got != want {
			t.Errorf("with %d preemptions: %d, want %d", k, got, want)
		}
	}
	known := 0
	for i, name := range names {
		p, ok := want.Properties[name]
		if !ok {
			continue
		}
		known++
		l := res.Lights[i]
		var got []string
		add := func(what string, g int, w *int) {
			if w != nil && g != *w {
				got = append(got, fmt.Sprintf("%s = %d, want %d", what, g, *w))
			}
		}
		bad := p.Bad
		add("violating", int(l.Violating.Int64()), &bad)
		if l.Broken {
			add("shortest", l.Shortest, p.Shortest)
			add("ties", int(l.Ties.Int64()), p.ShortestCount)
			add("preemptions", l.Preemptions, p.MinPreempt)
		}
		if len(got) > 0 {
			t.Errorf("%s: %s", name, strings.Join(got, ", "))
		}
	}
	if known != len(want.Properties) {
		t.Errorf("%d of %d properties have a light", known, len(want.Properties))
	}
}
