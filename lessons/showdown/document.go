package showdown

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"flashlab/sim/live"
	"flashlab/sim/scenario"
)

// Schema is the version of the form of a document.
const Schema = 1

// ErrForeign is the error of a file that does not hold a document.
var ErrForeign = errors.New("it is not what showdown --save writes")

// Document is a showdown as it is written down: what was measured, on which server and
// at which sizes.
type Document struct {
	Schema      int             `json:"schema"`
	Server      *string         `json:"server"` // nil: the embedded Redis
	Requests    int             `json:"requests"`
	Concurrency []int           `json:"concurrency"`
	Stock       []int           `json:"stock"`
	Sales       []DocumentSale  `json:"sales"`
	Ratios      []DocumentRatio `json:"ratios"`
	Depends     string          `json:"depends"`
	Misleads    string          `json:"misleads,omitempty"`
	Compared    []Comparison    `json:"compared,omitempty"`
}

// DocumentSale is a cell. Rates are a second.
type DocumentSale struct {
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

// DocumentRatio is a ratio; nil where one of the two paths does not count.
type DocumentRatio struct {
	Limited     bool     `json:"limited"`
	Concurrency int      `json:"concurrency"`
	Stock       int      `json:"stock"`
	Answered    *float64 `json:"answered"`
	Settled     *float64 `json:"settled"`
}

// Comparison is the same sale in two documents: its answers a second.
type Comparison struct {
	Path        string  `json:"path"`
	Limited     bool    `json:"limited"`
	Concurrency int     `json:"concurrency"`
	Stock       int     `json:"stock"`
	Before      float64 `json:"before"`
	Now         float64 `json:"now"`
}

// Factor is how many times as fast the sale is now.
func (c Comparison) Factor() float64 { return c.Now / max(c.Before, 1) }

// NewDocument writes down what was measured with these options.
func NewDocument(o Options, cells []Cell) *Document {
	o = o.Defaults()
	doc := &Document{
		Schema: Schema, Server: Named(o.Server), Requests: o.Requests, Concurrency: o.Concurrency, Stock: o.Stock,
		Sales: []DocumentSale{}, Ratios: []DocumentRatio{}, Depends: Depends.EN,
	}
	if o.Server == nil {
		doc.Misleads = Embedded.EN
	}
	for _, c := range cells {
		doc.Sales = append(doc.Sales, saleOf(c))
	}
	for _, r := range Ratios(cells) {
		x := DocumentRatio{Limited: r.Limited, Concurrency: r.Concurrency, Stock: r.Stock}
		if r.Answered > 0 {
			x.Answered, x.Settled = &r.Answered, &r.Settled
		}
		doc.Ratios = append(doc.Ratios, x)
	}
	return doc
}

// Named is the server of a document; nil: the embedded Redis.
func Named(t *live.Target) *string {
	if t == nil {
		return nil
	}
	name := t.String()
	return &name
}

func saleOf(c Cell) DocumentSale {
	return DocumentSale{
		Path: string(c.Path), Limited: c.Limited, Permits: c.Permits(), Concurrency: c.Concurrency, Stock: c.Stock,
		Rate: c.Rate, Settled: c.Settled(), Median: c.P50, NinetyNine: c.P99, Seconds: c.Elapsed.Seconds(),
		Drain: c.Drain.Seconds(), Sold: c.Sold, Orders: c.Orders, Refused: c.Refused, Verdict: c.Verdict.String(), Broken: c.Broken(),
	}
}

// Compare pairs the sales of an earlier document with those at the same place in this
// one. A sale that broke a promise, then or now, is no measure.
func (d *Document) Compare(before *Document) []Comparison {
	var out []Comparison
	for _, b := range before.Sales {
		for _, n := range d.Sales {
			same := b.Path == n.Path && b.Limited == n.Limited && b.Concurrency == n.Concurrency && b.Stock == n.Stock
			if holds := scenario.Holds.String(); same && b.Verdict == holds && n.Verdict == holds {
				out = append(out, Comparison{n.Path, n.Limited, n.Concurrency, n.Stock, b.Rate, n.Rate})
			}
		}
	}
	return out
}

// Encode is the document as a file holds it.
func (d *Document) Encode() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(d); err != nil {
		return nil, fmt.Errorf("writing down the showdown: %w", err)
	}
	return b.Bytes(), nil
}

// Decode reads what Encode has written; ErrForeign for anything else.
func Decode(b []byte) (*Document, error) {
	var d Document
	if err := json.Unmarshal(b, &d); err != nil || d.Schema != Schema || len(d.Sales) == 0 {
		return nil, ErrForeign
	}
	return &d, nil
}
