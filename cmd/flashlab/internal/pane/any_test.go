package pane

import (
	"math/big"
	"testing"
	"time"

	"pgregory.net/rapid"

	"flashlab/cmd/flashlab/internal/canvas"
	"flashlab/cmd/flashlab/internal/theme"
	"flashlab/lessons"
	"flashlab/sim/explore"
	"flashlab/sim/source"
	"flashlab/sim/trace"
)

// fuzz draws data that no scenario would make, but that a painter must survive.
type fuzz struct{ *rapid.T }

func (f fuzz) text(label string) string {
	return rapid.OneOf(
		rapid.SampledFrom([]string{"", "A", "B", "Z", "锁", "stock", "lock:order:7", "SELECT stock FROM voucher WHERE id = 1",
			"UPDATE voucher SET", "INSERT INTO orders (", "VALUES (", ") INTO x VALUES (1", "已售罄，库存为 0。", "\x1b[31m\n\t", "👩‍🚀", "{n}{actor}"}),
		rapid.String(),
	).Draw(f.T, label)
}

func (f fuzz) phrase(label string) trace.Phrase {
	key := rapid.SampledFrom([]string{"", "sale.orders", "watchdog", "no such key"}).Draw(f.T, label+" key")
	return trace.Say(key, f.text(label), "orders", f.text(label+" value"))
}

func (f fuzz) n(label string, lo, hi int) int { return rapid.IntRange(lo, hi).Draw(f.T, label) }

func (f fuzz) span(label string) time.Duration {
	return time.Duration(rapid.Int64Range(-2, 20_000_000_000).Draw(f.T, label))
}

func slice[E any](f fuzz, label string, most int, draw func() E) []E {
	var out []E
	for range f.n(label, 0, most) {
		out = append(out, draw())
	}
	return out
}

func (f fuzz) stack() []source.Frame {
	return slice(f, "stack", 2, func() source.Frame {
		return source.Frame{Package: "oversell", File: rapid.SampledFrom([]string{"lostupdate.go", "x.go"}).Draw(f.T, "file"), Line: f.n("line", -2, 60)}
	})
}

func (f fuzz) letter() string {
	return rapid.SampledFrom([]string{"A", "B", "C", "D", "H", "Z", "", "锁"}).Draw(f.T, "letter")
}

func (f fuzz) state() trace.State {
	return trace.State{
		Now: f.span("now"), Writer: f.letter(), Ended: f.n("ended", 0, 1) == 1, Deadlock: f.n("deadlock", 0, 3) == 0,
		Actors: slice(f, "actors", 9, func() trace.Actor {
			return trace.Actor{
				Letter: f.letter(), Name: f.phrase("name"), Phase: trace.Phase(f.n("phase", 0, 4)), Next: f.text("next"), NextOp: f.text("op"),
				Why:   trace.Reason{Kind: rapid.SampledFrom([]string{"write-lock", "mutex", "sleep", "stream", "hang", "pause", "", "x"}).Draw(f.T, "why"), Name: f.text("what"), By: f.letter(), Left: f.span("left")},
				Stack: f.stack(), Result: f.text("result"),
			}
		}),
		Choices: slice(f, "choices", 6, func() trace.Choice {
			return trace.Choice{Move: rapid.SampledFrom([]string{"A", "B", "ea", "t", "xA", "k1", "p2", "rB", "lA", "", "?"}).Draw(f.T, "move"), Actor: f.letter(), Label: f.text("label"), What: f.text("what"), Fault: f.n("fault", 0, 1) == 1}
		}),
		Keys: slice(f, "keys", 5, func() trace.Key {
			return trace.Key{Name: f.text("key"), Value: f.text("value"), TTL: f.span("ttl"), Owner: f.letter()}
		}),
		Tables: slice(f, "tables", 3, func() trace.Table {
			return trace.Table{
				Name:    rapid.SampledFrom([]string{"orders", "voucher", "券", ""}).Draw(f.T, "table"),
				Columns: slice(f, "columns", 4, func() string { return rapid.SampledFrom([]string{"id", "stock", "版本", ""}).Draw(f.T, "column") }),
				Rows:    slice(f, "rows", 4, func() []string { return slice(f, "cells", 5, func() string { return f.text("cell") }) }),
			}
		}),
		Lights: slice(f, "lights", 5, func() trace.Light {
			return trace.Light{Name: f.text("light"), Status: trace.Status(f.n("status", 0, 2)), Since: f.n("since", -1, 9), Detail: f.phrase("detail")}
		}),
		Notes: slice(f, "notes", 3, func() trace.Phrase { return f.phrase("note") }),
	}
}

