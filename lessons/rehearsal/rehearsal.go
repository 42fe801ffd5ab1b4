// Package rehearsal proves that lessons keep what they say: every declared verdict
// against what the explorer finds, every staged schedule against its story, every
// exercise against its solution.
//
// The package must not know a single lesson and must not print; it reports rows.
package rehearsal

import (
	"context"
	"fmt"
	"time"

	"flashlab/lessons"
	"flashlab/lessons/exercise"
	"flashlab/sim/explore"
	"flashlab/sim/scenario"
)

// Row is one claim and what came of it.
type Row struct {
	Lesson   string
	Subject  string // variant, "staged NAME", or as in [exercise.Row]
	Light    string // "" for a staged schedule and for a variant as a whole; of exercises the claim
	Declared string
	Found    string
	OK       bool
	Detail   string        // counts, or what is wrong
	Took     time.Duration // of the search, on a variant's first row
}

// Limits bound the search of one variant.
var Limits = explore.Limits{}

// Lesson rehearses one lesson: all its variants, its staged schedules, its
// exercises, questions and cards. An
// error means that the rehearsal itself could not go on; a claim that fails is a
// row.
func Lesson(ctx context.Context, l *lessons.Lesson, each func(Row)) error {
	for i := range l.Variants {
		if err := variant(ctx, l, &l.Variants[i], each); err != nil {
			return fmt.Errorf("rehearsing %s.%s: %w", l.Name, l.Variants[i].Name, err)
		}
	}
	for i := range l.Extra {
		if err := variant(ctx, l, &l.Extra[i], each); err != nil {
			return fmt.Errorf("rehearsing %s.%s: %w", l.Name, l.Extra[i].Name, err)
		}
	}
	for i := range l.Staged {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		each(staged(l, &l.Staged[i]))
	}
	err := exercise.Rehearse(ctx, l, func(r exercise.Row) {
		each(Row{Lesson: l.Name, Subject: r.Subject, Light: r.Claim, Declared: r.Declared, Found: r.Found, OK: r.OK, Detail: r.Detail})
	})
	if err != nil {
		return fmt.Errorf("rehearsing the exercises of %s: %w", l.Name, err)
	}
	return nil
}

// variant explores a variant at its default size. A light that is declared to
// break must break; one that is declared to hold must hold in a complete search;
// every light of the scenario must be declared.
func variant(ctx context.Context, l *lessons.Lesson, v *lessons.Variant, each func(Row)) error {
	s := v.Scenario(scenario.NewParams(v.Params))
	res, err := lessons.Explore(ctx, s, Limits, nil)
	if err != nil {
		return err
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	for i, light := range s.Lights {
		r := Row{Lesson: l.Name, Subject: v.Name, Light: light.Name, Found: found(res, i).String()}
		if i == 0 {
			r.Took = res.Elapsed
		}
		declared, ok := v.Declared(light.Name)
		r.Declared = declared.String()
		r.OK = ok && r.Declared == r.Found
		switch {
		case !ok:
			r.Declared, r.Detail = "-", "the variant does not declare this light"
		case res.Lights[i].Broken && res.Complete:
			x := res.Lights[i]
			r.Detail = fmt.Sprintf("%s of %s, shortest %d", x.Violating, res.Interleavings, x.Shortest)
		case res.Complete:
			r.Detail = fmt.Sprintf("all %s", res.Interleavings)
		default:
			r.Detail = "not complete: " + res.Bound
		}
		each(r)
	}
	for _, d := range v.Lights {
		if s.Light(d.Light) < 0 {
			each(Row{Lesson: l.Name, Subject: v.Name, Light: d.Light, Declared: d.Verdict.String(), Found: "-", Detail: "the scenario does not show this light"})
		}
	}
	return nil
}

func found(res *explore.Result, i int) scenario.Verdict {
	switch {
	case res.Lights[i].Broken:
		return scenario.Breaks
	case res.Complete:
		return scenario.Holds
	}
	return scenario.Unknown
}

// staged runs a staged schedule for real and checks that it ends as its story says.
func staged(l *lessons.Lesson, s *lessons.Staged) Row {
	r := Row{Lesson: l.Name, Subject: "staged " + s.Name, Light: s.Light, Declared: promise(s), Found: promise(s), OK: true}
	frames, err := s.Run(l)
	if err == nil {
		err = s.Check(frames)
	}
	if err != nil {
		r.OK, r.Found, r.Detail = false, "-", err.Error()
	}
	return r
}

// promise is how a staged schedule says that it ends.
func promise(s *lessons.Staged) string {
	if s.Light == "" {
		return "holds"
	}
	return "breaks"
}
