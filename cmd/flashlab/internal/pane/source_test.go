package pane

import (
	"slices"
	"strings"
	"testing"

	"flashlab/cmd/flashlab/internal/canvas"
	"flashlab/lessons"
)

func TestBreakCode(t *testing.T) {
	for _, tt := range []struct {
		line string
		w    int
		want []string
	}{
		{"return err", 20, []string{"return err"}},
		{"  row := db.Query(ctx, id)", 20, []string{"  row := db.Query(", "ctx, id)"}},
		{"        service.updateById(voucher);", 30, []string{"        service.updateById(", "voucher);"}},
		{"averyveryverylongname", 8, []string{"averyver", "yverylon", "gname"}},
		{"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 8, []string{"aaaaaaaa", "aaaaaaaa", "aaaaaaaaaaaaaaaa"}},
		{"库存减一库存减一", 7, []string{"库存减", "一库存", "减一"}},
		{"x", 0, []string{"x"}},
		{"", 9, []string{""}},
	} {
		if got := canvas.BreakCode(tt.line, tt.w, 3); !slices.Equal(got, tt.want) {
			t.Errorf("%q in %d: %q, want %q", tt.line, tt.w, got, tt.want)
		}
	}
}

// TestSourceShowsTheLine holds the pane to its promise in all heights and at every
// line.
func TestSourceShowsTheLine(t *testing.T) {
	lines := strings.Split(lostUpdateGo, "\n")
	for at := 1; at <= len(lines); at++ {
		d := &Lesson{Code: map[string]SourceView{"A": {File: "x.go", Lines: lines, At: []int{at}}}}
		for _, h := range []int{1, 2, 4, 9, 30} {
			for _, w := range []int{30, 44, 90} {
				rows := rowsOf(w, h, func(v canvas.View) int { return d.Source(v, "A") })
				n := 0
				for _, r := range rows {
					if strings.HasPrefix(strings.TrimSpace(r), "▶") {
						n++
					}
				}
				if n != 1 {
					t.Fatalf("line %d in %dx%d is marked %d times:\n%s", at, w, h, n, strings.Join(rows, "\n"))
				}
			}
		}
	}
}

func TestSourceMarks(t *testing.T) {
	d := lostUpdate()
	d.Cursor = 3 // A before its UPDATE, B before its INSERT
	text := strings.Join(rowsOf(60, 26, func(v canvas.View) int { return d.Source(v, "A") }), "\n")
	for _, want := range []string{" ▶17 ", "B 23 "} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	d.Code["A"] = SourceView{File: "Shop.java", Java: true, Lines: []string{"class Shop {", "  void buy() {}", "}"}, At: []int{2, 1}}
	d.Code["B"] = SourceView{File: "Shop.java", Java: true, Lines: d.Code["A"].Lines, At: []int{3}}
	text = strings.Join(rowsOf(60, 5, func(v canvas.View) int { return d.Source(v, "A") }), "\n")
	for _, want := range []string{" ▸1 class", " ▶2 ", "B 3 }"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

func TestSentences(t *testing.T) {
	d := lostUpdate()
	got := Sentences(d.Variant, strings.Split(lostUpdateGo, "\n"))
	if len(got) != 1 || got[8] != d.Variant.Steps[0].Say {
		t.Errorf("%v", got)
	}
	if got := Sentences(&lessons.Variant{}, nil); len(got) != 0 {
		t.Errorf("%v", got)
	}
}
