package main

import (
	"fmt"
	"io"
	"strings"

	"flashlab/cmd/flashlab/internal/canvas"
	"flashlab/cmd/flashlab/internal/i18n"
	"flashlab/lessons"
	"flashlab/lessons/showdown"
	"flashlab/sim/scenario"
)

// wide is how many columns a sentence may take.
const wide = 88

// showdownText prints a showdown for people, in one language.
type showdownText struct {
	printer
	lang lessons.Lang
	doc  *showdown.Document
	// before is what the document is compared with; nil: nothing.
	before *showdown.Document
}

// writeShowdown prints a table for each curve, then what it means.
func writeShowdown(w io.Writer, doc, before *showdown.Document, lang lessons.Lang) error {
	o := &showdownText{printer{w: w}, lang, doc, before}
	server := o.place(doc)
	o.say("%d requests in each sale, one buyer in ten clicks twice; %s\n", "每场 %d 个请求，十个人里有一个点两次；%s\n", doc.Requests, server)
	for _, limited := range []bool{false, true} {
		if limited {
			o.say("\nbehind a limiter that lets a quarter of the requests pass in a second\n", "\n前面有限流器，每秒放过四分之一的请求\n")
		} else {
			o.say("\nwithout a limiter\n", "\n不限流\n")
		}
		o.table(limited)
	}
	o.curves()
	o.ratios()
	o.f("\n")
	o.paragraph("", showdown.Depends.In(lang))
	if doc.Server == nil {
		o.f("\n")
		o.paragraph("", showdown.Embedded.In(lang))
	}
	o.compared()
	return o.err
}

// place is where a showdown was measured.
func (o *showdownText) place(doc *showdown.Document) string {
	if doc.Server != nil {
		return *doc.Server
	}
	return words(o.lang, "the embedded Redis", "内嵌的 Redis")
}

// say prints a sentence in the language.
func (o *showdownText) say(en, zh string, values ...any) { o.f(words(o.lang, en, zh), values...) }

// path is a path's name in cells of the first column.
func (o *showdownText) path(name string) string {
	for i, p := range showdown.Paths() {
		if o.lang == lessons.ZH && string(p) == name {
			name = i18n.For(o.lang).Showdown.Paths[i]
		}
	}
	return canvas.PadRight(name, 13)
}

// right puts a text at the right of a column of n cells.
func right(text string, n int) string {
	return strings.Repeat(" ", max(0, n-canvas.Width(text))) + text
}

// table prints the sales with or without a limiter.
func (o *showdownText) table(limited bool) {
	head := func(en, zh string, n int) string { return " " + right(words(o.lang, en, zh), n) }
	o.f("  %s%s%s%s%s%s%s%s  %s\n", canvas.PadRight(words(o.lang, "path", "写法"), 12), head("at once", "并发", 7), head("stock", "库存", 7), head("answers/s", "答复/秒", 10),
		head("half", "一半", 9), head("99 of 100", "99%", 9), head("drain", "消化", 9), head("orders", "订单", 7), words(o.lang, "verdict", "判定"))
	for _, x := range o.doc.Sales {
		if x.Limited != limited {
			continue
		}
		drain := ""
		if x.Path == string(showdown.Script) {
			drain = micro(int64(x.Drain * 1e6))
		}
		o.f("  %s%7d %7d %10.0f %9s %9s %9s %7d  %s\n", o.path(x.Path), x.Concurrency, x.Stock, x.Rate, micro(x.Median), micro(x.NinetyNine), drain, x.Orders, o.verdict(x))
	}
}

func (o *showdownText) verdict(x showdown.DocumentSale) string {
	switch {
	case x.Verdict == scenario.Holds.String():
		return words(o.lang, "✓ holds", "✓ 成立")
	case len(x.Broken) > 0:
		broken := strings.Join(x.Broken, ", ")
		return words(o.lang, "✗ breaks "+broken+": does not count", "✗ 破坏了 "+broken+"，不算数")
	}
	return words(o.lang, "? not decided", "? 没能判定")
}

