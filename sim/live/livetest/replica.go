package livetest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// StartReplica starts a read-only replica of a server and waits until it follows.
// Arguments and the end are those of [Start].
func StartReplica(t testing.TB, master *Server, args ...string) *Server {
	t.Helper()
	own := []string{"--replicaof", "127.0.0.1 " + strconv.Itoa(master.Port)}
	if master.password != "" {
		own = append(own, "--masterauth", master.password, "--requirepass", master.password)
	}
	s := Start(t, append(own, args...)...)
	err := s.until(func(ctx context.Context, rdb *redis.Client) (bool, error) {
		info, err := rdb.Info(ctx, "replication").Result()
		return strings.Contains(info, "master_link_status:up"), err
	})
	if err != nil {
		t.Fatalf("waiting for a Redis replica: %v", err)
	}
	return s
}

// until asks the server again and again.
func (s *Server) until(ready func(ctx context.Context, rdb *redis.Client) (bool, error)) error {
	rdb := redis.NewClient(s.Options())
	defer rdb.Close()
	ctx, cancel := context.WithTimeout(context.Background(), startWithin)
	defer cancel()
	for {
		ok, err := ready(ctx, rdb)
		if ok && err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return errors.Join(ctx.Err(), err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// MasterName is what the sentinels of a test call their master.
const MasterName = "mymaster"

// quorum is how many of the three sentinels must agree.
const quorum = 2

// Watched is a master with a replica and three sentinels that watch it.
type Watched struct {
	Master, Replica *Server
	Sentinels       []*Server
}

// Addrs lists the sentinels as a flag or a client wants them.
func (w *Watched) Addrs() (out []string) {
	for _, s := range w.Sentinels {
		out = append(out, s.Addr())
	}
	return out
}

// StartSentinel starts a master, a replica and three sentinels, and waits until the
// sentinels know each other and the replica: from then on they replace a master that
// has been silent for 500 ms. Arguments are those of the master.
func StartSentinel(t testing.TB, args ...string) *Watched {
	t.Helper()
	path := Need(t)
	w := &Watched{Master: Start(t, args...)}
	w.Replica = StartReplica(t, w.Master)
	for range 3 {
		var s *Server
		var err error
		for range attempts {
			if s, err = startSentinel(path, w.Master); err == nil {
				break
			}
		}
		if err != nil {
			t.Fatalf("starting a Redis sentinel: %v", err)
		}
		t.Cleanup(func() { s.end(t) })
		w.Sentinels = append(w.Sentinels, s)
	}
	for _, s := range w.Sentinels {
		err := s.until(func(ctx context.Context, rdb *redis.Client) (bool, error) {
			m, err := rdb.Do(ctx, "SENTINEL", "MASTER", MasterName).Slice()
			if err != nil {
				return false, err
			}
			has := map[string]string{}
			for i := 0; i+1 < len(m); i += 2 {
				has[fmt.Sprint(m[i])] = fmt.Sprint(m[i+1])
			}
			return has["flags"] == "master" && has["num-slaves"] == "1" && has["num-other-sentinels"] == "2", nil
		})
		if err != nil {
			t.Fatalf("waiting for the sentinels to find each other: %v", err)
		}
	}
	return w
}

func startSentinel(path string, master *Server) (*Server, error) {
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "flashlab-redis-")
	if err != nil {
		return nil, err
	}
	lines := []string{ // a sentinel writes what it learns into its configuration
		fmt.Sprintf("port %d", port), "bind 127.0.0.1", "dir " + dir, "logfile " + filepath.Join(dir, "redis.log"), "daemonize no",
		fmt.Sprintf("sentinel monitor %s 127.0.0.1 %d %d", MasterName, master.Port, quorum),
		"sentinel down-after-milliseconds " + MasterName + " 500",
		"sentinel failover-timeout " + MasterName + " 3000",
	}
	if master.password != "" {
		lines = append(lines, "sentinel auth-pass "+MasterName+" "+master.password)
	}
	conf := filepath.Join(dir, "sentinel.conf")
	if err := os.WriteFile(conf, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		os.RemoveAll(dir)
		return nil, err
	}
	return launch(path, port, dir, nil, []string{conf, "--sentinel"})
}
