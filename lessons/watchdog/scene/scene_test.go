package scene_test

import (
	"testing"

	"flashlab/lessons/lessontest"
	_ "flashlab/lessons/watchdog/scene"
)

func TestLesson(t *testing.T) {
	lessontest.Check(t, "watchdog", "buyers=3", "lease=0", "work=0,worktime=40000", "ticks=2")
}
