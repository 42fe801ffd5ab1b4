package app

import (
	"fmt"
	"strings"
	"testing"

	"flashlab/cmd/flashlab/internal/canvas"
	"flashlab/lessons"
)

// TestPages compares the pages of the learning loop with what they are to look like.
func TestPages(t *testing.T) {
	for _, size := range [][2]int{{60, 16}, {80, 24}, {120, 40}} {
		for _, lang := range []lessons.Lang{lessons.EN, lessons.ZH} {
			name := fmt.Sprintf("pages-%dx%d-%s", size[0], size[1], lang)
			t.Run(name, func(t *testing.T) {
				o := learner(t, lang)
				o.Answers = "" // whose path differs from test to test
				p := play(t, o, size[0], size[1])
				w := p.m.words.Learn
				var text strings.Builder
				shot := func(what string) {
					p.settle()
					p.m.paint()
					fmt.Fprintf(&text, "%s:\n%s\n", what, p.m.canvas.Trimmed(canvas.Unicode))
				}
				p.press("enter")
				shot("promise")
				p.press("enter")
				shot("predict")
				p.press("a")
				shot("predict, how sure")
				p.press("c")
				p.settle()
				p.press("c", "b")
				shot("predict, kept")
				p.press("a")
				shot("run")
				p.press("G")
				shot("run, to its end")
				p.press("}")
				shot("break")
				p.press("a", "i")
				shot("break, with a hint")
				p.press("q", "}")
				shot("explain")
				p.press("}", "a", "a", "ctrl+u")
				p.typed("stock >= 0")
				p.press("enter")
				shot("fix, not yet")
				p.press("q", "c")
				shot("find the bug")
				p.press("G")
				shot("find the bug, to its end")
				p.press("q", "}")
				p.option(w.ProveAll)
				shot("prove")
				p.press("}")
				shot("again")
				p.press("}")
				shot("recall")
				p.press("q", "p")
				shot("progress")
				p.press("q", "e")
				shot("exercises")
				golden(t, name+".txt", text.String())
			})
		}
	}
}
