package pane

import (
	"testing"

	"pgregory.net/rapid"
)

func TestLook(t *testing.T) {
	for _, tt := range []struct {
		total, h, lead, from, to, scroll int
		top, used                        int
	}{
		{5, 9, 6, 4, 4, 0, 0, 0},    // all fits
		{5, 9, 6, 4, 4, 3, 0, 0},    // and cannot be scrolled
		{20, 6, 4, 10, 10, 0, 6, 0}, // four rows before the cursor
		{20, 6, 4, 10, 13, 0, 8, 0}, // what belongs to it is seen
		{20, 6, 4, 10, 19, 0, 10, 0},
		{20, 6, 4, 19, 19, 0, 14, 0},
		{20, 6, 4, 10, 10, 2, 8, 2},
		{20, 6, 4, 10, 10, 99, 14, 8},
		{20, 6, 4, 10, 10, -99, 0, -6},
		{20, 0, 0, 10, 10, 0, 10, 0},
		{0, 6, 4, 0, 0, 1, 0, 0},
	} {
		w := look(tt.total, tt.h, tt.lead, tt.from, tt.to, tt.scroll)
		if w.top != tt.top || w.scroll != tt.used {
			t.Errorf("look(%d, %d, %d, %d, %d, %d): top %d, scroll %d, want %d, %d",
				tt.total, tt.h, tt.lead, tt.from, tt.to, tt.scroll, w.top, w.scroll, tt.top, tt.used)
		}
	}
}

func TestLookShowsTheCursor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		total, h := rapid.IntRange(1, 60).Draw(t, "total"), rapid.IntRange(1, 30).Draw(t, "h")
		from := rapid.IntRange(0, total-1).Draw(t, "from")
		to := rapid.IntRange(from, total-1).Draw(t, "to")
		w := look(total, h, rapid.IntRange(0, h).Draw(t, "lead"), from, to, 0)
		if from < w.top || from >= w.end() {
			t.Fatalf("row %d is not in %d..%d", from, w.top, w.end())
		}
		if to-from < h && to >= w.end() {
			t.Fatalf("row %d is not in %d..%d", to, w.top, w.end())
		}
		if w.end()-w.top != min(h, total) {
			t.Fatalf("%d rows of %d are used", w.end()-w.top, h)
		}
	})
}
