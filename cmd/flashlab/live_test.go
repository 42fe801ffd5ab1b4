package main

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"flashlab/sim/live/livetest"
)

// TestRunOnServer: the same schedule gives the same output, byte for byte, on the
// embedded engine and on servers of all kinds, and nothing stays there.
func TestRunOnServer(t *testing.T) {
	single := livetest.Start(t)
	masters := livetest.StartMasters(t)
	watched := livetest.StartSentinel(t)
	for name, where := range map[string][]string{
		"single":   {"--redis", "redis://" + single.Addr()},
		"cluster":  {"--redis-cluster", masters[0].Addr() + "," + masters[2].Addr()},
		"sentinel": {"--redis-sentinel", livetest.MasterName + "@" + strings.Join(watched.Addrs(), ",")},
	} {
		for _, args := range [][]string{
			{"run", "misdeletion", "--seed", "3"}, {"run", "watchdog", "--seed", "4", "--format", "json"}, {"run", "stream-pipeline", "--variant", "pipeline", "--seed", "5"},
		} {
			embedded := flashlab(t, args...)
			there := flashlab(t, append(args, where...)...)
			if embedded != there || there.out == "" {
				t.Errorf("%s %v: %+v\nembedded: %+v", name, args, there, embedded)
			}
		}
		r := flashlab(t, append([]string{"run", "stream-pipeline", "--variant", "pipeline", "--seed", "5", "--parity"}, where...)...)
		if r.code != exitHolds || !strings.Contains(r.out, "no difference") {
			t.Errorf("%s: %+v", name, r)
		}
		if r := flashlab(t, append([]string{"clean"}, where...)...); r.code != exitHolds || !strings.HasPrefix(r.out, "nothing of the lab") {
			t.Errorf("%s: %+v", name, r)
		}
		if r := flashlab(t, append([]string{"doctor"}, where...)...); r.code != exitHolds || !strings.Contains(r.out, "✓ scripts") || !strings.Contains(r.out, "DELEX") {
			t.Errorf("%s: %+v", name, r)
		}
	}
	r := flashlab(t, "run", "misdeletion", "--staged", flashlabStaged(t, "misdeletion"), "--parity", "--json", "--redis", "redis://"+single.Addr())
	doc := decode(t, r.out, parseShape(`
schema                 1
lesson                 string
variant                string
schedule               string
server                 string
steps                  int
differences[].step     int
differences[].move     string
differences[].actor    string
differences[].command  string
differences[].what     string
differences[].embedded string
differences[].live     string
`))
	if r.code != exitHolds || len(doc["differences"].([]any)) != 0 {
		t.Errorf("%+v", r)
	}
}

// flashlabStaged returns the name of a staged schedule of a lesson.
func flashlabStaged(t *testing.T, lesson string) string {
	t.Helper()
	var doc struct {
		Lessons []struct {
			Name   string
			Staged []json.RawMessage
		}
	}
	if err := json.Unmarshal([]byte(flashlab(t, "lessons", "--json").out), &doc); err != nil {
		t.Fatal(err)
	}
	for _, l := range doc.Lessons {
		if l.Name == lesson && len(l.Staged) > 0 {
			var s struct{ Name string }
			if json.Unmarshal(l.Staged[0], &s) == nil && s.Name != "" {
				return s.Name
			}
			var name string
			if json.Unmarshal(l.Staged[0], &name) == nil {
				return name
			}
		}
	}
	t.Fatalf("%s has no staged schedule", lesson)
	return ""
}

