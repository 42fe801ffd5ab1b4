// Package scene declares the lesson watchdog: sizes, faults, lights, texts, twins
// and staged schedules around the business code next door. It must not hold
// business code itself.
package scene

import (
	"embed"
	"io/fs"

	"flashlab/lessons"
	"flashlab/lessons/shop"
	"flashlab/lessons/watchdog"
	"flashlab/sim/scenario"
)

//go:embed java/*.java staged/*.txt
var files embed.FS

func init() {
	lessons.Register(&lessons.Lesson{
		Name: "watchdog", Number: 6,
		Title: lessons.Text{
			EN: "Watchdog: a lock that stays alive",
			ZH: "看门狗：续期与可重入",
		},
		Promise: lessons.Text{
			EN: "A lock lasts as long as the work under it, and no longer than its holder.",
			ZH: "业务没做完，锁不过期；持有者宕机，锁不长留。",
		},
		Intro: lessons.Text{
			EN: "One light has stayed red so far: work can outlast its lease. A watchdog renews " +
				"the lease while the work goes on, and the holder may take the lock again. See " +
				"what that buys, where it is off without anybody noticing, and what no lock can do.",
			ZH: "到上一课为止还有一盏灯是红的：业务比租期久，锁就提前没了。看门狗在业务期间不断续期，" +
				"同一个持有者还可以重入。它解决了什么，什么时候悄悄不起作用，又有什么是任何锁都做不到的，这一课逐一跑给你看。",
		},
		Source: watchdog.Source,
		Java:   lessons.Must(fs.Sub(files, "java")),
		Variants: []lessons.Variant{
			fixedLease(),
			renewed(),
			explicitLease(),
			crash(),
			hungWorker(),
			maxHold(),
			maxHoldCancels(),
			pause(),
			reentrant(),
			nestedNonReentrant(),
			innerLeaseTruncates(),
			renewalOutlivesUnlock(),
		},
		Staged: lessons.Must(lessons.ParseStaged(files, "staged")),
		Cards:  cards(),
		Again:  again(),

		Extra:     append(bugVariants(), tokenRenewed()),
		Predict:   predictions(),
		Exercises: append(exercises(), bugs()...),
		Recall:    recall(),
	})
}

// lights declares the lights of a variant. All hold, but for those that are named:
// the database is only read here.
func lights(broken ...string) []lessons.LightVerdict {
	var out []lessons.LightVerdict
	for _, name := range []string{
		shop.NoOversell, shop.StockNotNegative, shop.OnePerUser, shop.Conservation,
		scenario.MutualExclusionLight, scenario.NoMisdeletionLight,
		scenario.LockReleasedLight, scenario.ProgressLight,
	} {
		v := lessons.LightVerdict{Light: name, Verdict: scenario.Holds}
		for _, b := range broken {
			if b == name {
				v.Verdict = scenario.Breaks
			}
		}
		out = append(out, v)
	}
	return out
}
