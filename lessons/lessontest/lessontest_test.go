package lessontest

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"flashlab/lessons"
	"flashlab/sim/scenario"
	"flashlab/sim/world"
)

// recorder collects what a check reports.
type recorder struct {
	testing.TB
	errors []string
}

func (r *recorder) Helper()                           {}
func (r *recorder) Error(args ...any)                 { r.errors = append(r.errors, fmt.Sprint(args...)) }
func (r *recorder) Errorf(format string, args ...any) { r.Error(fmt.Sprintf(format, args...)) }

// found runs a check and returns what it reports.
func found(check func(testing.TB)) string {
	r := &recorder{}
	check(r)
	return strings.Join(r.errors, "\n")
}

func small() *lessons.Lesson {
	text := lessons.Text{EN: "Short.", ZH: "短。"}
	return &lessons.Lesson{
		Name: "small", Title: text, Promise: text, Intro: text,
		Source: fstest.MapFS{"buy.go": {Data: []byte("package small\n\nfunc (s *Shop) Buy(\n) {\n\tdb.Exec(`UPDATE`)\n}\n")}},
		Java:   fstest.MapFS{"Buy.java": {Data: []byte("class Buy {\n  update();\n}\n")}},
		Variants: []lessons.Variant{{
			Name: "buy", Title: text, Summary: text, Moral: text,
			File: "buy.go", Func: "(*Shop).Buy", JavaFile: "Buy.java",
			Steps: []lessons.Step{{
				Go: "`UPDATE`", Java: "update()",
				Say: lessons.Text{EN: "{actor} updates: {reply}.", ZH: "{actor} 更新：{reply}。"},
			}},
		}},
		Cards: []lessons.Card{{Name: "card", Title: text, Body: text}},
	}
}

func TestTexts(t *testing.T) {
	if s := found(func(t testing.TB) { Texts(t, small()) }); s != "" {
		t.Errorf("a good lesson: %s", s)
	}
	for _, c := range []struct {
		what, want string
		spoil      func(l *lessons.Lesson)
	}{
		{"no Chinese", "a language is missing", func(l *lessons.Lesson) { l.Title.ZH = "" }},
		{"English for Chinese", "no Chinese in it", func(l *lessons.Lesson) { l.Title.ZH = "Oversell" }},
		{"half-width comma", "half-width ','", func(l *lessons.Lesson) { l.Intro.ZH = "查库存,再改" }},
		{"uneven width", "one cell wide here", func(l *lessons.Lesson) { l.Intro.ZH = "查库存…" }},
		{"a dash", "in the English text", func(l *lessons.Lesson) { l.Intro.EN = "Read – write" }},
		{"two sentences", "2 sentences, more than 1", func(l *lessons.Lesson) { l.Promise.EN = "One. Two." }},
		{"too long", "characters, more than 40", func(l *lessons.Lesson) { l.Title.EN = strings.Repeat("long ", 9) }},
		{"nobody", "nobody does", func(l *lessons.Lesson) { l.Variants[0].Steps[0].Say.ZH = "更新：{reply}。" }},
		{"reply", "only one language tells the reply", func(l *lessons.Lesson) { l.Variants[0].Steps[0].Say.EN = "{actor} updates." }},
		{"card twice", "is no name", func(l *lessons.Lesson) { l.Cards = append(l.Cards, l.Cards[0]) }},
		{"paragraphs", "2 paragraphs in English, 1 in Chinese", func(l *lessons.Lesson) { l.Cards[0].Body.EN = "One.\nTwo." }},
	} {
		l := small()
		c.spoil(l)
		if s := found(func(t testing.TB) { Texts(t, l) }); !strings.Contains(s, c.want) {
			t.Errorf("%s: reports %q, want %q", c.what, s, c.want)
		}
	}
}

