package e2e

import (
	"strings"
	"testing"
)

// TestMisdeletion is the moment of lesson four, in Chinese on a projector's screen: A's
// lease runs out before the learner's eyes, B takes the lock, and A deletes it.
func TestMisdeletion(t *testing.T) {
	x := lab(t, 80, 24, "--lang zh --lesson misdeletion --variant delete-blind")
	x.wait("下一步谁走")
	x.press("a")
	if s := x.wait("步骤 1"); !strings.Contains(s, "█") {
		t.Errorf("A's lease has no bar:\n%s", s)
	}
	x.press("!")
	x.wait("租期到点：lock:order:7")
	if s := x.wait("✗ 已消失"); !strings.Contains(s, "A?") {
		t.Errorf("the screen does not say that A still believes in its lock:\n%s", s)
	}
	x.press("b")
	x.wait("mutual-exclusion 在第 3 步被打破")
	x.press("a", "a")
	x.wait("✗ no-misdeletion 在第 5 步被打破")
	x.press("W")
	x.wait("为什么会出错？")
	x.press("Escape", "q", "q")
	x.ended(0)
}
