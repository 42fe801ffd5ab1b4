package screen

import (
	"strconv"
	"strings"

	"flashlab/cmd/flashlab/internal/i18n"
	"flashlab/cmd/flashlab/internal/keymap"
	"flashlab/cmd/flashlab/internal/layout"
	"flashlab/cmd/flashlab/internal/pane"
	"flashlab/lessons"
	"flashlab/sim/history"
	"flashlab/sim/scenario"
	"flashlab/sim/trace"
)

// Stage is a lesson being walked through and how it is looked at. Lesson screens
// are made from it, live and for pictures alike.
type Stage struct {
	Lesson   *lessons.Lesson
	Variant  *lessons.Variant
	Scenario *scenario.Scenario
	Session  *history.Session
	Lang     lessons.Lang
	Words    *i18n.Strings

	Watch    bool   // a recorded schedule is shown
	Staged   string // its name, if it has one
	Selected int    // choice under the cursor
	Focus    int    // number of the focused pane
	Zoom     int    // number of the pane that fills the screen, 0 for none
	Scroll   [9]int // by number of the pane
	Letter   string // whose source is shown; "" follows the actor that stepped last
	Java     bool   // show the Java twin
	Swapped  bool   // compact: the source in place of the tables
	Search   string
	Speed    string // "▶ 2x" while playing, else ""

	Passing float64      // how much of the time that the last step let pass has been shown
	Worth   []pane.Worth // by choice; nil when not known
	Odds    bool         // show Worth beside the choices
	Light   string       // that Worth and Doomed speak of
	Doomed  int          // step from which on every schedule breaks Light, 0 for none
	Badge   string       // the live server it is stepped on, "" for the embedded engine
	Parity  string       // whether both engines do the same, "" if nobody has compared them
	Dots    string       // the beats of the lesson, "" if it is not gone through
	Task    string       // what is to be broken here, "" for nothing
	Foot    Foot
}

// State is what the panes show: at an end, the world after the run-out.
func (s *Stage) State() *trace.State { return s.Session.Cursor().State() }

// Frames is the present branch, beyond the cursor too.
func (s *Stage) Frames() []trace.Frame {
	var out []trace.Frame
	for _, n := range s.Session.Path() {
		out = append(out, n.Frame)
	}
	return out
}

// Need is what the lesson asks of its layout.
func (s *Stage) Need() layout.Need {
	return layout.Need{
		Redis: s.Scenario.World.Redis, SourceInCompact: s.Swapped,
		Actors: len(s.State().Actors), Zoom: s.Zoom,
	}
}

// Source is the actor whose source is shown.
func (s *Stage) Source() string {
	if s.Letter != "" {
		return s.Letter
	}
	if e := s.Session.Cursor().Frame.Event; e != nil && e.Actor != "" {
		return e.Actor
	}
	if st := s.State(); len(st.Actors) > 0 {
		return st.Actors[0].Letter
	}
	return ""
}

// OtherSource is the actor after it, for a second pane.
func (s *Stage) OtherSource() string {
	st := s.State()
	for i, a := range st.Actors {
		if a.Letter == s.Source() && len(st.Actors) > 1 {
			return st.Actors[(i+1)%len(st.Actors)].Letter
		}
	}
	return ""
}

// Pane is the stage as panes see it.
func (s *Stage) Pane() *pane.Lesson {
	path := s.Session.Path()
	d := &pane.Lesson{
		Lang: s.Lang, Words: s.Words, Variant: s.Variant,
		Path: s.Frames(), Cursor: s.Session.Cursor().Depth, RunOut: path[len(path)-1].RunOut,
		Selected: s.Selected, Worth: s.Worth, Light: s.Light, Doomed: s.Doomed,
		Focus: s.Focus, Scroll: s.Scroll, Search: s.Search,
		Code: map[string]pane.SourceView{},
	}
	for _, n := range path {
		if len(n.Children) > 1 {
			d.Branches = append(d.Branches, n.Depth)
		}
	}
	for _, a := range s.State().Actors {
		d.Code[a.Letter] = s.sourceOf(a)
	}
	d.Say = s.sentences(d.Path)
	d.Passing = s.Passing
	return d
}

// sentences are those of the steps that were taken, by line of the variant's Go file:
// the actor may stand deeper, in a file of the lesson that variants share.
func (s *Stage) sentences(frames []trace.Frame) map[int]lessons.Text {
	say := map[int]lessons.Text{}
	for i := range frames {
		e := frames[i].Event
		if e == nil {
			continue
		}
		for _, f := range e.Stack {
			if f.File != s.Variant.File {
				continue
			}
			if step, ok := s.Variant.StepAt(s.Lesson, f.File, f.Line); ok {
				say[f.Line] = step.Say
			}
		}
	}
	return say
}

