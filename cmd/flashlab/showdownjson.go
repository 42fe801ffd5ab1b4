package main

import (
	"flashlab/lessons/showdown"
	"flashlab/sim/live"
)

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

func claimsDocument(t *live.Target, cards []showdown.Card) claimsJSON {
	doc := claimsJSON{Schema: schema, Server: showdown.Named(t), Claims: []claimJSON{}}
	if t == nil {
		doc.Misleads = showdown.Embedded.EN
	}
	for _, c := range cards {
		x := claimJSON{Name: c.Name, Claim: c.Claim.EN, Depends: c.Depends.EN, Figures: []claimFigureJSON{}}
		for _, f := range c.Figures {
			x.Figures = append(x.Figures, claimFigureJSON{f.What.EN, f.Value, f.Text.EN})
		}
		doc.Claims = append(doc.Claims, x)
	}
	return doc
}
