package layout

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestClass(t *testing.T) {
	for _, tt := range []struct {
		w, h int
		want SizeClass
	}{
		{59, 16, TooSmall}, {60, 15, TooSmall}, {-1, 99, TooSmall},
		{60, 16, Compact}, {99, 99, Compact},
		{100, 16, Medium}, {159, 99, Medium},
		{160, 16, Wide}, {400, 400, Wide},
	} {
		if got := Class(tt.w, tt.h); got != tt.want {
			t.Errorf("Class(%d, %d) = %d, want %d", tt.w, tt.h, got, tt.want)
		}
	}
}

// TestCompactShowsWhatMatters holds 80x24, the size of a projector, to its promise.
func TestCompactShowsWhatMatters(t *testing.T) {
	for actors := 1; actors <= 8; actors++ {
		for _, redis := range []bool{true, false} {
			l := Lesson(80, 24, Need{Redis: redis, Actors: actors})
			if l.Timeline.W < 50 || l.Timeline.H < 2+9 {
				t.Errorf("%d actors: timeline %+v", actors, l.Timeline)
			}
			if l.SQLite.H < 4 || l.Invariants.H < 4 || l.Narration.H < 3 {
				t.Errorf("%d actors: SQLite %+v, invariants %+v, narration %+v", actors, l.SQLite, l.Invariants, l.Narration)
			}
			if l.Choices.H < 1+min(actors, 6) {
				t.Errorf("%d actors: choices %+v", actors, l.Choices)
			}
			if redis == l.Redis.Empty() {
				t.Errorf("Redis %v: %+v", redis, l.Redis)
			}
		}
	}
}

func TestSourceInCompact(t *testing.T) {
	for _, size := range [][2]int{{60, 16}, {80, 24}, {80, 33}, {120, 20}, {200, 23}} {
		n := Need{Redis: true, Actors: 2}
		before := Lesson(size[0], size[1], n)
		n.SourceInCompact = true
		after := Lesson(size[0], size[1], n)
		if !before.Source.Empty() || !before.Events.Empty() {
			t.Errorf("%v: source %+v, events %+v", size, before.Source, before.Events)
		}
		if after.Source.W < before.Redis.W || !after.Redis.Empty() || !after.SQLite.Empty() || after.Invariants.Empty() {
			t.Errorf("%v, swapped: %+v", size, after)
		}
	}
}

func TestFewerRowsHideEventsThenSource(t *testing.T) {
	for _, w := range []int{60, 80, 100, 120, 160, 240} {
		for h := MinHeight; h < 80; h++ {
			l := Lesson(w, h, Need{Redis: true, Actors: 3})
			if !l.Events.Empty() && l.Source.Empty() {
				t.Errorf("%dx%d shows events and no source", w, h)
			}
			if h < 30 && !l.Events.Empty() {
				t.Errorf("%dx%d shows events", w, h)
			}
			if w >= 100 && h >= 30 && l.Events.Empty() {
				t.Errorf("%dx%d hides events", w, h)
			}
		}
	}
}

func TestZoomOfAMissingPane(t *testing.T) {
	n := Need{Actors: 2}
	want := Lesson(80, 24, n)
	for _, zoom := range []int{-1, PaneRedis, 9} {
		n.Zoom = zoom
		if got := Lesson(80, 24, n); got != want {
			t.Errorf("zoom %d: %+v", zoom, got)
		}
	}
}

func TestAt(t *testing.T) {
	l := Lesson(160, 45, Need{Redis: true, Actors: 2})
	for n := PaneTimeline; n <= PaneChoices; n++ {
		r := l.Pane(n)
		if got := l.At(r.X+r.W-1, r.Y+r.H-1); got != n {
			t.Errorf("last cell of pane %d belongs to %d", n, got)
		}
	}
	if got := l.At(l.Source2.X, l.Source2.Y); got != PaneSource {
		t.Errorf("second source belongs to %d", got)
	}
	if got := l.At(0, 0); got != 0 {
		t.Errorf("header belongs to pane %d", got)
	}
	if got := l.Pane(9); !got.Empty() {
		t.Errorf("pane 9 is %+v", got)
	}
}

func TestModal(t *testing.T) {
	for _, tt := range []struct {
		w, h, wantW, wantH int
		want               Rect
	}{
		{80, 24, 40, 10, Rect{X: 20, Y: 7, W: 40, H: 10}},
		{80, 24, 78, 24, Rect{X: 2, Y: 1, W: 76, H: 22}},
		{80, 24, 99, 5, Rect{X: 2, Y: 9, W: 76, H: 5}},
		{5, 3, 40, 10, Rect{X: 0, Y: 0, W: 5, H: 3}},
		{0, 24, 40, 10, Rect{}},
		{80, -3, 40, 10, Rect{}},
		{80, 24, 0, 10, Rect{}},
		{80, 24, -5, -5, Rect{}},
	} {
		if got := Modal(tt.w, tt.h, tt.wantW, tt.wantH); got != tt.want {
			t.Errorf("Modal(%d, %d, %d, %d) = %+v, want %+v", tt.w, tt.h, tt.wantW, tt.wantH, got, tt.want)
		}
	}
}

