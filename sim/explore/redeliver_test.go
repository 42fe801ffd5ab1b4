package explore_test

import (
	"context"
	"database/sql"
	"fmt"
	"testing"

	"github.com/redis/go-redis/v9"

	"flashlab/sim/scenario"
	"flashlab/sim/sqlgate"
	"flashlab/sim/trace"
	"flashlab/sim/world"
)

// The redelivery family of the oracle: one order message in a stream, handed to
// consumer A at the start, and by a fault of the broker to B as well.

const (
	orderStream = "stream.orders"
	orderGroup  = "g"
)

// consumer is the code that handles one delivery.
type consumer struct {
	rdb   *redis.Client
	db    *sql.DB
	shape int
	id    string
}

func (c *consumer) handle(ctx context.Context) error {
	switch c.shape {
	case 1:
		if err := c.insertIfNone(ctx); err != nil {
			return err
		}
		return c.ack(ctx)
	case 2:
		if err := c.insert(ctx, " ON CONFLICT DO NOTHING"); err != nil {
			return err
		}
		return c.ack(ctx)
	case 3:
		if err := c.ack(ctx); err != nil {
			return err
		}
		return c.insertIfNone(ctx)
	}
	first, err := c.rdb.SetNX(ctx, "marker", 1, 0).Result()
	if err != nil {
		return err
	}
	if first {
		if err := c.insert(ctx, ""); err != nil {
			return err
		}
	}
	return c.ack(ctx)
}

func (c *consumer) insertIfNone(ctx context.Context) error {
	var n int
	if err := c.db.QueryRowContext(ctx, "SELECT COUNT(*) FROM orders").Scan(&n); err != nil || n > 0 {
		return err
	}
	return c.insert(ctx, "")
}

func (c *consumer) insert(ctx context.Context, tail string) error {
	_, err := c.db.ExecContext(ctx, "INSERT INTO orders (buyer) VALUES (1)"+tail)
	return err
}

func (c *consumer) ack(ctx context.Context) error {
	return c.rdb.XAck(ctx, orderStream, orderGroup, c.id).Err()
}

const deliveredID = "1-1"

func redeliverScenario(shape, crashes int) *scenario.Scenario {
	decl := []scenario.Param{scenario.Standard("crashes", 0), scenario.Standard("redeliveries", 1)}
	p, err := scenario.NewParams(decl).With("crashes", fmt.Sprint(crashes))
	if err != nil {
		panic(err)
	}
	ddl := []string{orders}
	if shape == 2 {
		ddl = append(ddl, oneEach)
	}
	body := func(w *world.World) func(context.Context) error {
		return func(ctx context.Context) error {
			return (&consumer{w.Redis, w.DB, shape, deliveredID}).handle(ctx)
		}
	}
	pending := func(v *scenario.View) (bool, error) {
		list, err := v.World().InFlight(orderStream, orderGroup)
		return len(list) > 0, err
	}
	return &scenario.Scenario{
		Lesson: "oracle", Variant: "redeliver", Params: p,
		World: world.Config{
			Engine: world.Memory, Begin: sqlgate.Immediate, Redis: true,
			Schema: world.Schema{DDL: ddl, Tables: []world.Table{{Name: "orders", Columns: []string{"buyer"}, Query: "SELECT buyer FROM orders ORDER BY buyer"}}},
		},
		Setup: func(w *world.World) error {
			ctx := context.Background()
			if err := w.Direct().XGroupCreateMkStream(ctx, orderStream, orderGroup, "0").Err(); err != nil {
				return err
			}
			if err := w.Direct().XAdd(ctx, &redis.XAddArgs{Stream: orderStream, ID: deliveredID, Values: []string{"user", "1"}}).Err(); err != nil {
				return err
			}
			return w.Direct().XReadGroup(ctx, &redis.XReadGroupArgs{Group: orderGroup, Consumer: "A", Streams: []string{orderStream, ">"}, Count: 1}).Err()
		},
		Actors: func(w *world.World) []scenario.Actor {
			return []scenario.Actor{{Name: trace.Verbatim("A"), Node: "n1", Body: body(w)}}
		},
		// An unacknowledged entry is in flight as long as the broker can hand it out.
		InFlight: func(v *scenario.View) (int, error) {
			ok, err := pending(v)
			if err != nil || !ok || v.Actor(1) != nil {
				return 0, err
			}
			return 1, nil
		},
		Faults: scenario.Faults{Redelivery: &scenario.Redelivery{
			To:       []int{1},
			Possible: func(v *scenario.View, _ int) (bool, error) { return pending(v) },
			Do: func(v *scenario.View, _ int) error {
				w := v.World()
				_, err := w.Kernel.Spawn("B", "n2", false, body(w))
				return err
			},
		}},
		Lights: []scenario.Light{
			{Name: "duplicate", Check: func(v *scenario.View) (bool, error) {
				rows, err := v.Rows("orders")
				return len(rows) <= 1, err
			}},
			{Name: "lost", When: scenario.AtEnd, Check: func(v *scenario.View) (bool, error) {
				rows, err := v.Rows("orders")
				if err != nil {
					return false, err
				}
				waiting, err := pending(v)
				return waiting || len(rows) > 0, err
			}},
		},
	}
}

// TestRedeliverOracle reproduces every figure of the redelivery family.
func TestRedeliverOracle(t *testing.T) {
	scenes := 0
	for name, want := range oracle(t) {
		var shape, crashes int
		if !scan(name, "redeliver V=%d K=%d", &shape, &crashes) {
			continue
		}
		scenes++
		t.Run(name, func(t *testing.T) {
			compareLights(t, redeliverScenario(shape, crashes), []string{"DUPLICATE", "LOST"}, want)
		})
	}
	if scenes < 4 {
		t.Errorf("the oracle has %d scenes of this family: some are missing", scenes)
	}
}
