package lessontest

import (
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"flashlab/lessons"
)

// Texts checks every text of a lesson: there in both languages, Chinese set as
// Chinese is, and no longer than the room it has on a projector.
func Texts(t testing.TB, l *lessons.Lesson) {
	t.Helper()
	Short(t, "title", l.Title, 0, 40, 20)
	Short(t, "promise", l.Promise, 1, 80, 40)
	Short(t, "intro", l.Intro, 3, 280, 140)
	for _, v := range all(l) {
		variantTexts(t, v)
	}
	for _, st := range l.Staged {
		Short(t, st.Name+" title", st.Title, 0, 44, 22)
		Short(t, st.Name+" story", st.Story, 5, 280, 140)
	}
	seen := map[string]bool{}
	for _, c := range l.Cards {
		if seen[c.Name] || c.Name == "" {
			t.Errorf("the card name %q is no name", c.Name)
		}
		seen[c.Name] = true
		Short(t, c.Name+" title", c.Title, 0, 44, 24)
		Short(t, c.Name+" body", c.Body, 0, 1000, 500)
		if en, zh := strings.Count(c.Body.EN, "\n"), strings.Count(c.Body.ZH, "\n"); en != zh {
			t.Errorf("%s: %d paragraphs in English, %d in Chinese", c.Name, en+1, zh+1)
		}
	}
}

func variantTexts(t testing.TB, v *lessons.Variant) {
	t.Helper()
	Short(t, v.Name+" title", v.Title, 0, 44, 22)
	Short(t, v.Name+" summary", v.Summary, 2, 165, 80)
	Short(t, v.Name+" moral", v.Moral, 3, 270, 120)
	for _, s := range v.Steps {
		Short(t, v.Name+" "+s.Go, s.Say, 2, 110, 60)
		if !strings.Contains(s.Say.EN, "{actor}") || !strings.Contains(s.Say.ZH, "{actor}") {
			t.Errorf("%s: nobody does %q", v.Name, s.Say.EN)
		}
		if strings.Contains(s.Say.EN, "{reply}") != strings.Contains(s.Say.ZH, "{reply}") {
			t.Errorf("%s: only one language tells the reply of %q", v.Name, s.Go)
		}
	}
}

// Short checks a text against the room it has: at most so many sentences (0: any
// number) and characters in English and in Chinese.
func Short(t testing.TB, what string, x lessons.Text, most, en, zh int) {
	t.Helper()
	Both(t, what, x)
	for _, l := range []struct {
		text string
		room int
	}{{x.EN, en}, {x.ZH, zh}} {
		if n := sentences(l.text); most > 0 && n > most {
			t.Errorf("%s: %d sentences, more than %d: %s", what, n, most, l.text)
		}
		if n := utf8.RuneCountInString(l.text); n > l.room {
			t.Errorf("%s: %d characters, more than %d: %s", what, n, l.room, l.text)
		}
	}
}

// Both checks that a text is there in both languages and written as it should be.
func Both(t testing.TB, what string, x lessons.Text) {
	t.Helper()
	if strings.TrimSpace(x.EN) == "" || strings.TrimSpace(x.ZH) == "" {
		t.Errorf("%s: a language is missing: %q, %q", what, x.EN, x.ZH)
		return
	}
	for _, problem := range chinese(x.ZH) {
		t.Errorf("%s: %s: %s", what, problem, x.ZH)
	}
	for _, r := range x.EN {
		if r > 0x7E {
			t.Errorf("%s: %q in the English text: %s", what, r, x.EN)
			break
		}
	}
}

// chinese lists what is wrong with a Chinese text: no Han character, half-width
// punctuation after one, or signs whose width terminals do not agree on.
func chinese(s string) []string {
	var out []string
	han, prev := false, rune(0)
	for _, r := range s {
		switch {
		case strings.ContainsRune(",.;:!?()", r) && unicode.Is(unicode.Han, prev):
			out = append(out, fmt.Sprintf("half-width %q after %q", r, prev))
		case strings.ContainsRune("“”‘’…—·×", r):
			out = append(out, fmt.Sprintf("%q is one cell wide here and two there", r))
		}
		han = han || unicode.Is(unicode.Han, r)
		prev = r
	}
	if !han {
		out = append(out, "no Chinese in it")
	}
	return out
}

// sentences counts what ends like a sentence, in either language.
func sentences(s string) int {
	n := strings.Count(s, "。") + strings.Count(s, "？") + strings.Count(s, "！")
	// An ellipsis in a statement is no end.
	s = strings.ReplaceAll(s, "...", "")
	for i := range s {
		if strings.ContainsRune(".?!", rune(s[i])) && (i+1 == len(s) || s[i+1] == ' ' || s[i+1] == '\n') {
			n++
		}
	}
	return n
}
