package app

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"flashlab/cmd/flashlab/internal/canvas"
	"flashlab/lessons"
	"flashlab/sim/explore"
)

// updating reports whether -update asks for golden files to be rewritten. The flag
// itself comes with teatest.
func updating() bool { return flag.Lookup("update").Value.String() == "true" }

// golden compares got with testdata/name, or writes that file under -update.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if updating() {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (run the tests with -update to write it)", err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("%s differs (-want +got):\n%s", file, diff)
	}
}

// TestScreens draws what a newcomer meets, in the order of the first ten minutes:
// first all screens as text, then their styles as letters.
func TestScreens(t *testing.T) {
	for _, size := range [][2]int{{60, 16}, {80, 24}, {120, 40}, {200, 60}} {
		for _, lang := range []lessons.Lang{lessons.EN, lessons.ZH} {
			name := fmt.Sprintf("%dx%d-%s", size[0], size[1], lang)
			t.Run(name, func(t *testing.T) {
				o := english()
				o.Lang = lang
				p := play(t, o, size[0], size[1])
				var text, styles strings.Builder
				shot := func(what string) {
					if v := p.m.prove; v != nil { // no two runs take equally long
						v.box.put(explore.Progress{})
						v.result.Elapsed = 0
						p.m.paint()
					}
					fmt.Fprintf(&text, "%s:\n%s\n", what, p.m.canvas.Trimmed(canvas.Unicode))
					fmt.Fprintf(&styles, "%s:\n%s\n", what, p.m.canvas.StyleMap())
				}
				shot("home")
				p.press("down", "enter")
				p.settle()
				shot("lesson, start")
				p.press("a", "b", "a")
				shot("lesson, before the oversell")
				p.press("b", "a", "b")
				shot("lesson, oversell")
				p.press("left", "left", "left", "left")
				shot("lesson, gone back but not far enough")
				p.press("W", "?")
				shot("lesson, help")
				p.press("esc", "P")
				p.settle()
				shot("prove")
				p.press("enter")
				shot("counterexample")
				p.press("end", "W")
				shot("why")
				golden(t, name+".txt", text.String()+styles.String())
			})
		}
	}
}
