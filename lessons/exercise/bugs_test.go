package exercise_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"flashlab/lessons"
	_ "flashlab/lessons/all"
	"flashlab/lessons/exercise"
	"flashlab/lessons/lessontest"
)

// The room on a screen of 80 columns.
const (
	taskLines   = 4
	taskColumns = 76
	optionCells = 70
	codeColumns = 80
	fewestBugs  = 15
)

// TestBugs looks at every exercise in which code is read first: that it has all its
// parts, and that they fit. What they claim is proved by TestEveryExercise.
func TestBugs(t *testing.T) {
	total, questions, exercises := 0, map[string]bool{}, map[string]bool{}
	for _, l := range lessons.All() {
		n := 0
		for i := range l.Exercises {
			x := &l.Exercises[i]
			if exercises[x.Name] {
				t.Errorf("there are two exercises %s", x.Name)
			}
			exercises[x.Name] = true
			if x.Kind != lessons.FindBug {
				continue
			}
			n++
			t.Run(x.Name, func(t *testing.T) {
				if x.Ask == nil || x.Break == nil || x.Fix == nil || x.Code == nil {
					t.Fatal("a bug is read, asked for, shown and mended: a part is missing")
				}
				if questions[x.Ask.Name] {
					t.Errorf("there are two questions %s", x.Ask.Name)
				}
				questions[x.Ask.Name] = true
				bugTexts(t, x)
				bugCode(t, l, x)
				bugMends(t, l, x)
			})
		}
		if l.Number > 0 && n == 0 {
			t.Errorf("lesson %s has no bug to find", l.Name)
		}
		total += n
	}
	if total < fewestBugs {
		t.Errorf("there are %d bugs to find, fewer than %d", total, fewestBugs)
	}
}

func bugTexts(t *testing.T, x *lessons.Exercise) {
	lessontest.Short(t, "title", x.Title, 0, 44, 22)
	lessontest.Both(t, "task", x.Task)
	for _, lang := range []lessons.Lang{lessons.EN, lessons.ZH} {
		if n := lines(x.Task.In(lang)); n > taskLines {
			t.Errorf("the task takes %d lines, more than %d: %s", n, taskLines, x.Task.In(lang))
		}
	}
	if len(x.Hints) != 2 {
		t.Errorf("%d hints, not 2: a nudge, and where to look", len(x.Hints))
	}
	for _, h := range x.Hints {
		lessontest.Short(t, "hint", h, 3, 150, 75)
	}
	lessontest.Short(t, "question", x.Ask.Ask, 3, 120, 60)
	if len(x.Ask.Options) != 3 {
		t.Errorf("%d answers, not 3", len(x.Ask.Options))
	}
	for _, o := range x.Ask.Options {
		lessontest.Short(t, "answer", o.Text, 0, optionCells, optionCells/2)
	}
	lessontest.Short(t, "because", x.Ask.Because, 4, 240, 120)
	lessontest.Short(t, "learned", x.Learned, 4, 240, 120)
}

// lines is how many lines a text takes, words kept whole where there are words.
func lines(text string) int {
	n, at := 1, 0
	for _, word := range words(text) {
		w := width(word)
		if at+w > taskColumns {
			n, at = n+1, 0
			if word == " " {
				continue
			}
		}
		at += w
	}
	return n
}

// words cuts a text where a line may end: at spaces, and around Chinese characters.
func words(text string) []string {
	var out []string
	start := 0
	for i, r := range text {
		if r == ' ' || r >= 0x2E80 {
			if start < i {
				out = append(out, text[start:i])
			}
			end := i + utf8.RuneLen(r)
			out = append(out, text[i:end])
			start = end
		}
	}
	return append(out, text[start:])
}

// width counts cells: two for Chinese characters and their punctuation.
func width(s string) int {
	n := 0
	for _, r := range s {
		if n++; r >= 0x2E80 {
			n++
		}
	}
	return n
}

// bugCode reads the code as a learner does.
func bugCode(t *testing.T, l *lessons.Lesson, x *lessons.Exercise) {
	code := strings.Split(strings.TrimSuffix(x.Code.Text, "\n"), "\n")
	if x.Code.Text == "" {
		var err error
		if code, err = l.FuncSource(x.Code.File, x.Code.Func); err != nil {
			t.Error(err)
		}
	}
	if len(code) < 5 || len(code) > 45 {
		t.Errorf("%d lines of code", len(code))
	}
	for i, line := range code {
		if w := width(strings.ReplaceAll(line, "\t", "        ")); w > codeColumns {
			t.Errorf("line %d of the code is %d columns wide", i+1, w)
		}
	}
	if !slices.Contains([]string{"go", "lua", "sql"}, x.Code.Language) {
		t.Errorf("the code is in %q", x.Code.Language)
	}
}

// bugMends looks at the mends: each is a variant, and the code as it is is one of
// them.
func bugMends(t *testing.T, l *lessons.Lesson, x *lessons.Exercise) {
	f := x.Fix
	if f.Form != lessons.Pick {
		t.Errorf("the mend is of the form %s", f.Form)
	}
	if len(f.Options) < 3 {
		t.Errorf("%d mends", len(f.Options))
	}
	for _, o := range f.Options {
		lessontest.Short(t, "mend", o.Text, 0, optionCells, optionCells/2)
		if _, err := lessons.Scene(l, o.Variant, o.Sets); err != nil {
			t.Error(err)
		}
		if o.Name == f.Shipped && (o.Variant != x.Break.Variant || o.Sets != x.Break.Sets) {
			t.Errorf("%s leaves the code as it is, but runs %s", o.Name, o.Variant)
		}
		for _, line := range strings.Split(o.Code, "\n") {
			if width(line) > taskColumns {
				t.Errorf("the code of %s is wider than %d: %s", o.Name, taskColumns, line)
			}
		}
	}
	for _, name := range []string{f.Shipped, f.Solution, f.Naive} {
		if _, err := exercise.BenchOf(l, x, name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if f.Shipped == f.Naive {
		t.Errorf("%s is what is there, and no mend", f.Naive)
	}
}
