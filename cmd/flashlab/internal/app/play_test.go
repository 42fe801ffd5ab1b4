package app

import (
	"testing"

	tea "github.com/charmbracelet/bubbletea"
)

// Space plays at random where nothing was done before, and ends with the schedule.
func TestPlay(t *testing.T) {
	p := lesson(t, 80, 24)
	p.press(" ")
	p.must("▶ play 1x")
	for i := range 20 {
		if len(p.ticks) == 0 {
			break
		}
		p.tick()
		if d := p.depth(); d > i+1 {
			t.Fatalf("%d steps after %d ticks", d, i+1)
		}
	}
	if v := p.m.lesson; v.playing || !v.session.Cursor().Ended() || len(p.ticks) > 0 {
		t.Errorf("playing %v at step %d with %d ticks to come", v.playing, p.depth(), len(p.ticks))
	}
	end := p.depth()
	p.press(" ") // from the end it starts over, along the same branch
	p.tick()
	if p.depth() != 1 {
		t.Errorf("it went on at step %d", p.depth())
	}
	p.press("]", "]", "]", "]")
	p.must("▶ play 8x")
	p.press(" ")
	p.tick() // of before the pause
	if p.depth() != 1 {
		t.Error("it plays on in a pause")
	}
	p.press("end")
	if p.depth() != end || p.m.lesson.session.Branches() != 1 {
		t.Errorf("playing along a branch left it: step %d of %d", p.depth(), end)
	}
}

// A tick that was asked for before a restart is not taken for one of afterwards.
func TestStaleTick(t *testing.T) {
	p := lesson(t, 80, 24)
	p.press(" ", "ctrl+r", " ")
	if len(p.ticks) != 2 {
		t.Fatalf("%d ticks are due", len(p.ticks))
	}
	p.tick()
	if p.depth() != 1 {
		t.Errorf("%d steps at once", p.depth())
	}
	p.press(" ", " ")
	p.tick()
	if p.depth() != 2 {
		t.Errorf("at step %d after a pause", p.depth())
	}
}

// Watching stops at the end of what is shown.
func TestPlayStaged(t *testing.T) {
	p := lesson(t, 80, 24)
	p.command(":staged both-read-one")
	p.press(" ")
	for len(p.ticks) > 0 {
		p.tick()
	}
	p.must("watch")
	if v := p.m.lesson; v.playing || len(v.session.Path()) != p.depth()+1 || v.session.Branches() != 1 {
		t.Errorf("at step %d of %d", p.depth(), len(v.session.Path())-1)
	}
	p.press("right")
	p.must("nothing ahead")
	p.press("home", "left")
	p.must("this is the start")
}

// The result of a search that was left is not taken for that of the next one.
func TestStaleSearch(t *testing.T) {
	p := lesson(t, 80, 24)
	p.press("P", "q")
	p.must("the search was stopped")
	p.press("P")
	if len(p.cmds) != 2 {
		t.Fatalf("%d commands", len(p.cmds))
	}
	first := p.cmds[0]
	p.cmds = p.cmds[1:]
	p.send(first())
	if !p.m.prove.running {
		t.Fatal("the first search has ended the second")
	}
	p.must("searching every schedule")
	p.tick()
	if len(p.ticks) != 1 {
		t.Errorf("%d ticks are due while it searches", len(p.ticks))
	}
	p.mustNot("open counterexample")
	p.press("enter")
	p.must("still counting")
	p.settle()
	p.must("breaks in 12 of 16")
	p.tick()
	if len(p.ticks) > 0 {
		t.Error("it ticks on after the search")
	}
	p.must("open counterexample")
	p.press("down")
	p.mustNot("open counterexample") // that one holds
}

// A search that is too large says so, and the lesson goes on.
func TestUnfinishedSearch(t *testing.T) {
	p := lesson(t, 80, 24)
	p.m.limits.States, p.m.side.States = 10, 10
	p.command(":set buyers=4")
	p.press("F")
	p.must("too many schedules")
	p.press("P")
	p.settle()
	p.must("not complete: too many states")
	p.press("L")
	p.must("不完整")
	p.press("L", "q", "a")
	p.must("step 1")
	p.press("O") // nothing is known, nothing is claimed
	p.mustNot("breaks in")
}

// :12 leads out of the proof to the lesson.
func TestSeekFromProof(t *testing.T) {
	p := lesson(t, 80, 24)
	p.press("a", "b", "a", "P")
	p.settle()
	p.command(":2")
	if p.m.prove != nil || p.depth() != 2 {
		t.Errorf("at step %d", p.depth())
	}
}

// What runs in goroutines of its own cannot reach the program's end twice.
func TestLateMessages(t *testing.T) {
	p := lesson(t, 80, 24)
	p.press("q")
	for _, msg := range []tea.Msg{playTick{1}, searchTick{1}, searched{gen: 1}, tea.FocusMsg{}, tea.BlurMsg{}, nil} {
		p.send(msg)
	}
	p.must("lesson map")
}
