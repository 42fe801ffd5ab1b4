package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"flashlab/sim/live/livetest"
)

// foreign fills a server with keys that are not the lab's, of all kinds, and some whose
// names look like those of lessons.
func foreign(t *testing.T, rdb *redis.Client) {
	t.Helper()
	ctx := context.Background()
	_, err := rdb.Pipelined(ctx, func(p redis.Pipeliner) error {
		for i := range 1000 {
			switch k := fmt.Sprintf("theirs:%d", i); i % 5 {
			case 0:
				p.Set(ctx, k, i, 0)
			case 1:
				p.HSet(ctx, k, "field", i)
			case 2:
				p.SAdd(ctx, k, i)
			case 3:
				p.XAdd(ctx, &redis.XAddArgs{Stream: k, ID: "1-1", Values: []any{"n", i}})
			default:
				p.Set(ctx, fmt.Sprintf("lock:order:%d", i), "theirs", 0)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// dumps are all keys of a server, byte for byte.
func dumps(t *testing.T, rdb *redis.Client) map[string]string {
	t.Helper()
	ctx := context.Background()
	keys, err := rdb.Keys(ctx, "*").Result()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, k := range keys {
		if out[k], err = rdb.Dump(ctx, k).Result(); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// A storm of any kind leaves a server as it was: what is others' byte for byte.
func TestStormOnServer(t *testing.T) {
	srv := livetest.Start(t)
	rdb := srv.Client(t)
	foreign(t, rdb)
	before := dumps(t, rdb)
	file, err := program()
	if err != nil {
		t.Fatal(err)
	}
	where := "redis://" + srv.Addr()
	for _, args := range [][]string{
		{"stream-pipeline", "--variant", "pipeline", "--requests", "300"},
		{"misdeletion", "--variant", "get-then-del", "--requests", "200", "--json"},
		{"stream-pipeline", "--variant", "pipeline", "--requests", "300", "--processes", "--nodes", "2"},
	} {
		cmd := exec.Command(file, append([]string{"storm", "--redis", where}, args...)...)
		out, err := cmd.Output()
		var failed *exec.ExitError
		switch {
		case errors.As(err, &failed):
			t.Errorf("%v: %v, %s\n%s", args, err, failed.Stderr, out)
		case err != nil:
			t.Fatal(err)
		case !strings.Contains(string(out), "Redis 7.") && !strings.Contains(string(out), "Redis 8."):
			t.Errorf("%v: the server is not named:\n%s", args, out)
		}
		if now := dumps(t, rdb); !maps.Equal(before, now) {
			t.Errorf("%v: %d keys before, %d after, or others", args, len(before), len(now))
		}
	}
}

// The other ways to a server.
func TestStormOnSentinelAndCluster(t *testing.T) {
	masters := livetest.StartMasters(t)
	watched := livetest.StartSentinel(t)
	for _, where := range [][]string{
		{"--redis-cluster", masters[0].Addr() + "," + masters[1].Addr()},
		{"--redis-sentinel", livetest.MasterName + "@" + strings.Join(watched.Addrs(), ",")},
	} {
		r := flashlab(t, append([]string{"storm", "stream-pipeline", "--variant", "pipeline", "--requests", "200"}, where...)...)
		r.wants(t, exitHolds)
		if r := flashlab(t, append([]string{"clean"}, where...)...); !strings.HasPrefix(r.out, "nothing of the lab") {
			t.Errorf("%v: %+v", where, r)
		}
	}
}

func TestStormServerUnusable(t *testing.T) {
	r := flashlab(t, "storm", "stream-pipeline", "--redis", "redis://127.0.0.1:1")
	if r.code != exitService || strings.Count(r.err, "\n") != 1 || !strings.Contains(r.err, "refuses") {
		t.Errorf("%+v", r)
	}
	r = flashlab(t, "storm", "oversell", "--redis", "redis://127.0.0.1:1")
	if r.code != exitUsage || !strings.Contains(r.err, "leave out --redis") {
		t.Errorf("%+v", r)
	}
}

// A server that dies, or falls silent, in mid-storm costs one sentence and no long wait,
// and what had been found is printed.
func TestStormLosesServer(t *testing.T) {
	file, err := program()
	if err != nil {
		t.Fatal(err)
	}
	for _, end := range []struct {
		name   string
		of     func(*livetest.Server)
		within time.Duration
	}{{"killed", (*livetest.Server).Kill, 3 * time.Second}, {"silent", (*livetest.Server).Pause, 6 * time.Second}} {
		for _, more := range [][]string{nil, {"--processes", "--nodes", "2"}} {
			srv := livetest.Start(t)
			cmd := exec.Command(file, append([]string{"storm", "stream-pipeline", "--variant", "pipeline", "--requests", "150000", "--redis", "redis://" + srv.Addr()}, more...)...)
			var out, errOut bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &errOut
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			underWay(t, srv.Client(t))
			time.Sleep(200 * time.Millisecond)
			end.of(srv)
			at := time.Now()
			cmd.Wait()
			took := time.Since(at)
			srv.Resume()
			t.Logf("%s %v: %v", end.name, more, took)
			if code := cmd.ProcessState.ExitCode(); code != exitService || strings.Count(errOut.String(), "\n") != 1 || !strings.Contains(errOut.String(), "lost in mid-run") {
				t.Errorf("%s %v: exit code %d, %s", end.name, more, code, errOut.String())
			}
			if !strings.Contains(out.String(), "what had been found") || !strings.Contains(out.String(), "answers   ok") {
				t.Errorf("%s %v: %s", end.name, more, out.String())
			}
			if took > end.within {
				t.Errorf("%s %v: it took %v to end", end.name, more, took)
			}
		}
	}
}

// underWay waits until a storm has begun to sell.
func underWay(t *testing.T, rdb *redis.Client) {
	t.Helper()
	for range 1000 {
		if keys, err := rdb.Keys(context.Background(), "flashlab:*:seckill:order:*").Result(); err == nil && len(keys) > 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("the storm does not begin")
}

// What a killed storm has left is removed by clean as soon as it has no heartbeat; and
// no command line of a node shows where the server is.
func TestStormKilledOnServer(t *testing.T) {
	file, err := program()
	if err != nil {
		t.Fatal(err)
	}
	srv := livetest.Start(t, "--requirepass", "secret")
	rdb := srv.Client(t)
	ctx := context.Background()
	where := "redis://:secret@" + srv.Addr()
	cmd := exec.Command(file, "storm", "stream-pipeline", "--variant", "pipeline", "--requests", "150000", "--processes", "--nodes", "2", "--redis", where)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	underWay(t, rdb)
	children := pids(t, cmd.Process.Pid)
	for _, pid := range children {
		if line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)); err == nil && bytes.Contains(line, []byte("secret")) {
			t.Errorf("a node's command line: %q", line)
		}
	}
	cmd.Process.Signal(syscall.SIGKILL)
	cmd.Wait()
	for range 300 {
		left := 0
		for _, pid := range children {
			if syscall.Kill(pid, 0) == nil && !zombie(pid) {
				left++
			}
		}
		if left == 0 {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	beats, err := rdb.Keys(ctx, "flashlab:*:heartbeat").Result()
	if err != nil || len(beats) != 1 {
		t.Fatalf("heartbeats %q, %v", beats, err)
	}
	if d := rdb.PTTL(ctx, beats[0]).Val(); d <= 0 {
		t.Errorf("the heartbeat lives on for %v", d)
	}
	if err := rdb.Del(ctx, beats[0]).Err(); err != nil { // 30 s later
		t.Fatal(err)
	}
	if r := flashlab(t, "clean", "--redis", where); r.code != exitHolds || !strings.Contains(r.out, "is dead") {
		t.Errorf("%+v", r)
	}
	if keys := rdb.Keys(ctx, "flashlab:*").Val(); len(keys) != 0 {
		t.Errorf("left: %q", keys)
	}
}
