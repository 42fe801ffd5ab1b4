// Package scene declares the lesson misdeletion: sizes, lights, texts, twins and
// staged schedules around the business code next door. It must not hold business
// code itself.
package scene

import (
	"embed"
	"io/fs"

	"flashlab/lessons"
	"flashlab/lessons/misdeletion"
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
		Name: "misdeletion", Number: 4,
		Title: lessons.Text{
			EN: "Misdeletion: somebody else's lock",
			ZH: "误删：删掉别人的锁",
		},
		Promise: lessons.Text{
			EN: "Nobody deletes a lock that somebody else holds.",
			ZH: "谁的锁谁来删，绝不误删别人的锁。",
		},
		Intro: lessons.Text{
			EN: "A lock with a lease runs out by itself, whether its holder is done or not. " +
				"Here the work takes longer: the lock passes to the next request, and then the " +
				"first one is done and releases it. Four releases, and each goes wrong in its own way.",
			ZH: "锁有了租期，到点就自动释放，不管业务做没做完。业务慢了，锁过期后被下一个请求拿走，" +
				"前一个干完了还照样来解锁。这里有四种解锁的写法，各错在一处。",
		},
		Source: misdeletion.Source,
		Java:   lessons.Must(fs.Sub(files, "java")),
		Variants: []lessons.Variant{
			deleteBlind(),
			bareThreadID(),
			freshToken(),
			getThenDel(),
		},
		Staged: lessons.Must(lessons.ParseStaged(files, "staged")),
		Cards:  cards(),
		Again:  again(),
		Extra:  append(bugVariants(), byScript()),

		Predict:   predictions(),
		Exercises: append(exercises(), bugs()...),
		Recall:    recall(),
	})
}

// verdicts declares the lights of a variant. No order is written in this lesson,
// so what the database shows holds everywhere.
func verdicts(misdeletion, released, exclusion scenario.Verdict) []lessons.LightVerdict {
	return []lessons.LightVerdict{
		{Light: shop.NoOversell, Verdict: holds},
		{Light: shop.StockNotNegative, Verdict: holds},
		{Light: shop.OnePerUser, Verdict: holds},
		{Light: shop.Conservation, Verdict: holds},
		{Light: scenario.NoMisdeletionLight, Verdict: misdeletion},
		{Light: scenario.LockReleasedLight, Verdict: released},
		{Light: scenario.MutualExclusionLight, Verdict: exclusion},
		{Light: scenario.ProgressLight, Verdict: holds},
	}
}
