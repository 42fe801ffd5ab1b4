package theme

import (
	"strings"
	"testing"

	"flashlab/cmd/flashlab/internal/canvas"
)

func TestParse(t *testing.T) {
	for _, want := range []Theme{Auto, Dark, Light, HighContrast, Mono} {
		if got, err := Parse(strings.ToUpper(want.String())); err != nil || got != want {
			t.Errorf("Parse(%q) = %v, %v", want, got, err)
		}
	}
	_, err := Parse("solarized")
	const want = `unknown theme "solarized": choose auto, dark, light, high-contrast or mono`
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
	if got := Theme(9).String(); got != "theme(9)" {
		t.Errorf("a theme without a name is called %s", got)
	}
}

func TestNext(t *testing.T) {
	got, x := []string{}, Auto
	for range 6 {
		x = Next(x)
		got = append(got, x.String())
	}
	if want := "dark light high-contrast mono dark light"; strings.Join(got, " ") != want {
		t.Errorf("round %v, want %s", got, want)
	}
}

func TestResolve(t *testing.T) {
	for _, tt := range []struct {
		theme Theme
		dark  bool
		want  Theme
	}{
		{Auto, true, Dark},
		{Auto, false, Light},
		{Dark, false, Dark},
		{Mono, true, Mono},
	} {
		if got := tt.theme.Resolve(tt.dark); got != tt.want {
			t.Errorf("%v on dark=%v is %v, want %v", tt.theme, tt.dark, got, tt.want)
		}
	}
}

func TestActor(t *testing.T) {
	for i, want := range map[int]canvas.Style{0: ActorA, 1: ActorB, 7: ActorH, 8: ActorA, 17: ActorB, -1: ActorH} {
		if got := Actor(i); got != want {
			t.Errorf("Actor(%d) = %d, want %d", i, got, want)
		}
	}
}
