package homework

import (
	"encoding/json"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"flashlab/lessons"
	"flashlab/store/progress"
)

// Schema is the version of the form of a report.
const Schema = 1

// What a report says of itself.
const (
	program    = "flashlab"
	kindReport = "report"
)

// Report holds what a learner claims to have done. Everything an engine can judge is
// there in full, so that nothing has to be believed.
type Report struct {
	Schema  int     `json:"schema"`
	Program string  `json:"program"`
	Kind    string  `json:"kind"`
	Version string  `json:"version"` // of the program that made it
	Name    string  `json:"name"`    // of the learner, as given
	Made    string  `json:"made"`    // RFC 3339
	Host    string  `json:"host"`    // random id of the installation
	Claims  []Claim `json:"claims"`
}

// The kinds of claims.
const (
	Schedule    = "schedule"    // a schedule that breaks the light of an exercise
	Answer      = "answer"      // the last answer that passed, or else the last
	Explanation = "explanation" // why it broke
	Prediction  = "prediction"  // the first answer to a question
	Help        = "help"        // hints and solution shown
	Mistakes    = "mistakes"    // misconceptions counted
	Recall      = "recall"      // cards turned over
)

// cards is the subject of the claim about all cards.
const cards = "cards"

// Claim is one thing that a learner claims. Which fields count depends on Kind.
type Claim struct {
	Kind       string         `json:"kind"`
	Lesson     string         `json:"lesson,omitempty"`
	Subject    string         `json:"subject"` // exercise, question or "cards"
	Token      string         `json:"token,omitempty"`
	Steps      int            `json:"steps,omitempty"`
	Switches   int            `json:"switches,omitempty"`
	Light      string         `json:"light,omitempty"`
	Shortest   bool           `json:"shortest,omitempty"`
	Fewest     bool           `json:"fewest,omitempty"`
	Form       string         `json:"form,omitempty"`
	Answer     string         `json:"answer,omitempty"`
	Passed     bool           `json:"passed,omitempty"`
	Mistake    string         `json:"mistake,omitempty"`
	Option     string         `json:"option,omitempty"`
	Right      bool           `json:"right,omitempty"`
	Line       string         `json:"line,omitempty"` // the learner's own words
	Confidence int            `json:"confidence,omitempty"`
	Hints      int            `json:"hints,omitempty"`
	Revealed   bool           `json:"revealed,omitempty"`
	Mistakes   map[string]int `json:"mistakes,omitempty"`
	Cards      int            `json:"cards,omitempty"`  // different ones
	Seen       int            `json:"seen,omitempty"`   // times turned over
	Lapses     int            `json:"lapses,omitempty"` // times not known
}

// Make makes a report from a log as it counts now. The same log gives the same
// claims in the same order: that of the lessons, then what this version does not
// know by name, then the cards.
func Make(events []progress.Event, now time.Time, host, name, version string) *Report {
	m := maker{book: progress.Fold(events, now), broke: brokeEvents(events)}
	seen := map[string]bool{}
	for _, l := range lessons.All() {
		for i := range l.Predict {
			m.question(l.Predict[i].Name, seen)
		}
		for i := range l.Exercises {
			x := &l.Exercises[i]
			for _, q := range []*lessons.Question{x.Ask, x.Cause} {
				if q != nil {
					m.question(q.Name, seen)
				}
			}
			m.exercise(x.Name, seen)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(m.book.Questions)) {
		m.question(name, seen)
	}
	for _, name := range slices.Sorted(maps.Keys(m.book.Exercises)) {
		m.exercise(name, seen)
	}
	m.cards()
	return &Report{
		Schema: Schema, Program: program, Kind: kindReport, Version: version, Name: strings.TrimSpace(name),
		Made: now.UTC().Format(time.RFC3339), Host: host, Claims: m.claims,
	}
}

// brokeEvents are the schedules in a log, by exercise and token. A token names its
// scenario, so that the same token is always worth the same.
func brokeEvents(events []progress.Event) map[[2]string]progress.Broke {
	out := map[[2]string]progress.Broke{}
	for _, e := range events {
		if p, err := e.Payload(); err == nil {
			if b, ok := p.(progress.Broke); ok {
				out[[2]string{e.Subject, b.Token}] = b
			}
		}
	}
	return out
}

type maker struct {
	book   progress.Book
	broke  map[[2]string]progress.Broke
	claims []Claim
}

func (m *maker) question(name string, seen map[string]bool) {
	q, ok := m.book.Questions[name]
	if !ok || seen["?"+name] {
		return
	}
	seen["?"+name] = true
	m.claims = append(m.claims, Claim{
		Kind: Prediction, Lesson: q.First.Lesson, Subject: name,
		Option: q.First.Option, Confidence: q.First.Confidence, Right: q.First.Right,
	})
}

func (m *maker) exercise(name string, seen map[string]bool) {
	x, ok := m.book.Exercises[name]
	if !ok || seen[name] {
		return
	}
	seen[name] = true
	claim := func(c Claim) {
		c.Lesson, c.Subject = x.Lesson, name
		m.claims = append(m.claims, c)
	}
	for i, best := range []progress.Best{x.Steps, x.Switches} {
		if best.Token == "" || i > 0 && best.Token == x.Steps.Token {
			continue
		}
		b := m.broke[[2]string{name, best.Token}]
		claim(Claim{
			Kind: Schedule, Token: b.Token, Steps: b.Steps, Switches: b.Switches, Light: b.Light,
			Shortest: b.Shortest, Fewest: b.Fewest,
		})
	}
	if !x.Why.At.IsZero() {
		claim(Claim{Kind: Explanation, Option: x.Why.Option, Right: x.Why.Right, Line: x.Why.Line})
	}
	last := x.Solved
	if last.At.IsZero() {
		last = x.Last
	}
	if !last.At.IsZero() {
		claim(Claim{Kind: Answer, Form: last.Form, Answer: last.Answer, Passed: last.Passed, Mistake: last.Mistake})
	}
	if x.Hints > 0 || x.Revealed {
		claim(Claim{Kind: Help, Hints: x.Hints, Revealed: x.Revealed})
	}
	if len(x.Mistakes) > 0 {
		claim(Claim{Kind: Mistakes, Mistakes: x.Mistakes})
	}
}

func (m *maker) cards() {
	c := Claim{Kind: Recall, Subject: cards, Cards: len(m.book.Cards)}
	for _, card := range m.book.Cards {
		c.Seen += card.Seen
		c.Lapses += card.Lapses
	}
	if c.Cards > 0 {
		m.claims = append(m.claims, c)
	}
}

// Write writes the report as one JSON document.
func (r *Report) Write(w io.Writer) error {
	doc := *r
	if doc.Claims == nil {
		doc.Claims = []Claim{}
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(&doc)
}
