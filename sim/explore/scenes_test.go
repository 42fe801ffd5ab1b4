package explore_test

import (
	"context"
	"database/sql"
	"testing"

	"flashlab/sim/proc"
	"flashlab/sim/sqlgate"
	"flashlab/sim/world"
)

// agree checks the graph of one scene against enumeration.
func agree(t *testing.T, x sale) {
	if testing.Short() && x.buyers > 2 {
		return // hundreds of schedules each, replayed one by one
	}
	t.Run(x.String(), func(t *testing.T) { mustAgree(t, x.open(t), saleLights, 4000) })
}

// TestAutocommitScenes: all shapes, small numbers, with and without crashes, on
// both engines.
func TestAutocommitScenes(t *testing.T) {
	shapes := map[string]buy{}
	for name, f := range redisShapes {
		shapes["redis "+name] = f
	}
	for name, f := range sqlShapes {
		shapes["sqlite "+name] = f
	}
	for _, crashes := range []int{2, 3} {
		agree(t, sale{name: "redis LUA", buy: redisScript, buyers: 3, stock: 1, crashes: crashes, redis: true})
		agree(t, sale{name: "sqlite LUA", buy: sqlGuarded, buyers: 3, stock: 2, crashes: crashes})
	}
	shapes["redis watch without EXEC"] = watchOnly
	shapes["sqlite returning"] = sqlReturning
	for name, f := range shapes {
		for _, n := range []struct{ buyers, stock, crashes int }{
			{2, 1, 0}, {2, 2, 0}, {3, 1, 0}, {3, 2, 0}, {2, 1, 1}, {2, 2, 1}, {2, 1, 2}, {2, 2, 2}, {3, 1, 1},
		} {
			for _, e := range []world.Engine{world.Memory, world.WAL} {
				if e == world.WAL && (n.buyers > 2 || testing.Short()) {
					continue // statements in autocommit do not know the difference
				}
				agree(t, sale{name: name, buy: f, buyers: n.buyers, stock: n.stock, crashes: n.crashes, engine: e, redis: name[0] == 'r'})
			}
		}
	}
}

// TestTransactionScenes: the write lock, snapshots and rollbacks.
func TestTransactionScenes(t *testing.T) {
	for name, f := range map[string]buy{"guarded": txGuarded, "read and write": txReadWrite, "snapshot": txSnapshot, "order first": txOrderFirst} {
		for _, begin := range []sqlgate.Begin{sqlgate.Immediate, sqlgate.Deferred} {
			for _, n := range []struct{ buyers, stock, crashes int }{
				{2, 1, 0}, {2, 2, 0}, {3, 1, 0}, {3, 2, 0}, {2, 1, 1}, {2, 2, 1}, {2, 2, 2}, {3, 2, 1},
			} {
				x := sale{name: name + " " + begin.String(), buy: f, buyers: n.buyers, stock: n.stock, crashes: n.crashes, engine: world.WAL, begin: begin}
				if name == "snapshot" && n.buyers > 2 {
					continue // thousands of schedules
				}
				if name == "order first" {
					x.unique, x.same = true, true
				}
				agree(t, x)
			}
		}
	}
}

// TestMutexScenes: one mutex for all, one on each of two nodes, and one for each call.
func TestMutexScenes(t *testing.T) {
	one := func(n int) []*proc.Mutex {
		mu := &proc.Mutex{}
		all := make([]*proc.Mutex, n)
		for i := range all {
			all[i] = mu
		}
		return all
	}
	each := func(n int) []*proc.Mutex {
		all := make([]*proc.Mutex, n)
		for i := range all {
			all[i] = &proc.Mutex{}
		}
		return all
	}
	perCall := func(s *shop, ctx context.Context, buyer int) error {
		var mu proc.Mutex
		mu.Lock(ctx)
		defer func() { mu.Unlock(ctx) }()
		return sqlSet(s, ctx, buyer)
	}
	shared := func(s *shop, ctx context.Context, buyer int) error { return s.mutexed(ctx, buyer, buyer-1) }
	crossed := func(s *shop, ctx context.Context, buyer int) error { return s.abba(ctx, buyer) }
	for _, x := range []sale{
		{name: "one mutex", buy: shared, mutexes: one},
		{name: "one mutex", buy: shared, mutexes: one, nodes: 2},
		{name: "one mutex each", buy: shared, mutexes: each},
		{name: "one mutex a call", buy: perCall},
		{name: "crossed mutexes", buy: crossed, mutexes: each},
	} {
		for _, n := range []struct{ buyers, stock, crashes int }{{2, 1, 0}, {2, 2, 0}, {3, 1, 0}, {2, 1, 1}, {2, 1, 2}} {
			x.buyers, x.stock, x.crashes = n.buyers, n.stock, n.crashes
			if n.buyers > 2 && (x.name == "one mutex each" || x.name == "one mutex a call") {
				continue // thousands of schedules
			}
			agree(t, x)
		}
	}
}

// abba takes two mutexes in an order that depends on the buyer.
func (s *shop) abba(ctx context.Context, buyer int) error {
	first, second := s.mutexes[0], s.mutexes[1]
	if buyer == len(s.mutexes) {
		first, second = second, first
	}
	first.Lock(ctx)
	defer func() { first.Unlock(ctx) }()
	second.Lock(ctx)
	defer func() { second.Unlock(ctx) }()
	return nil
}

// TestMixedScene: Redis, a transaction and a mutex in one body.
func TestMixedScene(t *testing.T) {
	mixed := func(s *shop, ctx context.Context, buyer int) error {
		s.mutexes[0].Lock(ctx)
		err := redisScript(&shop{db: s.db, rdb: s.rdb, sell: s.sell}, ctx, buyer)
		s.mutexes[0].Unlock(ctx)
		if err != nil {
			return err
		}
		return s.inTx(ctx, nil, func(tx *sql.Tx) error { return take(ctx, tx) })
	}
	for _, crashes := range []int{0, 1} {
		agree(t, sale{name: "mixed", buy: mixed, buyers: 2, stock: 1, crashes: crashes, engine: world.WAL, begin: sqlgate.Deferred, redis: true,
			mutexes: func(int) []*proc.Mutex { return []*proc.Mutex{{}} }})
	}
}
