package screen

import (
	"fmt"
	"strings"
	"testing"

	"flashlab/cmd/flashlab/internal/canvas"
	"flashlab/cmd/flashlab/internal/theme"
)

// drawn is a chart as text, spaces at the right taken off.
func drawn(c *Columns) string {
	var b strings.Builder
	for _, row := range c.Rows() {
		line := ""
		for _, s := range row {
			line += s.Text
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

func number(v float64) string { return fmt.Sprintf("%.0f", v) }

func TestColumns(t *testing.T) {
	series := []Series{
		{Mark: "●", Style: theme.Chart1, Values: []float64{100, 50, 1}},
		{Mark: "■", Style: theme.Chart2, Values: []float64{25, -1, 0}},
	}
	for _, tt := range []struct {
		chart Columns
		want  string
	}{
		{Columns{Series: series, Height: 4, Left: 6, Group: 9}, `
 100 ┤ ███
     │ ███
     │ ███      ███
     │ ███ ███  ███      ▁▁▁
   0 └  ●   ■    ●        ●   ■
`},
		{Columns{Series: series, Height: 2, Left: 6, Group: 5}, `
 100 ┤ █
     │ █ ▄  █    ▁
   0 └ ● ■  ●    ● ■
`},
		{Columns{Series: []Series{{Mark: "●", Values: []float64{-1, -1}}}, Height: 2, Left: 4, Group: 4}, `
   │
   │
 0 └
`},
		{Columns{Height: 1, Left: 4, Group: 4}, "\n   │\n 0 └\n"},
	} {
		tt.chart.Label = number
		got := "\n" + drawn(&tt.chart)
		if got != tt.want {
			t.Errorf("%+v draws%swant%s", tt.chart, got, tt.want)
		}
	}
}

// All rows are equally wide, whatever the room, and each bar has the style of its series.
func TestColumnsFit(t *testing.T) {
	for group := range 20 {
		c := Columns{Height: 3, Left: 10, Group: group, Label: number, Series: []Series{
			{Mark: "●", Style: theme.Chart1, Values: []float64{3, 1e6}}, {Mark: "▲", Style: theme.Chart2, Values: []float64{-1, 5}},
			{Mark: "■", Style: theme.Chart3, Values: []float64{0, 2}},
		}}
		wide := -1
		for _, row := range c.Rows() {
			n := 0
			for _, s := range row {
				n += canvas.Width(s.Text)
				if strings.ContainsAny(s.Text, bars) && s.Style != theme.Chart1 && s.Style != theme.Chart2 && s.Style != theme.Chart3 {
					t.Errorf("group %d: a bar %q has style %d", group, s.Text, s.Style)
				}
			}
			if wide >= 0 && n != wide {
				t.Errorf("group %d: rows of %d and %d cells", group, wide, n)
			}
			wide = n
			if group >= 6 && n != c.Left+2*group {
				t.Errorf("group %d: a row of %d cells", group, n)
			}
		}
	}
}
