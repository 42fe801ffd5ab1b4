package main

import (
	"strings"
	"testing"

	"flashlab/lessons"
)

var rehearsalShape = parseShape(`
schema           1
rows[].lesson    string
rows[].subject   string
rows[].light?    string
rows[].declared  string
rows[].found     string
rows[].ok        bool
rows[].detail?   string
failed           0
seconds          number
`)

// Rehearsal goes over every variant with every light, every staged schedule, and
// every exercise.
func TestRehearse(t *testing.T) {
	r := flashlab(t, "rehearse", "oversell", "--json")
	r.wants(t, exitHolds)
	found := map[string]bool{}
	rows := decode(t, r.out, rehearsalShape)["rows"].([]any)
	for _, row := range rows {
		x := row.(map[string]any)
		light, _ := x["light"].(string)
		found[x["subject"].(string)+" "+light] = true
		if x["ok"] != true {
			t.Errorf("not true: %v", x)
		}
	}
	l, err := lessons.Find("oversell")
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range l.Variants {
		for _, d := range v.Lights {
			if !found[v.Name+" "+d.Light] {
				t.Errorf("%s of %s was not looked at", d.Light, v.Name)
			}
		}
	}
	for _, s := range l.Staged {
		if !found["staged "+s.Name+" "+s.Light] {
			t.Errorf("staged schedule %s was not run", s.Name)
		}
	}
	for _, x := range l.Exercises {
		if !found["exercise "+x.Name+" as shipped"] {
			t.Errorf("exercise %s was not tried", x.Name)
		}
	}
	text := flashlab(t, "rehearse", "oversell")
	text.wants(t, exitHolds)
	if strings.Contains(text.out, "✗") || strings.Count(text.out, "✓") != len(rows) {
		t.Errorf("%d claims, but the text is\n%s", len(rows), text.out)
	}
}