// TestServerFlags: what cannot be done is said in one sentence, without the password.
func TestServerFlags(t *testing.T) {
	s := livetest.Start(t, "--requirepass", "geheim17")
	gone := livetest.Start(t)
	gone.Kill()
	for name, x := range map[string]struct {
		args []string
		code int
		says string
	}{
		"explore":          {[]string{"explore", "misdeletion", "--redis", "redis://h"}, exitUsage, "embedded engine"},
		"no Redis in it":   {[]string{"run", "oversell", "--redis", "redis://" + s.Addr()}, exitUsage, "does not use Redis"},
		"two servers":      {[]string{"run", "misdeletion", "--redis", "redis://h", "--redis-cluster", "h:1"}, exitUsage, "exclude each other"},
		"no URL":           {[]string{"run", "misdeletion", "--redis", "http://:geheim17@h"}, exitUsage, "redis://"},
		"parity alone":     {[]string{"run", "misdeletion", "--parity"}, exitUsage, "--redis URL"},
		"clean nowhere":    {[]string{"clean"}, exitUsage, "--redis URL"},
		"no password":      {[]string{"run", "misdeletion", "--redis", "redis://" + s.Addr()}, exitService, "wants a password"},
		"wrong password":   {[]string{"run", "misdeletion", "--redis", "redis://:geheim17x@" + s.Addr()}, exitService, "does not accept"},
		"parity refused":   {[]string{"run", "misdeletion", "--parity", "--redis", "redis://" + gone.Addr()}, exitService, "refuses"},
		"clean refused":    {[]string{"clean", "--redis", "redis://" + gone.Addr()}, exitService, "refuses"},
		"clean no right":   {[]string{"clean", "--redis", "redis://" + s.Addr()}, exitService, "password"},
		"doctor refused":   {[]string{"doctor", "--redis", "redis://" + gone.Addr()}, exitService, "refuses"},
		"doctor no access": {[]string{"doctor", "--json", "--redis", "redis://:geheim17x@" + s.Addr()}, exitService, "does not accept"},
	} {
		r := flashlab(t, x.args...)
		if r.code != x.code || !strings.Contains(r.out+r.err, x.says) || strings.Count(r.err, "\n") != 1 {
			t.Errorf("%s: %+v, want %d with %q", name, r, x.code, x.says)
		}
		if strings.Contains(r.out+r.err, "geheim17") {
			t.Errorf("%s: the password shows in %+v", name, r)
		}
	}
	t.Setenv("FLASHLAB_REDIS_PASSWORD", "geheim17")
	if r := flashlab(t, "run", "misdeletion", "--redis", "redis://"+s.Addr()); r.code > exitUnknown || r.code == exitUsage || r.err != "" {
		t.Errorf("a password from the environment: %+v", r)
	}
}

// TestDoctorOnServer: what will not work is named.
func TestDoctorOnServer(t *testing.T) {
	evicts := livetest.Start(t, "--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru")
	master := livetest.Start(t)
	replica := livetest.StartReplica(t, master)
	if err := master.Client(t).Do(t.Context(), "ACL", "SETUSER", "few", "on", ">pw", "~*", "&other", "+@all", "-xadd", "-watch").Err(); err != nil {
		t.Fatal(err)
	}
	for name, x := range map[string]struct {
		url   string
		code  int
		lines []string
	}{
		"eviction": {"redis://" + evicts.Addr(), exitHolds, []string{"· memory", "allkeys-lru", "locks"}},
		"replica":  {"redis://" + replica.Addr(), exitService, []string{"✗ server", "read-only replica"}},
		"rights":   {"redis://few:pw@" + master.Addr(), exitService, []string{"✗ streams", "xadd", "✗ transactions", "watch", "· pub/sub", "✓ scripts"}},
	} {
		r := flashlab(t, "doctor", "--redis", x.url)
		if r.code != x.code {
			t.Errorf("%s: %+v", name, r)
		}
		for _, l := range x.lines {
			if !strings.Contains(r.out, l) {
				t.Errorf("%s: %q is missing in\n%s", name, l, r.out)
			}
		}
	}
}

