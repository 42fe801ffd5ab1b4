package exercise

import "flashlab/sim/scenario"

// Rows reports whether a table holds at least n committed rows: that something was
// sold.
func Rows(table string, n int) func(*scenario.View) (bool, error) {
	return func(v *scenario.View) (bool, error) {
		rows, err := v.Rows(table)
		return len(rows) >= n, err
	}
}
