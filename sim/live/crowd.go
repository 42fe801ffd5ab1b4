package live

import (
	"context"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
)

// Many is Bare for n at once. Whoever finds all connections taken waits for one: that
// is no sign of a silent server.
func (r *Run) Many(n int) *redis.Client {
	o := r.Target.options()
	o.PoolSize, o.PoolTimeout = n, time.Minute
	return r.Target.clientOf(r.all, r.key(heartbeat), o)
}

// Join takes part in a run that another process has opened and keeps alive: the same
// names, no sign of life of its own. Its Close leaves the keys to the other. Errors
// are [Trouble].
func Join(ctx context.Context, t *Target, id string, tagged bool) (*Run, error) {
	r := &Run{Target: t, ID: id, Space: NewNamespace(id, tagged), joined: true, stop: make(chan struct{})}
	if _, _, ok := owner(r.key(heartbeat)); !ok {
		return nil, fmt.Errorf("%q is not the name of a run", id)
	}
	r.all = t.universal()
	r.one = t.client(r.all, r.key(heartbeat))
	if err := within(ctx, func(ctx context.Context) error { return r.one.Ping(ctx).Err() }); err != nil {
		r.one.Close()
		r.all.Close()
		return nil, t.wrap(joining, err)
	}
	return r, nil
}
