package scene_test

import (
	"testing"

	"flashlab/lessons/lessontest"
	_ "flashlab/lessons/streampipeline/scene"
)

const name = "stream-pipeline"

func TestLesson(t *testing.T) {
	lessontest.Check(t, name, "buyers=2", "buyers=2,users=1", "stock=0", "consumers=1", "buyers=3,stock=1", "redeliveries=1", "ticks=1")
}
