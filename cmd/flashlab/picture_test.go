package main

import (
	"context"
	"strings"
	"testing"

	"flashlab/cmd/flashlab/internal/canvas"
	"flashlab/cmd/flashlab/internal/i18n"
	"flashlab/cmd/flashlab/internal/keymap"
	"flashlab/cmd/flashlab/internal/pane"
	"flashlab/cmd/flashlab/internal/screen"
	"flashlab/lessons"
	"flashlab/sim/explore"
	"flashlab/sim/history"
)

const pictures = top + "/assets/pictures/"

// The pictures of the README are what the program shows today.
func TestPictures(t *testing.T) {
	for name, args := range map[string][]string{
		"oversell.svg":    {"--lang", "en"},
		"oversell-zh.svg": {"--lang", "zh"},
	} {
		r := flashlab(t, append([]string{"run", "oversell", "--staged", "both-read-one", "--format", "svg"}, args...)...)
		r.wants(t, exitBreaks)
		wellFormed(t, r.out)
		golden(t, pictures+name, r.out)
	}
	for name, lang := range map[string]lessons.Lang{"prove.svg": lessons.EN, "prove-zh.svg": lessons.ZH} {
		svg := proofPicture(t, lang)
		wellFormed(t, svg)
		golden(t, pictures+name, svg)
	}
}

// proofPicture is the screen of a finished search: lost-update with three buyers.
func proofPicture(t *testing.T, lang lessons.Lang) string {
	t.Helper()
	choose := choice{variant: "lost-update", sets: []string{"buyers=3"}}
	l, v, s, err := choose.resolve("oversell")
	if err != nil {
		t.Fatal(err)
	}
	p, err := prove(context.Background(), s, explore.Limits{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	p.res.Elapsed = 0 // the only thing that would differ next time
	x, err := history.Open(s)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	stage := newPicture(x, l, v, "", lang).stage
	out := &pane.Prove{
		Lang: lang, Words: i18n.For(lang), Result: p.res, Focus: pane.PaneVerdicts,
		Token: p.token(p.res.Lights[0].Schedule),
	}
	for _, light := range s.Lights {
		out.Lights = append(out.Lights, light.Name)
	}
	if err := x.Load(p.res.Lights[0].Schedule); err != nil {
		t.Fatal(err)
	}
	out.Path, out.RunOut = stage.Frames(), x.Cursor().RunOut
	c := canvas.New(pictureW, pictureH)
	(&screen.Prove{
		Pane: out, Words: stage.Words, Lang: lang, Left: stage.Title(),
		Right: []string{stage.Words.App.Proving, screen.LangLabel(lang)}, Foot: screen.Foot{Mode: keymap.Prove},
	}).Paint(c)
	var b strings.Builder
	if err := drawSVG(&b, c, "flashlab · "+stage.Title()); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Every picture that a document shows is there, and none lies about unused.
func TestPicturesAreUsed(t *testing.T) {
	tr := treeOf(t)
	shown := ""
	for name := range tr.texts {
		if strings.HasSuffix(name, ".md") {
			shown += slurp(t, name)
		}
	}
	for _, name := range []string{"oversell.svg", "oversell-zh.svg", "prove.svg", "prove-zh.svg"} {
		if !strings.Contains(shown, "pictures/"+name) {
			t.Errorf("no document shows %s", name)
		}
	}
}
