package app

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"flashlab/cmd/flashlab/internal/canvas"
	"flashlab/lessons"
	"flashlab/lessons/showdown"
	"flashlab/sim/scenario"
)

// madeUp are the cells of a showdown whose figures are made up: paths differ, waiting
// grows with the requests at once, one sale breaks a promise and one is not decided.
func madeUp(o showdown.Options, faster float64) []showdown.Cell {
	var out []showdown.Cell
	for i, s := range o.Settings() {
		rate := map[showdown.Path]float64{showdown.Synchronous: 900, showdown.Optimistic: 5200, showdown.Script: 18_400}[s.Path]
		if s.Limited {
			rate = 6000 + rate/4
		}
		rate = faster * rate * float64(300+s.Stock%7) / float64(300+s.Concurrency)
		c := showdown.Cell{
			Setting: s, Rate: rate, P50: int64(s.Concurrency) * 90, P99: int64(s.Concurrency)*700 + 80,
			Elapsed: time.Duration(float64(o.Requests) / rate * 1e9), Verdict: scenario.Holds,
		}
		if s.Path == showdown.Script {
			c.Drain = time.Duration(s.Stock) * 40 * time.Microsecond
		}
		switch i {
		case 6:
			c.Verdict = scenario.Breaks
			c.Lights = []scenario.FreeVerdict{{Light: "no-oversell", Verdict: scenario.Breaks}}
		case 10:
			c.Verdict = scenario.Unknown
		}
		out = append(out, c)
	}
	return out
}

// TestShowdownScreens compares the pages of the showdown, made of fixed figures, with
// what they are to look like: as text, the first picture also in ASCII and as styles.
func TestShowdownScreens(t *testing.T) {
	for _, size := range [][2]int{{60, 16}, {80, 24}, {120, 40}} {
		for _, lang := range []lessons.Lang{lessons.EN, lessons.ZH} {
			name := fmt.Sprintf("showdown-%dx%d-%s", size[0], size[1], lang)
			t.Run(name, func(t *testing.T) {
				o := english()
				o.Lang, o.Showdown = lang, "/nowhere/showdown.json"
				p := play(t, o, size[0], size[1])
				var text strings.Builder
				shot := func(what string) {
					p.m.paint()
					fmt.Fprintf(&text, "%s:\n%s\n", what, p.m.canvas.Trimmed(canvas.Unicode))
				}
				p.press("V")
				v := p.m.learn.showdown
				v.before = showdown.NewDocument(p.m.quickShowdown(), madeUp(p.m.quickShowdown(), 0.8))
				v.keptOn = time.Date(2026, 3, 1, 9, 30, 0, 0, time.Local)
				shot("opened")
				p.press("G")
				shot("opened, to its end")

				v.o = p.m.fullShowdown()
				all := madeUp(v.o, 1)
				v.running, v.cells = true, all[:20]
				v.now = showdown.Progress{Done: v.cells, All: len(all), Now: all[20].Setting}
				p.press("g")
				shot("running")

				v.running, v.measured, v.cells = false, true, all
				for _, picture := range p.m.pictures() {
					shot("measured: " + picture.title)
					p.option(fill(p.m.words.Showdown.Next, "what", ""))
				}
				p.press("G", "down", "down", "down", "down", "down", "down", "down", "down", "pgdown")
				shot("measured, to its end")
				v.cards = []showdown.Card{{
					Claim:   lessons.Text{EN: "it is dozens of times as fast", ZH: "快几十倍"},
					Figures: []showdown.Figure{{What: lessons.Text{EN: "share", ZH: "比例"}, Value: 0.25, Share: true, Text: lessons.Text{EN: "1 of 4", ZH: "4 次里 1 次"}}, {What: lessons.Text{EN: "ratio", ZH: "倍数"}, Value: 0.5, Text: lessons.Text{EN: "half", ZH: "一半"}}},
					Depends: showdown.Depends,
				}}
				p.press("g")
				shot("claims")
				v.cards, v.look = nil, 0
				p.m.paint()
				fmt.Fprintf(&text, "ASCII:\n%s\nstyles:\n%s\n", p.m.canvas.Trimmed(canvas.ASCII), p.m.canvas.StyleMap())
				golden(t, name+".txt", text.String())
			})
		}
	}
}

// Numbers of the tables take little room, whatever they are.
func TestShowdownNumbers(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 3.4: "3", 9999.4: "9999", 9999.6: "10.0k", 38_700: "38.7k", 99_949: "99.9k", 99_951: "100k", 1_234_567: "1235k"} {
		if got := perSecond(v); got != want {
			t.Errorf("%v a second: %s, want %s", v, got, want)
		}
	}
	for v, want := range map[float64]string{0.04: "0.0", 0.96: "1.0", 2.64: "2.6", 9.94: "9.9", 9.96: "10", 34.6: "35"} {
		if got := times(v); got != want {
			t.Errorf("%v times: %s, want %s", v, got, want)
		}
	}
	for d, want := range map[time.Duration]string{
		0: "0s", 84 * time.Microsecond: "80µs", 1640 * time.Microsecond: "1.6ms", 43_400 * time.Microsecond: "43ms", 12_340 * time.Millisecond: "12.3s",
	} {
		if got := short(d); got != want {
			t.Errorf("%v: %s, want %s", d, got, want)
		}
	}
}
