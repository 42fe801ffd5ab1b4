package world_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"flashlab/sim"
	"flashlab/sim/world"
)

// publishers are the ways to publish, each with the answer for one listener.
var publishers = map[string]func(ctx context.Context, rdb *redis.Client) (int64, error){
	"plain": func(ctx context.Context, rdb *redis.Client) (int64, error) {
		return rdb.Publish(ctx, "c", "hello").Result()
	},
	"pipeline": func(ctx context.Context, rdb *redis.Client) (int64, error) {
		p := rdb.Pipeline()
		n := p.Publish(ctx, "c", "hello")
		_, err := p.Exec(ctx)
		return n.Val(), err
	},
	"script": func(ctx context.Context, rdb *redis.Client) (int64, error) {
		return rdb.Eval(ctx, "return redis.call('PUBLISH', KEYS[1], ARGV[1])", []string{"c"}, "hello").Int64()
	},
	"script in a transaction": func(ctx context.Context, rdb *redis.Client) (int64, error) {
		p := rdb.TxPipeline()
		n := p.Eval(ctx, "return redis.call('PUBLISH', KEYS[1], ARGV[1])", []string{"c"}, "hello")
		_, err := p.Exec(ctx)
		v, _ := n.Int64()
		return v, err
	},
	// In a transaction the embedded server answers, which has no listener; but the
	// message goes out.
	"transaction": func(ctx context.Context, rdb *redis.Client) (int64, error) {
		p := rdb.TxPipeline()
		n := p.Publish(ctx, "c", "hello")
		_, err := p.Exec(ctx)
		return n.Val() + 1, err
	},
}

// TestPublish: however an actor publishes, who listens in Topics hears it once, and
// who listens elsewhere, or no more, does not.
func TestPublish(t *testing.T) {
	for name, publish := range publishers {
		w, err := world.Open(world.Config{Redis: true})
		if err != nil {
			t.Fatal(err)
		}
		k := w.Kernel
		k.OnDid = w.Observe // as a scenario does
		var heard []string
		listen := func(channel string, times int) *sim.Actor {
			return spawn(t, k, func(ctx context.Context) error {
				wait, hangUp, err := w.Topics.Subscribe(ctx, channel)
				if err != nil {
					return err
				}
				defer hangUp()
				for range times {
					got, err := wait(ctx, time.Minute)
					if err != nil {
						return err
					}
					if got {
						heard = append(heard, channel)
					}
				}
				return nil
			})
		}
		all := []*sim.Actor{listen("c", 2), listen("d", 1), listen("c", 0)}
		for _, a := range all {
			step(t, k, a) // SUBSCRIBE; the last one hangs up at once
		}
		var n int64
		p := spawn(t, k, func(ctx context.Context) (err error) {
			n, err = publish(ctx, w.Redis)
			return err
		})
		step(t, k, p)
		if p.Err != nil || n != 1 {
			t.Errorf("%s: answer %d, %v", name, n, p.Err)
		}
		step(t, k, all[0])
		if k.Enabled(all[0]) || k.Enabled(all[1]) {
			t.Errorf("%s: somebody hears something more", name)
		}
		if s := strings.Join(heard, " "); s != "c" {
			t.Errorf("%s: heard %q", name, s)
		}
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestNotPublished: what a transaction would have published that is not executed.
func TestNotPublished(t *testing.T) {
	w, err := world.Open(world.Config{Redis: true})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	k := w.Kernel
	k.OnDid = w.Observe
	a := spawn(t, k, func(ctx context.Context) error {
		wait, _, err := w.Topics.Subscribe(ctx, "c")
		if err != nil {
			return err
		}
		_, err = wait(ctx, time.Minute)
		return err
	})
	step(t, k, a)
	b := spawn(t, k, func(ctx context.Context) error {
		return w.Redis.Watch(ctx, func(tx *redis.Tx) error {
			if err := tx.Get(ctx, "x").Err(); err != redis.Nil {
				return err
			}
			_, err := tx.TxPipelined(ctx, func(p redis.Pipeliner) error { return p.Publish(ctx, "c", "hello").Err() })
			return err
		}, "x")
	})
	step(t, k, b)
	if err := w.Direct().Set(t.Context(), "x", 1, 0).Err(); err != nil {
		t.Fatal(err)
	}
	step(t, k, b)
	if b.Err != redis.TxFailedErr || k.Enabled(a) {
		t.Errorf("the transaction ends with %v, heard %v", b.Err, k.Enabled(a))
	}
}

// TestEndedSubscriber: who has ended without hanging up counts no more.
func TestEndedSubscriber(t *testing.T) {
	w, err := world.Open(world.Config{Redis: true})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	k := w.Kernel
	a := spawn(t, k, func(ctx context.Context) error {
		_, _, err := w.Topics.Subscribe(ctx, "c")
		return err
	})
	step(t, k, a)
	if n := w.Topics.Publish("c", "hello"); n != 0 {
		t.Errorf("%d listeners", n)
	}
}

func spawn(t *testing.T, k *sim.Kernel, body func(context.Context) error) *sim.Actor {
	t.Helper()
	a, err := k.Spawn("actor", "n1", false, body)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func step(t *testing.T, k *sim.Kernel, a *sim.Actor) {
	t.Helper()
	if err := k.Step(a); err != nil {
		t.Fatal(err)
	}
}
