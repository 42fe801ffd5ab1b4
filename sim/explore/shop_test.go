package explore_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"testing"

	"github.com/redis/go-redis/v9"

	"flashlab/sim/proc"
	"flashlab/sim/scenario"
	"flashlab/sim/sqlgate"
	"flashlab/sim/trace"
	"flashlab/sim/world"
)

// shop is what the business code of these tests works with.
type shop struct {
	db      *sql.DB
	rdb     *redis.Client
	sell    *redis.Script
	mutexes []*proc.Mutex // one for each buyer; the same for all, or not
}

const stockKey = "stock:1"

const (
	vouchers = `CREATE TABLE voucher (id INTEGER PRIMARY KEY, stock INTEGER NOT NULL, version INTEGER NOT NULL)`
	orders   = `CREATE TABLE orders (id INTEGER PRIMARY KEY, buyer INTEGER NOT NULL)`
	oneEach  = `CREATE UNIQUE INDEX one_each ON orders (buyer)`
)

// sellOne takes a unit if there is one.
const sellOne = `local n = tonumber(redis.call('GET', KEYS[1]))
if n > 0 then
  redis.call('DECR', KEYS[1])
  return 1
end
return 0`

var (
	errSoldOut  = errors.New("sold out")
	errConflict = errors.New("somebody else was faster")
)

// buy is the code of one buyer.
type buy func(s *shop, ctx context.Context, buyer int) error

// sale is a small scene: some buyers of one voucher.
type sale struct {
	name    string
	buy     buy
	buyers  int
	stock   int
	crashes int
	nodes   int // 0: all on one
	engine  world.Engine
	begin   sqlgate.Begin
	redis   bool
	unique  bool
	same    bool // all buyers are the same person
	mutexes func(buyers int) []*proc.Mutex
}

// The lights of a sale, by number.
const (
	oversell = iota // orders > stock at the start
	negative        // stock in the database < 0
	deadlock        // after the run-out somebody is unfinished
	saleLights
)

func (x sale) String() string {
	s := fmt.Sprintf("%s N=%d S=%d", x.name, x.buyers, x.stock)
	if x.crashes > 0 {
		s += fmt.Sprintf(" K=%d", x.crashes)
	}
	if x.nodes > 1 {
		s += fmt.Sprintf(" nodes=%d", x.nodes)
	}
	return s + " " + x.engine.String()
}

// scenario declares the scene.
func (x sale) scenario(t testing.TB) *scenario.Scenario {
	p := scenario.NewParams([]scenario.Param{scenario.Standard("crashes", 0)})
	p, err := p.With("crashes", strconv.Itoa(x.crashes))
	if err != nil {
		t.Fatal(err)
	}
	ddl := []string{vouchers, orders}
	if x.unique {
		ddl = append(ddl, oneEach)
	}
	sc := &scenario.Scenario{
		Lesson: "test", Variant: "sale", Params: p,
		World: world.Config{
			Engine: x.engine, Begin: x.begin, Redis: x.redis,
			Schema: world.Schema{
				DDL:  ddl,
				Seed: []string{fmt.Sprintf("INSERT INTO voucher VALUES (1, %d, 0)", x.stock)},
				Tables: []world.Table{
					{Name: "voucher", Columns: []string{"stock", "version"}, Query: "SELECT stock, version FROM voucher"},
					{Name: "orders", Columns: []string{"buyer"}, Query: "SELECT buyer FROM orders ORDER BY buyer"},
				},
			},
		},
	}
	if x.redis {
		sc.World.Scripts = map[string]string{"sell-one": sellOne}
		sc.Setup = func(w *world.World) error {
			return w.Direct().Set(context.Background(), stockKey, x.stock, 0).Err()
		}
	}
	var engines *world.World
	sc.Actors = func(w *world.World) []scenario.Actor {
		engines = w
		s := &shop{db: w.DB, rdb: w.Redis, sell: redis.NewScript(sellOne)}
		if x.mutexes != nil {
			s.mutexes = x.mutexes(x.buyers)
		}
		var out []scenario.Actor
		for i := range x.buyers {
			who := i + 1
			if x.same {
				who = 7
			}
			out = append(out, scenario.Actor{
				Name: trace.Verbatim(fmt.Sprintf("buyer %d", i+1)),
				Node: fmt.Sprintf("n%d", i%max(1, x.nodes)+1),
				Body: func(ctx context.Context) error { return x.buy(s, ctx, who) },
			})
		}
		return out
	}
	sc.Lights = []scenario.Light{
		{Name: "no-oversell", Check: func(v *scenario.View) (bool, error) {
			rows, err := v.Rows("orders")
			return len(rows) <= x.stock, err
		}},
		{Name: "stock-not-negative", Check: func(v *scenario.View) (bool, error) {
			rows, err := v.Rows("voucher")
			return err != nil || rows[0][0].(int64) >= 0, err
		}},
		{Name: "progress", When: scenario.AtEnd, Check: func(*scenario.View) (bool, error) {
			return engines.Kernel.Finished(), nil
		}},
	}
	return sc
}

// open starts the engines of the scene for the time of a test.
func (x sale) open(t testing.TB) *scenario.Run {
	t.Helper()
	return openScenario(t, x.scenario(t))
}

func openScenario(t testing.TB, sc *scenario.Scenario) *scenario.Run {
	t.Helper()
	r, err := scenario.Open(sc)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Errorf("closing: %v", err)
		}
	})
	return r
}
