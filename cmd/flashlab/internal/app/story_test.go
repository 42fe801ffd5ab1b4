package app

import (
	"fmt"
	"strings"
	"testing"

	"flashlab/lessons"
)

// TestNewcomer is the first ten minutes of somebody who has a keyboard and nothing
// else: open the first lesson, break it, see why, go back, do better, prove it.
func TestNewcomer(t *testing.T) {
	type words struct{ goBack, soldOut, held, orders2, orders1, doomed, complete, whole string }
	for lang, w := range map[lessons.Lang]words{
		lessons.EN: {"Go back (←) before step 2", "sold out", "Everything held", "Orders: 2, stock left: 0", "Orders: 1, stock left: 0", "From here every schedule breaks no-oversell", "every schedule was checked", "breaks in 12 of 16"},
		lessons.ZH: {"请退到第 2 步之前", "已售罄", "一切都成立", "订单 2 个，库存剩 0", "订单 1 个，库存剩 0", "怎么走都会打破 no-oversell", "全部走法都查过了", "16 种中 12 种出错"},
	} {
		for _, size := range [][2]int{{80, 24}, {120, 40}} {
			t.Run(fmt.Sprintf("%s-%dx%d", lang, size[0], size[1]), func(t *testing.T) {
				o := english()
				o.Lang = lang
				p := play(t, o, size[0], size[1])
				p.press("down", "enter")
				p.settle()
				p.must("lost-update")
				p.must("SELECT stock")

				// Each buyer's line is told before anything has happened.
				p.standsAt("A", 8)
				p.standsAt("B", 8)
				keys := 0
				step := func(key string) {
					p.press(key)
					keys++
				}
				step("a")
				p.standsAt("A", 17)
				p.standsAt("B", 8)
				p.sourceShows("A", 17)
				step("b")
				p.standsAt("B", 17)
				p.sourceShows("B", 17)
				p.mustNot(w.doomed) // nobody has seen it break yet
				step("a")
				step("b")
				p.standsAt("A", 23)
				p.standsAt("B", 23)
				step("a")
				step("b")
				if keys >= 10 || !p.m.lesson.shown().Broken("no-oversell") {
					t.Fatalf("no oversell after %d keys:\n%s", keys, p.text())
				}
				p.must("✗ no-oversell")
				p.must(w.orders2)
				p.mustNot(w.doomed)

				// Back, but not far enough: the screen says so, and says how far.
				for d := 5; d >= 2; d-- {
					p.press("left")
					p.must(w.doomed)
					p.must(w.goBack)
				}
				// Whatever is done from here on, it breaks.
				p.press("b", "b", "a", "a")
				p.must("✗ no-oversell")
				p.press("left", "left", "left", "left")
				p.must(w.goBack)

				// Before step 2 it is not too late: A first, then B.
				p.press("left")
				p.mustNot(w.doomed)
				p.press("a", "a", "b")
				p.must(w.soldOut)
				p.must(w.orders1)
				p.must(w.held)
				p.mustNot("✗")

				// And the proof, with its counterexample one key away.
				p.press("P")
				p.settle()
				p.must(w.complete)
				p.must(w.whole)
				p.press("enter")
				p.must("✗ no-oversell")
				p.press("home", "right", "right", "end")
				if p.depth() != 6 {
					t.Errorf("the counterexample has %d steps", p.depth())
				}
			})
		}
	}
}

// standsAt fails unless the choices say at which line of the source a buyer stands.
func (p *player) standsAt(letter string, line int) {
	p.t.Helper()
	for _, row := range strings.Split(p.text(), "\n") {
		f := strings.Fields(strings.NewReplacer("║", " ", "│", " ", "▶", " ").Replace(row))
		for i := range f {
			if f[i] == letter && strings.Contains(strings.Join(f[i:min(len(f), i+4)], " ")+" ", fmt.Sprintf("L%d ", line)) {
				return
			}
		}
	}
	p.t.Fatalf("the screen does not say that %s stands at line %d:\n%s", letter, line, p.text())
}

// sourceShows fails unless the source of a buyer, opened if there is no room for it,
// marks a line.
func (p *player) sourceShows(letter string, line int) {
	p.t.Helper()
	opened := !p.sees("lostupdate.go")
	if opened {
		p.press("s")
	}
	p.must("· " + letter)
	if !strings.Contains(p.text(), fmt.Sprintf("▶%2d", line)) && !strings.Contains(p.text(), fmt.Sprintf("▶ %d", line)) {
		p.t.Fatalf("the source of %s does not mark line %d:\n%s", letter, line, p.text())
	}
	if opened {
		p.press("s")
	}
}

