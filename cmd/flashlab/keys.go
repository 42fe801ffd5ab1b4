package main

import (
	"strings"

	"flashlab/cmd/flashlab/internal/keymap"
)

// keyLine is one line of the key table for people who read it elsewhere than on the
// screen.
type keyLine struct {
	keys  []string
	where string // the modes, such as "lesson, proof"
	help  string
}

// keyGroup is a category of the key map with its lines.
type keyGroup struct {
	title string
	lines []keyLine
}

// keyGroups lists the whole key map in English, in its own order.
func keyGroups() []keyGroup {
	var out []keyGroup
	for c, title := range keymap.Categories() {
		g := keyGroup{title: title.EN}
		for _, b := range keymap.In(keymap.All) {
			if b.Category == keymap.Category(c) {
				g.lines = append(g.lines, keyLine{keyNames(&b), modeNames(b.Modes), b.Help.EN})
			}
		}
		out = append(out, g)
	}
	return out
}

// keyNames writes the keys of a binding as they stand on a keyboard.
func keyNames(b *keymap.Binding) []string {
	if strings.Contains(b.Show, "-") && len(b.Keys) > 3 { // a range, such as F2-F10
		return []string{b.Show}
	}
	names := map[string]string{
		"left": "←", "right": "→", "up": "↑", "down": "↓", " ": "space", "pgup": "PgUp", "pgdown": "PgDn",
		"home": "Home", "end": "End", "f1": "F1",
	}
	var out []string
	if strings.Contains(b.Show, "-") { // a range of letters beside its keys
		out = append(out, b.Show)
	}
	for _, k := range b.Keys {
		if n, ok := names[k]; ok {
			k = n
		}
		out = append(out, k)
	}
	return out
}

// modeNames says where a binding works.
func modeNames(m keymap.Mode) string {
	switch m {
	case keymap.All:
		return "everywhere"
	case keymap.Main:
		return "map, lesson, proof"
	}
	names := []struct {
		mode keymap.Mode
		name string
	}{
		{keymap.Home, "map"}, {keymap.Page, "pages"}, {keymap.Lesson, "lesson"}, {keymap.Step, "stepping"}, {keymap.Watch, "watching"},
		{keymap.Prove, "proof"}, {keymap.List, "lists"}, {keymap.Reader, "texts"},
	}
	var out []string
	for _, n := range names {
		if m&n.mode == n.mode {
			out = append(out, n.name)
			m &^= n.mode
		}
	}
	return strings.Join(out, ", ")
}
