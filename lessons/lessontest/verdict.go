package lessontest

import (
	"context"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"flashlab/lessons"
	"flashlab/sim/explore"
	"flashlab/sim/scenario"
)

// Search explores every schedule of a scenario; a search that reaches a bound
// fails the test.
func Search(t testing.TB, s *scenario.Scenario) *explore.Result {
	t.Helper()
	r, err := scenario.Open(s)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	res, err := explore.Run(context.Background(), r, len(s.Lights), explore.Limits{}, nil)
	if err != nil {
		t.Fatalf("%s.%s %s: %v", s.Lesson, s.Variant, s.Params.Changed(), err)
	}
	if !res.Complete {
		t.Fatalf("%s.%s %s: the search ended at the bound on %s", s.Lesson, s.Variant, s.Params.Changed(), res.Bound)
	}
	return res
}

// Verdicts checks that every declared verdict is what the explorer finds at the
// default size, that no light of the scenario is left out and that the database's
// lights are shown.
func Verdicts(t testing.TB, l *lessons.Lesson) {
	t.Helper()
	for _, v := range all(l) {
		s := Scene(t, l, v.Name, "")
		if s.Lesson != l.Name || s.Variant != v.Name {
			t.Errorf("%s: its scenario calls itself %s.%s", v.Name, s.Lesson, s.Variant)
		}
		if len(v.Lights) != len(s.Lights) {
			t.Errorf("%s declares %d lights, its scenario has %d", v.Name, len(v.Lights), len(s.Lights))
		}
		for _, light := range []string{"no-oversell", "stock-not-negative", "one-per-user", "conservation"} {
			if s.Light(light) < 0 {
				t.Errorf("%s does not show %s, which depends on no lock", v.Name, light)
			}
		}
		res := Search(t, s)
		for k, light := range s.Lights {
			want, ok := v.Declared(light.Name)
			if !ok {
				t.Errorf("%s does not declare %s", v.Name, light.Name)
			}
			if got := verdict(res.Lights[k]); got != want {
				t.Errorf("%s: %s is declared as %s, it %s", v.Name, light.Name, want, got)
			}
		}
	}
}

func verdict(l explore.Light) scenario.Verdict {
	if l.Broken {
		return scenario.Breaks
	}
	return scenario.Holds
}

// Counts explores each scene of a table and compares its figures. A line is
//
//	variant sets interleavings light violating [shortest (ties) preemptions]
//
// with "-" for the default sizes; the last three stand where the light breaks: the
// steps up to and including the one that breaks it, the number of schedules that
// short, the fewest preemptions that suffice. Lines of one scene stand together.
func Counts(t testing.TB, l *lessons.Lesson, table string) {
	t.Helper()
	var c counter
	for line := range strings.Lines(table) {
		f := strings.Fields(line)
		if len(f) == 0 {
			continue
		}
		if len(f) != 5 && len(f) != 8 {
			t.Errorf("%q has %d columns, not 5 or 8", strings.TrimSpace(line), len(f))
			continue
		}
		c.look(t, l, f[0], strings.TrimPrefix(f[1], "-"))
		got := c.figures(f[3])
		if want := strings.Join(f[2:], " "); got != want {
			t.Errorf("%s %s: is  %s\nwant %s", f[0], f[1], got, want)
		}
	}
}

// counter keeps the scene of the line before.
type counter struct {
	variant, sets string
	scene         *scenario.Scenario
	result        *explore.Result
}

func (c *counter) look(t testing.TB, l *lessons.Lesson, variant, sets string) {
	t.Helper()
	if c.scene != nil && c.variant == variant && c.sets == sets {
		return
	}
	c.variant, c.sets = variant, sets
	c.scene = Scene(t, l, variant, sets)
	c.result = Search(t, c.scene)
}

// figures writes what was found about a light as a line of the table does.
func (c *counter) figures(light string) string {
	k := c.scene.Light(light)
	if k < 0 {
		return "no light " + light
	}
	x := c.result.Lights[k]
	s := fmt.Sprintf("%s %s %s", Decimal(c.result.Interleavings), light, Decimal(x.Violating))
	if x.Broken {
		s += fmt.Sprintf(" %d (%s) %d", x.Shortest, Decimal(x.Ties), x.Preemptions)
	}
	return s
}

// Decimal writes a count; nil is 0.
func Decimal(n *big.Int) string {
	if n == nil {
		return "0"
	}
	return n.String()
}
