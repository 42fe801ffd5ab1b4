package scene_test

import (
	"testing"

	"flashlab/lessons/lessontest"
	_ "flashlab/lessons/watchdog/scene"
)

func TestLesson(t *testing.T) {
	lessontest.Check(t, "watchdog", "buyers=3", "lease=0,worktime=40000", "work=0,worktime=40000", "ticks=2")
}

// TestCounts holds the figures that the texts and the field know by heart.
func TestCounts(t *testing.T) {
	lessontest.Counts(t, lessontest.Lesson(t, "watchdog"), `
		fixed-lease                -                   2     mutual-exclusion 2 5 (2) 0
	`)
}
