package app

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"flashlab/lessons"
	"flashlab/lessons/showdown"
	"flashlab/sim/live"
)

// tiny is a showdown that is over at once.
func tiny() showdown.Options {
	return showdown.Options{Requests: 20, Concurrency: []int{1, 4}, Stock: []int{1, 5}}
}

// measure runs a tiny showdown on the page that is open.
func (p *player) measure() *showdownView {
	p.t.Helper()
	p.add(p.m.beginShowdown(tiny()))
	p.m.paint()
	p.settle()
	v := p.m.learn.showdown
	if v.running || v.err != nil || len(v.cells) != len(tiny().Settings()) {
		p.t.Fatalf("running %v, %v, %d sales:\n%s", v.running, v.err, len(v.cells), p.text())
	}
	return v
}

// keeping are options with a file for showdowns.
func keeping(t *testing.T) Options {
	o := english()
	o.Showdown = filepath.Join(t.TempDir(), "flashlab", "showdown.json")
	return o
}

// The showdown opens from the map, measures nothing by itself, and leads back.
func TestShowdownFromMap(t *testing.T) {
	p := play(t, keeping(t), 80, 24)
	p.press("V")
	p.settle()
	w := &p.m.words.Showdown
	p.must(w.Intro)
	p.must("30 sales of 500 requests")
	p.must("42 sales of 2000 requests")
	p.must(showdown.Embedded.EN)
	if p.m.learn.showdown.running {
		t.Error("it measures unasked")
	}
	for _, key := range []string{"V", "}", "{", "i", "U", "x"} {
		p.press(key)
		p.must(w.Title)
	}
	p.press("L")
	p.must(showdown.Embedded.ZH)
	p.press("L", "q")
	if p.m.learn != nil {
		t.Errorf("q does not lead back to the map:\n%s", p.text())
	}
}

// What is measured is shown with its verdicts, picture by picture, and kept; the next
// one is compared with it.
func TestShowdownKeepAndCompare(t *testing.T) {
	for _, lang := range []lessons.Lang{lessons.EN, lessons.ZH} {
		o := keeping(t)
		o.Lang = lang
		p := play(t, o, 120, 40)
		p.press("V")
		w := &p.m.words.Showdown
		v := p.measure()
		first := v.cells[0].Rate
		p.must(fill(w.AllHold, "n", "18"))
		p.must(w.Misleads)
		p.must(showdown.Embedded.In(lang))
		p.must(showdown.Depends.In(lang))
		next := fill(w.Next, "what", "")
		for _, picture := range p.m.pictures()[1:] {
			p.option(next)
			p.must(picture.title)
			p.mustNot("✗")
		}
		p.option(next)
		p.must(p.m.pictures()[0].title)

		p.option(w.Keep)
		p.must(fill(w.KeptIn, "file", o.Showdown))
		doc, err := showdown.Load(o.Showdown)
		if err != nil || len(doc.Sales) != 18 || doc.Compared != nil || doc.Sales[0].Rate != first {
			t.Fatalf("kept %+v, %v", doc, err)
		}
		if v.before != nil {
			t.Error("it is compared with itself")
		}

		p.measure()
		for range 5 {
			p.option(next)
		}
		p.must(w.Compared)
		p.must("×")
		p.must(w.ByItself)
		p.option(w.Keep)
		if doc, err = showdown.Load(o.Showdown); err != nil || len(doc.Compared) != 18 || doc.Compared[0].Before != first {
			t.Errorf("the second one, %v: %+v", err, doc.Compared)
		}
		p.press("q")
		p.m.showdown = nil // as in a new program
		p.press("V")
		p.must(p.m.learn.showdown.keptOn.Format("2006-01-02"))
	}
}

