package livetest

import (
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

func TestStartReplica(t *testing.T) {
	master := Start(t, "--requirepass", "secret")
	replica := StartReplica(t, master)
	if err := master.Client(t).Set(ctx, "k", "v", 0).Err(); err != nil {
		t.Fatal(err)
	}
	rdb := replica.Client(t)
	for end := time.Now().Add(5 * time.Second); rdb.Get(ctx, "k").Val() != "v"; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the replica does not follow")
		}
	}
	if err := rdb.Set(ctx, "k", "w", 0).Err(); !redis.HasErrorPrefix(err, "READONLY") {
		t.Errorf("the replica takes writes: %v", err)
	}
}

// TestStartSentinel: when the master dies the replica takes its place, and a client
// that asks the sentinels finds it.
func TestStartSentinel(t *testing.T) {
	w := StartSentinel(t)
	rdb := redis.NewFailoverClient(&redis.FailoverOptions{MasterName: MasterName, SentinelAddrs: w.Addrs(), Protocol: 2, DisableIdentity: true})
	defer rdb.Close()
	if err := rdb.Set(ctx, "k", "v", 0).Err(); err != nil {
		t.Fatal(err)
	}
	if n, err := rdb.Wait(ctx, 1, 5*time.Second).Result(); n != 1 || err != nil {
		t.Fatalf("%d replicas have it, %v", n, err)
	}
	w.Master.Kill()
	began := time.Now()
	for rdb.Set(ctx, "k", "w", 0).Err() != nil {
		if time.Since(began) > 30*time.Second {
			t.Fatal("nobody has taken the place of the master")
		}
		time.Sleep(50 * time.Millisecond)
	}
	if v, err := w.Replica.Client(t).Get(ctx, "k").Result(); v != "w" || err != nil {
		t.Errorf("the replica has %q, %v", v, err)
	}
	t.Logf("failed over within %v", time.Since(began).Round(time.Millisecond))
}

// TestStartMasters: three masters, and a key is on one of them.
func TestStartMasters(t *testing.T) {
	all := StartMasters(t)
	rdb := all[0].ClusterClient(t)
	owners := map[int]bool{}
	for _, k := range []string{"a", "b", "c", "d", "e", "f"} {
		if err := rdb.Set(ctx, k, "v", 0).Err(); err != nil {
			t.Errorf("SET %s: %v", k, err)
		}
		for i, s := range all {
			one := s.Client(t)
			if one.Get(ctx, k).Val() == "v" {
				owners[i] = true
			}
		}
	}
	if len(owners) != 3 {
		t.Errorf("the keys are on %d masters", len(owners))
	}
}
