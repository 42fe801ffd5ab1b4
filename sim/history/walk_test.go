package history_test

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"flashlab/sim"
	"flashlab/sim/history"
	"flashlab/sim/token"
)

// TestWalk takes steps, goes back and forward, forks, jumps and loads at random.
// Whatever the way, every frame on the branch is that of a straight walk.
func TestWalk(t *testing.T) {
	s, straight := open(t), open(t)
	var known [][]sim.Move // schedules that have been walked
	rapid.Check(t, func(t *rapid.T) {
		depth := func() int { return s.Cursor().Depth }
		t.Repeat(map[string]func(*rapid.T){
			"step": func(t *rapid.T) {
				choices := s.Cursor().Frame.State.Choices
				if len(choices) == 0 {
					t.Skip("the end")
				}
				c := rapid.SampledFrom(choices).Draw(t, "choice")
				m, err := token.ParseSteps(c.Move)
				if err != nil {
					t.Fatal(err)
				}
				before := depth()
				if err := s.Step(m[0]); err != nil {
					t.Fatal(err)
				}
				if depth() != before+1 {
					t.Fatalf("a step leads from %d to %d", before, depth())
				}
				known = append(known, s.Cursor().Moves())
			},
			"back": func(t *rapid.T) {
				n, before := rapid.IntRange(1, 4).Draw(t, "n"), depth()
				if went := s.Back(n); went != min(n, before) || depth() != before-went {
					t.Fatalf("Back(%d) from %d went %d to %d", n, before, went, depth())
				}
			},
			"forward": func(t *rapid.T) {
				n, before, ahead := rapid.IntRange(1, 4).Draw(t, "n"), depth(), len(s.Path())-1-depth()
				if went := s.Forward(n); went != min(n, ahead) || depth() != before+went {
					t.Fatalf("Forward(%d) from %d went %d to %d", n, before, went, depth())
				}
			},
			"seek": func(t *rapid.T) {
				to, last := rapid.IntRange(-1, 12).Draw(t, "depth"), len(s.Path())-1
				if s.Seek(to); depth() != max(0, min(to, last)) {
					t.Fatalf("Seek(%d) of %d ends at %d", to, last, depth())
				}
			},
			"load": func(t *rapid.T) {
				if len(known) == 0 {
					t.Skip("nothing walked yet")
				}
				m := rapid.SampledFrom(known).Draw(t, "schedule")
				if err := s.Load(m); err != nil || depth() != len(m) {
					t.Fatalf("loading %s ends at %d: %v", token.Steps(m), depth(), err)
				}
			},
			"random": func(t *rapid.T) {
				if _, err := s.Random(rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))); err != nil {
					t.Fatal(err)
				}
			},
			"": func(t *rapid.T) { linked(t, s) },
		})
		same(t, s, straight)
	})
}

// linked checks the present branch: one node a depth, each the child of the last.
func linked(t *rapid.T, s *history.Session) {
	path := s.Path()
	for i, n := range path {
		if n.Depth != i || i > 0 && n.Parent != path[i-1] {
			t.Fatalf("node %d of the path has depth %d", i, n.Depth)
		}
		if n.Ended() != (len(n.RunOut) > 0) {
			t.Fatalf("at %d: ended %v, %d frames of the run-out", i, n.Ended(), len(n.RunOut))
		}
	}
	if path[s.Cursor().Depth] != s.Cursor() {
		t.Fatal("the cursor is not on the path")
	}
}

// same compares every frame of the branch with those of a straight walk.
func same(t *rapid.T, s, straight *history.Session) {
	path := s.Path()
	last := path[len(path)-1]
	if err := straight.Load(last.Moves()); err != nil {
		t.Fatal(err)
	}
	for i, n := range straight.Path() {
		if diff := cmp.Diff(n.Frame, path[i].Frame); diff != "" {
			t.Fatalf("step %d of %s (-straight +walk):\n%s", i, token.Steps(last.Moves()), diff)
		}
		if diff := cmp.Diff(n.RunOut, path[i].RunOut); diff != "" {
			t.Fatalf("the run-out after %s (-straight +walk):\n%s", token.Steps(last.Moves()), diff)
		}
	}
}

// TestStraightIsFresh: a session that has been used for long walks like a new one.
func TestStraightIsFresh(t *testing.T) {
	used := open(t)
	rng := rand.New(rand.NewPCG(7, 7))
	for range 30 {
		used.Seek(rng.IntN(6))
		for range 3 {
			if _, err := used.Random(rng); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, schedule := range []string{whole, "A2eaB", "ABA5", "A6B5"} {
		fresh := open(t)
		load(t, fresh, schedule)
		load(t, used, schedule)
		if diff := cmp.Diff(picture(t, fresh), picture(t, used)); diff != "" {
			t.Errorf("%s (-fresh +used):\n%s", schedule, diff)
		}
	}
}
