package scene_test

import (
	"testing"

	"flashlab/lessons"
	"flashlab/lessons/lessontest"
	_ "flashlab/lessons/setnx/scene"
	"flashlab/sim"
	"flashlab/sim/scenario"
)

func lesson(t *testing.T) *lessons.Lesson {
	t.Helper()
	return lessontest.Lesson(t, "setnx")
}

// scene makes a variant's scenario; sets may be empty.
func scene(t *testing.T, name, sets string) *scenario.Scenario {
	t.Helper()
	return lessontest.Scene(t, lesson(t), name, sets)
}

// TestLesson runs the checks that every lesson must pass.
func TestLesson(t *testing.T) {
	lessontest.Check(t, "setnx", "buyers=3", "crashes=0", "wait=15000", "expiries=1", "work=0")
}

// TestReferences: what a text names must exist.
func TestReferences(t *testing.T) {
	l := lesson(t)
	for _, name := range []string{"no-ttl", "set-nx-px", "unlock-unheld"} {
		lessontest.Variant(t, l, name)
	}
	lessontest.StagedSchedule(t, l, "refused-in-peace")
}

// TestCounts holds the figures that the texts and the field know by heart.
func TestCounts(t *testing.T) {
	lessontest.Counts(t, lesson(t), `
		no-ttl             -         17   progress          7    2 (1)   0
		no-ttl             -         17   lock-released     7    5 (1)   0
		no-ttl             wait=0    17   progress          7    2 (1)   0
		setnx-then-expire  -         25   progress          3    2 (1)   0
		setnx-then-expire  crashes=0 8    progress          0
		set-nx-px          -         17   progress          0
		set-nx-px          -         17   lock-released     0
		set-nx-px          expiries=1,crashes=0 48 no-misdeletion 14 5 (6) 2
		leaked-on-error    -         5    lock-released     3    2 (1)   0
		leaked-on-error    buyers=1  1    lock-released     1    2 (1)   0
		unlock-unheld      -         12   no-misdeletion    6    3 (2)   1
		unlock-unheld      buyers=3  336  no-misdeletion    258  3 (6)   1
		unlock-unheld      buyers=3  336  mutual-exclusion  36   4 (6)   1
		limited            -         9    progress          0
		limited            -         9    within-limit      0
	`)
}

// crashAtOnce lets A take the lock, kills its node and then lets time and B go on.
func crashAtOnce() func([]sim.Move, int) int {
	return func(moves []sim.Move, n int) int {
		if n == 1 {
			return len(moves) - 1 // faults come last
		}
		return 0
	}
}
