package storm

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"testing"
	"time"

	"flashlab/sim/scenario"
	"flashlab/sim/storm/linear"
	"flashlab/sim/trace"
	"flashlab/sim/world"
)

// asNode makes this test binary a node.
const asNode = "FLASHLAB_TEST_NODE"

func TestMain(m *testing.M) {
	if os.Getenv(asNode) != "" {
		makeOne := func(NodeConfig) (*scenario.Scenario, error) { return lastMoment(), nil }
		answer := func(error) linear.Answer { return linear.Unclear }
		if err := Serve(context.Background(), os.Stdin, os.Stdout, nil, makeOne, answer); err != nil {
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// lastMoment lets node 2 take a lock, and then node 1, in the next moment of whose life
// its third request begins.
func lastMoment() *scenario.Scenario {
	return &scenario.Scenario{
		Lesson: "test", Variant: "last-moment", World: world.Config{Engine: world.WAL, Redis: true},
		Params: scenario.NewParams(nil), Lights: []scenario.Light{scenario.MutualExclusion()},
		Locks: []scenario.Lock{{Key: "lock"}},
		Actors: func(w *world.World) []scenario.Actor {
			inside := make(chan struct{})
			until := func(ctx context.Context, key string) error {
				for {
					if n, err := w.Redis.Exists(ctx, key).Result(); n > 0 || err != nil {
						return err
					}
					time.Sleep(time.Millisecond)
				}
			}
			intrude := func(ctx context.Context) error {
				if err := until(ctx, "held"); err != nil {
					return err
				}
				err := w.Redis.Rename(ctx, "lock", "stolen").Err()
				if ok, set := w.Redis.SetNX(ctx, "lock", "n1", 0).Result(); !ok || set != nil {
					return errors.Join(err, set, errors.New("not granted"))
				}
				w.Redis.Set(ctx, "end", 1, 0)
				close(inside)
				<-ctx.Done() // which a kill -9 does not bring
				return ctx.Err()
			}
			hold := func(ctx context.Context) error {
				if err := w.Redis.SetNX(ctx, "lock", "n2", 0).Err(); err != nil {
					return err
				}
				// Whoever sends the next command has heard of the grant.
				if err := w.Redis.Set(ctx, "held", 1, 0).Err(); err != nil {
					return err
				}
				return until(ctx, "end")
			}
			wait := func(ctx context.Context) error {
				select {
				case <-inside:
				case <-ctx.Done():
				}
				return nil
			}
			actor := func(node string, body func(context.Context) error) scenario.Actor {
				return scenario.Actor{Name: trace.Verbatim(node), Node: node, Body: body}
			}
			return []scenario.Actor{actor("n1", intrude), actor("n1", wait), actor("n1", wait), actor("n2", hold)}
		},
	}
}

// A grant that a node got right before it was killed is known, and what it broke.
func TestLastGrantIsHeard(t *testing.T) {
	for range 5 { // within a tick a reporter that comes round would mostly miss it
		r, err := Run(context.Background(), lastMoment(), Options{
			Requests: 4, Concurrency: 3, Nodes: 2, Limit: 10 * time.Second,
			Fleet: &Fleet{
				Command: func() *exec.Cmd {
					cmd := exec.Command(os.Args[0])
					cmd.Env = append(os.Environ(), asNode+"=1")
					return cmd
				},
				KillRequests: 4, // all, of which three are node 1's
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Killed) != 1 || r.Seen[scenario.MutualExclusionLight] != 1 || r.Verdict != scenario.Breaks {
			t.Errorf("killed %v, seen %v, %v %+v", r.Killed, r.Seen, r.Verdict, r.Lights)
		}
	}
}

// fed is a collector of two nodes that has heard events in this order.
func fed(events ...[]scenario.LockEvent) *fleet {
	s := lastMoment()
	f, err := scenario.OpenFree(s, world.FreeOptions{})
	if err != nil {
		panic(err)
	}
	c := newCollector(f, Options{}.withDefaults(), 4)
	c.merge = true
	for _, e := range events {
		c.follow(e)
	}
	return &fleet{c: c}
}

// Node 2 is granted the lock after node 1 has died, or while it lived: its last word
// tells.
func TestDeathIsAfterLastWord(t *testing.T) {
	const kill = 1_000
	grant := func(who, node int, at int64) []scenario.LockEvent {
		return []scenario.LockEvent{{Kind: scenario.SawGrant, Who: who, Node: node, Call: at - 5, At: at}}
	}
	for _, tt := range []struct {
		name        string
		last, other int64 // when node 1 said its last word, and node 2 was granted the lock
		overlaps    int
	}{
		{"before the kill", 990, 995, 1},
		{"after the kill", 990, 1_001, 0},
		{"after the kill, and node 1 still spoke", 1_010, 1_005, 1},
		{"after its last word", 1_010, 1_015, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			x := fed(grant(2, 1, tt.other), grant(1, 0, tt.last)) // in the order of pipes, not of time
			defer x.c.free.Close()
			x.mourn(&child{node: 0, killed: time.Unix(0, kill), said: tt.last})
			x.c.settle()
			if n := x.c.free.Violations()[scenario.MutualExclusionLight]; n != tt.overlaps {
				t.Errorf("%d overlaps", n)
			}
		})
	}
}

// From where events are missing nothing is called a violation: a release of which one
// was not told may stand between two grants.
func TestMissingEventsBreakNothing(t *testing.T) {
	events := make([]scenario.LockEvent, maxLockEvents)
	for i := range events { // 100 ns each, half of it inside
		at := int64(100 * (i / 2))
		events[i] = scenario.LockEvent{Kind: scenario.SawGrant, Who: i / 2, Call: at, At: at + 10}
		if i%2 == 1 {
			events[i].Kind, events[i].Deleted = scenario.SawRelease, true
			events[i].Call, events[i].At = at+60, at+70
		}
	}
	const hole = 1001 // a release
	missing := events[hole]
	late := []scenario.LockEvent{missing}
	x := fed(events[:hole], events[hole+1:], []scenario.LockEvent{{Kind: scenario.SawEnd, Who: -1, At: events[0].At}}, late)
	defer x.c.free.Close()
	if !x.c.truncated || x.c.cutAt != missing.Call {
		t.Fatalf("truncated %v at %d", x.c.truncated, x.c.cutAt)
	}
	x.c.settle()
	if n := x.c.free.Violations()[scenario.MutualExclusionLight]; n != 0 {
		t.Errorf("%d overlaps", n)
	}
	for _, f := range x.c.history.Check(linear.Setting{Timeout: historyTime}, []string{"lock"}) {
		if f.Verdict == scenario.Breaks {
			t.Errorf("the history of %s is called impossible", f.Object)
		}
	}
}