// TestKilledOnServer: a program that is killed in mid-run has touched nothing foreign,
// and clean removes what it has left.
func TestKilledOnServer(t *testing.T) {
	s := livetest.Start(t)
	rdb, ctx := s.Client(t), context.Background()
	for i := range 1000 {
		if err := rdb.Set(ctx, "shop:"+strconv.Itoa(i), i, 0).Err(); err != nil {
			t.Fatal(err)
		}
	}
	dump := func() string {
		var all strings.Builder
		for i := range 1000 {
			all.WriteString(rdb.Dump(ctx, "shop:"+strconv.Itoa(i)).Val())
		}
		return all.String()
	}
	before := dump()
	file, err := program()
	if err != nil {
		t.Fatal(err)
	}
	way := newWay(t, s.Addr(), 50, false)
	cmd := exec.Command(file, "run", "stream-pipeline", "--variant", "pipeline", "--seed", "5", "--redis", "redis://"+way.addr)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	<-way.reached
	_ = cmd.Process.Signal(syscall.SIGKILL)
	_ = cmd.Wait()
	left := keysOf(t, rdb, "flashlab:*")
	if len(left) < 2 {
		t.Fatalf("the run has left %v", left)
	}
	if r := flashlab(t, "clean", "--redis", "redis://"+s.Addr()); r.code != exitHolds || !strings.Contains(r.out, "lives") {
		t.Errorf("within 30 s it may still live: %+v", r)
	}
	if n := len(keysOf(t, rdb, "flashlab:*")); n != len(left) {
		t.Errorf("%d of %d keys of a run with a heartbeat are there", n, len(left))
	}
	for _, k := range keysOf(t, rdb, "flashlab:*:heartbeat") {
		rdb.PExpire(ctx, k, time.Millisecond)
	}
	time.Sleep(20 * time.Millisecond)
	r := flashlab(t, "clean", "--redis", "redis://"+s.Addr())
	if r.code != exitHolds || !strings.Contains(r.out, "removed") {
		t.Errorf("%+v", r)
	}
	if left := keysOf(t, rdb, "flashlab:*"); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	if dump() != before {
		t.Error("a foreign key has changed")
	}
}

func keysOf(t *testing.T, rdb *redis.Client, pattern string) []string {
	t.Helper()
	keys, err := rdb.Keys(context.Background(), pattern).Result()
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

// way is a way to a server that ends after some requests: nothing comes through any
// more, or, if it breaks, all connections are closed and none is made.
type way struct {
	addr    string
	reached chan struct{} // closed when it ends

	mu     sync.Mutex
	left   int
	breaks bool
	open   []io.Closer
}

func newWay(t *testing.T, to string, requests int, breaks bool) *way {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &way{addr: l.Addr().String(), reached: make(chan struct{}), left: requests, breaks: breaks, open: []io.Closer{l}}
	t.Cleanup(w.close)
	go func() {
		for {
			from, err := l.Accept()
			if err != nil {
				return
			}
			there, err := net.Dial("tcp", to)
			if err != nil {
				from.Close()
				return
			}
			w.mu.Lock()
			w.open = append(w.open, from, there)
			w.mu.Unlock()
			go func() { _, _ = io.Copy(from, there) }()
			go w.forward(there, from)
		}
	}()
	return w
}

func (w *way) forward(there io.Writer, from io.Reader) {
	b := make([]byte, 1<<16)
	for {
		n, err := from.Read(b)
		if err != nil {
			return
		}
		w.mu.Lock()
		w.left--
		last, over := w.left == 0, w.left <= 0
		w.mu.Unlock()
		if last {
			close(w.reached)
			if w.breaks {
				w.close()
			}
		}
		if over {
			continue
		}
		if _, err := there.Write(b[:n]); err != nil {
			return
		}
	}
}

func (w *way) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.open {
		c.Close()
	}
}

// TestServerLost: when the server is lost in mid-run, the steps until then are
// printed, and one sentence.
func TestServerLost(t *testing.T) {
	s := livetest.Start(t)
	whole := flashlab(t, "run", "stream-pipeline", "--variant", "pipeline", "--seed", "5", "--redis", "redis://"+s.Addr())
	for name, x := range map[string]struct {
		requests int
		breaks   bool
	}{
		"it breaks": {70, true}, "it is silent": {70, false},
	} {
		w := newWay(t, s.Addr(), x.requests, x.breaks)
		began := time.Now()
		r := flashlab(t, "run", "stream-pipeline", "--variant", "pipeline", "--seed", "5", "--redis", "redis://"+w.addr)
		if took := time.Since(began); took > 3*time.Second {
			t.Errorf("%s: it took %v", name, took)
		}
		t.Logf("%s: %s", name, strings.Join(regexp.MustCompile(`verdict .*|size .*`).FindAllString(r.out, -1), ", "))
		if r.code != exitService || strings.Count(r.err, "\n") != 1 || !strings.Contains(r.err, "lost in mid-run") {
			t.Errorf("%s: %+v", name, r)
		}
		if !strings.Contains(r.out, "verdict  unknown") || !strings.Contains(r.out, "→ 0 · seckill:order:1={1}") || len(r.out) >= len(whole.out) {
			t.Errorf("%s: it printed:\n%s", name, r.out)
		}
	}
}
