// Package scene declares the lesson oversell: sizes, lights, texts, twins and
// staged schedules around the business code next door. It must not hold business
// code itself.
package scene

import (
	"embed"
	"io/fs"

	"flashlab/lessons"
	"flashlab/lessons/oversell"
	"flashlab/lessons/shop"
	"flashlab/sim/scenario"
)

//go:embed java/*.java staged/*.txt
var files embed.FS

const (
	holds  = scenario.Holds
	breaks = scenario.Breaks
)

func init() {
	lessons.Register(&lessons.Lesson{
		Name: "oversell", Number: 1,
		Title: lessons.Text{
			EN: "Oversell: check, then act",
			ZH: "超卖：先查再改",
		},
		Promise: lessons.Text{
			EN: "There are never more orders than units on sale.",
			ZH: "卖出的订单数永远不超过库存。",
		},
		Intro: lessons.Text{
			EN: "A purchase reads the stock, decides and writes: three steps, and between " +
				"any two of them another buyer can come in. Here is the same purchase " +
				"written in several ways. See which of them keep the promise, and at what price.",
			ZH: "秒杀下单无非是查库存、判断、扣减再写订单。每一步单独看都没错，" +
				"可两步之间随时会有别人插进来。同一个下单有好几种写法，" +
				"看哪几种守得住库存，各付出什么代价。",
		},
		Source: oversell.Source,
		Java:   lessons.Must(fs.Sub(files, "java")),
		Variants: []lessons.Variant{
			lostUpdate(),
			checkThenDecrement(),
			casVersion(),
			casStock(),
			guarded(),
			immediateTx(),
			ignoredRowcount(),
		},
		Staged: lessons.Must(lessons.ParseStaged(files, "staged")),
		Cards:  cards(),
		Extra:  bugVariants(),
		Again:  again(),

		Predict:   predictions(),
		Exercises: append(exercises(), bugs()...),
		Recall:    recall(),
	})
}

// verdicts declares the lights of a variant.
func verdicts(oversell, negative, perUser, conserved scenario.Verdict) []lessons.LightVerdict {
	return []lessons.LightVerdict{
		{Light: shop.NoOversell, Verdict: oversell},
		{Light: shop.StockNotNegative, Verdict: negative},
		{Light: shop.OnePerUser, Verdict: perUser},
		{Light: shop.Conservation, Verdict: conserved},
	}
}
