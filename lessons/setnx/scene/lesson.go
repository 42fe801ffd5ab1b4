// Package scene declares the lesson setnx: sizes, lights, texts, twins and staged
// schedules around the business code next door. It must not hold business code
// itself.
package scene

import (
	"embed"
	"io/fs"

	"flashlab/lessons"
	"flashlab/lessons/setnx"
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
		Name: "setnx", Number: 3,
		Title: lessons.Text{
			EN: "SETNX: a lock that every node can see",
			ZH: "SETNX：各节点共用一把锁",
		},
		Promise: lessons.Text{
			EN: "A lock is given back by whoever took it; if that one dies, it ends by itself.",
			ZH: "谁拿的锁谁来放；拿锁的人宕机了，锁会自己到期。",
		},
		Intro: lessons.Text{
			EN: "The mutex of the last lesson ended at the process. This lock is a key in Redis, " +
				"lock:order:7, and every node can see it: who sets it has the lock, who deletes " +
				"it gives it back. But the key outlives whoever has set it; so how does it end?",
			ZH: "上一课的锁出不了进程。这一课的锁是 Redis 里的一个键 lock:order:7，哪个节点都看得到：" +
				"谁设上谁拿到锁，删掉就是放锁。可进程没了，键还在，那它靠什么消失？",
		},
		Source: setnx.Source,
		Java:   lessons.Must(fs.Sub(files, "java")),
		Variants: []lessons.Variant{
			noTTL(),
			setnxThenExpire(),
			setNXPX(),
			leakedOnError(),
			unlockUnheld(),
		},
		Staged: lessons.Must(lessons.ParseStaged(files, "staged")),
		Cards:  cards(),
		Again:  again(),
		Extra:  append(bugVariants(), limited()),

		Predict:   predictions(),
		Exercises: append(exercises(), bugs()...),
		Recall:    recall(),
	})
}

// verdicts declares the lights of a variant. Nothing is sold in this lesson, so
// those of the database hold in any case; the others are about the lock.
func verdicts(misdeletion, progress, released scenario.Verdict) []lessons.LightVerdict {
	return []lessons.LightVerdict{
		{Light: shop.NoOversell, Verdict: holds},
		{Light: shop.StockNotNegative, Verdict: holds},
		{Light: shop.OnePerUser, Verdict: holds},
		{Light: shop.Conservation, Verdict: holds},
		{Light: scenario.MutualExclusionLight, Verdict: holds},
		{Light: scenario.NoMisdeletionLight, Verdict: misdeletion},
		{Light: scenario.ProgressLight, Verdict: progress},
		{Light: scenario.LockReleasedLight, Verdict: released},
	}
}