// Without any letter, as behind a Chinese input method, the main flow works too.
func TestNewcomerWithoutLetters(t *testing.T) {
	p := play(t, Options{Lang: lessons.ZH}, 80, 24)
	p.press("down", "down", "down", "up", "up", "enter")
	p.settle()
	for i := range 6 { // A and B in turn
		if i%2 == 1 {
			p.press("down")
		} else {
			p.press("up")
		}
		p.press("enter")
	}
	p.must("✗ no-oversell")
	p.press("left", "left", "left", "left", "left")
	p.press("up", "enter", "enter", "enter")
	p.must("一切都成立")
	p.press("esc")
	p.must("课程地图")
}

// Stock for everybody hides the fault: the figure looks healthy until one counts.
func TestHints(t *testing.T) {
	p := lesson(t, 120, 40)
	p.press("W")
	p.must("nothing has broken")
	p.press("O") // the odds are told beforehand to those who ask
	p.must("odds on")
	p.must("breaks in 6 of 8")
	p.press("a", "b")
	p.must("From here every schedule breaks no-oversell")
	p.press("O")
	p.mustNot("From here every schedule")
	p.press("F")
	p.must("the shortest, 6 steps")
	p.must("Nothing shorter breaks no-oversell: all 19 states within 5 steps were checked.")
	p.press("esc", "a", "b", "a", "b", "W")
	p.must("Why did it break?")
	p.must("one unit sold twice")
	p.press("esc", "C")
	p.must("Cards")
	p.press("esc", "J")
	p.must("LostUpdate.java")
	p.must("B inserts its order") // the sentences stay those of the lesson
	p.press("J", "S")
	p.must("Source · A")
	// Where every schedule breaks, going back is no advice.
	p.command(":variant ignored-rowcount")
	p.press("a", "a", "b", "b")
	p.must("✗ no-oversell")
	p.press("left", "left")
	p.mustNot("Go back")
	// Nothing breaks here.
	p.command(":variant guarded")
	p.press("F")
	p.must("every schedule holds")
	p.press("P")
	p.settle()
	p.press("enter")
	p.must("every schedule holds")
	p.press("down", "up", "y", "esc")
	p.must("guarded")
}

// After a restart whoever has seen the lesson break keeps the hints.
func TestRestart(t *testing.T) {
	p := lesson(t, 80, 24)
	p.press("a", "b", "a", "b", "a", "b", "ctrl+r")
	p.settle()
	p.must("started again")
	if p.depth() != 0 || p.m.lesson.session.Branches() != 1 {
		t.Error("something is left of what was done")
	}
	p.press("a", "b")
	p.must("Go back (←) before step 2")
}

func TestFork(t *testing.T) {
	p := lesson(t, 120, 40)
	p.press("a", "b", "a", "b", "a", "b", "left", "left", "left", "left", "v")
	p.must("fork")
	p.press("right")
	p.must("nothing ahead")
	p.press("b", "a")
	p.must("2 branches")
	p.press("f3")
	p.settle()
	p.must("watch")
	p.press("right", "right", "v")
	p.must("you choose")
	p.press("a")
	if p.depth() != 3 {
		t.Errorf("at step %d", p.depth())
	}
}

func TestCrash(t *testing.T) {
	p := lesson(t, 80, 24)
	p.press("x")
	p.must("crash: not possible here")
	p.command(":set crashes=1")
	p.press("a", "x")
	p.must("crash: whom?")
	p.press("esc")
	if p.m.lesson == nil || p.depth() != 1 {
		t.Fatal("esc does not take the question back")
	}
	p.press("x", "b")
	if a := p.m.lesson.shown().Actor("B"); a == nil || a.Result == "ok" || p.depth() != 2 {
		t.Fatalf("B lives:\n%s", p.text())
	}
	p.press("b")
	if p.depth() != 2 {
		t.Error("a dead actor took a step")
	}
	p.press("x")
	p.must("crash: not possible here") // the budget is spent
	p.press("left", "x", "g")
	p.must("crash: not possible for G now")
}

// A blocked actor says why it cannot step.
func TestBlocked(t *testing.T) {
	p := lesson(t, 80, 24)
	p.command(":variant immediate-tx")
	p.press("a", "b")
	p.must("waits for the write lock held by A")
	if p.depth() != 1 {
		t.Errorf("at step %d", p.depth())
	}
	p.press("L", "b")
	p.must("在等写锁")
}
