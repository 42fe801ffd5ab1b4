package pane

import (
	"flag"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"flashlab/cmd/flashlab/internal/canvas"
	"flashlab/cmd/flashlab/internal/layout"
	"flashlab/cmd/flashlab/internal/theme"
	"flashlab/lessons"
	"flashlab/sim/explore"
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

// frame paints the frame of a pane the way the program does, and returns its inside.
func frame(v canvas.View, r canvas.Rect, boxed bool, number int, title string, focus int) canvas.View {
	title = fmt.Sprintf("%d %s", number, title)
	if boxed {
		style := theme.Frame
		if focus == number {
			style = theme.FrameFocus
		}
		return v.Box(r, title, focus == number, style, theme.Title)
	}
	return v.Rule(r, title, focus == number, theme.Frame, theme.Title)
}

// screen paints a whole lesson without header and footer.
func screen(c *canvas.Canvas, d *Lesson, n layout.Need) {
	w, h := c.Size()
	v := c.View(c.Bounds())
	l := layout.Lesson(w, h, n)
	pane := func(r canvas.Rect, number int, title string, paint func(canvas.View)) {
		if !r.Empty() {
			paint(frame(v, r, l.Boxed, number, title, d.Focus))
		}
	}
	simple := func(r canvas.Rect, number int, paint func(canvas.View) int) {
		pane(r, number, d.Title(number), func(v canvas.View) { paint(v) })
	}
	simple(l.Timeline, layout.PaneTimeline, d.Timeline)
	simple(l.Choices, layout.PaneChoices, d.Choices)
	pane(l.Source, layout.PaneSource, d.SourceTitle("A"), func(v canvas.View) { d.Source(v, "A") })
	pane(l.Source2, layout.PaneSource, d.SourceTitle("B"), func(v canvas.View) { d.Source(v, "B") })
	simple(l.Redis, layout.PaneRedis, d.Redis)
	simple(l.SQLite, layout.PaneSQLite, d.SQLite)
	simple(l.Invariants, layout.PaneInvariants, d.Invariants)
	simple(l.Narration, layout.PaneNarration, d.Narration)
	simple(l.Events, layout.PaneEvents, d.Events)
	v.Divider(l.Divider.X, l.Divider.Y, l.Divider.H, theme.Frame)
}

func proveScreen(c *canvas.Canvas, p *Prove) {
	w, h := c.Size()
	v := c.View(c.Bounds())
	l := layout.Prove(w, h)
	for _, pane := range []struct {
		r      canvas.Rect
		number int
		paint  func(canvas.View) int
	}{
		{l.Counters, PaneCounters, p.Counters}, {l.Histogram, PaneHistogram, p.Histogram},
		{l.Verdicts, PaneVerdicts, p.Verdicts}, {l.Counterexample, PaneCounterexample, p.Counterexample},
	} {
		if !pane.r.Empty() {
			pane.paint(frame(v, pane.r, l.Boxed, pane.number, p.Title(pane.number), p.Focus))
		}
	}
	v.Divider(l.Divider.X, l.Divider.Y, l.Divider.H, theme.Frame)
}

// drawing shows a canvas twice, as text and as a map of its styles.
func drawing(c *canvas.Canvas) string {
	return c.Trimmed(canvas.Unicode) + "---\n" + c.StyleMap()
}

// roles says what the letters of the maps are, so that a golden file can be read
// alone.
const roles = "styles: a Dim b Accent c Title d Frame e FrameFocus f-m actors n Env o OK p Warn q Bad r BadBlock s CursorLine " +
	"t Key u KeyText v TTLFull w TTLLow x Code y Keyword z String A Comment B Selected C Header\n\n"

var sizes = [][2]int{{80, 24}, {120, 40}, {200, 60}}

// scenes are the screens that are drawn, by name.
func scenes() map[string]func() (*Lesson, layout.Need) {
	two := layout.Need{Actors: 2}
	worth := func(pairs ...int64) []Worth {
		var out []Worth
		for i := 0; i < len(pairs); i += 2 {
			out = append(out, Worth{big.NewInt(pairs[i+1]), big.NewInt(pairs[i])})
		}
		return out
	}
	return map[string]func() (*Lesson, layout.Need){
		"start": func() (*Lesson, layout.Need) {
			d := lostUpdate()
			d.Path, d.RunOut, d.Cursor, d.Selected, d.Worth = d.Path[:1], nil, 0, 0, worth(6, 8, 6, 8)
			d.Focus = layout.PaneChoices
			return d, two
		},
		"midway": func() (*Lesson, layout.Need) {
			d := lostUpdate()
			d.Cursor, d.Selected, d.Worth, d.Doomed = 2, 1, worth(3, 3, 3, 3), 2
			d.Search = "stock"
			n := two
			n.SourceInCompact = true
			return d, n
		},
		"broken": func() (*Lesson, layout.Need) {
			d := lostUpdate()
			d.Focus = layout.PaneTimeline
			return d, two
		},
		"blocked": func() (*Lesson, layout.Need) {
			d := guarded()
			d.Worth = worth(0, 1)
			return d, two
		},
		"sold-out": func() (*Lesson, layout.Need) {
			d := guarded()
			d.Cursor, d.Selected = len(d.Path)-1, -1
			d.Ask = &Question{Text: "Could B have been the one who is refused?", Answers: []string{"yes", "no"}, Chosen: 1, Correct: 0}
			return d, two
		},
		"lease": func() (*Lesson, layout.Need) { return lease(), layout.Need{Actors: 2, Redis: true} },
	}
}

func TestLessonScreens(t *testing.T) {
	for name, scene := range scenes() {
		for _, size := range sizes {
			for _, lang := range []lessons.Lang{lessons.EN, lessons.ZH} {
				if lang == lessons.ZH && size[0] == 200 && name != "lease" {
					continue
				}
				file := fmt.Sprintf("%s-%dx%d-%s.txt", name, size[0], size[1], lang)
				t.Run(file, func(t *testing.T) {
					d, n := scene()
					d.Lang = lang
					c := canvas.New(size[0], size[1])
					screen(c, d, n)
					golden(t, file, roles+drawing(c))
				})
			}
		}
	}
}

func bigs(n ...int64) []*big.Int {
	var out []*big.Int
	for _, x := range n {
		out = append(out, big.NewInt(x))
	}
	return out
}

// proofs are the screens of a search, by name.
func proofs() map[string]*Prove {
	names := []string{"no-oversell", "stock-not-negative", "one-per-user", "conservation"}
	broken := explore.Light{
		Broken: true, Violating: big.NewInt(12), ByPreemptions: bigs(0, 4, 6, 2), Shortest: 6, Ties: big.NewInt(12), Preemptions: 1, Clean: 19,
	}
	holds := explore.Light{Violating: new(big.Int), ByPreemptions: bigs(0, 0, 0, 0)}
	d := lostUpdate()
	huge, _ := new(big.Int).SetString("123456789012345678901", 10)
	third := new(big.Int).Quo(huge, big.NewInt(3))
	return map[string]*Prove{
		"prove-broken": {
			Lights: names, Path: d.Path, RunOut: d.RunOut, Token: "oversell.lost-update@xza:AB3A2~9",
			Result: &explore.Result{
				Complete: true, States: 20, Edges: 26, Runs: 10, Elapsed: 31 * time.Millisecond, Interleavings: big.NewInt(16),
				ByPreemptions: bigs(2, 6, 6, 2), Lights: []explore.Light{broken, holds, holds, broken}, Switches: -1,
			},
		},
		"prove-holds": {
			Lights: names, Selected: 1, Focus: PaneVerdicts, Progress: explore.Progress{Depth: 14},
			Result: &explore.Result{
				Complete: true, States: 48_211, Edges: 120_400, Runs: 30_007, Elapsed: 12 * time.Second, Interleavings: huge,
				ByPreemptions: []*big.Int{big.NewInt(2), big.NewInt(88_123), third, huge},
				Lights:        []explore.Light{{Violating: new(big.Int)}, {Violating: new(big.Int)}, {Violating: new(big.Int)}, {Violating: new(big.Int)}},
			},
		},
		"prove-unequal": {
			Lights: names[:2], Path: d.Path, RunOut: d.RunOut,
			Result: &explore.Result{
				Complete: true, States: 48_211, Edges: 120_400, Runs: 30_007, Elapsed: 12 * time.Second, Interleavings: huge,
				ByPreemptions: []*big.Int{big.NewInt(2), big.NewInt(88_123), third, huge},
				Lights: []explore.Light{{
					Broken: true, Violating: third, ByPreemptions: []*big.Int{new(big.Int), big.NewInt(1), third, third},
					Shortest: 6, Ties: big.NewInt(1), Preemptions: 2, Clean: 4_012,
				}, holds},
			},
		},
		"prove-running": {
			Lights: names, Running: true,
			Progress: explore.Progress{States: 12_345, Edges: 30_001, Runs: 999, Depth: 21, Broken: 1 << 3, Switches: -1, Elapsed: 1500 * time.Millisecond},
		},
		"prove-bounded": {
			Lights: names, Selected: 2, Progress: explore.Progress{Depth: 40, Switches: 3},
			Result: &explore.Result{
				Bound: "states", States: 200_000, Edges: 300_000, Runs: 150_000, Elapsed: 48 * time.Second, Switches: 2,
				Lights: []explore.Light{{Broken: true, Shortest: 17, Preemptions: 3}, {}, {}, {}},
			},
		},
	}
}

func TestProveScreens(t *testing.T) {
	for name, p := range proofs() {
		for _, size := range sizes {
			for _, lang := range []lessons.Lang{lessons.EN, lessons.ZH} {
				if size[0] == 200 && (lang == lessons.ZH || name != "prove-broken") {
					continue
				}
				file := fmt.Sprintf("%s-%dx%d-%s.txt", name, size[0], size[1], lang)
				t.Run(file, func(t *testing.T) {
					p.Lang = lang
					c := canvas.New(size[0], size[1])
					proveScreen(c, p)
					golden(t, file, roles+drawing(c))
				})
			}
		}
	}
}

// TestASCII holds every sign of the panes to its promise: an ASCII terminal can show
// it as something.
func TestASCII(t *testing.T) {
	for name, scene := range scenes() {
		d, n := scene()
		c := canvas.New(200, 60)
		screen(c, d, n)
		for _, line := range strings.Split(c.Plain(canvas.ASCII), "\n") {
			for _, r := range line {
				if r >= 0x80 {
					t.Errorf("%s: %q stays in %q", name, r, strings.TrimSpace(line))
				}
			}
		}
	}
}