func TestSource(t *testing.T) {
	checks := func(l *lessons.Lesson) string {
		return found(func(t testing.TB) { Fit(t, l); Steps(t, l) })
	}
	if s := checks(small()); s != "" {
		t.Errorf("a good lesson: %s", s)
	}
	extra := small()
	extra.Extra = []lessons.Variant{extra.Variants[0]}
	extra.Extra[0].JavaFile = ""
	if s := checks(extra); s != "" {
		t.Errorf("an extra variant without a twin: %s", s)
	}
	for _, c := range []struct {
		what, want string
		spoil      func(l *lessons.Lesson)
	}{
		{"no Go file", "buy2.go", func(l *lessons.Lesson) { l.Variants[0].File = "buy2.go" }},
		{"no twin", "Buy2.java", func(l *lessons.Lesson) { l.Variants[0].JavaFile = "Buy2.java" }},
		{"no function", "there is no (*Shop).Bu in", func(l *lessons.Lesson) { l.Variants[0].Func = "(*Shop).Bu" }},
		{"other receiver", "there is no (*Sho).Buy in", func(l *lessons.Lesson) { l.Variants[0].Func = "(*Sho).Buy" }},
		{"no steps", "has no steps", func(l *lessons.Lesson) { l.Variants[0].Steps = nil }},
		{"two lines", `"db" stands on 2 lines`, func(l *lessons.Lesson) {
			l.Variants[0].Steps[0].Go = "db"
			l.Source = fstest.MapFS{"buy.go": {Data: []byte("func (s *Shop) Buy(\ndb\ndb\n")}}
		}},
		{"no line in Java", `"save()" stands on 0 lines`, func(l *lessons.Lesson) { l.Variants[0].Steps[0].Java = "save()" }},
		{"long", "has 41 lines", func(l *lessons.Lesson) {
			l.Java = fstest.MapFS{"Buy.java": {Data: []byte("update()" + strings.Repeat("\n", 41))}}
		}},
		{"no file of an extra", "more.go", func(l *lessons.Lesson) {
			l.Extra = []lessons.Variant{l.Variants[0]}
			l.Extra[0].File = "more.go"
		}},
		{"a twin of an extra is checked", "Buy2.java", func(l *lessons.Lesson) {
			l.Extra = []lessons.Variant{l.Variants[0]}
			l.Extra[0].JavaFile = "Buy2.java"
		}},
		{"wide", "buy.go:2 is 81 columns wide", func(l *lessons.Lesson) {
			l.Source = fstest.MapFS{"buy.go": {Data: []byte("func (s *Shop) Buy(`UPDATE`\n\t" + strings.Repeat("x", 73) + "\n")}}
		}},
	} {
		l := small()
		c.spoil(l)
		if s := checks(l); !strings.Contains(s, c.want) {
			t.Errorf("%s: reports %q, want %q", c.what, s, c.want)
		}
	}
}

func TestSentences(t *testing.T) {
	for s, want := range map[string]int{
		"One. Two? Three!":            3,
		"A BEGIN ... COMMIT is one.":  1,
		"Version 1.2 is one":          0,
		"查库存。判断？写！":                   3,
		"UPDATE ... WHERE stock > 0。": 1,
	} {
		if n := sentences(s); n != want {
			t.Errorf("%q has %d sentences, want %d", s, n, want)
		}
	}
}

// TestVerdicts: a light that breaks although it is declared to hold, one that is
// not declared and missing database lights are reported.
func TestVerdicts(t *testing.T) {
	l := small()
	l.Variants[0].Lights = []lessons.LightVerdict{{Light: "dark", Verdict: scenario.Holds}, {Light: "gone", Verdict: scenario.Holds}}
	l.Variants[0].Scenario = func(p scenario.Params) *scenario.Scenario {
		never := func(*scenario.View) (bool, error) { return false, nil }
		return &scenario.Scenario{
			Lesson: "small", Variant: "buy", Params: p,
			Actors: func(*world.World) []scenario.Actor { return nil },
			Lights: []scenario.Light{{Name: "dark", Check: never}, {Name: "other", Check: never}},
		}
	}
	s := found(func(t testing.TB) { Verdicts(t, l) })
	for _, want := range []string{"dark is declared as holds, it breaks", "does not declare other", "does not show conservation"} {
		if !strings.Contains(s, want) {
			t.Errorf("reports %q, want %q", s, want)
		}
	}
	s = found(func(t testing.TB) { Counts(t, l, "buy - 1 dark 1 0 (1) 0\nbuy - 2 dark 0\nbuy - 1") })
	for _, want := range []string{"want 2 dark 0", "has 3 columns"} {
		if !strings.Contains(s, want) {
			t.Errorf("reports %q, want %q", s, want)
		}
	}
}
