package showdown

import (
	"context"
	"fmt"
	"math/big"
	"time"

	"flashlab/lessons"
	"flashlab/sim/explore"
	"flashlab/sim/live"
	"flashlab/sim/scenario"
	"flashlab/sim/storm"
)

// Card is a claim from the field beside today's figure.
type Card struct {
	Name    string
	Claim   lessons.Text
	Figures []Figure
	Depends lessons.Text
}

// Figure is one number of a card.
type Figure struct {
	What  lessons.Text
	Value float64
	Share bool         // Value is a share of 1, not a rate or a ratio
	Text  lessons.Text // how it came about: "3 of 2000 requests"
}

// Amount writes the value, a share in percent.
func (f Figure) Amount() string {
	if f.Share {
		return fmt.Sprintf("%.2f %%", 100*f.Value)
	}
	return fmt.Sprintf("%.1f", f.Value)
}

// say fills the same values into a sentence of each language, by position.
func say(en, zh string, values ...any) lessons.Text {
	return lessons.Text{EN: fmt.Sprintf(en, values...), ZH: fmt.Sprintf(zh, values...)}
}

// Claims computes all cards on the spot. lessons/all must be imported.
func Claims(ctx context.Context, server *live.Target, requests int) ([]Card, error) {
	var out []Card
	for _, f := range []func(context.Context, *live.Target, int) (Card, error){getThenDel, casStock, lockWidth} {
		c, err := f(ctx, server, requests)
		if err != nil {
			return out, err
		}
		out = append(out, c)
	}
	return out, nil
}

// variant finds the code of a lesson.
func variant(lesson, name string) (*lessons.Variant, error) {
	l, err := lessons.Find(lesson)
	if err != nil {
		return nil, err
	}
	return l.Variant(name)
}

// stormed is a scenario at the size of a storm.
func stormed(v *lessons.Variant, requests int, set map[string]int) *scenario.Scenario {
	p := scenario.NewParams(v.Params).Stormed(requests, 2, func(name string) bool { _, ok := set[name]; return ok })
	for name, n := range set {
		p = p.Storm(name, n)
	}
	return v.Scenario(p)
}

// whole is the error of a storm that says nothing.
func whole(r *storm.Result, err error) error {
	switch {
	case err != nil:
		return err
	case r.Lost != nil:
		return r.Lost
	case r.Cancelled:
		return context.Canceled
	}
	return nil
}

// nearWork is a pace with which the lease of 5 s lasts 0.25 ms, rounded up to 1 ms on a
// server: about as long as the work that it is to cover.
const nearWork = 20_000

// getThenDel storms the unlock of two commands, as it is and with a lease that is as
// short as the work, and counts all schedules.
func getThenDel(ctx context.Context, server *live.Target, requests int) (Card, error) {
	card := Card{
		Name: "get-then-del",
		Claim: lessons.Text{
			EN: "GET-then-DEL conflicts in about 0.1 % of runs at 2000 concurrent requests",
			ZH: "2000 个并发请求时，先 GET 再 DEL 大约有 0.1% 的几率误删",
		},
		Depends: lessons.Text{
			EN: "It depends on how often a lease ends between the two commands, and on nothing else: with a lease far above the work a storm never shows it, near the work it does; the share of schedules says only that it can.",
			ZH: "只看一件事：两条命令之间租期到点的时候多不多。租期比干活的时间长得多，风暴里一次也碰不到；跟干活的时间差不多，就会碰到。走法的比例只说明它可能发生。",
		},
	}
	v, err := variant("misdeletion", "get-then-del")
	if err != nil {
		return card, err
	}
	for _, pace := range []int{1, nearWork} {
		s := stormed(v, requests, map[string]int{"work": 8})
		what := say("locks deleted that were somebody else's, lease as in the lesson", "误删了别人的锁，租期同课上")
		if pace > 1 {
			what = say("the same with a lease about as long as the work", "同样的，租期只跟干活差不多长")
		}
		o := storm.Options{Requests: requests, Concurrency: min(requests, 64), Nodes: 2, Seed: 1, Server: server, Pace: pace}
		r, err := storm.Run(ctx, s, o)
		if err := whole(r, err); err != nil {
			return card, err
		}
		n := r.Seen[scenario.NoMisdeletionLight]
		card.Figures = append(card.Figures, Figure{what, float64(n) / float64(max(1, r.Done)), true, say("%d of %d requests, %d at once; %d held the lock", "%[2]d 个请求里 %[1]d 次，%[3]d 个并发；%[4]d 个拿到过锁", n, r.Done, o.Concurrency, r.OK)})
	}
	share, err := exact(ctx, v.Scenario(scenario.NewParams(v.Params)), scenario.NoMisdeletionLight)
	if err != nil {
		return card, err
	}
	card.Figures = append(card.Figures, share)
	return card, nil
}

