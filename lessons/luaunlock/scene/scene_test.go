package scene_test

import (
	"testing"

	_ "flashlab/lessons/all"
	"flashlab/lessons/lessontest"
)

func TestLesson(t *testing.T) {
	lessontest.Check(t, "lua-unlock", "buyers=3", "work=0", "work=2,expiries=2", "crashes=1")
}

// TestCounts holds the figures that the texts and the field know by heart.
func TestCounts(t *testing.T) {
	lessontest.Counts(t, lessontest.Lesson(t, "lua-unlock"), `
		lua            -        44  no-misdeletion   0
		lua            -        44  mutual-exclusion 12  3 (2) 1
		lua            buyers=3 768 no-misdeletion   0
		lua            buyers=3 768 mutual-exclusion 318 3 (6) 1
		delex          -        44  no-misdeletion   0
		delex          -        44  mutual-exclusion 12  3 (2) 1
		delex          buyers=3 768 mutual-exclusion 318 3 (6) 1
		lua-long-lease -        19  mutual-exclusion 0
		lua-long-lease buyers=3 148 mutual-exclusion 0
	`)
}

// TestReferences: what the texts name must exist.
func TestReferences(t *testing.T) {
	lessontest.Variant(t, lessontest.Lesson(t, "misdeletion"), "delete-blind")
	lessontest.StagedSchedule(t, lessontest.Lesson(t, "lua-unlock"), "left-alone")
}
