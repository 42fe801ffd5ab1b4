package app

import (
	"context"
	"math/big"

	"flashlab/lessons"
	"flashlab/sim/explore"
	"flashlab/sim/scenario"
)

// proveVariant searches a variant at its default sizes. Of the lights that break it
// returns the one that does so first.
func proveVariant(ctx context.Context, v *lessons.Variant) (proof, error) {
	s := v.Scenario(scenario.NewParams(v.Params))
	res, err := lessons.Explore(ctx, s, explore.Limits{}, nil)
	if err != nil {
		return proof{}, err
	}
	p := proof{verdict: scenario.Unknown, all: res.Interleavings, bad: new(big.Int)}
	if res.Complete {
		p.verdict = scenario.Holds
	}
	shortest := 0
	for i := range res.Lights {
		x := &res.Lights[i]
		if x.Broken && (p.light == "" || x.Shortest < shortest) {
			p.verdict, p.light, p.bad, shortest = scenario.Breaks, s.Lights[i].Name, x.Violating, x.Shortest
		}
	}
	return p, nil
}