func TestDivide(t *testing.T) {
	a, b := part{min: 2, want: 4, grow: 1}, part{min: 3, want: 5}
	for _, tt := range []struct {
		total int
		parts []part
		want  []int
	}{
		{-1, []part{a, b}, []int{0, 0}},
		{1, []part{a, b}, []int{1, 0}},
		{4, []part{a, b}, []int{2, 2}},
		{6, []part{a, b}, []int{3, 3}},
		{8, []part{a, b}, []int{4, 4}},
		{20, []part{a, b}, []int{15, 5}},
		{20, []part{b}, []int{5}},
		{20, []part{{want: 2, grow: 3}, {want: 2, grow: 1}}, []int{14, 6}},
		{20, []part{{grow: 3}, {grow: 1, max: 2}}, []int{18, 2}},
		{20, []part{{grow: 1, max: 4}, {grow: 1, max: 2}}, []int{4, 16}},
	} {
		if got := divide(tt.total, tt.parts...); !slices.Equal(got, tt.want) {
			t.Errorf("divide(%d, %v) = %v, want %v", tt.total, tt.parts, got, tt.want)
		}
	}
}

type reporter interface {
	Helper()
	Fatalf(string, ...any)
}

// checkScreen holds for any screen: rectangles lie inside, do not overlap, and, if
// whole, leave no cell to nobody but the divider.
func checkScreen(t reporter, w, h int, class SizeClass, divider Rect, whole bool, panes []named) {
	t.Helper()
	area := 0
	for i, p := range panes {
		if p.W < 0 || p.H < 0 {
			t.Fatalf("%dx%d: %s is negative: %+v", w, h, p.name, p.Rect)
		}
		if p.Empty() {
			if p.Rect != (Rect{}) {
				t.Fatalf("%dx%d: %s is hidden but %+v", w, h, p.name, p.Rect)
			}
			continue
		}
		if class == TooSmall {
			t.Fatalf("%dx%d is too small but has %s", w, h, p.name)
		}
		if p.X < 0 || p.Y < 0 || p.X+p.W > w || p.Y+p.H > h {
			t.Fatalf("%dx%d: %s is outside: %+v", w, h, p.name, p.Rect)
		}
		area += p.W * p.H
		for _, q := range panes[:i] {
			if !p.Intersect(q.Rect).Empty() {
				t.Fatalf("%dx%d: %s %+v and %s %+v overlap", w, h, p.name, p.Rect, q.name, q.Rect)
			}
		}
		// Of a divider only the end may lie in a pane, in its title line.
		if d := p.Intersect(divider); d.H > 1 || !d.Empty() && (p.Y != d.Y || d.Y != divider.Y+divider.H-1) {
			t.Fatalf("%dx%d: the divider %+v cuts %s %+v", w, h, divider, p.name, p.Rect)
		}
	}
	if class == TooSmall {
		return
	}
	for y := divider.Y; y < divider.Y+divider.H; y++ {
		if !slices.ContainsFunc(panes, func(p named) bool { return p.Contains(divider.X, y) }) {
			area++
		}
	}
	if whole && area != w*h {
		t.Fatalf("%dx%d: %d of %d cells are used", w, h, area, w*h)
	}
}

func checkAll(t reporter, w, h int, n Need) {
	t.Helper()
	l := Lesson(w, h, n)
	checkScreen(t, w, h, l.Class, l.Divider, true, lessonPanes(l))
	home := Home(w, h)
	checkScreen(t, w, h, home.Class, home.Divider, true, homePanes(home))
	prove := Prove(w, h)
	checkScreen(t, w, h, prove.Class, prove.Divider, true, provePanes(prove))
	if p := l.Pane(n.Zoom); l.Class != TooSmall && n.Zoom != 0 && (n.Redis || n.Zoom != PaneRedis) && p != (Rect{Y: 1, W: w, H: h - 2}) {
		t.Fatalf("%dx%d: zoomed pane %d is %+v", w, h, n.Zoom, p)
	}
}

func TestProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.IntRange(0, 400).Draw(t, "w"), rapid.IntRange(0, 400).Draw(t, "h")
		checkAll(t, w, h, Need{
			Redis:           rapid.Bool().Draw(t, "redis"),
			SourceInCompact: rapid.Bool().Draw(t, "source"),
			Actors:          rapid.IntRange(-1, 20).Draw(t, "actors"),
			Zoom:            rapid.IntRange(0, 8).Draw(t, "zoom"),
		})
		n := rapid.IntRange(-10, 450)
		checkScreen(t, w, h, Medium, Rect{}, false, []named{{"modal", Modal(w, h, n.Draw(t, "wantW"), n.Draw(t, "wantH"))}})
	})
}

// TestEverySize goes through all sizes that people use, and on both sides of each
// threshold.
func TestEverySize(t *testing.T) {
	for w := -1; w <= 220; w++ {
		for h := -1; h <= 70; h++ {
			checkAll(t, w, h, Need{Redis: true, Actors: 2})
			checkAll(t, w, h, Need{Actors: 6, SourceInCompact: true})
		}
	}
}

func BenchmarkLesson(b *testing.B) {
	for b.Loop() {
		Lesson(200, 60, Need{Redis: true, Actors: 3})
	}
}
