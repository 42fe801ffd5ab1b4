// Package scene declares the lesson lua-unlock: sizes, lights, texts, twins and
// staged schedules around the business code next door. It must not hold business
// code itself.
package scene

import (
	"embed"
	"io/fs"

	"flashlab/lessons"
	"flashlab/lessons/luaunlock"
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
		Name: "lua-unlock", Number: 5,
		Title: lessons.Text{
			EN: "Compare and delete in one step",
			ZH: "比较和删除，一步完成",
		},
		Promise: lessons.Text{
			EN: "A release deletes the lock only if it is still its own.",
			ZH: "解锁时，锁还是自己的才删，比较和删除分不开。",
		},
		Intro: lessons.Text{
			EN: "A script compares and deletes in one step, and nobody's lock is deleted by a " +
				"stranger any more. Two are inside together all the same when the work outlives its " +
				"lease: no release can mend that. A longer lease can, and has a price.",
			ZH: "用脚本把比较和删除合成一步，再也不会误删别人的锁。可活干得比租期久，" +
				"还是会有两个人同时在里面，解锁写得再好也没用。把租期放长能解决，但有代价。",
		},
		Source: luaunlock.Source,
		Java:   lessons.Must(fs.Sub(files, "java")),
		Variants: []lessons.Variant{
			script(),
			delex(),
			longLease(),
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

// verdicts declares the lights of a variant. No order is written in this lesson,
// so what the database shows holds everywhere, and no variant leaves a lock behind.
func verdicts(exclusion scenario.Verdict) []lessons.LightVerdict {
	return []lessons.LightVerdict{
		{Light: shop.NoOversell, Verdict: holds},
		{Light: shop.StockNotNegative, Verdict: holds},
		{Light: shop.OnePerUser, Verdict: holds},
		{Light: shop.Conservation, Verdict: holds},
		{Light: scenario.NoMisdeletionLight, Verdict: holds},
		{Light: scenario.LockReleasedLight, Verdict: holds},
		{Light: scenario.MutualExclusionLight, Verdict: exclusion},
		{Light: scenario.ProgressLight, Verdict: holds},
	}
}
