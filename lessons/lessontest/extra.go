package lessontest

import (
	"testing"

	"flashlab/lessons"
)

// CheckExtra runs the checks for variants on one that only exercises run.
func CheckExtra(t *testing.T, name, variant string, sizes ...string) {
	whole := Lesson(t, name)
	l := &lessons.Lesson{
		Name: whole.Name, Source: whole.Source, Java: whole.Java,
		Variants: []lessons.Variant{*Variant(t, whole, variant)},
	}
	t.Run("texts", func(t *testing.T) { variantTexts(t, &l.Variants[0]) })
	t.Run("fit", func(t *testing.T) { Fit(t, l) })
	t.Run("steps", func(t *testing.T) { Steps(t, l) })
	t.Run("operations", func(t *testing.T) { Operations(t, l, sizes...) })
	t.Run("verdicts", func(t *testing.T) { Verdicts(t, l) })
}
