// Package lessontest holds the checks that every lesson must pass, so that a
// lesson's own tests are a few lines and tell what is special about it: texts in
// both languages within the room they have, source that fits a projector, steps
// that stand on one line each and cover every operation, staged schedules that run
// as promised, declared verdicts that are those of the explorer.
//
// The package must not import a lesson; a test does, and names it.
package lessontest

import (
	"testing"

	"flashlab/lessons"
	"flashlab/sim/scenario"
)

// Check runs every check of this package on the lesson of that name. sizes are
// settings ("stock=0", "buyers=3,stock=2") at which its variants are played
// besides their default sizes, so that every step is met; a variant is not played
// at a size it does not have.
func Check(t *testing.T, name string, sizes ...string) {
	l := Lesson(t, name)
	t.Run("texts", func(t *testing.T) { Texts(t, l) })
	t.Run("fit", func(t *testing.T) { Fit(t, l) })
	t.Run("steps", func(t *testing.T) { Steps(t, l) })
	t.Run("operations", func(t *testing.T) { Operations(t, l, sizes...) })
	t.Run("staged", func(t *testing.T) { Staged(t, l) })
	t.Run("verdicts", func(t *testing.T) { Verdicts(t, l) })
}

// all returns the variants of a lesson, and behind them those that only its
// exercises run. The latter have the same care, but need no Java twin.
func all(l *lessons.Lesson) []*lessons.Variant {
	var out []*lessons.Variant
	for i := range l.Variants {
		out = append(out, &l.Variants[i])
	}
	for i := range l.Extra {
		out = append(out, &l.Extra[i])
	}
	return out
}

// twin returns the lines of a variant's Java twin. A variant that only exercises run
// may have none: ok is false then.
func twin(l *lessons.Lesson, v *lessons.Variant) (lines []string, ok bool, err error) {
	for i := range l.Extra {
		if v == &l.Extra[i] && v.JavaFile == "" {
			return nil, false, nil
		}
	}
	lines, err = l.JavaSource(v.JavaFile)
	return lines, err == nil, err
}

// Lesson returns the lesson of that name.
func Lesson(t testing.TB, name string) *lessons.Lesson {
	t.Helper()
	l, err := lessons.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// Variant returns the variant of that name.
func Variant(t testing.TB, l *lessons.Lesson, name string) *lessons.Variant {
	t.Helper()
	v, err := l.Variant(name)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// StagedSchedule returns the staged schedule of that name.
func StagedSchedule(t testing.TB, l *lessons.Lesson, name string) *lessons.Staged {
	t.Helper()
	st, err := l.StagedSchedule(name)
	if err != nil {
		t.Fatal(err)
	}
	return st
}

// Scene makes a variant's scenario; sets is "k=v,k=v" or "" for the default sizes.
func Scene(t testing.TB, l *lessons.Lesson, variant, sets string) *scenario.Scenario {
	t.Helper()
	v := Variant(t, l, variant)
	p := scenario.NewParams(v.Params)
	if sets != "" {
		var err error
		if p, err = p.Set(sets); err != nil {
			t.Fatalf("%s: %v", variant, err)
		}
	}
	return v.Scenario(p)
}