func (f fuzz) frame() trace.Frame {
	fr := trace.Frame{State: f.state()}
	if f.n("event", 0, 4) > 0 {
		fr.Event = &trace.Event{
			Seq: f.n("seq", 0, 99), Move: f.text("move"), Actor: f.letter(), Args: f.text("args"), Reply: f.text("reply"),
			Kind: rapid.SampledFrom([]string{"redis", "sql", "mutex", "sleep", "queue", "env", "message", ""}).Draw(f.T, "kind"),
			Op:   rapid.SampledFrom([]string{"SELECT", "UPDATE", "INSERT", "DELETE", "expire", "clock", "crash", "pause", "lock", ""}).Draw(f.T, "op"),
			At:   f.span("at"), Stack: f.stack(), End: f.text("end"), Failed: f.n("failed", 0, 3) == 0, RunOut: f.n("runout", 0, 3) == 0,
			Access: slice(f, "access", 2, func() trace.Access { return trace.Access{Resource: f.text("resource"), Write: f.n("write", 0, 1) == 1} }),
			Broken: slice(f, "broken", 2, func() string { return f.text("broken") }),
		}
	}
	return fr
}

func (f fuzz) big(label string) *big.Int {
	if f.n(label+" nil", 0, 5) == 0 {
		return nil
	}
	n := big.NewInt(rapid.Int64Range(-1, 1<<62).Draw(f.T, label))
	return n.Lsh(n, uint(f.n(label+" shift", 0, 90)))
}

func (f fuzz) lesson() *Lesson {
	d := &Lesson{
		Lang: lessons.Lang(f.n("lang", 0, 1)), Path: slice(f, "path", 5, f.frame), RunOut: slice(f, "run-out", 2, f.frame),
		Cursor: f.n("cursor", -2, 7), Selected: f.n("selected", -2, 7), Focus: f.n("focus", -1, 9), Doomed: f.n("doomed", -1, 5),
		Light: f.text("light"), Search: f.text("search"),
		Branches: slice(f, "branches", 3, func() int { return f.n("branch", -1, 6) }),
		Worth:    slice(f, "worth", 4, func() Worth { return Worth{f.big("all"), f.big("bad")} }),
		Code:     map[string]SourceView{},
	}
	for i := range d.Scroll {
		d.Scroll[i] = f.n("scroll", -20, 20)
	}
	for range f.n("sources", 0, 3) {
		view := SourceView{
			File: rapid.SampledFrom([]string{"oversell/lostupdate.go", "x.go", "Shop.java", "a.lua", "", "/"}).Draw(f.T, "file"),
			Java: f.n("java", 0, 3) == 0, Lines: slice(f, "lines", 40, func() string { return f.text("code") }),
		}
		if f.n("at", 0, 1) == 1 {
			view.At = slice(f, "at lines", 2, func() int { return f.n("at line", -2, 50) })
		}
		d.Code[f.letter()] = view
	}
	if f.n("variant", 0, 1) == 1 {
		d.Variant = &lessons.Variant{
			File: "lostupdate.go", Summary: lessons.Text{EN: f.text("summary")},
			Steps: slice(f, "steps", 2, func() lessons.Step {
				return lessons.Step{Go: f.text("go"), Say: lessons.Text{EN: f.text("say"), ZH: f.text("say")}}
			}),
		}
	}
	if f.n("ask", 0, 1) == 1 {
		d.Ask = &Question{Text: f.text("question"), Answers: slice(f, "answers", 3, func() string { return f.text("answer") }), Chosen: f.n("chosen", -2, 4), Correct: f.n("correct", -2, 4)}
	}
	return d
}

func (f fuzz) prove() *Prove {
	p := &Prove{
		Lang: lessons.Lang(f.n("lang", 0, 1)), Lights: slice(f, "names", 5, func() string { return f.text("name") }),
		Running: f.n("running", 0, 1) == 1, Selected: f.n("selected", -2, 7), Path: slice(f, "path", 4, f.frame),
		RunOut: slice(f, "run-out", 2, f.frame), Token: f.text("token"), Focus: f.n("focus", 0, 5), Search: f.text("search"),
	}
	p.Progress.States, p.Progress.Depth, p.Progress.Switches = f.n("states", 0, 1<<40), f.n("depth", -1, 99), f.n("switches", -1, 9)
	if f.n("result", 0, 3) == 0 {
		return p
	}
	p.Result = &explore.Result{
		Complete: f.n("complete", 0, 1) == 1, Bound: rapid.SampledFrom([]string{"", "states", "time", "cancelled"}).Draw(f.T, "bound"),
		States: f.n("states", 0, 1<<40), Interleavings: f.big("interleavings"), Switches: f.n("bound switches", -1, 5),
		ByPreemptions: slice(f, "by", 30, func() *big.Int { return f.big("count") }),
		Lights: slice(f, "lights", 6, func() explore.Light {
			return explore.Light{
				Broken: f.n("broken", 0, 1) == 1, Violating: f.big("violating"), Shortest: f.n("shortest", -1, 99), Ties: f.big("ties"),
				ByPreemptions: slice(f, "light by", 30, func() *big.Int { return f.big("light count") }), InRunOut: f.n("in run-out", 0, 1) == 1,
			}
		}),
	}
	return p
}

