package lessons

import (
	"sort"
	"strconv"
	"strings"

	"flashlab/sim/trace"
)

// unknown is the mistake of asking for a name that is none of names. It says which is
// probably meant, or lists them all. The phrases of a kind are "lesson.near" and
// "lesson.unknown".
func unknown(kind, english, name string, names []string, pairs ...any) error {
	pairs = append(pairs, "name", strconv.Quote(name))
	near := suggest(name, names)
	if len(near) == 0 && kind == "exercise" { // too many to list
		list := strings.Join(nearest(name, names), ", ") + ", ..."
		return trace.Mistake{Phrase: trace.Say(kind+".unknown", english+": flashlab exercises lists all, such as {names}",
			append(pairs, "names", list)...)}
	}
	if len(near) == 0 {
		return trace.Mistake{Phrase: trace.Say(kind+".unknown", english+": use one of {names}",
			append(pairs, "names", strings.Join(names, ", "))...)}
	}
	return trace.Mistake{Phrase: trace.Say(kind+".near", english+": did you mean {or}?",
		append(pairs, "names", strings.Join(near, ", "), "or", strings.Join(near, " or "))...)}
}

// suggest returns those of names that are probably meant, the nearest first.
func suggest(name string, names []string) []string {
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
		return nil
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].d < list[j].d })
	var out []string
	for _, n := range list {
		out = append(out, n.name)
	}
	return out[:min(3, len(out))]
}

// nearest returns the three of names that are the least unlike a name.
func nearest(name string, names []string) []string {
	list := append([]string{}, names...)
	sort.SliceStable(list, func(i, j int) bool { return distance(name, list[i]) < distance(name, list[j]) })
	return list[:min(3, len(list))]
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
