package showdown

import (
	"context"
	"fmt"
	"math/big"
	"strings"
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
	Claim   string
	Figures []Figure
	Depends string
}

// Figure is one number of a card.
type Figure struct {
	What  string
	Value float64
	Text  string // how it came about: "3 of 2000 requests"
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

// shortLease is a lease that work does outlast now and then.
const shortLease = 1 * time.Millisecond

// getThenDel storms the unlock of two commands, as it is and with a lease that is as
// short as the work, and counts all schedules.
func getThenDel(ctx context.Context, server *live.Target, requests int) (Card, error) {
	card := Card{
		Name:    "get-then-del",
		Claim:   "GET-then-DEL conflicts in about 0.1 % of runs at 2000 concurrent requests",
		Depends: "It depends on how often a lease ends between the two commands, and on nothing else: with a lease far above the work a storm never shows it, near the work it does; the share of schedules says only that it can.",
	}
	v, err := variant("misdeletion", "get-then-del")
	if err != nil {
		return card, err
	}
	for _, lease := range []time.Duration{0, shortLease} {
		s := stormed(v, requests, map[string]int{"work": 8})
		what := "locks deleted that were somebody else's, lease as in the lesson"
		if lease > 0 {
			s.World.Rewrite = shorten(lease)
			what = fmt.Sprintf("the same with a lease of %v", lease)
		}
		o := storm.Options{Requests: requests, Concurrency: min(requests, 256), Nodes: 2, Seed: 1, Server: server}
		r, err := storm.Run(ctx, s, o)
		if err := whole(r, err); err != nil {
			return card, err
		}
		n := r.Seen[scenario.NoMisdeletionLight]
		card.Figures = append(card.Figures, Figure{what, float64(n) / float64(max(1, r.Done)), fmt.Sprintf("%d of %d requests, %d at once; %d held the lock", n, r.Done, o.Concurrency, r.OK)})
	}
	share, err := exact(ctx, v.Scenario(scenario.NewParams(v.Params)), scenario.NoMisdeletionLight)
	if err != nil {
		return card, err
	}
	card.Figures = append(card.Figures, share)
	return card, nil
}

// shorten gives every lock a lease of that length.
func shorten(lease time.Duration) func(args []any) []any {
	return func(args []any) []any {
		if len(args) < 5 || !strings.EqualFold(fmt.Sprint(args[0]), "set") {
			return nil
		}
		out := append([]any(nil), args...)
		for i := 3; i+1 < len(out); i++ {
			if unit := strings.ToLower(fmt.Sprint(out[i])); unit == "ex" || unit == "px" {
				out[i], out[i+1] = "px", lease.Milliseconds()
				return out
			}
		}
		return nil
	}
}

// exact is the share of all schedules that break a light.
func exact(ctx context.Context, s *scenario.Scenario, light string) (Figure, error) {
	res, err := lessons.Explore(ctx, s, explore.Limits{States: explore.DefaultStates, Duration: 20 * time.Second}, nil)
	if err != nil {
		return Figure{}, err
	}
	i := s.Light(light)
	f := Figure{What: "exact share of the schedules at the lesson's size", Text: "not counted in time"}
	if i >= 0 && res.Complete && res.Interleavings.Sign() > 0 {
		f.Value, _ = new(big.Rat).SetFrac(res.Lights[i].Violating, res.Interleavings).Float64()
		f.Text = fmt.Sprintf("%s of %s break %s", res.Lights[i].Violating, res.Interleavings, light)
	}
	return f, nil
}

// casStock sells 100 units to 200 requests, once per condition of the update.
func casStock(ctx context.Context, _ *live.Target, _ int) (Card, error) {
	const requests, stock = 200, 100
	card := Card{
		Name:    "cas-stock",
		Claim:   "with \"stock = old\" most buyers fail although there is stock; \"stock > 0\" sells everything",
		Depends: "It depends on how many have read the same stock before one of them writes: on requests at once, and on how long reading and writing are apart, which over a network is longer than here.",
	}
	for _, name := range []string{"cas-stock", "guarded"} {
		v, err := variant("oversell", name)
		if err != nil {
			return card, err
		}
		s := stormed(v, requests, map[string]int{"stock": stock})
		r, err := storm.Run(ctx, s, storm.Options{Requests: requests, Concurrency: requests, Seed: 1})
		if err := whole(r, err); err != nil {
			return card, err
		}
		what := "success with stock = old"
		if name == "guarded" {
			what = "success with stock > 0"
		}
		card.Figures = append(card.Figures, Figure{what, float64(r.OK) / float64(stock), fmt.Sprintf("%d of %d units sold to %d requests", r.OK, stock, requests)})
	}
	return card, nil
}

// lockWidth sells under one lock for the voucher and under one for each user.
func lockWidth(ctx context.Context, server *live.Target, requests int) (Card, error) {
	card := Card{
		Name:    "lock-width",
		Claim:   "a lock per voucher makes all buyers wait for each other, a lock per user only those who click twice",
		Depends: "It depends on what is done under the lock: here a database with one writer, which queues the buyers anyway, so the lock per user gains less than with one that writes side by side.",
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
		what := "requests/s with a lock per user"
		if wide {
			what = "requests/s with a lock per voucher"
		}
		rates = append(rates, c.Rate)
		card.Figures = append(card.Figures, Figure{what, c.Rate, fmt.Sprintf("%d requests, 32 at once, everything %s", n, c.Verdict)})
	}
	if rates[0] > 0 {
		card.Figures = append(card.Figures, Figure{"per user against per voucher", rates[1] / rates[0], fmt.Sprintf("%.1f times", rates[1]/rates[0])})
	}
	return card, nil
}