// A file with something else in it is told of and stays as it is.
func TestShowdownForeignFile(t *testing.T) {
	o := keeping(t)
	if err := os.MkdirAll(filepath.Dir(o.Showdown), 0o700); err != nil {
		t.Fatal(err)
	}
	const notes = "my own notes"
	if err := os.WriteFile(o.Showdown, []byte(notes), 0o600); err != nil {
		t.Fatal(err)
	}
	p := play(t, o, 120, 40)
	w := &p.m.words.Showdown
	p.press("V")
	told := fill(w.Foreign, "file", o.Showdown)
	p.must(told)
	p.press("L")
	p.must(fill(p.m.words.Showdown.Foreign, "file", o.Showdown))
	p.press("L")
	p.measure()
	p.must(told)
	p.option(w.Keep)
	if !p.m.complaint || p.m.message != told {
		t.Errorf("it says %q", p.m.message)
	}
	if b, err := os.ReadFile(o.Showdown); err != nil || string(b) != notes {
		t.Errorf("the file holds %q, %v", b, err)
	}
}

// Where nothing can be kept, nothing is offered to be.
func TestShowdownWithoutPlace(t *testing.T) {
	p := play(t, english(), 80, 24)
	p.press("V")
	p.measure()
	p.mustNot(p.m.words.Showdown.Keep)
}

// Results appear as they come, and who stops keeps what was measured by then.
func TestShowdownStop(t *testing.T) {
	p := play(t, keeping(t), 80, 24)
	p.press("V")
	w := &p.m.words.Showdown
	o := tiny()
	o.Requests = 2000
	end := make(chan tea.Msg, 1)
	cmd := p.m.beginShowdown(o)
	go func() { end <- cmd() }()
	v := p.m.learn.showdown
	for deadline := time.Now().Add(20 * time.Second); len(v.cells) < 2 && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
		p.tick()
	}
	p.must(fill(w.Progress, "n", strconv.Itoa(len(v.cells)), "all", "18"))
	p.must("✓")
	p.option(w.Stop)
	p.send(<-end)
	if n := len(v.cells); v.running || n < 2 || n >= 18 {
		t.Fatalf("running %v, %d sales", v.running, n)
	}
	p.must(fill(w.Stopped, "n", strconv.Itoa(len(v.cells)), "all", "18"))
	p.option(w.Keep)
	if doc, err := showdown.Load(p.m.o.Showdown); err != nil || len(doc.Sales) != len(v.cells) {
		t.Errorf("kept %+v, %v", doc, err)
	}
}

// Nobody is left measuring for a page that is gone.
func TestShowdownEndsWithPage(t *testing.T) {
	for name, leave := range map[string]func(p *player){
		"back":     func(p *player) { p.press("q") },
		"the page": func(p *player) { p.m.openProgress(); p.tick() },
		"the lab":  func(p *player) { p.m.close() },
	} {
		p := play(t, keeping(t), 80, 24)
		p.press("V")
		cmd := p.m.beginShowdown(tiny())
		leave(p)
		end, ok := cmd().(showdownEnd)
		if !ok || len(end.cells) != 0 {
			t.Errorf("%s: %d sales are measured all the same", name, len(end.cells))
		}
		p.send(end)
	}
}

// A server that is not there is told once, and the embedded engine goes on instead.
func TestShowdownWithoutServer(t *testing.T) {
	to, err := live.Parse(live.Flags{URL: "redis://127.0.0.1:1"}, func(string) string { return "" })
	if err != nil {
		t.Fatal(err)
	}
	o := keeping(t)
	o.Live = to
	p := play(t, o, 80, 24)
	p.press("V")
	p.must("redis://127.0.0.1:1")
	p.mustNot(p.m.words.Showdown.Badge)
	small := tiny()
	small.Server = to
	p.add(p.m.beginShowdown(small))
	p.settle()
	p.must(p.m.words.Live.Lost)
	p.press("down", "enter")
	p.settle()
	v := p.m.learn.showdown
	if v.o.Server != nil || len(v.cells) != 18 {
		t.Errorf("on %v, %d sales:\n%s", v.o.Server, len(v.cells), p.text())
	}
	p.must(p.m.words.Showdown.Badge)
}

