package app

import (
	"os"
	"strings"
	"testing"

	"flashlab/lessons"
	"flashlab/sim/live"
	"flashlab/sim/live/livetest"
)

// TestOnServer steps a lesson on a real server, which goes away in the middle: the
// learner goes on with the embedded engine, where he stood.
func TestOnServer(t *testing.T) {
	s := livetest.Start(t)
	target, err := live.Parse(live.Flags{URL: "redis://" + s.Addr()}, os.Getenv)
	if err != nil {
		t.Fatal(err)
	}
	o := english()
	o.Live, o.Lesson, o.Variant = target, "misdeletion", "delete-blind"
	p := play(t, o, 120, 40)
	p.must("redis://" + s.Addr())
	p.press("a", "!", "b", "a")
	p.settle()
	p.must("mutual-exclusion broke at step 3")
	s.Kill()
	p.press("a")
	p.must("The server does not answer")
	p.press("down", "enter")
	p.settle()
	if p.depth() != 4 {
		t.Errorf("on the embedded engine the learner stands at step %d", p.depth())
	}
	p.mustNot("redis://")
	p.press("a")
	p.settle()
	p.must("no-misdeletion broke at step 5")
}

// TestLostInChinese: the Chinese lab tells in Chinese that the server is gone, and how
// to find out why.
func TestLostInChinese(t *testing.T) {
	s := livetest.Start(t)
	target, err := live.Parse(live.Flags{URL: "redis://" + s.Addr()}, os.Getenv)
	if err != nil {
		t.Fatal(err)
	}
	o := english()
	o.Lang, o.Live, o.Lesson, o.Variant = lessons.ZH, target, "misdeletion", "delete-blind"
	p := play(t, o, 160, 40)
	p.must(target.String())
	s.Kill()
	p.press("a")
	p.must("服务器没有响应")
	p.must("运行途中服务器断开了：" + target.String())
	p.mustNot("the server was lost")
}

// What has to be searched, and what a learner has written, stays on the embedded
// engine.
func TestServerIsForSteps(t *testing.T) {
	o := english()
	o.Live = &live.Target{}
	m := &model{o: o}
	for _, name := range []string{"misdeletion", "oversell"} {
		p := play(t, english(), 80, 24)
		p.command(":lesson " + name)
		s := p.m.lesson.scenario
		if got := m.onServer(s).World.Live != nil; got != (name == "misdeletion") {
			t.Errorf("%s on the server: %v", name, got)
		}
		if s.World.Live != nil {
			t.Error("the scenario that is searched has a server")
		}
		s.World.Replace = map[string][]string{strings.Repeat("x", 3): nil}
		if m.onServer(s).World.Live != nil {
			t.Error("a learner's script would run on the server")
		}
	}
}
