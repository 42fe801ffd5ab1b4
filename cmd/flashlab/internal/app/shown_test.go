package app

import (
	"strings"
	"testing"

	"flashlab/lessons"
)

// A counterexample is read from its beginning, at every size.
func TestCounterexampleFromStart(t *testing.T) {
	for _, size := range [][2]int{{60, 16}, {80, 24}, {120, 40}} {
		p := lesson(t, size[0], size[1])
		p.press("P")
		p.settle()
		p.must("  1  ├") // also beside the proof
		p.press("enter")
		p.must("the shortest, 6 steps: no-oversell breaks at step 6")
		p.must("  1  ├")
		if p.depth() != 0 || !p.m.lesson.watch {
			t.Errorf("%v: it stands at step %d", size, p.depth())
		}
		p.press("end")
		p.must("▶ 6✗")
	}
}

// Where the narration has little room, it says less, and cuts no sentence.
func TestNarrationCutsNothing(t *testing.T) {
	for _, lang := range []lessons.Lang{lessons.EN, lessons.ZH} {
		p := lesson(t, 60, 16)
		p.m.setLang(lang)
		p.press("a", "b", "a", "b", "a", "b")
		for range 6 {
			rows := strings.Split(p.text(), "\n")
			for _, row := range rows[11:14] { // the narration
				if strings.Contains(row, "↓") || strings.Contains(row, "…") {
					t.Errorf("%v: %q is cut:\n%s", lang, row, p.text())
				}
			}
			p.press("left")
		}
	}
}

// What a crash has broken is not said to have no reason.
func TestFaultIsBlamed(t *testing.T) {
	o := english()
	o.Lesson, o.Variant = "setnx", "no-ttl"
	p := play(t, o, 80, 24)
	p.command(":set crashes=1")
	p.press("a", "x", "1")
	p.must("but the fault itself: node n1")
	p.press("L")
	p.must("是故障本身造成的：节点 n1 宕机")
}

// One that hangs does not seem to be asleep.
func TestHung(t *testing.T) {
	o := english()
	o.Lesson, o.Variant = "watchdog", "hung-worker"
	p := play(t, o, 80, 24)
	p.press("a")
	p.must("▒ hangs")
	p.mustNot("1h")
	p.press("a")
	p.must("A cannot step: hangs")
	p.press("L")
	p.must("▒ 卡住了")
}

// While a pane is zoomed, the way out is out of the zoom.
func TestFootWhileZoomed(t *testing.T) {
	p := lesson(t, 120, 40)
	p.must("q map")
	p.press("z")
	p.must("esc unzoom")
	p.mustNot("q map")
	p.mustNot("z zoom")
	p.press("esc")
	p.must("q map")
}

func TestASCIIOnly(t *testing.T) {
	o := english()
	o.ASCII = true
	p := play(t, o, 120, 40)
	p.press("down", "enter")
	p.settle()
	p.must("L zh")
	for _, r := range p.m.View() {
		if r > 0x7e {
			t.Fatalf("%q in\n%s", r, p.m.View())
		}
	}
}

// The mistakes of whoever types are told in the language of the screen.
func TestMistakesInChinese(t *testing.T) {
	p := lesson(t, 120, 40)
	p.press("L")
	for text, want := range map[string]string{
		":set buyers=99": "要填 1 到", ":set colour=1": "没有参数", ":set buyers": "不是参数",
		":variant gaurded": "是不是 guarded", ":staged nothing": "没有预设演示", ":lesson zzzzzzzz": "没有课程",
		":token nonsense": "有损坏",
	} {
		p.command(text)
		p.must(want)
	}
}