// margin is the border around a pane that must stay as it was.
const margin = 2

// paintAll paints every pane on a canvas of its own and checks that nothing was
// painted outside of the pane, and that a second painting gives the same.
func paintAll(t interface{ Fatalf(string, ...any) }, w, h int, painters map[string]func(canvas.View) int) {
	c, again := canvas.New(w+2*margin, h+2*margin), canvas.New(w+2*margin, h+2*margin)
	inside := canvas.Rect{X: margin, Y: margin, W: w, H: h}
	for name, paint := range painters {
		for _, x := range []*canvas.Canvas{c, again} {
			x.Clear(theme.Text)
			v := x.View(x.Bounds())
			v.Fill(v.Bounds(), '#', theme.Chart1)
			v.Fill(inside, ' ', theme.Text)
			paint(v.Sub(inside))
		}
		if c.Plain(canvas.Unicode) != again.Plain(canvas.Unicode) || c.StyleMap() != again.StyleMap() {
			t.Fatalf("%s paints differently the second time", name)
		}
		v := c.View(c.Bounds())
		v.Fill(inside, ' ', theme.Text)
		clean := canvas.New(w+2*margin, h+2*margin)
		v = clean.View(clean.Bounds())
		v.Fill(v.Bounds(), '#', theme.Chart1)
		v.Fill(inside, ' ', theme.Text)
		if c.Plain(canvas.Unicode) != clean.Plain(canvas.Unicode) || c.StyleMap() != clean.StyleMap() {
			t.Fatalf("%s paints outside of its %dx%d cells", name, w, h)
		}
	}
}

func lessonPainters(d *Lesson) map[string]func(canvas.View) int {
	return map[string]func(canvas.View) int{
		"timeline": d.Timeline, "choices": d.Choices, "redis": d.Redis, "sqlite": d.SQLite, "invariants": d.Invariants,
		"narration": d.Narration, "events": d.Events,
		"source A": func(v canvas.View) int { return d.Source(v, "A") },
		"source":   func(v canvas.View) int { return d.Source(v, "") },
	}
}

func provePainters(p *Prove) map[string]func(canvas.View) int {
	return map[string]func(canvas.View) int{
		"counters": p.Counters, "histogram": p.Histogram, "verdicts": p.Verdicts, "counterexample": p.Counterexample,
	}
}

func TestAnyLesson(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := fuzz{t}
		d := f.lesson()
		w, h := f.n("w", 0, 120), f.n("h", 0, 40)
		if f.n("large", 0, 9) == 0 {
			w, h = f.n("large w", 0, 400), f.n("large h", 0, 200)
		}
		paintAll(t, w, h, lessonPainters(d))
		for i := range 10 {
			d.Title(i - 1)
		}
		d.SourceTitle("A")
		for y := -1; y <= h; y++ {
			if at, ok := d.TimelineAt(w, h, y); ok && (at < 0 || at >= len(d.Path)) {
				t.Fatalf("row %d of the timeline is step %d of %d", y, at, len(d.Path))
			}
			if c, ok := d.ChoiceAt(w, h, w/3, y); ok && (c < 0 || c >= len(d.state().Choices)) {
				t.Fatalf("row %d of the choices is %d of %d", y, c, len(d.state().Choices))
			}
		}
	})
}

func TestAnyProof(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := fuzz{t}
		p := f.prove()
		w, h := f.n("w", 0, 120), f.n("h", 0, 40)
		paintAll(t, w, h, provePainters(p))
		for i := range 6 {
			p.Title(i - 1)
		}
	})
}

// TestEverySize paints the usual screens in all sizes, also where nothing fits.
func TestEverySize(t *testing.T) {
	step := 1
	if testing.Short() {
		step = 7
	}
	for name, scene := range scenes() {
		d, _ := scene()
		for w := 0; w <= 130; w += step {
			for _, h := range []int{0, 1, 2, 3, 5, 9, 20} {
				paintAll(t, w, h, lessonPainters(d))
			}
		}
		paintAll(t, 400, 200, lessonPainters(d))
		if t.Failed() {
			t.Log(name)
		}
	}
	for _, p := range proofs() {
		for w := 0; w <= 130; w += 3 {
			paintAll(t, w, 7, provePainters(p))
		}
		paintAll(t, 400, 200, provePainters(p))
	}
}

func TestZeroValues(t *testing.T) {
	paintAll(t, 60, 10, lessonPainters(&Lesson{}))
	paintAll(t, 60, 10, provePainters(&Prove{}))
	c := canvas.View{}
	for _, paint := range lessonPainters(lostUpdate()) {
		paint(c)
	}
}
