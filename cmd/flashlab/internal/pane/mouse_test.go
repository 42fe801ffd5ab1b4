package pane

import (
	"strings"
	"testing"

	"flashlab/cmd/flashlab/internal/canvas"
)

// rowsOf paints a pane and returns its rows.
func rowsOf(w, h int, paint func(canvas.View) int) []string {
	c := canvas.New(w, h)
	paint(c.View(c.Bounds()))
	return strings.Split(c.Plain(canvas.Unicode), "\n")
}

// TestTimelineAt compares what a row says with what a click on it gives.
func TestTimelineAt(t *testing.T) {
	for _, size := range [][2]int{{50, 10}, {50, 6}, {72, 20}, {30, 4}} {
		d := guarded()
		w, h := size[0], size[1]
		for y, row := range rowsOf(w, h, d.Timeline) {
			at, ok := d.TimelineAt(w, h, y)
			number := strings.TrimLeft(row, " ▶")
			if number == "" || number[0] < '0' || number[0] > '9' || y == 0 {
				continue
			}
			if want := int(number[0] - '0'); !ok || at != want {
				t.Errorf("%dx%d: row %q is step %d, %v", w, h, row, at, ok)
			}
		}
		if _, ok := d.TimelineAt(w, h, 0); ok {
			t.Errorf("%dx%d: the heading is a step", w, h)
		}
	}
}

func TestChoiceAt(t *testing.T) {
	d := lease()
	w, h := 72, 3
	rows := rowsOf(w, h, d.Choices)
	column := func(y int, word string) int {
		before, _, ok := strings.Cut(rows[y], word)
		if !ok {
			t.Fatalf("%q is not in %q", word, rows[y])
		}
		return canvas.Width(before)
	}
	for _, tt := range []struct {
		x, y int
		want string // move
	}{
		{10, 0, "A"}, {10, 1, "B"},
		{column(2, "lock:order"), 2, "ea"}, {column(2, "A B"), 2, "xA"}, {column(2, "A B") + 2, 2, "xB"},
		{column(2, "30s"), 2, "t"}, {column(2, "crash"), 2, ""}, {-1, 0, ""}, {1, 3, ""}, {72, 0, ""},
	} {
		move := ""
		if i, ok := d.ChoiceAt(w, h, tt.x, tt.y); ok {
			move = d.state().Choices[i].Move
		}
		if move != tt.want {
			t.Errorf("column %d of row %d is %q, want %q", tt.x, tt.y, move, tt.want)
		}
	}
	d = guarded()
	if i, ok := d.ChoiceAt(w, h, 10, 0); ok {
		t.Errorf("who waits can be chosen: %d", i)
	}
}
