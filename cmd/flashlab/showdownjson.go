package main

import (
	"flashlab/lessons/showdown"
	"flashlab/sim/live"
	"flashlab/sim/scenario"
)

type showdownJSON struct {
	Schema      int                `json:"schema"`
	Server      *string            `json:"server"`
	Requests    int                `json:"requests"`
	Concurrency []int              `json:"concurrency"`
	Stock       []int              `json:"stock"`
	Sales       []saleJSON         `json:"sales"`
	Ratios      []ratioJSON        `json:"ratios"`
	Depends     string             `json:"depends"`
	Misleads    string             `json:"misleads,omitempty"`
	Compared    []saleComparedJSON `json:"compared,omitempty"`
}

type saleJSON struct {
	Path        string           `json:"path"`
	Limited     bool             `json:"limited"`
	Permits     int              `json:"permits"`
	Concurrency int              `json:"concurrency"`
	Stock       int              `json:"stock"`
	Rate        float64          `json:"rate"`
	Settled     float64          `json:"settled_rate"`
	Median      int64            `json:"median_us"`
	NinetyNine  int64            `json:"ninety_nine_us"`
	Seconds     float64          `json:"seconds"`
	Drain       float64          `json:"drain_seconds"`
	Sold        int64            `json:"sold"`
	Orders      int64            `json:"orders"`
	Refused     map[string]int64 `json:"refused"`
	Verdict     string           `json:"verdict"`
	Broken      []string         `json:"broken"`
}

type ratioJSON struct {
	Limited     bool     `json:"limited"`
	Concurrency int      `json:"concurrency"`
	Stock       int      `json:"stock"`
	Answered    *float64 `json:"answered"`
	Settled     *float64 `json:"settled"`
}

type saleComparedJSON struct {
	Path        string  `json:"path"`
	Limited     bool    `json:"limited"`
	Concurrency int     `json:"concurrency"`
	Stock       int     `json:"stock"`
	Before      float64 `json:"before"`
	Now         float64 `json:"now"`
}

type claimsJSON struct {
	Schema   int         `json:"schema"`
	Server   *string     `json:"server"`
	Claims   []claimJSON `json:"claims"`
	Misleads string      `json:"misleads,omitempty"`
}

type claimJSON struct {
	Name    string            `json:"name"`
	Claim   string            `json:"claim"`
	Figures []claimFigureJSON `json:"figures"`
	Depends string            `json:"depends"`
}

type claimFigureJSON struct {
	What  string  `json:"what"`
	Value float64 `json:"value"`
	Text  string  `json:"text"`
}

// named is the server of a document; nil: the embedded Redis.
func named(t *live.Target) *string {
	if t == nil {
		return nil
	}
	name := t.String()
	return &name
}

func (f *showdownFlags) document(t *live.Target, cells []showdown.Cell, before *showdownJSON) showdownJSON {
	doc := showdownJSON{
		Schema: schema, Server: named(t), Requests: f.requests, Concurrency: f.concurrency, Stock: f.stock,
		Sales: []saleJSON{}, Ratios: []ratioJSON{}, Depends: showdown.Depends,
	}
	if t == nil {
		doc.Misleads = showdown.Embedded
	}
	for _, c := range cells {
		x := saleJSON{
			Path: string(c.Path), Limited: c.Limited, Permits: c.Permits(), Concurrency: c.Concurrency, Stock: c.Stock,
			Rate: c.Rate, Settled: c.Settled(), Median: c.P50, NinetyNine: c.P99, Seconds: c.Elapsed.Seconds(),
			Drain: c.Drain.Seconds(), Sold: c.Sold, Orders: c.Orders, Refused: c.Refused, Verdict: c.Verdict.String(), Broken: []string{},
		}
		for _, l := range c.Lights {
			if l.Verdict == scenario.Breaks {
				x.Broken = append(x.Broken, l.Light)
			}
		}
		doc.Sales = append(doc.Sales, x)
	}
	for _, r := range showdown.Ratios(cells) {
		x := ratioJSON{Limited: r.Limited, Concurrency: r.Concurrency, Stock: r.Stock}
		if r.Answered > 0 {
			x.Answered, x.Settled = &r.Answered, &r.Settled
		}
		doc.Ratios = append(doc.Ratios, x)
	}
	if before != nil {
		doc.Compared = compared(before.Sales, doc.Sales)
	}
	return doc
}

// compared pairs the sales of two documents at the same place.
func compared(before, now []saleJSON) []saleComparedJSON {
	var out []saleComparedJSON
	for _, b := range before {
		for _, n := range now {
			if b.Path == n.Path && b.Limited == n.Limited && b.Concurrency == n.Concurrency && b.Stock == n.Stock {
				out = append(out, saleComparedJSON{n.Path, n.Limited, n.Concurrency, n.Stock, b.Rate, n.Rate})
			}
		}
	}
	return out
}

func claimsDocument(t *live.Target, cards []showdown.Card) claimsJSON {
	doc := claimsJSON{Schema: schema, Server: named(t), Claims: []claimJSON{}}
	if t == nil {
		doc.Misleads = showdown.Embedded
	}
	for _, c := range cards {
		x := claimJSON{Name: c.Name, Claim: c.Claim, Depends: c.Depends, Figures: []claimFigureJSON{}}
		for _, f := range c.Figures {
			x.Figures = append(x.Figures, claimFigureJSON(f))
		}
		doc.Claims = append(doc.Claims, x)
	}
	return doc
}
