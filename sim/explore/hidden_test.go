package explore_test

import (
	"context"
	"database/sql"
	"fmt"
	"testing"

	"github.com/redis/go-redis/v9"

	"flashlab/sim/proc"
	"flashlab/sim/sqlgate"
	"flashlab/sim/world"
)

// TestHiddenState: scenes in which states differ only by something that no query
// shows and no actor has seen yet. Each fails if that is left out of the key.
func TestHiddenState(t *testing.T) {
	pair := func(int) []*proc.Mutex { return []*proc.Mutex{{}, {}} }
	for _, x := range []sale{
		{name: "dirty watch", redis: true, buy: dirtyWatch},
		{name: "dirty watch by script", redis: true, buy: dirtyWatchByScript},
		{name: "stale snapshot", engine: world.WAL, begin: sqlgate.Deferred, buy: staleSnapshot},
		{name: "rows of a snapshot", engine: world.WAL, begin: sqlgate.Deferred, buy: rowsOfSnapshot},
		{name: "mutex of the departed", buy: mutexOfDeparted, mutexes: pair},
		{name: "what a task was started with", redis: true, buy: taskArgument},
		{name: "whose task is which", redis: true, buy: taskOfWhom},
		{name: "script cache", redis: true, buy: scriptCache},
		{name: "random answers", redis: true, buy: randomAnswers},
		{name: "error or empty", redis: true, buy: errorOrEmpty},
		{name: "row id", buy: rowID},
		{name: "queue of the departed", redis: true, buy: queueOfDeparted()},
	} {
		x.buyers, x.stock = 3, 1
		if x.name == "whose task is which" {
			x.buyers = 2 // the tasks are bystanders enough
		}
		two := x.buy
		x.buy = func(s *shop, ctx context.Context, buyer int) error {
			if buyer == 3 { // a bystander: beside it longer lives have more schedules
				s.more(ctx, 2)
				return nil
			}
			return two(s, ctx, buyer)
		}
		agree(t, x)
	}
}

// more takes n further steps that change nothing, so that what an actor knows
// shows in the number of schedules.
func (s *shop) more(ctx context.Context, n int) {
	for range n {
		stock(ctx, s.db)
	}
}

// The second buyer writes the value that is there already: only EXEC can tell.
func dirtyWatch(s *shop, ctx context.Context, buyer int) error {
	if buyer == 2 {
		return s.rdb.Set(ctx, stockKey, 1, 0).Err()
	}
	return redisCAS(s, ctx, buyer)
}

// The same by a script that does not declare the key.
func dirtyWatchByScript(s *shop, ctx context.Context, buyer int) error {
	if buyer == 2 {
		return s.rdb.Eval(ctx, `return redis.call('SET', '`+stockKey+`', '1')`, nil).Err()
	}
	return redisCAS(s, ctx, buyer)
}

// The second buyer commits rows as they were: only a write in the transaction of
// the first can tell.
func staleSnapshot(s *shop, ctx context.Context, buyer int) error {
	if buyer == 2 {
		return s.inTx(ctx, nil, func(tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, `UPDATE voucher SET stock = 0; UPDATE voucher SET stock = 1`)
			return err
		})
	}
	return txReadWrite(s, ctx, buyer)
}

