package e2e

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestKilledWhileLearning kills the program in the middle of an exercise: no answer
// that was given is lost, and the next start goes on where it was.
func TestKilledWhileLearning(t *testing.T) {
	x := lab(t, 80, 24, "")
	x.wait("lesson map")
	x.press("Enter")
	x.wait("There are never more orders than units on sale.")
	x.press("Enter")
	x.wait("Is more sold than there is?")
	x.press("a")
	x.wait("How sure are you?")
	x.press("c")
	x.wait("What can happen?")
	if err := syscall.Kill(x.child(), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	x = again(t, x, "")
	x.wait("lesson map")
	x.press("Enter")
	x.wait("What can happen?") // the question that was open
	x.press("c")
	x.wait("How sure are you?")
	x.press("b")
	x.wait("answer again")
	if s := x.screen(); !strings.Contains(s, "Never: SQLite lets one writer in at a time (sure)") {
		t.Errorf("the answer from before is lost:\n%s", s)
	}
	x.press("}", "}", "a", "a")
	x.wait("Task: Sell the last unit twice")
	x.press("b", "a", "b", "b")
	x.wait("step 4")
	if err := syscall.Kill(x.child(), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	x = again(t, x, " progress")
	x.wait("oversell")
}

// again starts the program in a new terminal of the same learner: the one that it
// was killed in is left as it was, raw and without a cursor.
func again(t *testing.T, x *terminal, args string) *terminal {
	t.Helper()
	y := sit(t, 80, 24, "XDG_STATE_HOME="+filepath.Join(x.home, ".local", "state"))
	y.line("clear; stty -a >before; " + binary(t) + args)
	return y
}

// TestFirstLessonByHand is the first lesson, every beat of it, typed into a real
// terminal: in Chinese on a projector's screen, in English on a wide one.
func TestFirstLessonByHand(t *testing.T) {
	for _, tt := range []struct {
		w, h int
		lang string
		say  []string // what is waited for, beat by beat
	}{
		{80, 24, "zh", []string{"卖出的订单数永远不超过库存", "看谁先谁后", "有多大把握", "还是可能卖给两个人", "有多大把握", "记下了", "20 次", "破坏它", "由你来安排", "题目：", "没有更短的", "说说为什么", "为什么两个人都能买到", "用自己的话写一句", "你写的：", "修好它", "填空", "通过", "全部证明", "guarded", "换一个条件", "看答案", "记得怎么样"}},
		{120, 40, "en", []string{"never more orders than units on sale", "Is more sold", "How sure", "What can happen", "How sure", "Kept.", "of 20 random", "Break it", "be the scheduler", "Task:", "nothing shorter exists", "explain it", "Why could both", "in one line of your own", "You: ", "Mend it", "fill the gap", "Passed", "prove them all", "guarded", "Turn one dial", "show the answer", "How well"}},
	} {
		t.Run(tt.lang, func(t *testing.T) {
			x := lab(t, tt.w, tt.h, "--lang "+tt.lang)
			n := 0
			next := func(keys ...string) {
				x.press(keys...)
				x.wait(tt.say[n])
				n++
			}
			x.wait(map[string]string{"zh": "课程地图", "en": "lesson map"}[tt.lang])
			next("Enter")                      // promise
			next("Enter")                      // predict
			next("b")                          // an answer,
			next("b")                          // and how sure; the next question
			next("c")                          //
			next("c")                          // kept
			next("a")                          // run
			next("}")                          // break
			next("a")                          // the task
			next("a")                          // the stage
			next("a", "b", "a", "a", "b", "b") // sold twice
			next("Escape", "q")                // the page again
			next("c")                          // explain
			next("a")                          // the cause
			x.press("a")
			x.wait(">")
			x.typed("both had read 1")
			next("Enter") // in one's own words
			next("}")     // fix
			next("a")     // the gap
			x.press("a")
			x.wait(">")
			x.typed("stock > 0")
			next("Enter")
			next("}") // prove
			next("a")
			x.until("every variant proved", func(s string) bool { return strings.Contains(s, "ignored-rowcount      ✗") })
			next("}") // again
			next("}") // recall
			next("a")
			x.press("c", "q", "q")
			x.ended(0)
		})
	}
}
