package layout

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"flashlab/cmd/flashlab/internal/canvas"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// golden compares got with testdata/name, or writes that file under -update.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (run the tests with -update to write it)", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs (-want +got):\n%s", file, diff)
	}
}

// named is a rectangle with its name.
type named struct {
	name string
	Rect
}

// draw paints a screen the way its user would: panes first, the divider last. Each
// pane shows its name and size; one-row rectangles are filled with their initial.
func draw(w, h int, isBoxed bool, divider Rect, panes []named) string {
	c := canvas.New(w, h)
	v := c.View(c.Bounds())
	for _, p := range panes {
		title := fmt.Sprintf("%s %dx%d", p.name, p.W, p.H)
		switch {
		case p.Empty():
		case p.H == 1:
			v.Fill(p.Rect, rune(p.name[0]), 0)
			v.TextCenter(p.X, p.Y, p.W, " "+title+" ", 0)
		case isBoxed:
			v.Box(p.Rect, title, false, 0, 0)
		default:
			v.Rule(p.Rect, title, false, 0, 0)
		}
	}
	v.Divider(divider.X, divider.Y, divider.H, 0)
	return c.Trimmed(canvas.Unicode)
}

func lessonPanes(l LessonScreen) []named {
	return []named{
		{"Header", l.Header}, {"Timeline", l.Timeline}, {"Choices", l.Choices}, {"Source", l.Source},
		{"Source2", l.Source2}, {"Redis", l.Redis}, {"SQLite", l.SQLite}, {"Invariants", l.Invariants},
		{"Narration", l.Narration}, {"Events", l.Events}, {"Beats", l.Beats}, {"Footer", l.Footer},
	}
}

func homePanes(s HomeScreen) []named {
	return []named{{"Header", s.Header}, {"Path", s.Path}, {"Detail", s.Detail}, {"Footer", s.Footer}}
}

func provePanes(s ProveScreen) []named {
	return []named{
		{"Header", s.Header}, {"Counters", s.Counters}, {"Histogram", s.Histogram},
		{"Verdicts", s.Verdicts}, {"Counterexample", s.Counterexample}, {"Footer", s.Footer},
	}
}

func TestDrawings(t *testing.T) {
	for _, size := range [][2]int{{60, 16}, {80, 24}, {100, 30}, {120, 40}, {160, 45}, {200, 60}} {
		w, h := size[0], size[1]
		t.Run(fmt.Sprintf("%dx%d", w, h), func(t *testing.T) {
			var b strings.Builder
			first := ""
			lesson := func(what string, n Need) {
				l := Lesson(w, h, n)
				d := draw(w, h, l.Boxed, l.Divider, lessonPanes(l))
				if d == first {
					d = "the same\n"
				} else if first == "" {
					first = d
				}
				fmt.Fprintf(&b, "%s:\n%s\n", what, d)
			}
			lesson("lesson, 2 actors", Need{Redis: true, Actors: 2})
			lesson("lesson, 2 actors, source", Need{Redis: true, Actors: 2, SourceInCompact: true})
			lesson("lesson, 5 actors, no Redis", Need{Actors: 5})
			lesson("lesson, zoomed source", Need{Redis: true, Actors: 2, Zoom: PaneSource})
			home := Home(w, h)
			fmt.Fprintf(&b, "home:\n%s\n", draw(w, h, home.Boxed, home.Divider, homePanes(home)))
			prove := Prove(w, h)
			fmt.Fprintf(&b, "prove:\n%s\n", draw(w, h, prove.Boxed, prove.Divider, provePanes(prove)))
			fmt.Fprintf(&b, "modal of 70x20:\n%s", draw(w, h, true, Rect{}, []named{{"Modal", Modal(w, h, 70, 20)}}))
			golden(t, fmt.Sprintf("%dx%d.txt", w, h), b.String())
		})
	}
}