// The first buyer's snapshot is taken by a query that does not show its rows.
func rowsOfSnapshot(s *shop, ctx context.Context, buyer int) error {
	if buyer == 2 {
		if _, err := s.db.ExecContext(ctx, `UPDATE voucher SET stock = 0`); err != nil {
			return err
		}
		_, err := s.db.ExecContext(ctx, `UPDATE voucher SET version = 1`)
		return err
	}
	return s.inTx(ctx, &sql.TxOptions{ReadOnly: true}, func(tx *sql.Tx) error {
		var n int
		if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM orders`).Scan(&n); err != nil {
			return err
		}
		left, err := stock(ctx, tx)
		s.more(ctx, left)
		return err
	})
}

// The first buyer ends with one of two mutexes in its hands.
func mutexOfDeparted(s *shop, ctx context.Context, buyer int) error {
	if buyer == 2 {
		if _, err := s.db.ExecContext(ctx, `UPDATE voucher SET stock = 0`); err != nil {
			return err
		}
		s.mutexes[0].Lock(ctx)
		s.mutexes[0].Unlock(ctx)
		return nil
	}
	left, err := stock(ctx, s.db)
	if err == nil {
		s.mutexes[left].Lock(ctx)
	}
	return err
}

// The first buyer ends after it has put something into one of two queues.
func queueOfDeparted() buy {
	var queues [2]proc.Queue[int]
	return func(s *shop, ctx context.Context, buyer int) error {
		if buyer == 1 {
			left, err := s.rdb.Get(ctx, stockKey).Int()
			if err != nil {
				return err
			}
			return queues[left%2].Put(ctx, 7)
		}
		if err := s.detour(ctx); err != nil {
			return err
		}
		_, err := queues[0].Take(ctx)
		return err
	}
}

// A buyer reads, starts a task that uses what was read, and is gone. The second
// one's SET leaves no trace.
func taskArgument(s *shop, ctx context.Context, buyer int) error {
	if buyer == 2 {
		if err := s.detour(ctx); err != nil {
			return err
		}
		s.more(ctx, 3) // tasks do not count as unfinished: give it time
		return nil
	}
	left, err := s.rdb.Get(ctx, stockKey).Int()
	proc.Go(ctx, "task", func(ctx context.Context) { s.more(ctx, left) })
	return err
}

// Both start a task; which is the first depends on who comes first.
func taskOfWhom(s *shop, ctx context.Context, buyer int) error {
	s.more(ctx, 1)
	proc.Go(ctx, "task", func(ctx context.Context) { s.more(ctx, buyer) })
	s.more(ctx, 1)
	return nil
}

// detour changes what the first buyer may read, for a while. Afterwards nothing
// shows what that was.
func (s *shop) detour(ctx context.Context) error {
	if err := s.rdb.Set(ctx, stockKey, 2, 0).Err(); err != nil {
		return err
	}
	return s.rdb.Set(ctx, stockKey, 1, 0).Err()
}

// The first buyer runs one script or another and is gone; the second saves a step
// if it was the one that it runs itself.
func scriptCache(s *shop, ctx context.Context, buyer int) error {
	if buyer == 1 {
		left, err := s.rdb.Get(ctx, stockKey).Int()
		if err != nil {
			return err
		}
		return s.rdb.Eval(ctx, fmt.Sprintf(`return %d`, left), nil).Err()
	}
	if err := s.detour(ctx); err != nil {
		return err
	}
	return redis.NewScript(`return 2`).Run(ctx, s.rdb, nil).Err()
}

// Random answers of the engine come from a sequence that everybody moves on.
func randomAnswers(s *shop, ctx context.Context, buyer int) error {
	const set = "winners"
	if buyer == 1 {
		if err := s.rdb.SAdd(ctx, set, "0", "1", "2", "3").Err(); err != nil {
			return err
		}
		left, err := s.rdb.Get(ctx, stockKey).Int()
		if err != nil || left == 1 {
			return err
		}
		return s.rdb.SRandMember(ctx, set).Err()
	}
	if err := s.detour(ctx); err != nil {
		return err
	}
	n, err := s.rdb.SRandMember(ctx, set).Int()
	if err == nil {
		s.more(ctx, n)
	}
	return err
}

// Two commands in a pipeline answer with nothing, but not in the same way.
func errorOrEmpty(s *shop, ctx context.Context, buyer int) error {
	if buyer == 2 {
		if err := s.rdb.Set(ctx, "a", "", 0).Err(); err != nil {
			return err
		}
		return s.rdb.Rename(ctx, "a", "b").Err()
	}
	var a, b *redis.StringCmd
	s.rdb.Pipelined(ctx, func(p redis.Pipeliner) error {
		a, b = p.Get(ctx, "a"), p.Get(ctx, "b")
		return nil
	})
	if a.Err() == nil {
		s.more(ctx, 1)
	}
	if b.Err() == nil {
		s.more(ctx, 2)
	}
	return nil
}

// The number of an order tells who was first, though the table is read without it.
func rowID(s *shop, ctx context.Context, buyer int) error {
	res, err := s.db.ExecContext(ctx, `INSERT INTO orders (buyer) VALUES (?)`, buyer)
	if err != nil {
		return err
	}
	id, err := res.LastInsertId()
	if err != nil {
		return fmt.Errorf("id: %w", err)
	}
	s.more(ctx, int(id))
	return nil
}
