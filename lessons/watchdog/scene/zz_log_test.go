package scene_test

import (
	"fmt"
	"testing"

	"flashlab/lessons"
	"flashlab/lessons/lessontest"
)

func TestLog(t *testing.T) {
	l := lessontest.Lesson(t, "watchdog")
	for _, s := range []lessons.Staged{
		{Name: "kept", Variant: "renewed", Steps: "ABtCCtCCtCCB2tCCtCCtCCB2tA2C"},
		{Name: "died", Variant: "crash", Steps: "ABtC2tC2k1tB2tB2tD2"},
		{Name: "stuck", Variant: "hung-worker", Steps: "ABtCCtCCtCCBBtCCtCCtCCBB"},
		{Name: "let", Variant: "max-hold", Steps: "ABtCCtCCtCCBBtB4"},
		{Name: "stop", Variant: "max-hold-cancels", Steps: "ABtCCtCCtCCA2B4"},
		{Name: "pause", Variant: "pause", Sets: "pause=20000", Steps: "ABtCp1tC"},
		{Name: "pause40", Variant: "pause", Steps: "ABp1tBB"},
		{Name: "cut", Variant: "inner-lease-truncates", Steps: "AABtBB"},
		{Name: "rise", Variant: "renewal-outlives-unlock", Sets: "buyers=1", Steps: "AtABA"},
		{Name: "rise2", Variant: "renewal-outlives-unlock", Steps: "AtABACB"},
		{Name: "nested", Variant: "nested-non-reentrant", Steps: "AAtBBAA"},
		{Name: "re", Variant: "reentrant", Steps: "AABA4CB"},
	} {
		frames, err := s.Run(l)
		fmt.Println("==", s.Name, err)
		fmt.Print(lessons.StagedLog(frames))
		if len(frames) > 0 {
			last := frames[len(frames)-1].State
			for _, c := range last.Choices {
				fmt.Print("   next ", c.Move, " ", c.Label, "\n")
			}
			for _, a := range last.Actors {
				fmt.Println("  ", a.Letter, a.Name, a.Phase, a.Result, a.Next)
			}
		}
	}
}
