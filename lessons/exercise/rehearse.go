package exercise

import (
	"context"
	"errors"
	"fmt"

	"flashlab/lessons"
)

// Row is one claim about an exercise, a question or a card, and what came of it.
type Row struct {
	Subject  string // "exercise NAME", "question NAME", "card NAME", "again VARIANT"
	Claim    string // "as shipped", "solution", "naive", "right answers", "back"
	Declared string // "fails", "passes", "one", "true"
	Found    string
	OK       bool
	Detail   string
}

// Rehearse proves what the exercises, questions and cards of a lesson say: as
// shipped an exercise fails, its solution passes, the naive answer fails; exactly one
// option of a question is true; what a card says is so.
func Rehearse(ctx context.Context, l *lessons.Lesson, each func(Row)) error {
	e := lessons.NewEvidence(ctx)
	for i := range l.Predict {
		each(question(e, l, &l.Predict[i]))
	}
	for i := range l.Exercises {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := rehearse(ctx, e, l, &l.Exercises[i], each); err != nil {
			return err
		}
	}
	if a := l.Again; a != nil {
		r := Row{Subject: "again " + a.Variant, Claim: a.Light, Declared: "breaks", Found: "breaks", OK: true}
		in, err := a.In(l)
		if err != nil {
			return err
		}
		c := e.Case(in, a.Variant, a.Sets, "")
		if !c.Breaks(a.Light) || c.Err() != nil {
			r.OK, r.Found = false, "holds"
			if c.Err() != nil {
				r.Found, r.Detail = "-", c.Err().Error()
			}
		}
		each(r)
	}
	for i := range l.Recall {
		r := Row{Subject: "card " + l.Recall[i].Name, Claim: "back", Declared: "true", Found: "true", OK: true}
		if err := l.Recall[i].Prove(e, l); err != nil {
			r.OK, r.Found, r.Detail = false, "false", err.Error()
		}
		each(r)
	}
	return nil
}

func question(e *lessons.Evidence, l *lessons.Lesson, q *lessons.Question) Row {
	r := Row{Subject: "question " + q.Name, Claim: "right answers", Declared: "one", Found: "one", OK: true}
	truth, err := q.Truth(e, l)
	if r.Detail = truth; err != nil {
		r.OK, r.Found, r.Detail = false, "-", err.Error()
	}
	return r
}

func rehearse(ctx context.Context, e *lessons.Evidence, l *lessons.Lesson, x *lessons.Exercise, each func(Row)) error {
	subject := "exercise " + x.Name
	if x.Ask != nil {
		each(question(e, l, x.Ask))
	}
	if x.Cause != nil {
		each(question(e, l, x.Cause))
	}
	if x.Break != nil {
		for _, r := range rehearseBreak(e, l, x) {
			r.Subject = subject
			each(r)
		}
	}
	if x.Fix == nil {
		return nil
	}
	for _, c := range []struct {
		claim, answer string
		passes        bool
	}{
		{"as shipped", x.Fix.Shipped, false},
		{"solution", x.Fix.Solution, true},
		{"naive", x.Fix.Naive, false},
	} {
		v, err := Grade(ctx, l, x, c.answer)
		if err != nil {
			return err
		}
		r := Row{Subject: subject, Claim: c.claim, Declared: outcome(c.passes), Found: outcome(v.Passed), OK: v.Passed == c.passes}
		if !v.Passed {
			r.Detail = v.Miss.Sentence.EN
		}
		each(r)
	}
	return nil
}

// rehearseBreak proves that nothing is broken as long as nobody has been chosen,
// that the shortest schedule breaks the light, and that the naive one does not: to
// let everybody run to the end, one after the other.
func rehearseBreak(e *lessons.Evidence, l *lessons.Lesson, x *lessons.Exercise) []Row {
	f, err := e.Search(l, x.Break.Variant, x.Break.Sets)
	i := -1
	if err == nil {
		if i = f.Scenario.Light(x.Break.Light); i < 0 || !f.Result.Lights[i].Broken {
			err = errors.New("no schedule breaks " + x.Break.Light)
		}
	}
	if err != nil {
		return []Row{{Claim: "solution", Declared: outcome(true), Found: "-", Detail: err.Error()}}
	}
	var rows []Row
	shipped, err := GradeBreak(e, l, x, nil)
	rows = append(rows, breakRow("as shipped", shipped, err, false))
	solution, err := GradeBreak(e, l, x, f.Result.Lights[i].Schedule)
	rows = append(rows, breakRow("solution", solution, err, true))
	if err == nil && !solution.IsShortest() {
		rows[1].OK, rows[1].Detail = false, fmt.Sprintf("it takes %d steps, not %d", solution.Steps, solution.Shortest)
	}
	clean, some, err := f.Result.Clean(i)
	if err == nil && !some {
		return rows // every schedule breaks it: there is nothing to be naive about
	}
	var naive *Breaking
	if err == nil {
		naive, err = GradeBreak(e, l, x, clean)
	}
	return append(rows, breakRow("naive", naive, err, false))
}

func breakRow(claim string, b *Breaking, err error, passes bool) Row {
	r := Row{Claim: claim, Declared: outcome(passes)}
	if err != nil {
		r.Found, r.Detail = "-", err.Error()
		return r
	}
	r.Found = outcome(b.Broke)
	if b.Broke {
		r.Detail = fmt.Sprintf("%d steps, %d switches", b.Steps, b.Switches)
	}
	r.OK = b.Broke == passes
	return r
}

func outcome(passes bool) string {
	if passes {
		return "passes"
	}
	return "fails"
}
