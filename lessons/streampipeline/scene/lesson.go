// Package scene declares the lesson stream-pipeline: sizes, faults, lights, texts,
// twins and staged schedules around the business code next door. It must not hold
// business code itself.
package scene

import (
	"embed"
	"io/fs"
	"slices"

	"flashlab/lessons"
	"flashlab/lessons/shop"
	"flashlab/lessons/streampipeline"
	"flashlab/sim/scenario"
)

//go:embed java/*.java staged/*.txt
var files embed.FS

func init() {
	lessons.Register(&lessons.Lesson{
		Name: "stream-pipeline", Number: 7,
		Title: lessons.Text{
			EN: "Decide in Redis, book later",
			ZH: "异步秒杀：Redis Stream",
		},
		Promise: lessons.Text{
			EN: "A yes becomes one order, or is taken back in full.",
			ZH: "说了抢到就有单，有且只有一单；实在下不了，原样退回。",
		},
		Intro: lessons.Text{
			EN: "One script decides in Redis, and the buyer has an answer before any database is " +
				"asked; consumers of a stream book the orders later. On the way from the yes to " +
				"the row nodes die, entries come twice, orders cannot be booked. Of eleven ways " +
				"to write it two keep the promise.",
			ZH: "有没有资格买，由 Redis 里的一段 Lua 说了算，数据库还没动，用户就拿到了结果；订单进 Stream，由消费者慢慢落库。" +
				"这一路上会宕机，会重复投递，还有怎么都落不了库的单子。十一种写法，只有两种守得住。",
		},
		Source: streampipeline.Source,
		Java:   lessons.Must(fs.Sub(files, "java")),
		Variants: []lessons.Variant{
			memoryQueue(),
			ackBeforeCommit(),
			notIdempotent(),
			pipeline(),
			noReclaim(),
			poison(),
			deadLetter(),
			halfDoneScript(),
			duplicateCheckLast(),
			ackThoughSkipped(),
			wrongAckKey(),
		},
		Staged: lessons.Must(lessons.ParseStaged(files, "staged")),
		Cards:  cards(),
		Extra:  bugVariants(),

		Predict:   predictions(),
		Exercises: append(exercises(), bugs()...),
		Again:     again(),
		Recall:    recall(),
		Showdown:  true,
	})
}

// lights declares the lights of a variant. All hold, but for those that are named.
func lights(broken ...string) []lessons.LightVerdict {
	var out []lessons.LightVerdict
	for _, name := range []string{
		shop.NoOversell, shop.StockNotNegative, shop.OnePerUser, shop.Conservation,
		shop.NoLostOrder, scenario.ProgressLight,
	} {
		verdict := scenario.Holds
		if slices.Contains(broken, name) {
			verdict = scenario.Breaks
		}
		out = append(out, lessons.LightVerdict{Light: name, Verdict: verdict})
	}
	return out
}
