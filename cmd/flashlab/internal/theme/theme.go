package theme

import (
	"fmt"
	"strings"
)

// Theme is a choice of colours for all roles.
type Theme uint8

const (
	// Auto stands for Dark or Light until Resolve decides.
	Auto Theme = iota
	// Dark is for terminals with a dark ground, which it leaves as it is.
	Dark
	// Light is for terminals with a light ground, which it leaves as it is.
	Light
	// HighContrast paints bright colours on a black ground of its own, for
	// projectors and bright rooms.
	HighContrast
	// Mono uses bold, underline and reverse only.
	Mono
)

var names = [...]string{Auto: "auto", Dark: "dark", Light: "light", HighContrast: "high-contrast", Mono: "mono"}

// String returns the name that Parse takes.
func (t Theme) String() string {
	if int(t) < len(names) {
		return names[t]
	}
	return fmt.Sprintf("theme(%d)", uint8(t))
}

// Parse returns the theme of a name, in any case. The error for another name lists
// those there are.
func Parse(name string) (Theme, error) {
	for t, n := range names {
		if strings.EqualFold(n, name) {
			return Theme(t), nil
		}
	}
	last := len(names) - 1
	return Auto, fmt.Errorf("unknown theme %q: choose %s or %s", name, strings.Join(names[:last], ", "), names[last])
}

// Resolve returns Dark or Light for Auto, depending on the terminal's ground, and
// any other theme as it is.
func (t Theme) Resolve(dark bool) Theme {
	switch {
	case t != Auto:
		return t
	case dark:
		return Dark
	}
	return Light
}

// Next returns the theme after t in the order dark, light, high-contrast, mono,
// and from there dark again. Auto is not part of the round: after a resolved theme
// it would look like the same one twice.
func Next(t Theme) Theme {
	if t >= Mono {
		return Dark
	}
	return t + 1
}
