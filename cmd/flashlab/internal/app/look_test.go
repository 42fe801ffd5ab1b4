package app

import (
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"flashlab/cmd/flashlab/internal/layout"
	"flashlab/lessons"
)

func TestMouse(t *testing.T) {
	p := lesson(t, 120, 40)
	p.press("a", "b", "a", "b")
	p.press("M")
	p.must("mouse on")
	p.cmds = nil
	p.send(tea.ResumeMsg{}) // suspending has switched it off
	if len(p.cmds) != 1 {
		t.Error("after a suspend the mouse stays off")
	}
	p.cmds = nil
	click := func(x, y int) {
		p.send(tea.MouseMsg{X: x, Y: y, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
	}
	l := layout.Lesson(120, 40, p.m.stage().Need())
	click(l.Timeline.X+5, l.Timeline.Y+3) // heading, then step 2
	if p.depth() != 2 || p.m.lesson.focus != layout.PaneTimeline {
		t.Errorf("a click on step 2 went to %d, focus %d", p.depth(), p.m.lesson.focus)
	}
	click(l.Choices.X+5, l.Choices.Y+2) // B
	if p.m.lesson.selected != 1 || p.m.lesson.focus != layout.PaneChoices {
		t.Errorf("a click on B chose %d, focus %d", p.m.lesson.selected, p.m.lesson.focus)
	}
	click(l.Source.X+5, l.Source.Y+2)
	if p.m.lesson.focus != layout.PaneSource {
		t.Errorf("a click on the source focused %d", p.m.lesson.focus)
	}
	for range 100 {
		p.send(tea.MouseMsg{X: l.Source.X + 5, Y: l.Source.Y + 2, Button: tea.MouseButtonWheelDown, Action: tea.MouseActionPress})
	}
	if n := p.m.lesson.scroll[layout.PaneSource]; n <= 0 || n > 40 {
		t.Errorf("the wheel scrolled by %d rows", n)
	}
	click(1000, 1000)
	p.press("q")
	p.send(tea.MouseMsg{Button: tea.MouseButtonWheelDown, Action: tea.MouseActionPress})
	p.press("M")
	p.must("mouse off")
}

// A pane that was scrolled beyond its end comes back with the first key.
func TestScrollComesBack(t *testing.T) {
	p := lesson(t, 120, 40)
	p.press("2")
	for range 200 {
		p.press("j")
	}
	end := p.m.View()
	p.press("k")
	if p.m.View() == end {
		t.Error("the source does not come back from its end")
	}
	p.press("2", "z")
	for range 200 {
		p.press("ctrl+u")
	}
	top := p.m.View()
	p.press("j")
	if p.m.lesson.scroll[2] > 40 || p.m.View() == top && len(p.m.View()) == 0 {
		t.Errorf("scrolled by %d", p.m.lesson.scroll[2])
	}
}

// The language and the theme can be changed at any time without losing the place.
func TestSwitchKeepsPlace(t *testing.T) {
	p := lesson(t, 80, 24)
	p.press("a", "b", "a", "b", "a", "b", "left", "?")
	for range 7 {
		p.press("j")
	}
	scroll := p.m.modals[0].Scroll
	if scroll == 0 {
		t.Fatal("the help does not scroll")
	}
	p.press("L")
	p.must("按键")
	if got := p.m.modals[0].Scroll; got != scroll {
		t.Errorf("the help jumped from %d to %d", scroll, got)
	}
	p.press("T", "T", "esc")
	p.must("你来走")
	if p.depth() != 5 {
		t.Errorf("at step %d", p.depth())
	}
	p.press("ctrl+p", "down", "down", "down")
	at := p.m.modals[0].Selected
	p.press("L")
	if got := p.m.modals[0].Selected; got != at {
		t.Errorf("the list jumped from %d to %d", at, got)
	}
	p.press("esc", "P")
	p.settle()
	p.press("down", "L")
	if p.m.prove == nil || p.m.prove.selected != 1 {
		t.Error("the proof lost its place")
	}
	p.must("搜索完整")
	p.press("up", "enter")
	p.must("最短的走法，6 步")
	p.press("L")
	p.must("the shortest, 6 steps") // also the name of what is watched
	p.press("q", "L")
	p.must("课程地图")
}

func TestLanguages(t *testing.T) {
	if play(t, Options{Lang: lessons.ZH}, 80, 24).must("课程地图"); t.Failed() {
		return
	}
}
