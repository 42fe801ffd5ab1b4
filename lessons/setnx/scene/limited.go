package scene

import (
	"context"
	"fmt"
	"time"

	"flashlab/lessons"
	"flashlab/lessons/setnx"
	"flashlab/lessons/shop"
	"flashlab/lua"
	"flashlab/sim/scenario"
	"flashlab/sim/sqlgate"
	"flashlab/sim/trace"
	"flashlab/sim/world"
	store "flashlab/store/shop"
)

// withinLimit is the light of the limiter: never are more let in than may.
const withinLimit = "within-limit"

// limited is the same fault in another place: a counter that needs an end, as a
// lock does. The map does not show it; the exercise limiter runs it.
func limited() lessons.Variant {
	return lessons.Variant{
		Name: "limited",
		Title: lessons.Text{
			EN: "A limit instead of a lock",
			ZH: "限流：同样要会过期",
		},
		Summary: lessons.Text{
			EN: "Of all requests one too many: a script counts who may pass in 30 s, and ends " +
				"the window. Node n1 may crash once.",
			ZH: "30 秒内放行的名额比请求少一个，由脚本计数，窗口到点结束。节点 n1 可能宕机一次。",
		},
		Moral: lessons.Text{
			EN: "Counting and the end of the window are one step, so no crash can leave a " +
				"counter that refuses this user for ever.",
			ZH: "计数和设过期是同一步，什么时候宕机，都不会留下一个永远拦人的计数器。",
		},
		Params: []scenario.Param{
			scenario.Standard("buyers", 2),
			scenario.Standard("wait", forEver),
			scenario.Standard("crashes", 1),
		},
		Lights: []lessons.LightVerdict{
			{Light: shop.NoOversell, Verdict: holds},
			{Light: shop.StockNotNegative, Verdict: holds},
			{Light: shop.OnePerUser, Verdict: holds},
			{Light: shop.Conservation, Verdict: holds},
			{Light: withinLimit, Verdict: holds},
			{Light: scenario.ProgressLight, Verdict: holds},
		},
		File: "limited.go", Func: "(*Shop).Limited", JavaFile: "Limited.java",
		Steps: []lessons.Step{
			{
				Go:   "lua.Permit(",
				Java: "stringRedisTemplate.execute(LIMITER_SCRIPT",
				Say: lessons.Text{
					EN: "{actor} asks the limiter: {reply}. 1 may pass, 0 is refused.",
					ZH: "{actor} 问限流脚本：{reply}。1 放行，0 拒绝。",
				},
			},
			sleep(), work(),
		},
		Scenario: limitedScene,
	}
}

func limitedScene(p scenario.Params) *scenario.Scenario {
	limit := max(1, p.Get("buyers")-1)
	return &scenario.Scenario{
		Lesson: "setnx", Variant: "limited", Params: p,
		World: world.Config{
			Engine: world.Memory, Begin: sqlgate.Immediate, Redis: true,
			Schema: shop.Schema(stock, true), Scripts: lua.Sources(),
		},
		Actors: func(w *world.World) []scenario.Actor {
			var out []scenario.Actor
			for i := range p.Get("buyers") {
				s := &setnx.Shop{Redis: w.Redis, DB: w.DB, Limit: limit}
				o := setnx.Order{User: user, Voucher: store.Voucher, Wait: time.Duration(p.Get("wait")) * time.Millisecond}
				if i == 0 {
					o.Wait = 0
				}
				out = append(out, scenario.Actor{
					Name: trace.Say("actor.request", "request {n}", "n", i+1),
					Node: fmt.Sprintf("n%d", i+1),
					Body: func(ctx context.Context) error { return s.Limited(ctx, o) },
				})
			}
			return out
		},
		Time:       scenario.Eager,
		EagerTicks: 3, // as many as it takes to wait for a window
		// Who has waited for one window and is refused for another one is refused for
		// ever; ten times this is how long a run-out takes.
		Lease:  setnx.Window / 10,
		Faults: scenario.Faults{CrashNodes: []string{"n1"}},
		Lights: append(shop.DatabaseLights(stock), scenario.Light{
			Name: withinLimit, When: scenario.EachStep,
			// Work takes no time here: who is at work has passed at this very instant.
			Check: func(v *scenario.View) (bool, error) { return atWork(v) <= limit, nil },
			Detail: func(v *scenario.View) trace.Phrase {
				return trace.Verbatim(fmt.Sprintf("%d / %d", atWork(v), limit))
			},
		}, scenario.Progress()),
		Notes: []trace.Phrase{shop.UniqueIndex(true)},
	}
}
