package app

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"flashlab/lessons"
	"flashlab/sim/live"
	"flashlab/sim/live/livetest"
	"flashlab/sim/live/parity"
)

// onLive opens a variant that is stepped on a server.
func onLive(t *testing.T, s *livetest.Server, lang lessons.Lang, lesson, variant string, w, h int) *player {
	t.Helper()
	target, err := live.Parse(live.Flags{URL: "redis://" + s.Addr()}, os.Getenv)
	if err != nil {
		t.Fatal(err)
	}
	o := english()
	o.Lang, o.Live, o.Lesson, o.Variant = lang, target, lesson, variant
	return play(t, o, w, h)
}

// TestParityEqual: the schedule on the stage is the same on both engines. The badge
// says so until the schedule changes, and neither the session nor its keys are
// touched.
func TestParityEqual(t *testing.T) {
	s := livetest.Start(t)
	keys := func() []string {
		all, err := s.Client(t).Keys(t.Context(), "*").Result()
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(all)
		return all
	}
	p := onLive(t, s, lessons.EN, "misdeletion", "delete-blind", 140, 40)
	p.press("E")
	p.must("take a step first")
	p.press("a", "!", "b", "a")
	p.settle()
	before, token := keys(), p.m.lesson.session.Token()
	if len(before) == 0 {
		t.Fatal("the session has no keys on the server")
	}
	p.press("E")
	p.must("Running this schedule on both engines (steps: 4)")
	p.settle()
	version := p.m.lesson.parity.report.Version
	p.must("on redis://" + s.Addr() + " (Redis " + version + "): no")
	p.must("Steps compared: 4.")
	if after := keys(); !slices.Equal(before, after) || p.m.lesson.session.Token() != token {
		t.Errorf("the keys were %v and are %v; %s became %s", before, after, token, p.m.lesson.session.Token())
	}
	p.press("esc")
	p.must("= embedded")
	p.press("j") // looks at something, which is no other schedule
	p.must("= embedded")
	p.press("left")
	p.mustNot("= embedded")
	p.press("right")
	p.settle()
	p.mustNot("= embedded")
	p.press("a") // on the server, where the session has stayed
	p.settle()
	p.must("no-misdeletion broke at step 5")
}

// TestParityToTheEnd: the run-out is compared as well, and told apart.
func TestParityToTheEnd(t *testing.T) {
	s := livetest.Start(t)
	p := onLive(t, s, lessons.EN, "misdeletion", "delete-blind", 140, 40)
	p.command(":staged " + p.m.lesson.lesson.Staged[0].Name)
	p.press("end", "E")
	p.settle()
	r := p.m.lesson.parity.report
	if r == nil || r.RunOut == 0 || r.Steps != r.RunOut+p.depth() {
		t.Fatalf("%+v at step %d", r, p.depth())
	}
	p.must("Of these steps in the run-out: " + strconv.Itoa(r.RunOut))
}

// TestParityDiffers: a server that does not know DELEX makes the lesson's code take a
// script instead. Each difference stands under its step, in both languages.
func TestParityDiffers(t *testing.T) {
	s := livetest.Start(t)
	known, err := s.Client(t).Command(t.Context()).Result()
	if err != nil {
		t.Fatal(err)
	}
	if known["delex"] != nil {
		t.Skip("DELEX came with Redis 8.4: this server has it and does what the embedded engine does")
	}
	for _, x := range []struct {
		lang   lessons.Lang
		w, h   int
		badge  string
		shows  []string
		hides  string
		bottom string
	}{
		{lessons.EN, 120, 40, "≠ embedded", []string{"differences: 5.", "step 5 · A · DELEX lock:order:7 IFEQ A1", "operation", "embedded  A DELEX lock:order:7 IFEQ A1", "server    A EVALSHA unlock lock:order:7 A1"}, "操作", "How an error is worded"},
		{lessons.ZH, 80, 24, "≠ 内嵌", []string{"有 5 处差异", "第 2 步 · A", "内嵌", "服务器  A: EVALSHA unlock"}, "operation", "怎么措辞不算"},
	} {
		p := onLive(t, s, x.lang, "lua-unlock", "", x.w, x.h)
		p.command(":staged one-command")
		p.press("end", "E")
		p.settle()
		for _, text := range x.shows {
			p.must(text)
		}
		p.mustNot(x.hides)
		p.press("end")
		p.must(x.bottom)
		p.press("esc")
		p.must(x.badge)
	}
}

// TestParityTerms: the Chinese lab has a word for everything that package parity
// calls by an English one.
func TestParityTerms(t *testing.T) {
	p := play(t, english(), 80, 24)
	p.press("L")
	for _, name := range append(parity.Aspects(), parity.Values()...) {
		if got := p.m.words.Live.Term(name); got == name {
			t.Errorf("%q has no Chinese word", name)
		}
	}
}

// TestParityNeeds: where nothing can be compared, one sentence says why.
func TestParityNeeds(t *testing.T) {
	p := play(t, english(), 120, 40)
	p.command(":lesson misdeletion")
	p.press("E")
	p.must("start with flashlab --redis URL")
	p.command(":lesson oversell")
	p.press("E")
	p.must("does not use Redis")
	p.m.o.Live = &live.Target{}
	p.press("E")
	p.must("does not use Redis")
	p.m.o.Live = nil
	p.command(":lesson misdeletion")
	p.m.o.Live = &live.Target{}
	p.m.lesson.scenario.World.Replace = map[string][]string{"unlock": nil}
	p.press("E")
	p.must("What you have written")
}

// TestParityStale: whoever goes on while a comparison runs is not told of a schedule
// that is no longer on the stage.
func TestParityStale(t *testing.T) {
	s := livetest.Start(t)
	p := onLive(t, s, lessons.EN, "misdeletion", "delete-blind", 140, 40)
	p.press("a", "E")
	p.press("E") // it runs already
	if n := len(p.cmds); n == 0 {
		t.Fatal("nothing is compared")
	}
	p.press("a")
	p.settle()
	if p.m.lesson.parity != nil || len(p.m.modals) > 0 {
		t.Errorf("a comparison of another schedule is shown: %+v", p.m.lesson.parity)
	}
	p.mustNot("Steps compared")
	left, err := s.Client(t).Keys(t.Context(), "flashlab:*").Result()
	if err != nil {
		t.Fatal(err)
	}
	runs := map[string]bool{}
	for _, k := range left {
		runs[strings.SplitN(k, ":", 3)[1]] = true
	}
	if len(runs) != 1 {
		t.Errorf("keys of %d runs are left, one is on the stage: %v", len(runs), left)
	}
}

// TestParityLost: a server that goes away while it is compared is told of as anywhere
// else, and the learner can go on without it where he stood.
func TestParityLost(t *testing.T) {
	s := livetest.Start(t)
	p := onLive(t, s, lessons.EN, "misdeletion", "delete-blind", 140, 40)
	p.press("a", "!", "b")
	p.settle()
	p.press("E")
	s.Kill()
	p.settle()
	p.must("The server does not answer")
	p.press("enter") // still gone
	p.settle()
	p.must("The server does not answer")
	p.press("down", "enter")
	p.settle()
	p.mustNot("redis://")
	p.mustNot("does not answer")
	if p.depth() != 3 {
		t.Errorf("on the embedded engine the learner stands at step %d", p.depth())
	}
	p.press("E")
	p.must("start with flashlab --redis URL")
	p.press("a", "a")
	p.settle()
	p.must("no-misdeletion broke at step 5")
}
