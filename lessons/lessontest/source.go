package lessontest

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"flashlab/lessons"
)

// What fits a projector without scrolling, with tabs of eight columns.
const (
	screenLines   = 40
	screenColumns = 80
)

// Fit checks that the code of every variant and its twin fit the screen and that
// the function that actors run is there.
func Fit(t testing.TB, l *lessons.Lesson) {
	t.Helper()
	seen := map[string]bool{}
	for _, v := range all(l) {
		g, err := l.GoSource(v.File)
		if err != nil {
			t.Error(err)
			continue
		}
		j, _, err := twin(l, v)
		if err != nil {
			t.Error(err)
			continue
		}
		for file, lines := range map[string][]string{v.File: g, v.JavaFile: j} {
			if !seen[file] {
				fits(t, file, lines)
			}
			seen[file] = true
		}
		for _, name := range strings.Fields(v.Func) {
			if !declaration(name).MatchString(strings.Join(g, "\n")) {
				t.Errorf("%s: there is no %s in %s", v.Name, name, v.File)
			}
		}
	}
}

func fits(t testing.TB, file string, lines []string) {
	t.Helper()
	if len(lines) > screenLines {
		t.Errorf("%s has %d lines, more than %d", file, len(lines), screenLines)
	}
	for n, line := range lines {
		if w := utf8.RuneCountInString(strings.ReplaceAll(line, "\t", "        ")); w > screenColumns {
			t.Errorf("%s:%d is %d columns wide", file, n+1, w)
		}
	}
}

// declaration matches the declaration of a function named as in a trace, such as
// "(*Shop).Buy" or "Buy".
func declaration(name string) *regexp.Regexp {
	receiver := ""
	if typ, method, ok := strings.Cut(name, ")."); ok {
		receiver, name = `\(\w+ `+regexp.QuoteMeta(strings.TrimPrefix(typ, "("))+`\) `, method
	}
	return regexp.MustCompile(`(?m)^func ` + receiver + regexp.QuoteMeta(name) + `\(`)
}

// Steps checks that each step stands on one line of the Go file and on one of the
// Java file.
func Steps(t testing.TB, l *lessons.Lesson) {
	t.Helper()
	for _, v := range all(l) {
		g, err := l.GoSource(v.File)
		if err != nil {
			t.Error(err)
			continue
		}
		j, java, err := twin(l, v)
		if err != nil {
			t.Error(err)
			continue
		}
		if len(v.Steps) == 0 {
			t.Errorf("%s has no steps", v.Name)
		}
		for k := range v.Steps {
			s := &v.Steps[k]
			if n := matches(g, s.Go); n != 1 {
				t.Errorf("%s: %q stands on %d lines of %s", v.Name, s.Go, n, v.File)
			}
			if n := matches(j, s.Java); java && n != 1 {
				t.Errorf("%s: %q stands on %d lines of %s", v.Name, s.Java, n, v.JavaFile)
			}
			line, ok := v.GoLine(l, s)
			if at, found := v.StepAt(l, v.File, line); !ok || !found || at != s {
				t.Errorf("%s: line %d is not that of %q", v.Name, line, s.Go)
			}
		}
	}
}

// matches counts the lines that contain part.
func matches(lines []string, part string) int {
	n := 0
	for _, line := range lines {
		if part != "" && strings.Contains(line, part) {
			n++
		}
	}
	return n
}