// exact is the share of all schedules that break a light.
func exact(ctx context.Context, s *scenario.Scenario, light string) (Figure, error) {
	res, err := lessons.Explore(ctx, s, explore.Limits{States: explore.DefaultStates, Duration: 20 * time.Second}, nil)
	if err != nil {
		return Figure{}, err
	}
	i := s.Light(light)
	f := Figure{
		What: say("exact share of the schedules at the lesson's size", "按本课的规模，所有走法里的精确比例"), Share: true,
		Text: say("not counted in time", "限定时间内没数完"),
	}
	if i >= 0 && res.Complete && res.Interleavings.Sign() > 0 {
		f.Value, _ = new(big.Rat).SetFrac(res.Lights[i].Violating, res.Interleavings).Float64()
		f.Text = say("%s of %s break %s", "%[2]s 种走法里 %[1]s 种破坏 %[3]s", res.Lights[i].Violating, res.Interleavings, light)
	}
	return f, nil
}

// networkAway is how far a database is that another machine serves.
const networkAway = time.Millisecond

// casStock sells 100 units to 200 requests, once per condition of the update.
func casStock(ctx context.Context, _ *live.Target, _ int) (Card, error) {
	const requests, stock = 200, 100
	card := Card{
		Name: "cas-stock",
		Claim: lessons.Text{
			EN: "with \"stock = old\" most buyers fail although there is stock; \"stock > 0\" sells everything",
			ZH: "条件写成 stock = 旧值，有货也大多抢不到；写成 stock > 0 就能卖光",
		},
		Depends: lessons.Text{
			EN: "It depends on how many have read the same stock before one of them writes: on requests at once, and on how long reading and writing are apart: in the same process some microseconds, over a network about a millisecond.",
			ZH: "要看有多少人读到同一个库存之后才有人写：并发多少，读和写隔多久。同一个进程里只隔几微秒，走网络大约隔一毫秒。",
		},
	}
	for _, x := range []struct {
		variant  string
		distance time.Duration
		what     lessons.Text
	}{
		{"cas-stock", 0, say("success with stock = old, database in the same process", "条件是 stock = 旧值，数据库就在本进程，卖出的份额")},
		{"cas-stock", networkAway, say("success with stock = old, database 1 ms away", "条件是 stock = 旧值，数据库隔着 1 毫秒，卖出的份额")},
		{"guarded", networkAway, say("success with stock > 0, database 1 ms away", "条件是 stock > 0，数据库隔着 1 毫秒，卖出的份额")},
	} {
		v, err := variant("oversell", x.variant)
		if err != nil {
			return card, err
		}
		s := stormed(v, requests, map[string]int{"stock": stock})
		r, err := storm.Run(ctx, s, storm.Options{Requests: requests, Concurrency: requests, Seed: 1, Distance: x.distance})
		if err := whole(r, err); err != nil {
			return card, err
		}
		card.Figures = append(card.Figures, Figure{x.what, float64(r.OK) / float64(stock), true, say("%d of %d units sold to %d requests", "%[3]d 个请求，%[2]d 件卖了 %[1]d 件", r.OK, stock, requests)})
	}
	return card, nil
}

var verdictZH = map[scenario.Verdict]string{scenario.Holds: "全部成立", scenario.Breaks: "有承诺被破坏", scenario.Unknown: "没能判定"}

// lockWidth sells under one lock for the voucher and under one for each user.
func lockWidth(ctx context.Context, server *live.Target, requests int) (Card, error) {
	card := Card{
		Name: "lock-width",
		Claim: lessons.Text{
			EN: "a lock per voucher makes all buyers wait for each other, a lock per user only those who click twice",
			ZH: "按券加锁，所有人互相等；按用户加锁，只有重复点的人等自己",
		},
		Depends: lessons.Text{
			EN: "It depends on what is done under the lock: here a database with one writer, which queues the buyers anyway, so the lock per user gains little here, and not the same twice; with a database that writes side by side it gains far more.",
			ZH: "要看锁里面做的是什么：这里的数据库同时只能有一个写，大家反正要排队，所以按用户加锁在这里赚得不多，每次量也不一样；换成能并行写的数据库，差距大得多。",
		},
	}
	n := min(requests, 400)
	var rates []float64
	for _, wide := range []bool{true, false} {
		s := Setting{Path: Synchronous, Requests: n, Concurrency: 32, Stock: n, perVoucher: wide, perUser: !wide}
		c, err := Measure(ctx, server, s, 20*time.Second)
		if err == nil && c.Lost != nil {
			err = c.Lost
		}
		if err != nil {
			return card, err
		}
		what := say("requests/s with a lock per user", "每秒请求数，按用户加锁")
		if wide {
			what = say("requests/s with a lock per voucher", "每秒请求数，按券加锁")
		}
		rates = append(rates, c.Rate)
		card.Figures = append(card.Figures, Figure{what, c.Rate, false, lessons.Text{
			EN: fmt.Sprintf("%d requests, %d at once, everything %s", n, s.Concurrency, c.Verdict),
			ZH: fmt.Sprintf("%d 个请求，%d 个并发，%s", n, s.Concurrency, verdictZH[c.Verdict]),
		}})
	}
	if rates[0] > 0 {
		card.Figures = append(card.Figures, Figure{
			say("per user against per voucher", "按用户比按券"), rates[1] / rates[0], false, say("%.1f times", "%.1f 倍", rates[1]/rates[0]),
		})
	}
	return card, nil
}
