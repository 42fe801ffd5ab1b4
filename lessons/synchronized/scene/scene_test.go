package scene_test

import (
	"testing"

	"flashlab/lessons"
	"flashlab/lessons/lessontest"
	_ "flashlab/lessons/synchronized/scene"
	"flashlab/sim/scenario"
)

func lesson(t *testing.T) *lessons.Lesson {
	t.Helper()
	return lessontest.Lesson(t, "synchronized")
}

// scene makes a variant's scenario; sets may be empty.
func scene(t *testing.T, name, sets string) *scenario.Scenario {
	t.Helper()
	return lessontest.Scene(t, lesson(t), name, sets)
}

// TestLesson runs the checks that every lesson must pass.
func TestLesson(t *testing.T) {
	lessontest.Check(t, "synchronized", "stock=0", "stock=1", "nodes=2", "buyers=3,stock=2")
}

// TestReferences: what a text names must exist.
func TestReferences(t *testing.T) {
	for _, name := range []string{"no-lock", "mutex-per-call", "unique-index"} {
		lessontest.Variant(t, lesson(t), name)
	}
}

// TestCounts holds the figures that the texts and the field know by heart.
func TestCounts(t *testing.T) {
	lessontest.Counts(t, lesson(t), `
		no-lock               -        12   one-per-user  10   10 (10)  1
		no-lock               stock=1  12   one-per-user  0
		mutex-one-node        -        2    one-per-user  0
		mutex-two-nodes       -        296  one-per-user  252  12 (42)  1
		mutex-one-node        nodes=2  296  one-per-user  252  12 (42)  1
		mutex-two-nodes       nodes=1  2    one-per-user  0
		mutex-per-call        -        296  one-per-user  252  12 (42)  1
		unlock-before-commit  -        72   one-per-user  62   14 (62)  1
		commit-under-lock     -        2    one-per-user  0
		unique-index          -        2    one-per-user  0
		unique-index          nodes=1  2    one-per-user  0
		count-in-transaction  -        2    one-per-user  0
	`)
}
