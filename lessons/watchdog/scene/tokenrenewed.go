package scene

import (
	"context"
	"strings"
	"time"

	"flashlab/lessons"
	"flashlab/lessons/watchdog"
	"flashlab/sim/scenario"
	"flashlab/sim/trace"
	"flashlab/sim/world"
	store "flashlab/store/shop"
)

// tokenRenewed is the variant behind the exercise renew: the token lock again, with a
// renewal that compares first.
func tokenRenewed() lessons.Variant {
	return lessons.Variant{
		Name: "token-renewed",
		Title: lessons.Text{
			EN: "A token lock, renewed by script",
			ZH: "令牌锁，用脚本续期",
		},
		Summary: lessons.Text{
			EN: "The token lock of lesson 5, renewed every 10 s by a script that compares the token " +
				"first. Losing the lock cancels the work.",
			ZH: "第 5 课的令牌锁，每 10 秒用脚本续期，先比较令牌再续。锁丢了，活也取消。",
		},
		Moral: lessons.Text{
			EN: "A renewal that compares in the same step keeps its own lock, leaves those of " +
				"others alone and brings none back.",
			ZH: "比较和续期在同一步里：自己的锁续得上，别人的锁不动，没了的锁也救不活。",
		},
		Params: params(2, 0, 10_000, scenario.Standard("crashes", 0)), Lights: lights(),
		File: "tokenrenewed.go", Func: "(*Shop).TokenRenewed", JavaFile: "TokenRenewed.java",
		Steps: []lessons.Step{
			lockToken("s.acquireToken(ctx, key, token)", "setIfAbsent, every 10 s"),
			{Go: "proc.Sleep(ctx, Lease/3)", Java: "10, 10, TimeUnit.SECONDS", Say: wake("").Say},
			{Go: "lua.Renew(sent, s.Redis, key, token, Lease)", Java: "redis.execute(RENEW_SCRIPT", Say: renew("").Say},
			order("s.order(held, voucher)", "createVoucherOrder(voucherId)"),
			unlockToken("s.releaseToken(ctx, key, token, &err)", "unlock(key, token); // unlock.lua"),
		},
		Scenario: orders("token-renewed", (*watchdog.Shop).TokenRenewed, set{}),
	}
}

// leaseKept is a light for the scene in which B takes the lock for a while and names
// how long: nobody may make that longer.
const leaseKept = "no-foreign-renewal"

// brief is how long B's job takes under its lock.
const brief = 4 * time.Second

// paused is the scene of token-renewed in which A's node can stand still just before
// it renews, or in the midst of it, while B does a short job under a lease of its own.
func paused() lessons.Variant {
	v := tokenRenewed()
	v.Params = params(2, 0, 40_000, scenario.Standard("pauses", 1), scenario.Standard("pause", 22_000), scenario.Standard("lease", 5000))
	v.Scenario = lessons.Changed(v.Scenario, func(s *scenario.Scenario) {
		first := s.Actors
		s.Actors = func(w *world.World) []scenario.Actor {
			node := &watchdog.Shop{Node: "n2", Redis: w.Redis, DB: w.DB, Lease: milliseconds(s.Params, "lease"), Takes: brief}
			return append(first(w)[:1], scenario.Actor{
				Name: trace.Say("actor.request", "request {n}", "n", 2), Node: node.Node,
				Body: func(ctx context.Context) error { return node.TokenBrief(ctx, user, store.Voucher) },
			})
		}
		s.Lights = append(s.Lights, scenario.Light{
			Name: leaseKept, When: scenario.EachStep,
			Check: func(v *scenario.View) (bool, error) {
				k := held(v)
				return !strings.HasPrefix(k.Value, "B") || k.TTL <= milliseconds(s.Params, "lease"), nil
			},
		})
	})
	return v
}

// held is the lock as it stands in Redis.
func held(v *scenario.View) trace.Key {
	for _, k := range v.World().Keys() {
		if k.Name == key {
			return k
		}
	}
	return trace.Key{}
}
