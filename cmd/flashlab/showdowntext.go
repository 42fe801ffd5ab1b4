package main

import (
	"fmt"
	"io"
	"strings"

	"flashlab/lessons/showdown"
)

// wide is how many columns a sentence may take.
const wide = 88

// writeShowdown prints a showdown for people: a table for each curve, then what it means.
func writeShowdown(w io.Writer, doc showdownJSON) error {
	o := &printer{w: w}
	o.f("%d requests in each sale, one buyer in ten clicks twice; ", doc.Requests)
	if doc.Server == nil {
		o.f("the embedded Redis\n")
	} else {
		o.f("%s\n", *doc.Server)
	}
	for _, limited := range []bool{false, true} {
		if limited {
			o.f("\nbehind a limiter that lets a quarter of the requests pass in a second\n")
		} else {
			o.f("\nwithout a limiter\n")
		}
		o.f("  %-12s %7s %7s %10s %9s %9s %9s %7s  %s\n", "path", "at once", "stock", "answers/s", "half", "99 of 100", "drain", "orders", "verdict")
		for _, x := range doc.Sales {
			if x.Limited != limited {
				continue
			}
			drain := ""
			if x.Path == string(showdown.Script) {
				drain = micro(int64(x.Drain * 1e6))
			}
			o.f("  %-12s %7d %7d %10.0f %9s %9s %9s %7d  %s\n", x.Path, x.Concurrency, x.Stock, x.Rate, micro(x.Median), micro(x.NinetyNine), drain, x.Orders, saleVerdict(x))
		}
	}
	writeCurves(o, doc)
	o.f("\nscript against synchronous, answers a second (with the drain counted)\n")
	for _, r := range doc.Ratios {
		with := "no limiter"
		if r.Limited {
			with = "limiter"
		}
		o.f("  %3d at once, stock %-6d %-10s  ", r.Concurrency, r.Stock, with)
		if r.Answered == nil {
			o.f("does not count: a promise was broken or not decided\n")
		} else {
			o.f("%5.1f  (%.1f)\n", *r.Answered, *r.Settled)
		}
	}
	o.f("\n")
	paragraph(o, "", doc.Depends)
	if doc.Misleads != "" {
		o.f("\n")
		paragraph(o, "", doc.Misleads)
	}
	if doc.Compared != nil {
		o.f("\nanswers a second, before and now\n")
		for _, x := range doc.Compared {
			limiter := ""
			if x.Limited {
				limiter = "  behind the limiter"
			}
			o.f("  %-12s %3d at once, stock %-6d %8.0f %8.0f  %+.0f %%%s\n", x.Path, x.Concurrency, x.Stock, x.Before, x.Now, 100*(x.Now/max(x.Before, 1)-1), limiter)
		}
	}
	return o.err
}

func saleVerdict(x saleJSON) string {
	switch {
	case x.Verdict == "holds":
		return "✓ holds"
	case len(x.Broken) > 0:
		return "✗ breaks " + strings.Join(x.Broken, ", ") + ": does not count"
	}
	return "? not decided"
}

// writeCurves draws, for each path, its rate and its slowest answers over the
// concurrencies, and its rate over the stocks.
func writeCurves(o *printer, doc showdownJSON) {
	concurrency, stock := doc.Concurrency[len(doc.Concurrency)/2], doc.Stock[len(doc.Stock)/2]
	o.f("\ncurves without a limiter, each on its own scale\n")
	for _, path := range showdown.Paths() {
		var over, slow, by []float64
		for _, n := range doc.Concurrency {
			if x := doc.at(string(path), n, stock); x != nil {
				over, slow = append(over, x.Rate), append(slow, float64(x.NinetyNine))
			}
		}
		for _, n := range doc.Stock {
			if x := doc.at(string(path), concurrency, n); x != nil {
				by = append(by, x.Rate)
			}
		}
		o.f("  %-12s  answers/s %s  99 of 100 %s  over %s at once;  answers/s %s  over stock %s\n",
			path, sparkline(over), sparkline(slow), numbers(doc.Concurrency), sparkline(by), numbers(doc.Stock))
	}
}

// at is the sale without a limiter at one place; nil: it was not measured.
func (doc *showdownJSON) at(path string, concurrency, stock int) *saleJSON {
	for i := range doc.Sales {
		if x := &doc.Sales[i]; x.Path == path && !x.Limited && x.Concurrency == concurrency && x.Stock == stock {
			return x
		}
	}
	return nil
}

func numbers(list []int) string {
	var out []string
	for _, n := range list {
		out = append(out, fmt.Sprint(n))
	}
	return strings.Join(out, ", ")
}

// writeClaims prints the cards.
func writeClaims(w io.Writer, doc claimsJSON) error {
	o := &printer{w: w}
	for i, c := range doc.Claims {
		if i > 0 {
			o.f("\n")
		}
		paragraph(o, "", "Claim: "+c.Claim+".")
		for _, f := range c.Figures {
			value := fmt.Sprintf("%.2f %%", 100*f.Value)
			if f.Value > 1 {
				value = fmt.Sprintf("%.1f", f.Value)
			}
			o.f("  %9s  %s (%s)\n", value, f.What, f.Text)
		}
		paragraph(o, "  ", c.Depends)
	}
	if doc.Misleads != "" {
		o.f("\n")
		paragraph(o, "", doc.Misleads)
	}
	return o.err
}

// paragraph prints a text in lines.
func paragraph(o *printer, indent, text string) {
	line := indent
	for _, word := range strings.Fields(text) {
		if len(line)+1+len(word) > wide && line != indent {
			o.f("%s\n", line)
			line = indent
		}
		if line != indent {
			line += " "
		}
		line += word
	}
	o.f("%s\n", line)
}
