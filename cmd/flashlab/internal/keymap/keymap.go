// Package keymap is the one table of keys: what each does, in which mode, and what
// it is called in every language. Footer, help overlay, README and manual page are
// generated from it.
//
// The package must not act on a key or import the terminal library; keys are the
// names that bubbletea gives them.
package keymap

import "flashlab/lessons"

// Mode is where a key is pressed.
type Mode uint16

// The modes; a binding may belong to several.
const (
	Home   Mode = 1 << iota // the lesson map
	Step                    // a lesson: you choose who steps next
	Watch                   // a lesson: a recorded schedule is shown
	Prove                   // a search over all schedules
	List                    // a list to choose from, over the screen
	Reader                  // a text over the screen
	Page                    // a beat of a lesson, an exercise, cards
)

// The modes that belong together.
const (
	Lesson = Step | Watch
	Main   = Home | Lesson | Prove | Page
	All    = Main | List | Reader
)

// Action is what a key asks for.
type Action string

// Category groups bindings in the help overlay.
type Category uint8

// The categories, in the order of the help overlay.
const (
	Moving Category = iota
	Learning
	Stepping
	Looking
	Proving
	Screen
)

// Binding is one line of the key table.
type Binding struct {
	Action   Action
	Keys     []string // the first one is shown
	Show     string   // how the keys are shown, "" for the first key itself
	Modes    Mode
	Category Category
	Label    lessons.Text // for the footer: one or two words
	ASCII    string       // the English label where nothing but ASCII can be shown, "" for Label
	Help     lessons.Text // for the help overlay: one line
	Footer   int          // rank in the footer, 0: never there
}

// Shown is how the keys of a binding are written for people.
func (b *Binding) Shown() string {
	if b.Show != "" {
		return b.Show
	}
	return b.Keys[0]
}

// wide maps the characters that a Chinese input method produces to the keys they
// stand for.
var wide = map[string]string{
	"？": "?", "！": "!", "：": ":", "；": ";", "／": "/", "、": "/", "【": "[", "】": "]", "　": " ",
	"《": "<", "》": ">", "。": ".", "，": ",", "＋": "+", "－": "-", "「": "[", "」": "]", "｛": "{", "｝": "}",
}

// unfocused maps what bubbletea makes of a letter that comes right behind the report
// that the terminal has lost the focus, ESC [ O: together the two are a key of rxvt. A
// terminal that nobody looks at reports so when the program begins.
var unfocused = map[string]string{"alt+ctrl+up": "a", "alt+ctrl+down": "b", "alt+ctrl+right": "c", "alt+ctrl+left": "d"}

// Normal returns the key that a pressed key stands for.
func Normal(key string) string {
	if k, ok := wide[key]; ok {
		return k
	}
	if k, ok := unfocused[key]; ok {
		return k
	}
	return key
}

// Lookup returns what a key asks for in a mode.
func Lookup(m Mode, key string) (Action, bool) {
	key = Normal(key)
	for i := range table {
		b := &table[i]
		if b.Modes&m == 0 {
			continue
		}
		for _, k := range b.Keys {
			if k == key {
				return b.Action, true
			}
		}
	}
	return "", false
}

// In returns the bindings of a mode, in table order.
func In(m Mode) []Binding {
	var out []Binding
	for _, b := range table {
		if b.Modes&m != 0 {
			out = append(out, b)
		}
	}
	return out
}

// Footer returns the bindings that a mode's footer shows, most important first.
func Footer(m Mode) []Binding {
	var out []Binding
	for rank := 1; rank < 20; rank++ {
		for _, b := range table {
			if b.Modes&m != 0 && b.Footer == rank {
				out = append(out, b)
			}
		}
	}
	return out
}

// Categories returns the categories with their titles, in order.
func Categories() []lessons.Text {
	return []lessons.Text{
		Moving:   {EN: "Moving", ZH: "移动"},
		Learning: {EN: "Learning", ZH: "学习"},
		Stepping: {EN: "Who steps next", ZH: "下一步谁走"},
		Looking:  {EN: "Looking closer", ZH: "细看"},
		Proving:  {EN: "Proving", ZH: "证明"},
		Screen:   {EN: "Screen", ZH: "屏幕"},
	}
}
