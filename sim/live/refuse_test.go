package live

import (
	"context"
	"errors"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"flashlab/sim/live/livetest"
)

const secret = "geheim17"

// target reads a URL.
func target(t testing.TB, url string) *Target {
	t.Helper()
	x, err := Parse(Flags{URL: url}, none)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// refused opens a run that must not open, in time, and returns what it says.
func refused(t *testing.T, x *Target) *Trouble {
	t.Helper()
	began := time.Now()
	r, err := Open(t.Context(), x, true)
	if err == nil {
		r.Close()
		t.Errorf("%s: no error", x)
		return &Trouble{}
	}
	var trouble *Trouble
	if !errors.As(err, &trouble) {
		t.Fatalf("%s: %v is no trouble", x, err)
	}
	if took := time.Since(began); took > 3*time.Second {
		t.Errorf("%s: it took %v", x, took)
	}
	text := trouble.Error()
	if strings.Contains(text, secret) || strings.Contains(text, "\n") || !strings.Contains(text, x.String()) {
		t.Errorf("%s: it says %q", x, text)
	}
	return trouble
}

func acl(t *testing.T, s *livetest.Server, rules ...any) {
	t.Helper()
	if err := s.Client(t).Do(t.Context(), append([]any{"ACL", "SETUSER"}, rules...)...).Err(); err != nil {
		t.Fatal(err)
	}
}

// TestRefusals: each way in which a server cannot be used has a word, a sentence and
// an end.
func TestRefusals(t *testing.T) {
	s := livetest.Start(t)
	locked := livetest.Start(t, "--requirepass", secret)
	replica := livetest.StartReplica(t, s)
	full := livetest.Start(t, "--maxmemory", "1", "--maxmemory-policy", "noeviction")
	node := livetest.StartCluster(t)
	hung := livetest.Start(t)
	hung.Pause()
	defer hung.Resume()
	acl(t, s, "noeval", "on", ">"+secret, "~*", "&*", "+@all", "-@scripting")
	acl(t, s, "nokeys", "on", ">"+secret, "~other:*", "&*", "+@all")
	acl(t, s, "off", "off", ">"+secret, "~*", "+@all")

	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	web, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer web.Close()
	go func() {
		for {
			c, err := web.Accept()
			if err != nil {
				return
			}
			_, _ = c.Write([]byte("HTTP/1.1 400 Bad Request\r\n\r\n"))
			c.Close()
		}
	}()
	closed := livetest.Start(t)
	closed.Kill()

	for name, x := range map[string]struct{ url, kind, says string }{
		"nobody there":     {"redis://" + closed.Addr(), "refused", "start the server"},
		"no such socket":   {"unix:///nowhere/redis.sock", "refused", "no such socket"},
		"no answer":        {"redis://" + silent.Addr().String(), "timeout", "in time"},
		"hung":             {"redis://" + hung.Addr(), "timeout", "in time"},
		"another protocol": {"redis://" + web.Addr().String(), "server", "protocol"},
		"no TLS there":     {"rediss://" + s.Addr(), "tls", "redis://"},
		"no password":      {"redis://" + locked.Addr(), "auth", "FLASHLAB_REDIS_PASSWORD"},
		"wrong password":   {"redis://:" + secret + "x@" + locked.Addr(), "auth", "does not accept"},
		"no such user":     {"redis://nobody:" + secret + "@" + s.Addr(), "auth", "does not accept"},
		"switched off":     {"redis://off:" + secret + "@" + s.Addr(), "auth", "does not accept"},
		"no scripts":       {"redis://noeval:" + secret + "@" + s.Addr(), "rights", "eval"},
		"no keys":          {"redis://nokeys:" + secret + "@" + s.Addr(), "rights", "ACL SETUSER"},
		"replica":          {"redis://" + replica.Addr(), "readonly", "master"},
		"full":             {"redis://" + full.Addr(), "memory", "maxmemory"},
		"no such database": {"redis://" + s.Addr() + "/99", "address", "database"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := refused(t, target(t, x.url)); got.Kind != x.kind || !strings.Contains(got.Error(), x.says) {
				t.Errorf("%s: %s, want %s with %q", got.Kind, got, x.kind, x.says)
			} else {
				t.Log(got)
			}
		})
	}

	t.Run("no cluster", func(t *testing.T) {
		x, err := Parse(Flags{Cluster: s.Addr()}, none)
		if err != nil {
			t.Fatal(err)
		}
		t.Log(refused(t, x))
	})
	t.Run("no sentinel", func(t *testing.T) {
		x, err := Parse(Flags{Sentinel: "m@" + s.Addr()}, none)
		if err != nil {
			t.Fatal(err)
		}
		t.Log(refused(t, x))
	})
	t.Run("no hash tags", func(t *testing.T) {
		x := target(t, "redis://"+node.Addr())
		err := node.Client(t).Do(t.Context(), "DEL", "a", "b").Err()
		if got := x.Explain(err); got == nil || got.Kind != "cluster" || !strings.Contains(got.Error(), "{hash tag}") {
			t.Errorf("%v: %v", err, got)
		}
	})
	t.Run("a node of three", func(t *testing.T) {
		all := livetest.StartMasters(t)
		moved := 0
		for _, s := range all {
			err := s.Client(t).Get(t.Context(), "a").Err()
			if got := target(t, "redis://"+s.Addr()).Explain(err); got != nil {
				moved++
				if !strings.Contains(got.Error(), "--redis-cluster") {
					t.Errorf("%v", got)
				}
			}
		}
		if moved != 2 {
			t.Errorf("%d nodes sent us away", moved)
		}
	})
	t.Run("too old", func(t *testing.T) {
		err := s.Client(t).Do(t.Context(), "DELEX", "k", "IFEQ", "v").Err()
		if got := target(t, "redis://"+s.Addr()).Explain(err); err != nil && (got == nil || got.Kind != "version" || !strings.Contains(got.Error(), "8.4")) {
			t.Errorf("%v: %v", err, got)
		}
		r := &Run{Target: target(t, "redis://h"), Version: "6.2.14"}
		if _, err := r.Clock(time.Now(), nil); err == nil || !strings.Contains(err.Error(), "7.0") {
			t.Errorf("6.2: %v", err)
		}
	})
}

// TestAnswersAreNoTrouble: what business code may get anywhere does not end a run.
func TestAnswersAreNoTrouble(t *testing.T) {
	s := livetest.Start(t)
	x, rdb := target(t, "redis://"+s.Addr()), s.Client(t)
	rdb.Set(t.Context(), "s", "x", 0)
	for name, err := range map[string]error{
		"nil":     rdb.Get(t.Context(), "missing").Err(),
		"type":    rdb.LPush(t.Context(), "s", 1).Err(),
		"number":  rdb.Incr(t.Context(), "s").Err(),
		"script":  rdb.EvalSha(t.Context(), unknownSHA, nil).Err(),
		"group":   rdb.XReadGroup(t.Context(), &redis.XReadGroupArgs{Group: "g", Consumer: "c", Streams: []string{"none", ">"}}).Err(),
		"own":     errors.New("sold out"),
		"refused": Refused("ERR no"),
		"ctx":     context.Canceled,
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
		if got := x.Explain(err); got != nil {
			t.Errorf("%s: %v is trouble: %v", name, err, got)
		}
	}
}