// sourceOf is the code that an actor runs, in Go or as its Java twin.
func (s *Stage) sourceOf(a trace.Actor) pane.SourceView {
	file, pkg := s.Variant.File, s.Lesson.Name
	if len(a.Stack) > 0 {
		file, pkg = a.Stack[0].File, a.Stack[0].Package
	}
	if !s.Java {
		x := pane.SourceView{File: pkg + "/" + file}
		// A file that was not embedded shows as an empty pane with its name.
		x.Lines, _ = s.Lesson.GoSource(file)
		return x
	}
	x := pane.SourceView{File: s.Variant.JavaFile, Java: true}
	x.Lines, _ = s.Lesson.JavaSource(x.File)
	x.At = []int{}
	for _, f := range a.Stack { // the innermost frame that is a step of the variant
		if step, ok := s.Variant.StepAt(s.Lesson, f.File, f.Line); ok {
			if at, ok := s.Variant.JavaLine(s.Lesson, step); ok {
				x.At = []int{at}
			}
			break
		}
	}
	return x
}

// Title names lesson, variant and the sizes that are not the default.
func (s *Stage) Title() string {
	var parts []string
	if s.Lesson.Number > 0 {
		parts = append(parts, strconv.Itoa(s.Lesson.Number))
	}
	parts = append(parts, s.Lesson.Name, "·", s.Variant.Name)
	if set := s.Scenario.Params.Changed(); set != "" {
		parts = append(parts, set)
	}
	return strings.Join(parts, " ")
}

// Screen is the lesson screen of the stage.
func (s *Stage) Screen() *Lesson {
	w := s.Words.App
	out := &Lesson{
		Pane: s.Pane(), Words: s.Words, Lang: s.Lang, Need: s.Need(), Focus: s.Focus,
		Letters: [2]string{s.Source(), s.OtherSource()}, Left: s.Title(),
		Odds:  s.Odds,
		Beats: [2]string{w.Promise + s.Words.Panes.Colon, s.Lesson.Promise.In(s.Lang)}, Foot: s.Foot,
	}
	if s.Task != "" {
		out.Beats = [2]string{s.Words.Learn.TaskOf + s.Words.Panes.Colon, s.Task}
	}
	if s.Dots != "" {
		out.Beats[0] = s.Dots + " " + out.Beats[0]
	}
	if s.Search != "" && out.Foot.Message == "" {
		out.Foot.Message = "/" + s.Search + "   " + w.SearchKeys
	}
	cur := s.Session.Cursor()
	all := len(s.Session.Path()) - 1
	if n := s.Session.Branches(); n > 1 {
		out.Right = append(out.Right, i18n.Fill(w.Branch, "n", strconv.Itoa(n)))
	}
	mode := w.Stepping
	if s.Watch {
		mode = w.Watching
		if s.Staged != "" {
			out.Right = append(out.Right, s.Staged)
		}
	}
	if s.Badge != "" {
		out.Right = append(out.Right, s.Badge)
	}
	if s.Parity != "" {
		out.Right = append(out.Right, s.Parity)
	}
	out.Right = append(out.Right, mode)
	if s.Speed != "" {
		out.Right = append(out.Right, s.Speed)
	}
	step := i18n.Fill(w.StepAt, "n", strconv.Itoa(cur.Depth))
	if cur.Depth < all {
		step = i18n.Fill(w.Step, "n", strconv.Itoa(cur.Depth), "all", strconv.Itoa(all))
	}
	switch {
	case cur.Frame.State.Deadlock:
		step += " · " + w.Deadlock
	case cur.Ended():
		step += " · " + w.Ended
	}
	out.Right = append(out.Right, step, LangLabel(s.Lang))
	if s.State().AnyRed() {
		out.Foot.Soon = []keymap.Action{keymap.Why, keymap.ProveAll}
	}
	out.Foot.Off, out.Foot.Actors, out.Foot.Zoomed = s.idle(), s.actorKeys(), s.Zoom != 0
	return out
}

// idle lists what would do nothing now.
func (s *Stage) idle() []keymap.Action {
	cur := s.Session.Cursor()
	var off []keymap.Action
	add := func(a keymap.Action, idle bool) {
		if idle {
			off = append(off, a)
		}
	}
	add(keymap.Take, len(cur.Frame.State.Choices) == 0)
	add(keymap.Back, cur.Depth == 0)
	add(keymap.Forward, cur.Depth == len(s.Session.Path())-1)
	add(keymap.Why, !s.State().AnyRed())
	return off
}

// actorKeys are the keys of the actors: "a", "a-c".
func (s *Stage) actorKeys() string {
	list := s.State().Actors
	if len(list) == 0 {
		return ""
	}
	first, last := strings.ToLower(list[0].Letter), strings.ToLower(list[len(list)-1].Letter)
	if first == last {
		return first
	}
	return first + "-" + last
}

// Mode is where keys go on the stage.
func (s *Stage) Mode() keymap.Mode {
	if s.Watch {
		return keymap.Watch
	}
	return keymap.Step
}

// LangLabel is the short sign of a language in headers.
func LangLabel(l lessons.Lang) string {
	if l == lessons.ZH {
		return "中"
	}
	return "EN"
}
