package showdown

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"flashlab/sim/scenario"
)

// measured is a small showdown with made-up figures: a sale has its number as its rate.
func measured(scale float64) (Options, []Cell) {
	o := Options{Requests: 100, Concurrency: []int{1, 8}, Stock: []int{1, 50}}
	var out []Cell
	for i, s := range o.Settings() {
		out = append(out, Cell{
			Setting: s, Rate: scale * float64(100+i), P50: 10, P99: 90, Elapsed: 1e9, Drain: 1e8, Sold: 7, Orders: 7,
			Refused: map[string]int64{"sold <out>": 93}, Verdict: scenario.Holds,
		})
	}
	return o, out
}

// What is kept is read back whole, and replaces what was kept before.
func TestKeep(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "lab", "showdown.json")
	if _, err := Load(file); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	for _, scale := range []float64{1, 2} {
		doc := NewDocument(measured(scale))
		if err := doc.Keep(file); err != nil {
			t.Fatal(err)
		}
		got, err := Load(file)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, doc) {
			t.Errorf("kept %+v\nread %+v", doc, got)
		}
	}
	list, err := os.ReadDir(filepath.Dir(file))
	if err != nil || len(list) != 1 {
		t.Errorf("%d files beside it, %v", len(list), err)
	}
	if b, _ := os.ReadFile(file); !strings.Contains(string(b), "sold <out>") {
		t.Errorf("signs are escaped: %s", b)
	}
}

// A file that holds something else is refused, and stays as it is.
func TestKeepForeign(t *testing.T) {
	dir := t.TempDir()
	b, err := NewDocument(measured(1)).Encode()
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"empty": "", "text": "my notes", "other": "{}", "list": "[1]", "cut": string(b[:len(b)/2]), "behind": string(b) + "}",
		"newer": strings.Replace(string(b), `"schema": 1`, `"schema": 2`, 1), "long": strings.Repeat(" ", maxDocument) + string(b),
		"no sales": `{"schema":1,"sales":[]}`, "null": "null",
	} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(file); !errors.Is(err, ErrForeign) {
			t.Errorf("%s: read with %v", name, err)
		}
		if err := NewDocument(measured(1)).Keep(file); !errors.Is(err, ErrForeign) {
			t.Errorf("%s: kept with %v", name, err)
		}
		if now, _ := os.ReadFile(file); string(now) != text {
			t.Errorf("%s was overwritten", name)
		}
	}
	if err := NewDocument(measured(1)).Keep(dir); !errors.Is(err, ErrForeign) {
		t.Errorf("a directory: %v", err)
	}
	if err := NewDocument(measured(1)).Keep(filepath.Join(dir, "text", "x")); err == nil {
		t.Error("it was kept below a file")
	}
}

// Only what is at the same place and counts in both is compared.
func TestCompare(t *testing.T) {
	o, cells := measured(1)
	before := NewDocument(o, cells)
	o2, faster := measured(3)
	faster[0].Verdict = scenario.Breaks
	faster = faster[:len(faster)-1]
	list := NewDocument(o2, faster).Compare(before)
	if len(list) != len(cells)-2 {
		t.Errorf("%d of %d sales are compared", len(list), len(cells))
	}
	for _, c := range list {
		if f := c.Factor(); f != 3 {
			t.Errorf("%+v: factor %v", c, f)
		}
	}
	o.Concurrency = []int{2}
	if list := NewDocument(o, []Cell{{Setting: o.Settings()[0], Verdict: scenario.Holds}}).Compare(before); len(list) != 0 {
		t.Errorf("another place is compared: %+v", list)
	}
}

// The progress tells of each sale before it begins, with all that are over.
func TestProgress(t *testing.T) {
	var seen []Progress
	o := Options{Requests: 20, Concurrency: []int{2}, Stock: []int{5}, Progress: func(p Progress) { seen = append(seen, p) }}
	cells, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	all := o.Settings()
	if len(cells) != len(all) || len(seen) != len(all) {
		t.Fatalf("%d cells, %d reports, %d sales", len(cells), len(seen), len(all))
	}
	for i, p := range seen {
		if len(p.Done) != i || p.All != len(all) || p.Now != all[i] || i > 0 && p.Done[i-1].Rate != cells[i-1].Rate {
			t.Errorf("report %d: %+v", i, p)
		}
	}
}
