package exercise_test

import (
	"context"
	"testing"

	"flashlab/lessons"
	"flashlab/lessons/exercise"
)

// TestMainLine: every lesson of the main line has something to predict, to break, to
// mend and to remember, and every exercise has its hints, in both languages.
func TestMainLine(t *testing.T) {
	e := lessons.NewEvidence(context.Background())
	said := func(what string, x lessons.Text) {
		t.Helper()
		if x.EN == "" || x.ZH == "" {
			t.Errorf("%s is not there in both languages: %q, %q", what, x.EN, x.ZH)
		}
	}
	names := map[string]bool{}
	once := func(name string) {
		t.Helper()
		if name == "" || names[name] {
			t.Errorf("the name %q is missing or stands twice", name)
		}
		names[name] = true
	}
	for _, l := range lessons.All() {
		kinds := map[lessons.ExerciseKind]int{}
		for i := range l.Predict {
			q := &l.Predict[i]
			once(q.Name)
			asked(t, q)
		}
		for i := range l.Exercises {
			x := &l.Exercises[i]
			once(x.Name)
			kinds[x.Kind]++
			said(x.Name+": title", x.Title)
			said(x.Name+": task", x.Task)
			said(x.Name+": what is learned", x.Learned)
			for _, q := range []*lessons.Question{x.Ask, x.Cause} {
				if q != nil {
					once(q.Name)
					asked(t, q)
				}
			}
			for n := 1; n <= exercise.MaxHints; n++ {
				h, err := exercise.Hint(context.Background(), e, l, x, n)
				if err != nil {
					t.Errorf("%s: hint %d: %v", x.Name, n, err)
				}
				said(x.Name+": hint", h)
			}
		}
		for i := range l.Recall {
			once(l.Recall[i].Name)
			said(l.Recall[i].Name, l.Recall[i].Front)
			said(l.Recall[i].Name, l.Recall[i].Back)
		}
		if l.Number == 0 {
			continue
		}
		if len(l.Predict) < 2 || len(l.Recall) < 2 || kinds[lessons.BreakIt] == 0 || kinds[lessons.FixIt] == 0 || kinds[lessons.FindBug] == 0 {
			t.Errorf("%s has %d predictions, %d cards, exercises by kind %v", l.Name, len(l.Predict), len(l.Recall), kinds)
		}
	}
}

func asked(t *testing.T, q *lessons.Question) {
	t.Helper()
	texts := []lessons.Text{q.Ask, q.Because}
	for _, o := range q.Options {
		texts = append(texts, o.Text)
	}
	for _, x := range texts {
		if x.EN == "" || x.ZH == "" {
			t.Errorf("question %s: a text is not there in both languages: %q, %q", q.Name, x.EN, x.ZH)
		}
	}
	if len(q.Options) < 2 || len(q.Options) > 4 {
		t.Errorf("question %s has %d options", q.Name, len(q.Options))
	}
}
