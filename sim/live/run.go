package live

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

const (
	// beat is how long a run counts as alive after its last sign of life.
	beat = 30 * time.Second
	// heartbeat is the name of the key that says so.
	heartbeat = "heartbeat"
	// batch is how many keys are looked for or removed by one command.
	batch = 500
)

// Run is one user of a server: a namespace that nobody else has, alive as long as
// its heartbeat is.
type Run struct {
	Target *Target
	ID     string
	Space  *Namespace
	// Version is the server's, "7.0.15".
	Version string

	all    redis.UniversalClient
	one    *redis.Client // the server of the run's keys, without a namespace
	joined bool          // another process has opened it
	stop   chan struct{}
	beats  sync.WaitGroup
	closed sync.Once
}

// Open connects, checks that the server takes the lab's writes and scripts, and gives
// the first sign of life. It takes no longer than [Within]. Errors are [Trouble].
// Close must be called.
func Open(ctx context.Context, t *Target, tagged bool) (*Run, error) {
	var id [6]byte
	if _, err := rand.Read(id[:]); err != nil {
		return nil, fmt.Errorf("drawing the name of a run: %w", err)
	}
	r := &Run{Target: t, ID: hex.EncodeToString(id[:]), stop: make(chan struct{})}
	r.Space = NewNamespace(r.ID, tagged)
	r.all = t.universal()
	r.one = t.client(r.all, r.key(heartbeat))
	if err := within(ctx, r.try); err != nil {
		r.one.Close()
		r.all.Close()
		return nil, t.wrap(looking, err)
	}
	r.beats.Add(1)
	go r.keepAlive()
	return r, nil
}

func (r *Run) key(name string) string { return r.Space.prefix + name }

// try gives a sign of life and finds out what would stop a lesson later.
func (r *Run) try(ctx context.Context) error {
	if err := r.one.Ping(ctx).Err(); err != nil {
		return err
	}
	if err := r.sign(ctx); err != nil {
		return err
	}
	err := r.tryAsUser(ctx)
	if err != nil { // nothing else will remove it
		r.one.Del(ctx, r.key(heartbeat))
	}
	return err
}

func (r *Run) tryAsUser(ctx context.Context) error {
	const script = "return redis.call('EXISTS', KEYS[1])"
	if err := r.one.Eval(ctx, script, []string{r.key(heartbeat)}).Err(); err != nil {
		return err
	}
	info, err := r.one.Info(ctx, "server").Result()
	if err != nil {
		return err
	}
	r.Version = field(info, "redis_version")
	return nil
}

// field returns a value of INFO.
func field(info, name string) string {
	for line := range strings.Lines(info) {
		if k, v, ok := strings.Cut(strings.TrimSpace(line), ":"); ok && k == name {
			return v
		}
	}
	return ""
}

// sign gives a sign of life.
func (r *Run) sign(ctx context.Context) error {
	host, _ := os.Hostname() // it is there for people who look
	return r.one.Set(ctx, r.key(heartbeat), fmt.Sprintf("%s pid %d", host, os.Getpid()), beat).Err()
}

func (r *Run) keepAlive() {
	defer r.beats.Done()
	tick := time.NewTicker(beat / 3)
	defer tick.Stop()
	for {
		select {
		case <-r.stop:
			return
		case <-tick.C:
			// A server that has gone is noticed by who works on it.
			_ = r.sign(context.Background())
		}
	}
}

// Client returns a client in the namespace of the run, on the server that has its
// keys. Hooks come first in the order given. The caller closes it.
func (r *Run) Client(hooks ...redis.Hook) *redis.Client {
	c := r.Bare()
	for _, h := range append(hooks, r.Space) {
		c.AddHook(h)
	}
	return c
}

// Bare is Client without the namespace, for who has more hooks to put before it: the
// last one added must be [Run.Space]. The caller closes it.
func (r *Run) Bare() *redis.Client { return r.Target.client(r.all, r.key(heartbeat)) }

// Universal returns a client in the namespace that follows the slots of a cluster,
// for many at once. The caller closes it.
func (r *Run) Universal() redis.UniversalClient {
	c := r.Target.universal()
	c.AddHook(r.Space)
	return c
}

// Clear removes the keys that the run has named, but for the heartbeat. Keys that a
// script has made under names of its own are left to Close.
func (r *Run) Clear(ctx context.Context) error {
	var names []string
	for _, n := range r.Space.Names() {
		names = append(names, r.key(n))
	}
	if err := unlink(ctx, r.one, names); err != nil {
		return r.Target.wrap(removing, err)
	}
	r.Space.forget()
	return nil
}

// unlink removes keys in batches, each key by a command of its own: in a cluster
// they may be of different slots.
func unlink(ctx context.Context, c *redis.Client, keys []string) error {
	for len(keys) > 0 {
		n := min(batch, len(keys))
		_, err := c.Pipelined(ctx, func(p redis.Pipeliner) error {
			for _, k := range keys[:n] {
				p.Unlink(ctx, k)
			}
			return nil
		})
		if err != nil {
			return err
		}
		keys = keys[n:]
	}
	return nil
}

// Close removes all keys of the run from every master and disconnects; of a run that
// was joined it only disconnects. It takes no
// longer than [Within]; what it could not remove, clean finds when the heartbeat has
// ended.
func (r *Run) Close() (err error) {
	r.closed.Do(func() {
		close(r.stop)
		first := r.one.Close() // a sign of life on its way ends with it
		r.beats.Wait()
		if r.joined {
			err = errors.Join(first, r.all.Close())
			return
		}
		err = within(context.Background(), func(ctx context.Context) error {
			return masters(ctx, r.all, func(ctx context.Context, c *redis.Client) error {
				return r.removeFrom(ctx, c)
			})
		})
		err = errors.Join(r.Target.wrap(removing, err), first, r.all.Close())
	})
	return err
}

func (r *Run) removeFrom(ctx context.Context, c *redis.Client) error {
	return scan(ctx, c, r.Space.prefix+"*", func(keys []string) error { return unlink(ctx, c, keys) })
}

// scan calls f with batches of the keys that match a pattern.
func scan(ctx context.Context, c *redis.Client, pattern string, f func(keys []string) error) error {
	for cursor := uint64(0); ; {
		keys, next, err := c.Scan(ctx, cursor, pattern, batch).Result()
		if err != nil {
			return err
		}
		if len(keys) > 0 {
			if err := f(keys); err != nil {
				return err
			}
		}
		if cursor = next; cursor == 0 {
			return nil
		}
	}
}
