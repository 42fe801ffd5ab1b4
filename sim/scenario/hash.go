package scenario

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"

	"flashlab/sim/token"
)

// Hash names the scenario in tokens: its parameters, engines and lights, and the
// labels of the steps that its actors take one after the other. A token of a
// scenario that has changed since is refused by it. The run is reset.
func (r *Run) Hash() (string, error) {
	var b strings.Builder
	s := r.S
	fmt.Fprintf(&b, "%s.%s %s engine=%s begin=%s\n", s.Lesson, s.Variant, s.Params, s.World.Engine, s.World.Begin)
	fmt.Fprintf(&b, "time=%s unique=%v\n", s.Time, s.Notes)
	for _, l := range s.Lights {
		fmt.Fprintf(&b, "%s/%d ", l.Name, l.When)
	}
	for _, name := range slices.Sorted(maps.Keys(s.World.Replace)) {
		fmt.Fprintf(&b, "\n%s=%q", name, s.World.Replace[name])
	}
	for _, q := range slices.Sorted(maps.Keys(s.World.ReplaceSQL)) {
		fmt.Fprintf(&b, "\n%q=%q", q, s.World.ReplaceSQL[q])
	}
	if err := r.Reset(); err != nil {
		return "", err
	}
	for n := 0; n < runOutLimit; n++ {
		moves := r.Moves(nil)
		if len(moves) == 0 || !moves[0].Actor() {
			break // environment steps alone say nothing about the code
		}
		fmt.Fprintf(&b, "\n%s %s", moves[0], r.Label(moves[0]))
		if err := r.Do(moves[0]); err != nil {
			return "", err
		}
	}
	sum := sha256.Sum256([]byte(b.String()))
	return token.Hash(sum[:]), nil
}
