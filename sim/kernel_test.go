package sim_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"flashlab/sim"
	"flashlab/sim/proc"
)

// newKernel returns a kernel that must not leave a goroutine behind.
func newKernel(t *testing.T) *sim.Kernel {
	t.Helper()
	leaks := goleak.IgnoreCurrent()
	k := sim.New()
	t.Cleanup(func() {
		k.Close()
		goleak.VerifyNone(t, leaks)
	})
	return k
}

// spawn adds an actor, or fails the test.
func spawn(t *testing.T, k *sim.Kernel, node string, body func(ctx context.Context) error) *sim.Actor {
	t.Helper()
	a, err := k.Spawn("actor", node, false, body)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// step takes one step, or fails the test.
func step(t *testing.T, k *sim.Kernel, actors ...*sim.Actor) {
	t.Helper()
	for _, a := range actors {
		if err := k.Step(a); err != nil {
			t.Fatal(err)
		}
	}
}

// sleeps is a body of n operations.
func sleeps(n int) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		for range n {
			if err := proc.Sleep(ctx, time.Second); err != nil {
				return err
			}
		}
		return nil
	}
}

func TestLife(t *testing.T) {
	k := newKernel(t)
	k.FreeTime = true
	for range 3 { // goroutines are used again
		wrong := errors.New("wrong")
		a := spawn(t, k, "n1", sleeps(2))
		b := spawn(t, k, "n1", func(context.Context) error { return wrong })
		if a.State() != sim.Parked || b.State() != sim.Done || b.Err != wrong {
			t.Fatalf("states %d, %d, %v", a.State(), b.State(), b.Err)
		}
		if a.Letter() != "A" || b.Letter() != "B" || k.Finished() {
			t.Fatal("names or ends are wrong")
		}
		if err := k.Step(b); err == nil {
			t.Fatal("one that has ended steps")
		}
		step(t, k, a, a)
		if a.State() != sim.Done || a.Err != nil || a.Steps != 2 || !k.Finished() {
			t.Fatalf("state %d after %d steps, %v", a.State(), a.Steps, a.Err)
		}
		if err := k.Reset(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestDaemonsDoNotCount(t *testing.T) {
	k := newKernel(t)
	if _, err := k.Spawn("consumer", "n1", true, sleeps(1)); err != nil {
		t.Fatal(err)
	}
	if !k.Finished() {
		t.Error("a daemon counts as unfinished")
	}
	a := spawn(t, k, "n1", sleeps(1))
	if k.Finished() {
		t.Error("an ordinary actor does not")
	}
	a.Hung = true
	if !k.Finished() {
		t.Error("a hung one does")
	}
}

func TestPanic(t *testing.T) {
	k := newKernel(t)
	k.FreeTime = true
	a := spawn(t, k, "n1", func(ctx context.Context) error {
		proc.Sleep(ctx, 1)
		panic("out of paper")
	})
	step(t, k, a)
	if a.State() != sim.Crashed || !strings.Contains(a.Err.Error(), "out of paper") || !strings.Contains(string(a.Panic), "kernel_test.go") {
		t.Errorf("state %d, %v\n%s", a.State(), a.Err, a.Panic)
	}
}

func TestTooManyActors(t *testing.T) {
	k := newKernel(t)
	for i := range sim.MaxActors + 1 {
		_, err := k.Spawn("actor", "n1", false, sleeps(1))
		if (err != nil) != (i == sim.MaxActors) {
			t.Errorf("actor %d: %v", i, err)
		}
	}
	if k.Err() == nil {
		t.Error("the run goes on")
	}
}

// TestNodeDies: with a node go its actors and what they hold, and nothing else.
func TestNodeDies(t *testing.T) {
	k := newKernel(t)
	var mu proc.Mutex // each node has its own
	holds := func(ctx context.Context) error {
		mu.Lock(ctx)
		defer func() { mu.Unlock(ctx) }()
		return proc.Sleep(ctx, time.Hour)
	}
	a, b := spawn(t, k, "n1", holds), spawn(t, k, "n2", holds)
	waits, other := spawn(t, k, "n1", holds), spawn(t, k, "n2", holds)
	step(t, k, a, b)
	k.Pause("n1", time.Minute)
	if err := k.KillNode("n1"); err != nil {
		t.Fatal(err)
	}
	if a.State() != sim.Dead || waits.State() != sim.Dead || k.Paused("n1") {
		t.Errorf("on n1 states %d and %d, paused %v", a.State(), waits.State(), k.Paused("n1"))
	}
	if b.State() != sim.Parked || k.Enabled(other) {
		t.Errorf("on n2: state %d, the other one can take the mutex: %v", b.State(), k.Enabled(other))
	}
	if err := k.Kill(b); err != nil {
		t.Fatal(err)
	}
	if !k.Enabled(other) {
		t.Error("a dead actor keeps its mutex")
	}
	again := spawn(t, k, "n1", holds)
	if !k.Enabled(again) {
		t.Error("the node starts again with a mutex of its former life")
	}
}

func TestPause(t *testing.T) {
	k := newKernel(t)
	k.FreeTime = true
	a, b := spawn(t, k, "n1", sleeps(1)), spawn(t, k, "n2", sleeps(1))
	k.Pause("n1", 3*time.Second)
	if k.Enabled(a) || !k.Enabled(b) {
		t.Error("the wrong node stands still")
	}
	if why, ok := a.Why(); !ok || why.Kind != "pause" || why.Left != 3*time.Second {
		t.Errorf("reason %+v", why)
	}
	if err := k.Step(a); err == nil {
		t.Error("a paused actor steps")
	}
	var due []time.Duration
	k.Deadlines(func(d time.Duration) { due = append(due, d) })
	if len(due) != 2 { // the end of the pause, and the sleeper on n2
		t.Errorf("deadlines %v", due)
	}
	k.Advance(2 * time.Second)
	if k.Enabled(a) {
		t.Error("the pause ends early")
	}
	k.Advance(3 * time.Second)
	if !k.Enabled(a) || k.Paused("n1") {
		t.Error("the pause does not end")
	}
}

// TestKeys: the key tells states apart and does not depend on how they were reached.
func TestKeys(t *testing.T) {
	k := newKernel(t)
	k.FreeTime = true
	var mu [2]proc.Mutex
	body := func(i int) func(ctx context.Context) error {
		return func(ctx context.Context) error {
			mu[i].Lock(ctx)
			mu[i].Unlock(ctx)
			return nil
		}
	}
	key := func(schedule string) string {
		t.Helper()
		if err := k.Reset(); err != nil {
			t.Fatal(err)
		}
		actors := []*sim.Actor{spawn(t, k, "n1", body(0)), spawn(t, k, "n1", body(1))}
		for _, c := range schedule {
			step(t, k, actors[c-'A'])
		}
		return string(k.AppendKey(nil))
	}
	seen := map[string]string{}
	for _, group := range [][]string{{""}, {"A"}, {"B"}, {"AA"}, {"BB"}, {"AB", "BA"}, {"AAB", "ABA", "BAA"}, {"AABB", "BBAA", "ABAB"}} {
		for _, s := range group {
			if x := key(s); x != key(group[0]) {
				t.Errorf("%q and %q lead to the same state and have different keys", s, group[0])
			} else if other, ok := seen[x]; ok && other != group[0] {
				t.Errorf("%q and %q have the same key", s, other)
			} else {
				seen[x] = group[0]
			}
		}
	}
}

func TestHistories(t *testing.T) {
	h := sim.NewHistories()
	a, isNew := h.Append(0, []byte("x"))
	if !isNew || a == 0 {
		t.Error("a first history is not new")
	}
	b, _ := h.Append(a, []byte("y"))
	c, _ := h.Append(0, []byte("xy"))
	again, isNew := h.Append(a, []byte("y"))
	if b == c || b == a || again != b || isNew {
		t.Errorf("ids %d %d %d %d", a, b, c, again)
	}
	if h.Len() != 3 {
		t.Errorf("%d histories", h.Len())
	}
}
