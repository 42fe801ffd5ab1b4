package app

import (
	"strconv"
	"strings"

	"flashlab/sim/trace"
)

// search looks for a text: on the map in names and titles, in a lesson in the
// events of the present branch, in tables and in source.
func (m *model) search(text string) {
	if m.lesson == nil {
		m.searchMap(text)
		return
	}
	v := m.lesson
	v.search = text
	if text == "" {
		return
	}
	n := 0
	for _, f := range m.stage().Frames() {
		n += occurrences(eventText(f.Event), text)
	}
	for _, t := range v.shown().Tables {
		for _, row := range t.Rows {
			n += occurrences(strings.Join(row, " "), text)
		}
	}
	for _, k := range v.shown().Keys {
		n += occurrences(k.Name+" "+k.Value, text)
	}
	lines, _ := v.lesson.GoSource(v.variant.File)
	n += occurrences(strings.Join(lines, "\n"), text)
	if n == 0 {
		v.search = ""
		m.complain(m.words.App.NotFound, "text", text)
		return
	}
	m.say(m.words.App.Searching, "text", text, "n", strconv.Itoa(n))
}

func occurrences(s, text string) int {
	return strings.Count(strings.ToLower(s), strings.ToLower(text))
}

func eventText(e *trace.Event) string {
	if e == nil {
		return ""
	}
	return e.Actor + " " + e.Args + " " + e.Reply + " " + strings.Join(e.Broken, " ")
}

// findNext goes to the next step whose event contains the searched text.
func (m *model) findNext(forward bool) {
	v := m.lesson
	path := m.stage().Frames()
	d := 1
	if !forward {
		d = -1
	}
	for i := 1; i <= len(path); i++ {
		at := ((v.session.Cursor().Depth+d*i)%len(path) + len(path)) % len(path)
		if occurrences(eventText(path[at].Event), v.search) > 0 {
			v.session.Seek(at)
			v.settle()
			return
		}
	}
	m.complain(m.words.App.InNoStep, "text", v.search)
}

// searchMap remembers a text to look for in the map and goes to the first line that
// contains it.
func (m *model) searchMap(text string) {
	m.home.search = text
	if text != "" && !m.findLine(true) {
		m.complain(m.words.App.NotFound, "text", text)
	}
}

// findLine selects the next line of the map that contains the searched text, or the
// one before.
func (m *model) findLine(forward bool) bool {
	list := m.allEntries()
	here, x := 0, m.entries()[m.home.selected]
	for i, e := range list {
		if e.Lesson == x.Lesson && e.Variant == x.Variant && e.Staged == x.Staged && e.Heading == x.Heading {
			here = i
		}
	}
	d := 1
	if !forward {
		d = -1
	}
	for i := 1; i <= len(list); i++ {
		at := ((here+d*i)%len(list) + len(list)) % len(list)
		e := list[at]
		s := e.Heading
		switch {
		case e.Variant != nil:
			s = e.Variant.Name + " " + e.Variant.Title.EN + " " + e.Variant.Title.ZH
		case e.Staged != nil:
			s = e.Staged.Name + " " + e.Staged.Title.EN + " " + e.Staged.Title.ZH
		case e.Lesson != nil:
			s = e.Lesson.Name + " " + e.Lesson.Title.EN + " " + e.Lesson.Title.ZH
		}
		if e.Heading == "" && occurrences(s, m.home.search) > 0 {
			m.selectAt(e)
			return true
		}
	}
	return false
}
