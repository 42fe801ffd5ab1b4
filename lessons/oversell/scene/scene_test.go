package scene_test

import (
	"strings"
	"testing"

	"flashlab/lessons"
	"flashlab/lessons/lessontest"
	_ "flashlab/lessons/oversell/scene"
	"flashlab/sim/scenario"
)

func lesson(t *testing.T) *lessons.Lesson {
	t.Helper()
	return lessontest.Lesson(t, "oversell")
}

// scene makes a variant's scenario; sets may be empty.
func scene(t *testing.T, name, sets string) *scenario.Scenario {
	t.Helper()
	return lessontest.Scene(t, lesson(t), name, sets)
}

func contains(s, part string) bool { return strings.Contains(s, part) }

// sold adds a light that is red where units are left although somebody wanted
// them: what the declared lights do not say of the optimistic locks.
func sold(s *scenario.Scenario) *scenario.Scenario {
	want := min(s.Params.Get("buyers"), s.Params.Get("stock"))
	s.Lights = append(s.Lights, scenario.Light{
		Name: "sold", When: scenario.AtEnd,
		Check: func(v *scenario.View) (bool, error) {
			rows, err := v.Rows("orders")
			return len(rows) == want, err
		},
	})
	return s
}

// TestLesson runs the checks that every lesson must pass.
func TestLesson(t *testing.T) {
	lessontest.Check(t, "oversell", "stock=0", "stock=1", "stock=2", "buyers=3,stock=2")
}

// TestReferences: what a text names must exist.
func TestReferences(t *testing.T) {
	l := lesson(t)
	lessontest.Variant(t, l, "guarded") // cas-stock sends its reader there
	for _, name := range []string{"crash-between", "crash-rolled-back", "both-read-one"} {
		lessontest.StagedSchedule(t, l, name)
	}
}
