package trace

import (
	"fmt"
	"slices"
	"strings"
)

// changes puts what a step altered in the stores into short phrases: keys
// first, then rows, in the order of the pictures. TTLs that merely run down are
// no change.
func changes(before, after *State) []string {
	return append(keyChanges(before, after), tableChanges(before.Tables, after.Tables)...)
}

func keyChanges(before, after *State) []string {
	var out []string
	for i := range after.Keys {
		k := &after.Keys[i]
		old, name := keyOf(before, k.Name), owned(k)
		switch {
		case old == nil || old.Value != k.Value || old.Owner != k.Owner:
			out = append(out, name+"="+k.Value)
		case k.TTL > old.TTL && k.TTL >= 0:
			out = append(out, name+" TTL "+k.TTL.String())
		case k.TTL < 0 && old.TTL >= 0:
			out = append(out, name+" without TTL")
		}
	}
	for i := range before.Keys {
		if k := &before.Keys[i]; keyOf(after, k.Name) == nil {
			out = append(out, owned(k)+" gone")
		}
	}
	return out
}

// owned names a key, and the actor whose grant a lock holds. The value cannot
// tell: two actors may have written the same token.
func owned(k *Key) string {
	if k.Owner == "" {
		return k.Name
	}
	return k.Owner + "'s " + k.Name
}

func tableChanges(before, after []Table) []string {
	var out []string
	for _, t := range after {
		var old [][]string
		if i := slices.IndexFunc(before, func(b Table) bool { return b.Name == t.Name }); i >= 0 {
			old = before[i].Rows
		}
		out = append(out, rowChanges(t, without(old, t.Rows), without(t.Rows, old))...)
	}
	return out
}

// rowChanges pairs rows that went with rows that came by their first column, the
// key in every table of the lab, and names the cells that differ.
func rowChanges(t Table, gone, come [][]string) []string {
	var out []string
	for _, row := range come {
		i := slices.IndexFunc(gone, func(g []string) bool {
			return len(g) > 0 && len(g) == len(row) && g[0] == row[0]
		})
		if i < 0 {
			out = append(out, "+"+t.Name+"("+strings.Join(row, ", ")+")")
			continue
		}
		for c := range row {
			if row[c] != gone[i][c] {
				out = append(out, fmt.Sprintf("%s %s→%s", columnName(t, c), gone[i][c], row[c]))
			}
		}
		gone = slices.Delete(gone, i, i+1)
	}
	for _, row := range gone {
		out = append(out, "-"+t.Name+"("+strings.Join(row, ", ")+")")
	}
	return out
}

// without returns the rows of a that b does not hold, counting equal rows.
func without(a, b [][]string) [][]string {
	count := map[string]int{}
	for _, row := range b {
		count[rowID(row)]++
	}
	var out [][]string
	for _, row := range a {
		if id := rowID(row); count[id] > 0 {
			count[id]--
		} else {
			out = append(out, row)
		}
	}
	return out
}

// rowID joins cells so that different rows never look alike.
func rowID(row []string) string { return fmt.Sprintf("%q", row) }

// columnName is the name of column c, or its number where the table has none.
func columnName(t Table, c int) string {
	if c < len(t.Columns) {
		return t.Columns[c]
	}
	return fmt.Sprintf("#%d", c+1)
}
