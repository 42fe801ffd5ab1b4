package scene_test

import (
	"syscall"
	"testing"
	"time"

	"flashlab/lessons/lessontest"
	_ "flashlab/lessons/watchdog/scene"
)

func TestLesson(t *testing.T) {
	lessontest.Check(t, "watchdog", "buyers=3", "lease=0,worktime=40000", "work=0,worktime=40000", "ticks=2")
}

// TestTour keeps the schedules that a class is shown, in the order in which the
// story is told.
func TestTour(t *testing.T) {
	lessontest.Tour(t, lessontest.Lesson(t, "watchdog"),
		"eight-in-five kept-alive died-holding stuck-for-ever let-go-unasked stopped-first "+
			"just-before-renewal cut-to-five back-from-the-dead")
}

// TestCounts holds the figures that the texts and the field know by heart.
func TestCounts(t *testing.T) {
	lessontest.Counts(t, lessontest.Lesson(t, "watchdog"), `
		fixed-lease                -                   2     mutual-exclusion 2   5 (2) 0
		fixed-lease                ticks=1             88    mutual-exclusion 24  3 (2) 1
		renewed                    -                   2     mutual-exclusion 0
		renewed                    buyers=3            1296  mutual-exclusion 0
		renewed                    ticks=4             600   mutual-exclusion 0
		renewed                    ticks=6             3478  mutual-exclusion 0
		explicit-lease-no-watchdog -                   2     mutual-exclusion 2   5 (2) 0
		explicit-lease-no-watchdog lease=0             2     mutual-exclusion 0
		crash                      -                   56    progress         0
		crash                      ticks=3             1281  lock-released    0
		crash                      work=1,worktime=0   36    lock-released    0
		hung-worker                -                   4     progress         1   24 (1) 0
		hung-worker                -                   4     mutual-exclusion 0
		max-hold                   -                   4     progress         0
		max-hold                   -                   4     mutual-exclusion 1   16 (1) 0
		max-hold-cancels           -                   9     progress         0
		max-hold-cancels           -                   9     mutual-exclusion 0
		pause                      pause=15000         76    mutual-exclusion 0
		pause                      pause=19999         76    mutual-exclusion 0
		pause                      pause=20000         118   mutual-exclusion 8   9 (2) 0
		pause                      pause=25000         61    mutual-exclusion 8   7 (1) 0
		pause                      -                   65    mutual-exclusion 16  6 (2) 0
		pause                      work=1,worktime=0   36    mutual-exclusion 2   6 (2) 0
		pause                      ticks=1             147   mutual-exclusion 3   4 (1) 0
		reentrant                  -                   12    mutual-exclusion 0
		reentrant                  ticks=4             13434 mutual-exclusion 0
		reentrant                  work=0,worktime=40000 4   mutual-exclusion 0
		nested-non-reentrant       -                   1     progress         1   32 (1) 0
		inner-lease-truncates      -                   4     mutual-exclusion 2   6 (2) 0
		inner-lease-truncates      ticks=1             704   mutual-exclusion 476 4 (2) 1
		renewal-outlives-unlock    buyers=1            6     lock-released    2   5 (2) 2
		renewal-outlives-unlock    -                   1236  lock-released    428 12 (44) 2
		token-renewed              -                   1236  lock-released    0
		token-renewed              -                   1236  mutual-exclusion 0
	`)
}

// TestStrongerProof: the clock may go at any of eight moments, and still no schedule
// breaks anything. A class does not wait for it.
func TestStrongerProof(t *testing.T) {
	s := lessontest.Scene(t, lessontest.Lesson(t, "watchdog"), "renewed", "ticks=8")
	before := processorTime()
	res := lessontest.Search(t, s)
	took := processorTime() - before
	if n := lessontest.Decimal(res.Interleavings); n != "16520" {
		t.Errorf("%s interleavings", n)
	}
	for i, l := range res.Lights {
		if l.Broken {
			t.Errorf("%s breaks: %v", s.Lights[i].Name, l.Schedule)
		}
	}
	t.Logf("%d states, %d runs, %v of processor time", res.States, res.Runs, took)
	if took > 5*time.Second { // twice as long as it should ever be
		t.Errorf("the proof takes %v of processor time", took)
	}
}

// processorTime is what this process has used: a busy machine does not distort it.
func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
