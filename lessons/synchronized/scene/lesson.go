// Package scene declares the lesson synchronized: sizes, lights, texts, twins and
// staged schedules around the business code next door. It must not hold business
// code itself.
package scene

import (
	"embed"
	"io/fs"

	"flashlab/lessons"
	"flashlab/lessons/shop"
	"flashlab/lessons/synchronized"
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
		Name: "synchronized", Number: 2,
		Title: lessons.Text{
			EN: "One person, one order",
			ZH: "一人一单：synchronized",
		},
		Promise: lessons.Text{
			EN: "Nobody has two orders for the same voucher.",
			ZH: "同一张券，一个人最多只有一单。",
		},
		Intro: lessons.Text{
			EN: "User 7 clicks twice, and there is stock for both clicks. Count the user's " +
				"orders, then insert one: two steps again. A lock around them helps if both " +
				"clicks find the same lock, and if it is held until the order can be counted.",
			ZH: "用户 7 连点两下，库存够两单。先查他有没有订单，没有再插入，又是先查再改。" +
				"加锁能解决，但有两个前提：两次点击抢的是同一把锁，而且锁要一直拿到别人能查到这张订单。",
		},
		Source: synchronized.Source,
		Java:   lessons.Must(fs.Sub(files, "java")),
		Variants: []lessons.Variant{
			noLock(),
			mutexOneNode(),
			mutexTwoNodes(),
			mutexPerCall(),
			unlockBeforeCommit(),
			commitUnderLock(),
			uniqueIndex(),
		},
		Staged: lessons.Must(lessons.ParseStaged(files, "staged")),
		Cards:  cards(),
		Extra:  append(bugVariants(), statements()),

		Predict:   predictions(),
		Exercises: append(exercises(), bugs()...),
		Recall:    recall(),
		Again:     again(),
	})
}

// verdicts declares the lights of a variant: what is sold and what is left always
// agree, since a sale is one transaction; the question is who gets it.
func verdicts(perUser scenario.Verdict) []lessons.LightVerdict {
	return []lessons.LightVerdict{
		{Light: shop.NoOversell, Verdict: holds},
		{Light: shop.StockNotNegative, Verdict: holds},
		{Light: shop.OnePerUser, Verdict: perUser},
		{Light: shop.Conservation, Verdict: holds},
	}
}
