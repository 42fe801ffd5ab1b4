package screen

import (
	"slices"
	"unicode/utf8"

	"flashlab/cmd/flashlab/internal/canvas"
	"flashlab/cmd/flashlab/internal/i18n"
	"flashlab/cmd/flashlab/internal/keymap"
	"flashlab/cmd/flashlab/internal/theme"
	"flashlab/lessons"
)

// Foot is the bottom row: a prompt, a message, or the keys of a mode.
type Foot struct {
	Mode    keymap.Mode
	Off     []keymap.Action // what would do nothing now; its keys are left out
	Soon    []keymap.Action // what is wanted next; its keys come early
	Actors  string          // the keys of the actors that there are, such as "a-c"
	Options string          // the keys of the options of a page, such as "a-c"
	Message string          // replaces the keys
	Bad     bool            // the message is a complaint
	ASCII   bool            // nothing but ASCII can be shown
	Zoomed  bool            // a pane fills the screen: the way out leads back from there first
	Prompt  string          // what is being typed, with its leading sign
	Typing  bool
	Hint    string // at the right of a prompt
}

// messageRows is how many rows a message may take; the upper ones cover what is
// above the bottom row.
const messageRows = 3

// paint puts the bottom row of a view at r.
func (f *Foot) paint(all canvas.View, r canvas.Rect, lang lessons.Lang) {
	v, w := all.Sub(r), r.W
	switch {
	case f.Typing:
		n := v.Text(1, 0, tail(f.Prompt, w-3), theme.Accent)
		v.Text(1+n, 0, " ", theme.Selected)
		if room := w - n - 4; room > canvas.Width(f.Hint) {
			v.TextRight(n+3, 0, room, f.Hint, theme.Dim)
		}
		return
	case f.Message != "":
		st := theme.Accent
		if f.Bad {
			st = theme.Warn
		}
		lines := canvas.Wrap(f.Message, max(2, w-2))
		if len(lines) > messageRows {
			lines = lines[:messageRows]
			lines[messageRows-1] = canvas.Truncate(lines[messageRows-1], w-4, "") + " …"
		}
		for i, l := range lines {
			y := r.Y - len(lines) + 1 + i
			all.Fill(canvas.Rect{X: r.X, Y: y, W: w, H: 1}, ' ', theme.Text)
			all.Text(r.X+1, y, l, st)
		}
		return
	}
	f.keys(v, lang)
}

// tail is the end of a text that fits into the given number of cells: of a line
// being typed the cursor's place is what must be seen.
func tail(s string, cells int) string {
	if canvas.Width(s) <= cells {
		return s
	}
	for canvas.Width(s) > cells-1 && s != "" {
		_, n := utf8.DecodeRuneInString(s)
		s = s[n:]
	}
	return "…" + s
}

// soonRank is the rank in the footer of what is wanted next: after stepping on and
// back.
const soonRank = 2

// keys lists a mode's most important keys, as many as fit.
func (f *Foot) keys(v canvas.View, lang lessons.Lang) {
	w, _ := v.Size()
	list := slices.DeleteFunc(keymap.Footer(f.Mode), func(b keymap.Binding) bool {
		return slices.Contains(f.Off, b.Action) || f.Zoomed && b.Action == keymap.Zoom
	})
	rank := func(b keymap.Binding) int {
		if slices.Contains(f.Soon, b.Action) {
			return soonRank
		}
		return b.Footer
	}
	slices.SortStableFunc(list, func(a, b keymap.Binding) int { return rank(a) - rank(b) })
	shown := func(b keymap.Binding) string {
		if b.Action == keymap.Open && f.Options != "" {
			return f.Options
		}
		if b.Action == keymap.Take && f.Actors != "" {
			return f.Actors
		}
		if b.Action == keymap.Leave && f.Zoomed {
			return "esc"
		}
		return KeyName(b.Shown(), lang)
	}
	label := func(b keymap.Binding) string {
		switch {
		case b.Action == keymap.Leave && f.Zoomed:
			return i18n.For(lang).App.Unzoom
		case f.ASCII && lang == lessons.EN && b.ASCII != "":
			return b.ASCII
		}
		return b.Label.In(lang)
	}
	// Help and the way out are always shown, so room is kept for them.
	const keep = 2
	width := func(b keymap.Binding) int { return canvas.Width(shown(b)) + 1 + canvas.Width(label(b)) + 2 }
	reserved := 0
	for _, b := range list[max(0, len(list)-keep):] {
		reserved += width(b)
	}
	x := 1
	for i, b := range list {
		last := i >= len(list)-keep
		if !last && x+width(b) > w-reserved {
			continue
		}
		if last {
			reserved -= width(b)
		}
		x += v.Text(x, 0, shown(b), theme.Key) + 1
		x += v.Text(x, 0, label(b), theme.KeyText) + 2
	}
}

// KeyName is what a key is called on the screen.
func KeyName(key string, lang lessons.Lang) string {
	switch key {
	case " ", "space":
		return i18n.For(lang).App.SpaceKey
	case "enter":
		return i18n.For(lang).App.EnterKey
	case "left":
		return "←"
	case "right":
		return "→"
	case "up":
		return "↑"
	case "down":
		return "↓"
	case "pgup":
		return "PgUp"
	case "pgdown":
		return "PgDn"
	}
	return key
}
