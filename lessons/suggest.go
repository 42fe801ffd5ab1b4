package lessons

import (
	"sort"
	"strings"
)

// suggest says which of names is probably meant, or lists them all.
func suggest(name string, names []string) string {
	type near struct {
		name string
		d    int
	}
	var list []near
	for _, n := range names {
		d := distance(strings.ToLower(name), n)
		if len(name) > 2 && strings.Contains(n, name) {
			d = 1
		}
		if d <= max(2, len(n)/3) {
			list = append(list, near{n, d})
		}
	}
	if len(list) == 0 {
		return "use one of " + strings.Join(names, ", ")
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].d < list[j].d })
	var out []string
	for _, n := range list {
		out = append(out, n.name)
	}
	return "did you mean " + strings.Join(out[:min(3, len(out))], " or ") + "?"
}

// distance is the number of single-letter edits between two words (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diag := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := diag
			if a[i-1] != b[j-1] {
				cost++
			}
			diag = row[j]
			row[j] = min(cost, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}
