package pane

import (
	"fmt"
	"strings"
	"testing"

	"flashlab/sim/trace"
)

func TestChangedRows(t *testing.T) {
	table := func(rows ...string) trace.State {
		out := trace.Table{Name: "t", Columns: []string{"id", "n"}}
		for _, r := range rows {
			out.Rows = append(out.Rows, strings.Fields(r))
		}
		return trace.State{Tables: []trace.Table{out}}
	}
	for _, tt := range []struct {
		before, after trace.State
		want          string // the cells of each row, * where one has changed, - where the row is gone
	}{
		{table("1 5"), table("1 5"), "1 5"},
		{table("1 5"), table("1 4"), "1 4*"},
		{table(), table("1 5"), "1* 5*"},
		{table("1 5", "2 5"), table("2 5"), "2 5, -1 -5"},
		{table("2 1"), table("1 1", "2 1"), "1* 1*, 2 1"},
		{table("7 1"), table("7 1", "7 1"), "7 1, 7* 1*"}, // the same order twice
		{table("1 5"), table("2 5"), "2* 5*, -1 -5"},
		{trace.State{}, table("1 5"), "1 5"}, // nothing to compare with
	} {
		var rows []string
		for _, r := range changedRows(&tt.before, &tt.after.Tables[0]) {
			var cells []string
			for i, c := range r.cells {
				switch {
				case r.gone:
					c = "-" + c
				case r.cellChanged(i):
					c += "*"
				}
				cells = append(cells, c)
			}
			rows = append(rows, strings.Join(cells, " "))
		}
		if got := strings.Join(rows, ", "); got != tt.want {
			t.Errorf("%v to %v: %s, want %s", tt.before.Tables, tt.after.Tables, got, tt.want)
		}
	}
}

func TestSettledColumns(t *testing.T) {
	d := lostUpdate()
	got := fmt.Sprint(d.settled("voucher", 0), d.settled("voucher", 1), d.settled("voucher", 2), d.settled("none", 0))
	if got != "true false true false" {
		t.Error(got)
	}
}
