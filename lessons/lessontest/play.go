package lessontest

import (
	"strconv"
	"strings"
	"testing"

	"flashlab/lessons"
	"flashlab/sim"
	"flashlab/sim/scenario"
	"flashlab/sim/trace"
)

// playLimit bounds a single play: business code waits in every loop, and time has
// a budget, so only a broken scenario reaches it.
const playLimit = 10_000

// Play runs one schedule and returns its frames, from the start on; next chooses
// among the moves possible at step n (from 0) by position, a negative one stops.
// Positions past the last start over. At the end of an interleaving the run-out
// follows, as on the screen.
func Play(t testing.TB, s *scenario.Scenario, next func(moves []sim.Move, n int) int) []trace.Frame {
	t.Helper()
	r, err := scenario.Open(s)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	r.Record(true)
	f, err := r.Start()
	if err != nil {
		t.Fatal(err)
	}
	frames := []trace.Frame{f}
	for n := 0; n < playLimit; n++ {
		moves := r.Moves(nil)
		if len(moves) == 0 {
			out, err := r.PlayOut(f.State.Lights)
			if err != nil {
				t.Fatal(err)
			}
			return append(frames, out...)
		}
		i := next(moves, n)
		if i < 0 {
			return frames
		}
		if f, err = r.Play(moves[i%len(moves)], f.State.Lights); err != nil {
			t.Fatal(err)
		}
		frames = append(frames, f)
	}
	t.Fatalf("%s.%s goes on after %d steps", s.Lesson, s.Variant, playLimit)
	return nil
}

// First always takes the first move: one actor after the other, no faults where an
// actor can go on.
func First([]sim.Move, int) int { return 0 }

// InTurn takes the moves in turn: actors alternate.
func InTurn(_ []sim.Move, n int) int { return n }

// RunStaged plays the staged schedule of that name and returns its frames.
func RunStaged(t testing.TB, l *lessons.Lesson, name string) []trace.Frame {
	t.Helper()
	frames, err := StagedSchedule(t, l, name).Run(l)
	if err != nil {
		t.Fatal(err)
	}
	return frames
}

// Last is the world after the last frame.
func Last(frames []trace.Frame) trace.State { return frames[len(frames)-1].State }

// Stock is the stock of the shop's voucher in a picture of the world, "none"
// without one.
func Stock(s trace.State) string {
	if rows := rowsOf(s, "voucher"); len(rows) > 0 {
		return rows[0][1]
	}
	return "none"
}

// Orders is the number of orders in a picture of the world.
func Orders(s trace.State) string { return strconv.Itoa(len(rowsOf(s, "orders"))) }

func rowsOf(s trace.State, table string) [][]string {
	for _, t := range s.Tables {
		if t.Name == table {
			return t.Rows
		}
	}
	return nil
}

// Ends lists how the actors have ended, in the order of their letters: "ok", an
// error's text, "died", or "waits" for one that is still there.
func Ends(s trace.State) string {
	var ends []string
	for _, a := range s.Actors {
		switch {
		case a.Phase == trace.Dead:
			ends = append(ends, "died")
		case a.Phase == trace.Done:
			ends = append(ends, a.Result)
		default:
			ends = append(ends, "waits")
		}
	}
	return strings.Join(ends, ", ")
}
