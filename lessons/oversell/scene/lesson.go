// Package scene declares the lesson oversell: sizes, lights, texts, twins and
// staged schedules around the business code next door.
package scene

import (
	"flashlab/lessons"
	"flashlab/lessons/oversell"
	"flashlab/lessons/shop"
	"flashlab/sim/scenario"
	"flashlab/sim/world"
)

func verdicts(oversell, negative, perUser, conserved scenario.Verdict) []lessons.LightVerdict {
	return []lessons.LightVerdict{
		{Light: shop.NoOversell, Verdict: oversell},
		{Light: shop.StockNotNegative, Verdict: negative},
		{Light: shop.OnePerUser, Verdict: perUser},
		{Light: shop.Conservation, Verdict: conserved},
	}
}

const (
	holds  = scenario.Holds
	breaks = scenario.Breaks
)

func init() {
	lessons.Register(&lessons.Lesson{
		Name: "oversell", Number: 1,
		Variants: []lessons.Variant{
			{Name: "lost-update", Params: params(1), Lights: verdicts(breaks, holds, holds, breaks), Scenario: sale("lost-update", world.Memory, (*oversell.Shop).LostUpdate)},
			{Name: "check-then-decrement", Params: params(1), Lights: verdicts(breaks, breaks, holds, holds), Scenario: sale("check-then-decrement", world.Memory, (*oversell.Shop).CheckThenDecrement)},
			{Name: "cas-version", Params: params(2), Lights: verdicts(holds, holds, holds, holds), Scenario: sale("cas-version", world.Memory, (*oversell.Shop).CASVersion)},
			{Name: "cas-stock", Params: params(2), Lights: verdicts(holds, holds, holds, holds), Scenario: sale("cas-stock", world.Memory, (*oversell.Shop).CASStock)},
			{Name: "guarded", Params: params(1), Lights: verdicts(holds, holds, holds, holds), Scenario: sale("guarded", world.WAL, (*oversell.Shop).Guarded)},
			{Name: "immediate-tx", Params: params(1), Lights: verdicts(holds, holds, holds, holds), Scenario: sale("immediate-tx", world.WAL, (*oversell.Shop).ImmediateTx)},
			{Name: "ignored-rowcount", Params: params(1), Lights: verdicts(breaks, holds, holds, breaks), Scenario: sale("ignored-rowcount", world.Memory, (*oversell.Shop).IgnoredRowcount)},
		},
	})
}
