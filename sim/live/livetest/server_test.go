package livetest

import (
	"context"
	"os"
	"testing"
)

var ctx = context.Background()

func TestStart(t *testing.T) {
	a, b := Start(t), Start(t, "--requirepass", "secret", "--maxmemory", "3mb")
	if a.Port == b.Port || a.Dir == b.Dir {
		t.Fatalf("two servers share %+v and %+v", a, b)
	}
	ra, rb := a.Client(t), b.Client(t)
	if err := ra.Set(ctx, "k", "a", 0).Err(); err != nil {
		t.Fatal(err)
	}
	if n, err := rb.Exists(ctx, "k").Result(); n != 0 || err != nil {
		t.Errorf("the second server knows %d keys of the first, %v", n, err)
	}
	if v, err := rb.ConfigGet(ctx, "maxmemory").Result(); v["maxmemory"] != "3145728" || err != nil {
		t.Errorf("maxmemory: %v, %v", v, err)
	}
	sha, err := ra.ScriptLoad(ctx, "return 1").Result()
	if err != nil {
		t.Fatal(err)
	}
	a.Reset(t)
	if n, err := ra.DBSize(ctx).Result(); n != 0 || err != nil {
		t.Errorf("after Reset: %d keys, %v", n, err)
	}
	if known, err := ra.ScriptExists(ctx, sha).Result(); err != nil || known[0] {
		t.Errorf("after Reset: the script is known: %v, %v", known, err)
	}
}

func TestServersEndWithTheTest(t *testing.T) {
	var dir string
	var s *Server
	t.Run("one", func(t *testing.T) {
		s = Start(t)
		dir = s.Dir
	})
	if t.Skipped() || s == nil {
		t.SkipNow()
	}
	select {
	case <-s.exited:
	default:
		t.Error("the server is still running")
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("its directory is still there: %v", err)
	}
}

func TestKillAndStopTwice(t *testing.T) {
	s := Start(t)
	s.Kill()
	s.Stop()
	s.Kill()
	if err := s.Client(t).Ping(ctx).Err(); err == nil {
		t.Error("a killed server answered")
	}
}

func TestBadArguments(t *testing.T) {
	path := Need(t)
	if s, err := start(path, []string{"--no-such-option", "1"}); err == nil {
		s.Stop()
		t.Error("no error")
	}
}

// Without a server a test is skipped, and under CI=true it fails.
func TestMissingServer(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for _, ci := range []string{"", "true"} {
		t.Setenv("CI", ci)
		r := &recorder{TB: t}
		func() {
			defer func() { _ = recover() }()
			Need(r)
		}()
		if r.skipped != (ci == "") || r.failed != (ci == "true") {
			t.Errorf("CI=%q: skipped %v, failed %v", ci, r.skipped, r.failed)
		}
	}
}

// recorder is a test that stops by panicking.
type recorder struct {
	testing.TB
	skipped, failed bool
}

func (r *recorder) Helper() {}

func (r *recorder) Skip(...any) {
	r.skipped = true
	panic("skip")
}

func (r *recorder) Fatal(...any) {
	r.failed = true
	panic("fatal")
}
