package app

import (
	"context"
	"os"
	"strings"
	"testing"

	"flashlab/sim/live"
	"flashlab/sim/live/livetest"
)

// TestStormOnServer lets a lesson run free on a real server: it finds there what it
// finds embedded, leaves no key behind, and when the server goes away the learner may
// go on without it.
func TestStormOnServer(t *testing.T) {
	s := livetest.Start(t)
	target, err := live.Parse(live.Flags{URL: "redis://" + s.Addr()}, os.Getenv)
	if err != nil {
		t.Fatal(err)
	}
	rdb := s.Client(t)
	if err := rdb.Set(context.Background(), "foreign", "kept", 0).Err(); err != nil {
		t.Fatal(err)
	}
	o := english()
	o.Live, o.Lesson, o.Variant = target, "setnx", "unlock-unheld"
	p := play(t, o, 120, 40)
	p.press("R")
	p.settle()
	p.must("on redis://" + s.Addr())
	p.must("✗ mutual-exclusion")
	keys, err := rdb.Keys(context.Background(), "*").Result()
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range keys { // the lesson on the stage behind it has a heartbeat
		if k != "foreign" && !strings.HasSuffix(k, ":heartbeat") {
			t.Errorf("the storm has left %s behind", k)
		}
	}
	s.Kill()
	p.press("a")
	p.settle()
	p.must("The server does not answer")
	p.press("down", "enter")
	p.settle()
	p.mustNot("on redis://")
	p.must("✗ mutual-exclusion")
}

// A lesson without Redis is not stormed on a server.
func TestStormBesideServer(t *testing.T) {
	o := english()
	o.Live, o.Lesson, o.Variant = &live.Target{}, "oversell", "guarded"
	p := play(t, o, 120, 40)
	p.press("R")
	p.settle()
	p.must("✓ held: no-oversell")
	p.mustNot("under keys of its own")
}
