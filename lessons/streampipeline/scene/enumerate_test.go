package scene_test

import (
	"fmt"
	"strings"
	"testing"

	"flashlab/lessons/lessontest"
	"flashlab/sim"
	"flashlab/sim/scenario"
)

// TestPlainEnumeration counts small scenes once more, schedule by schedule and
// without a state graph: what the graph takes for one state must be one.
func TestPlainEnumeration(t *testing.T) {
	l := lessontest.Lesson(t, name)
	scenes := []string{"pipeline buyers=2,users=1", "pipeline redeliveries=1", "not-idempotent crashes=0,ticks=1"}
	for i := range l.Variants {
		scenes = append(scenes, l.Variants[i].Name)
	}
	for _, scene := range scenes {
		variant, sets, _ := strings.Cut(scene, " ")
		s := lessontest.Scene(t, l, variant, sets)
		res := lessontest.Search(t, s)
		want := []string{res.Interleavings.String()}
		for _, light := range res.Lights {
			want = append(want, lessontest.Decimal(light.Violating))
		}
		r, err := scenario.Open(s)
		must(t, err)
		e := enumeration{t: t, r: r, red: make([]int, len(s.Lights))}
		e.walk(nil)
		must(t, r.Close())
		got := []string{fmt.Sprint(e.schedules)}
		for _, n := range e.red {
			got = append(got, fmt.Sprint(n))
		}
		expect(t, scene, strings.Join(got, " "), strings.Join(want, " "))
	}
}

// enumeration counts the schedules of a run and those that break each light.
type enumeration struct {
	t         *testing.T
	r         *scenario.Run
	schedules int
	red       []int
}

// walk goes on from the end of a path in every possible way.
func (e *enumeration) walk(path []sim.Move) {
	must(e.t, e.r.Reset())
	_, err := e.r.Judge()
	must(e.t, err)
	for _, m := range path {
		must(e.t, e.r.Do(m))
		_, err := e.r.Judge()
		must(e.t, err)
	}
	moves := e.r.Moves(nil)
	if len(moves) == 0 {
		bits, err := e.r.Finish(nil)
		must(e.t, err)
		e.schedules++
		for i := range e.red {
			if bits.Has(i) {
				e.red[i]++
			}
		}
	}
	for _, m := range moves {
		e.walk(append(path[:len(path):len(path)], m))
	}
}
