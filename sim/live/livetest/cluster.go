package livetest

import (
	"context"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// slots is how many hash slots a cluster has.
const slots = 16384

// StartCluster starts a cluster of one node, which owns all slots, and waits until it
// serves them. It never redirects, so an ordinary client can talk to it, and it
// refuses what no cluster can do: commands and scripts on keys of different slots.
// It needs Redis 7. Arguments and the end are those of [Start].
func StartCluster(t testing.TB, args ...string) *Server {
	t.Helper()
	Need(t) // a test without a server is skipped before it takes a port
	// The port of the bus is otherwise the server's and 10000, which can be too high.
	bus, err := freePort()
	if err != nil {
		t.Fatalf("starting a Redis cluster: %v", err)
	}
	s := Start(t, append([]string{"--cluster-enabled", "yes", "--cluster-port", strconv.Itoa(bus)}, args...)...)
	if err := s.ownAllSlots(); err != nil {
		t.Fatalf("starting a Redis cluster: %v", err)
	}
	return s
}

// StartMasters starts a cluster of three masters, each with a third of the slots, and
// waits until all of them serve all slots. Arguments and the end are those of [Start].
func StartMasters(t testing.TB, args ...string) []*Server {
	t.Helper()
	Need(t)
	const n = 3
	var all []*Server
	for i := range n {
		bus, err := freePort()
		if err != nil {
			t.Fatalf("starting a Redis cluster: %v", err)
		}
		s := Start(t, append([]string{"--cluster-enabled", "yes", "--cluster-port", strconv.Itoa(bus)}, args...)...)
		err = s.until(func(ctx context.Context, rdb *redis.Client) (bool, error) {
			if err := rdb.ClusterAddSlotsRange(ctx, slots*i/n, slots*(i+1)/n-1).Err(); err != nil {
				return false, err
			}
			if i == 0 {
				return true, nil
			}
			return true, rdb.Do(ctx, "CLUSTER", "MEET", "127.0.0.1", all[0].Port, all[0].bus).Err()
		})
		if err != nil {
			t.Fatalf("starting a Redis cluster: %v", err)
		}
		s.bus = bus
		all = append(all, s)
	}
	for _, s := range all {
		err := s.until(func(ctx context.Context, rdb *redis.Client) (bool, error) {
			info, err := rdb.ClusterInfo(ctx).Result()
			return strings.Contains(info, "cluster_state:ok") && strings.Contains(info, "cluster_known_nodes:3") && strings.Contains(info, "cluster_size:3"), err
		})
		if err != nil {
			t.Fatalf("waiting for a Redis cluster: %v", err)
		}
	}
	return all
}

// ownAllSlots returns when the node serves all slots.
func (s *Server) ownAllSlots() error {
	rdb := redis.NewClient(s.Options())
	defer rdb.Close()
	ctx, cancel := context.WithTimeout(context.Background(), startWithin)
	defer cancel()
	if err := rdb.ClusterAddSlotsRange(ctx, 0, slots-1).Err(); err != nil {
		return err
	}
	for {
		info, err := rdb.ClusterInfo(ctx).Result()
		if err != nil || strings.Contains(info, "cluster_state:ok") {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// ClusterClient returns a client that asks the server which node owns which slot. It
// is closed at the end of the test.
func (s *Server) ClusterClient(t testing.TB) *redis.ClusterClient {
	t.Helper()
	rdb := redis.NewClusterClient(&redis.ClusterOptions{
		Addrs: []string{s.Addr()}, Password: s.password, Protocol: 2, MaxRedirects: -1, MaxRetries: -1, DisableIdentity: true,
	})
	t.Cleanup(func() { rdb.Close() })
	return rdb
}