// curves draws, for each path, its rate and its slowest answers over the concurrencies,
// and its rate over the stocks.
func (o *showdownText) curves() {
	doc := o.doc
	concurrency, stock := doc.Concurrency[len(doc.Concurrency)/2], doc.Stock[len(doc.Stock)/2]
	o.say("\ncurves without a limiter, each on its own scale\n", "\n不限流的曲线，各有各的刻度\n")
	for _, path := range showdown.Paths() {
		var over, slow, by []float64
		for _, n := range doc.Concurrency {
			if x := saleAt(doc, string(path), n, stock); x != nil {
				over, slow = append(over, x.Rate), append(slow, float64(x.NinetyNine))
			}
		}
		for _, n := range doc.Stock {
			if x := saleAt(doc, string(path), concurrency, n); x != nil {
				by = append(by, x.Rate)
			}
		}
		o.say("  %s answers/s %s  99 of 100 %s  over %s at once;  answers/s %s  over stock %s\n",
			"  %s 答复/秒 %s  99%% %s  并发 %s；  答复/秒 %s  库存 %s\n",
			o.path(string(path)), sparkline(over), sparkline(slow), numbers(doc.Concurrency), sparkline(by), numbers(doc.Stock))
	}
}

// ratios prints how many times as fast the script was at each place.
func (o *showdownText) ratios() {
	o.say("\nscript against synchronous, answers a second (with the drain counted)\n", "\n脚本比加锁开事务，每秒答复数（算上消化）\n")
	for _, r := range o.doc.Ratios {
		with := words(o.lang, "no limiter", "不限流")
		if r.Limited {
			with = words(o.lang, "limiter", "有限流")
		}
		o.say("  %3d at once, stock %-6d %s  ", "  %3d 个并发，库存 %-6d %s  ", r.Concurrency, r.Stock, canvas.PadRight(with, 10))
		if r.Answered == nil {
			o.say("does not count: a promise was broken or not decided\n", "不算数：有承诺被破坏，或者没能判定\n")
		} else {
			o.f("%5.1f  (%.1f)\n", *r.Answered, *r.Settled)
		}
	}
}

// compared prints the sales beside those of the document that was given.
func (o *showdownText) compared() {
	if o.before == nil {
		return
	}
	if len(o.doc.Compared) == 0 {
		o.say("\nno sale of both has the same path, concurrency and stock: nothing can be compared\n", "\n两次没有一场是同样的写法、并发和库存：没法比\n")
		return
	}
	o.say("\nanswers a second, before and now\n", "\n每秒答复数，上次和这次\n")
	if b := o.before; b.Requests != o.doc.Requests || o.place(b) != o.place(o.doc) {
		o.say("  before: %d requests in each sale on %s; now: %d on %s; the difference has a part in the figures\n",
			"  上次每场 %d 个请求，%s；这次每场 %d 个，%s；条件不同，倍数里也有条件的份\n", b.Requests, o.place(b), o.doc.Requests, o.place(o.doc))
	}
	for _, x := range o.doc.Compared {
		limiter := ""
		if x.Limited {
			limiter = words(o.lang, "  behind the limiter", "  有限流")
		}
		o.say("  %s%3d at once, stock %-6d %8.0f %8.0f  %+.0f %%%s\n", "  %s%3d 个并发，库存 %-6d %8.0f %8.0f  %+.0f %%%s\n",
			o.path(x.Path), x.Concurrency, x.Stock, x.Before, x.Now, 100*(x.Factor()-1), limiter)
	}
}

// saleAt is the sale without a limiter at one place; nil: it was not measured.
func saleAt(doc *showdown.Document, path string, concurrency, stock int) *showdown.DocumentSale {
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

// writeClaims prints the cards; embedded: their figures mislead.
func writeClaims(w io.Writer, cards []showdown.Card, embedded bool, lang lessons.Lang) error {
	o := &showdownText{printer: printer{w: w}, lang: lang}
	for i, c := range cards {
		if i > 0 {
			o.f("\n")
		}
		o.paragraph("", words(lang, "Claim: "+c.Claim.EN+".", "说法："+c.Claim.ZH+"。"))
		for _, f := range c.Figures {
			o.say("  %9s  %s (%s)\n", "  %9s  %s（%s）\n", f.Amount(), f.What.In(lang), f.Text.In(lang))
		}
		o.paragraph("  ", c.Depends.In(lang))
	}
	if embedded {
		o.f("\n")
		o.paragraph("", showdown.Embedded.In(lang))
	}
	return o.err
}

// paragraph prints a text in lines.
func (o *showdownText) paragraph(indent, text string) {
	for _, line := range canvas.Wrap(text, wide-len(indent)) {
		o.f("%s%s\n", indent, line)
	}
}
