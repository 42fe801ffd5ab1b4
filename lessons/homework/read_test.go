package homework_test

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"flashlab/lessons/homework"
)

// document is a report with these claims.
func document(claims ...string) string {
	return `{"schema":1,"program":"flashlab","kind":"report","version":"dev","name":"Ada","made":"2026-11-30T12:00:00Z","host":"h","claims":[` +
		strings.Join(claims, ",") + `]}`
}

// A file that is no report is told from one, in half a sentence.
func TestUnreadableReports(t *testing.T) {
	good := document(`{"kind":"help","lesson":"oversell","subject":"x","hints":2}`)
	if r, err := homework.Read(strings.NewReader(good)); err != nil || len(r.Claims) != 1 || r.Claims[0].Hints != 2 {
		t.Fatalf("%+v, %v", r, err)
	}
	for text, want := range map[string]string{
		"":                    "it is empty",
		" \n":                 "it is empty",
		good[:len(good)-1]:    "it is cut off",
		good[:40]:             "it is cut off",
		good + "x":            "it is no JSON",
		"{":                   "it is cut off",
		"Dear diary":          "it is no JSON",
		"\x7fELF\x00\x01":     "it is no text",
		"\xff\xfe{":           "it is no text",
		"null":                "not a report of flashlab",
		"[]":                  "not a report of flashlab",
		"3":                   "not a report of flashlab",
		`{"program":"other"}`: "not a report of flashlab",
		`{"program":["a"]}`:   "not a report of flashlab",
		`{"program":"flashlab","schema":1,"events":[]}`:                                   "progress export --report",
		`{"program":"flashlab","schema":1}`:                                               `"kind" must be "report"`,
		strings.Replace(good, `"schema":1`, `"schema":2`, 1):                              "a newer flashlab (schema 2",
		strings.Replace(good, `"schema":1`, `"schema":"1"`, 1):                            `"schema" must be a number`,
		strings.Replace(good, `"schema":1`, `"schema":1.5`, 1):                            "a newer flashlab",
		strings.Replace(good, `"schema":1,`, ``, 1):                                       `"schema" must be a number`,
		strings.Replace(good, `"made":"2`, `"made":"yesterday 2`, 1):                      `"made" must be a time`,
		strings.Replace(good, `"hints":2`, `"hints":"two"`, 1):                            `"claims.hints" holds a string`,
		strings.Replace(good, `"hints":2`, `"hints":1e99`, 1):                             `"claims.hints" holds a number`,
		strings.Replace(good, `"name":"Ada"`, `"name":3`, 1):                              `"name" holds a number`,
		strings.Replace(good, `"name":"Ada"`, `"name":"`+strings.Repeat("A", 300)+`"`, 1): "the name in it has 300 bytes",
		strings.Replace(good, `"host":"h"`, `"host":"`+strings.Repeat("h", 300)+`"`, 1):   "too long",
		strings.Replace(good, `"claims":[`, `"claims":{},"x":[`, 1):                       `"claims" must be a list`,
		document(`{"kind":"` + strings.Repeat("k", 300) + `"}`):                           "a name in claim 1 has 300 bytes",
		document(`{}`, `{"answer":"`+strings.Repeat("k", 70_000)+`"}`):                    "a text in claim 2 has 70000 bytes",
		document(strings.Repeat("{},", homework.MaxClaims) + "{}"):                        "it has 2001 claims",
		strings.Repeat("[", 100_000):                                                      "it is no JSON",
		strings.Repeat(" ", homework.MaxReport) + good:                                    "more than 8 MiB",
	} {
		r, err := homework.Read(strings.NewReader(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.200q: %+v, %v; want %q", text, r, err, want)
		}
	}
}

// What is not known is no fault: fields may be added.
func TestNewFieldsPass(t *testing.T) {
	text := strings.Replace(document(`{"kind":"dream","subject":"x","colour":"red"}`), `"schema":1`, `"schema":1,"more":[1,{}]`, 1)
	r, err := homework.Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := homework.Verify(t.Context(), r)
	if err != nil || len(rows) != 1 || rows[0].Problem != homework.NotHere {
		t.Errorf("%+v, %v", rows, err)
	}
}

// Whatever is read can be judged, written and read again.
func FuzzRead(f *testing.F) {
	for _, claim := range []string{
		`{"kind":"schedule","lesson":"oversell","subject":"break-lost-update","token":"oversell.lost-update@abd:AB3A2~c","steps":6}`,
		`{"kind":"answer","lesson":"lua-unlock","subject":"unlock","form":"script","answer":"return 1","passed":true}`,
		`{"kind":"prediction","subject":"\ud800","option":"=1+1"}`,
		`{"kind":"mistakes","subject":"unlock","lesson":"lua-unlock","mistakes":{"endless":-1}}`,
	} {
		f.Add([]byte(document(claim)))
	}
	f.Add([]byte(`{"program":"flashlab","kind":"report","schema":1e0,"claims":[null],"made":"2026-11-30T12:00:00Z"}`))
	checker := homework.NewChecker(f.Context(), homework.Limits{})
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := homework.Read(bytes.NewReader(text))
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\x1b") {
				t.Fatalf("not one line: %q", err)
			}
			return
		}
		// A few claims are judged as well, but no answers, which take their time.
		few := *r
		few.Claims = slices.DeleteFunc(slices.Clone(r.Claims), func(c homework.Claim) bool { return c.Kind == homework.Answer })
		few.Claims = few.Claims[:min(len(few.Claims), 4)]
		rows, err := checker.Verify(&few)
		if err != nil || len(rows) != len(few.Claims) {
			t.Fatalf("%d rows for %d claims, %v", len(rows), len(few.Claims), err)
		}
		for _, row := range rows {
			if row.Verdict == "" || row.Verdict == homework.False && row.Detail.EN == "" {
				t.Fatalf("no verdict on %+v", row)
			}
		}
		papers := []homework.Paper{{File: "f", Report: r, Rows: rows}, {File: "g", Err: fmt.Errorf("no")}}
		homework.Mark(papers)
		for _, table := range homework.Tables() {
			var out bytes.Buffer
			if err := homework.WriteCSV(&out, table, papers); err != nil {
				t.Fatal(err)
			}
			noFormula(t, out.String())
		}
		if again := reread(t, r); !reflect.DeepEqual(normal(again), normal(r)) {
			t.Fatalf("written and read again: %+v, was %+v", again, r)
		}
	})
}

// normal takes away the difference between no claims and an empty list of them, and
// between no and empty mistakes.
func normal(r *homework.Report) *homework.Report {
	n := *r
	n.Claims = append([]homework.Claim{}, r.Claims...)
	for i := range n.Claims {
		if len(n.Claims[i].Mistakes) == 0 {
			n.Claims[i].Mistakes = nil
		}
	}
	return &n
}