// The claims are computed on the spot, and the figures are there again afterwards.
func TestShowdownClaims(t *testing.T) {
	p := play(t, keeping(t), 120, 60)
	p.press("V")
	w := &p.m.words.Showdown
	v := p.measure()
	p.option(w.Compute)
	if len(v.cards) != 3 {
		t.Fatalf("%d cards:\n%s", len(v.cards), p.text())
	}
	for _, lang := range []string{"en", "zh"} {
		for _, c := range v.cards {
			p.must(c.Claim.In(p.m.lang))
			p.must(c.Depends.In(p.m.lang))
			for _, f := range c.Figures {
				p.must(f.Amount() + " " + f.What.In(p.m.lang))
			}
		}
		if t.Failed() {
			t.Fatal(lang)
		}
		p.press("L")
	}
	p.option(w.Figures)
	p.must(p.m.pictures()[0].title)
}

// From the storm page of a lesson it leads back to the storm; a storm that still runs
// would be measured with it.
func TestShowdownFromStorm(t *testing.T) {
	p := play(t, keeping(t), 80, 24)
	p.command(":lesson stream-pipeline")
	p.press("R")
	storm := p.m.learn.storm
	storm.requests = stormLeast
	p.press("V")
	if !p.m.complaint || p.m.message != p.m.words.Showdown.Storming {
		t.Errorf("it says %q", p.m.message)
	}
	p.settle()
	p.press("V")
	p.must(p.m.words.Showdown.Intro)
	p.press("q")
	if p.m.learn == nil || p.m.learn.storm != storm {
		t.Fatalf("the storm is gone:\n%s", p.text())
	}
	p.must(p.m.words.Storm.Again)
}

// The lesson that ends with it offers it on its last pages.
func TestShowdownEndsLesson(t *testing.T) {
	offered := 0
	for _, l := range lessons.All() {
		p := play(t, keeping(t), 80, 24)
		for _, beat := range []lessons.Beat{lessons.BeatAgain, lessons.BeatRecall} {
			p.add(p.m.openBeat(l, beat))
			p.settle()
			if beat == lessons.BeatRecall {
				p.m.learn.card = len(p.m.learn.cards) // behind the last one
			}
			_, options := p.m.pageBlocks()
			found := false
			for _, o := range options {
				found = found || o.text == p.m.words.Showdown.Ends
			}
			if found != l.Showdown {
				t.Errorf("%s, %s: offered %v", l.Name, beat, found)
			}
			if !found {
				continue
			}
			offered++
			p.option(p.m.words.Showdown.Ends)
			p.must(p.m.words.Showdown.Intro)
			p.press("q")
			if p.m.learn == nil || p.m.learn.lesson != l || p.m.learn.beat != beat {
				t.Errorf("%s, %s: it leads back elsewhere", l.Name, beat)
			}
		}
	}
	if offered != 2 {
		t.Errorf("offered on %d pages", offered)
	}
}

// Before anything is kept there is no file, and none is made by looking.
func TestShowdownLeavesNoFile(t *testing.T) {
	p := play(t, keeping(t), 80, 24)
	p.press("V")
	p.measure()
	if _, err := os.Stat(p.m.o.Showdown); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("there is a file: %v", err)
	}
}

// What was measured is still there when the showdown is opened again, and from the
// claims the way back leads to it.
func TestShowdownStays(t *testing.T) {
	p := play(t, keeping(t), 80, 24)
	p.press("V")
	v := p.m.learn.showdown
	v.measured, v.cells = true, []showdown.Cell{{Setting: showdown.Setting{Path: showdown.Script, Concurrency: 16, Stock: 100, Requests: 500}, Rate: 1234}}
	v.cards = []showdown.Card{{Claim: lessons.Text{EN: "dozens of times", ZH: "几十倍"}}}
	p.press("q")
	if p.m.learn == nil || p.m.learn.showdown != v || v.cards != nil {
		t.Fatalf("the way back from the claims:\n%s", p.text())
	}
	p.must("1234")
	p.press("q")
	if p.m.learn != nil && p.m.learn.showdown != nil {
		t.Fatalf("it is not left:\n%s", p.text())
	}
	p.press("V")
	p.must("1234")
}
