package pane

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"flashlab/cmd/flashlab/internal/canvas"
	"flashlab/cmd/flashlab/internal/i18n"
	"flashlab/cmd/flashlab/internal/layout"
	"flashlab/cmd/flashlab/internal/theme"
	"flashlab/lessons"
	"flashlab/sim/trace"
)

// paragraph is a passage of the narration in one style.
type paragraph struct {
	text  string
	style canvas.Style
	// less is what remains of it where there is no room for all, nil if it cannot be
	// shortened.
	less *string
}

// shorter is a paragraph that says no more than less where room is short.
func shorter(text string, style canvas.Style, less string) paragraph {
	if less == text {
		return paragraph{text: text, style: style}
	}
	return paragraph{text, style, &less}
}

// squeezed puts the shorter forms in the place of as many paragraphs as it takes to fit
// into w cells and h rows, from the last, so that no sentence is cut.
func squeezed(pars []paragraph, w, h int) []paragraph {
	for i := len(pars) - 1; i >= 0; i-- {
		if lines, _ := set(pars, w); len(lines) <= h {
			break
		}
		if pars[i].less != nil {
			pars[i] = paragraph{text: *pars[i].less, style: pars[i].style}
		}
	}
	return pars
}

// Narration paints what has just happened in sentences, why something is broken or
// how it all ended, and the question below.
func (d *Lesson) Narration(v canvas.View) int {
	s := d.sheet(v)
	pars := d.story()
	ask := len(pars)
	if d.Ask != nil {
		pars = append(pars, d.question()...)
	}
	pars = squeezed(pars, s.w-2, s.h)
	lines, starts := set(pars, s.w-2)
	if len(lines) > s.h { // room for the marks at the right edge
		lines, starts = set(pars, s.w-5)
	}
	// Air between the story and the question, and between its paragraphs, as far as
	// there is any.
	air := max(s.h-len(lines), 0)
	if air > 0 && ask < len(pars) && ask > 0 {
		lines = slices.Insert(lines, starts[ask], paragraph{})
		air--
	}
	for i := ask - 1; i > 0 && air > 0; i, air = i-1, air-1 {
		lines = slices.Insert(lines, starts[i], paragraph{})
	}
	from, to := 0, 0
	if d.Ask != nil && ask < len(starts) { // it must be seen to be answered
		to = len(lines) - 1
		from = max(to-s.h+1, 0)
	}
	win := look(len(lines), s.h, 0, from, to, d.scroll(layout.PaneNarration))
	for i := win.top; i < win.end(); i++ {
		s.put(1, i-win.top, lines[i].text, lines[i].style)
	}
	if win.top > 0 {
		s.right(0, 0, s.w, " ↑"+strconv.Itoa(win.top), theme.Dim)
	}
	if n := win.below(); n > 0 {
		s.right(0, s.h-1, s.w, " ↓"+strconv.Itoa(n), theme.Dim)
	}
	return win.scroll
}

// set breaks paragraphs into lines of at most w cells, and tells at which line each
// begins.
func set(pars []paragraph, w int) (lines []paragraph, starts []int) {
	for _, p := range pars {
		starts = append(starts, len(lines))
		if p.text == "" { // nothing is left of it
			continue
		}
		for _, l := range canvas.Wrap(p.text, w) {
			lines = append(lines, paragraph{text: l, style: p.style})
		}
	}
	return lines, starts
}

// story tells the step at the cursor and what has come of all so far.
func (d *Lesson) story() []paragraph {
	w := d.words()
	var out []paragraph
	say := func(text string, style canvas.Style, less string) {
		if text != "" {
			out = append(out, shorter(text, style, less))
		}
	}
	tell := func(text string) { say(text, theme.Text, text) }
	e := d.event()
	switch {
	case e != nil:
		say(d.Sentence(e), theme.Text, d.deedAlone(e))
	case d.Variant != nil && d.Variant.Summary.In(d.Lang) != "":
		tell(d.Variant.Summary.In(d.Lang))
	case len(d.Path) > 0:
		tell(w.Start)
	}
	light := d.brokenLight()
	switch {
	case light != nil:
		broke, less := w.BrokenInRunOut, w.BrokenInRunOutShort
		if light.Since > 0 {
			broke, less = w.BrokenAt, w.BrokenShort
		}
		fill := func(phrase string) string {
			return "✗ " + i18n.Fill(phrase, "light", light.Name, "n", strconv.Itoa(light.Since))
		}
		say(fill(broke)+between(d.Lang)+d.why(light.Name), theme.Bad, fill(less))
	case d.doomed():
		name := d.Light
		if name == "" {
			name = w.AnInvariant
		}
		phrase, less := w.Doomed, w.DoomedShort
		if d.Doomed > 0 {
			phrase, less = w.DoomedAt, w.DoomedAtShort
		}
		fill := func(phrase string) string {
			return "! " + i18n.Fill(phrase, "light", name, "n", strconv.Itoa(d.Doomed))
		}
		say(fill(phrase), theme.Warn, fill(less))
	}
	if d.state().Ended {
		say(d.Outcome(), theme.Text, d.balance())
	}
	return out
}

// between is what stands between two sentences: Chinese needs nothing.
func between(l lessons.Lang) string {
	if l == lessons.ZH {
		return ""
	}
	return " "
}

// Sentence tells a step in one sentence or two: in the words of the variant, if it
// has any for the line, else from the operation itself.
func (d *Lesson) Sentence(e *trace.Event) string {
	w := d.words()
	s := d.deedAlone(e)
	switch e.End {
	case "": // also where nobody took the step
	case "ok":
		s += between(d.Lang) + i18n.Fill(w.EndsOK, "actor", e.Actor)
	default:
		s += between(d.Lang) + i18n.Fill(w.EndsWith, "actor", e.Actor, "result", failure(w, e.End))
	}
	return s
}

// deedAlone tells a step without what became of its actor.
func (d *Lesson) deedAlone(e *trace.Event) string {
	if environment(e) {
		s := happening(d.words(), e) + d.words().Stop
		first, n := utf8.DecodeRuneInString(s)
		return string(unicode.ToUpper(first)) + s[n:]
	}
	if text := d.say(e).In(d.Lang); text != "" && !e.Failed {
		return i18n.Fill(text, "actor", e.Actor, "reply", e.Reply)
	}
	return d.generic(e)
}

// Sentences lists the sentences of a variant by line of its Go file, for Say. lines is
// that file without line ends; where it is not shown, as beside a Java twin, the
// painters cannot find them by themselves.
func Sentences(v *lessons.Variant, lines []string) map[int]lessons.Text {
	out := map[int]lessons.Text{}
	for i := range v.Steps {
		step := &v.Steps[i]
		for n, line := range lines {
			if step.Go != "" && strings.Contains(line, step.Go) {
				out[n+1] = step.Say
				break
			}
		}
	}
	return out
}

// say is the variant's sentence for the line at which a step was taken.
func (d *Lesson) say(e *trace.Event) lessons.Text {
	for i := range e.Stack {
		f := &e.Stack[i]
		if d.Variant != nil && d.Variant.File != "" && f.File != d.Variant.File {
			continue
		}
		if text, ok := d.Say[f.Line]; ok {
			return text
		}
		src, ok := d.Code[e.Actor]
		if d.Variant == nil || !ok || src.Java || f.Line < 1 || f.Line > len(src.Lines) || !inFile(f.Package, f.File, src.File) {
			continue
		}
		for j := range d.Variant.Steps {
			if step := &d.Variant.Steps[j]; step.Go != "" && strings.Contains(src.Lines[f.Line-1], step.Go) {
				return step.Say
			}
		}
	}
	return lessons.Text{}
}

// generic tells a step from its operation.
func (d *Lesson) generic(e *trace.Event) string {
	w := d.words()
	phrase := w.Does
	switch {
	case e.Failed && e.Reply != "":
		phrase = w.DoesFails
	case e.Kind == "mutex" && e.Op == "lock":
		phrase = w.Takes
	case e.Kind == "mutex" && e.Op == "unlock":
		phrase = w.Releases
	case e.Kind == "sleep":
		phrase = w.Rests
	case e.Reply != "":
		phrase = w.DoesReply
	}
	return i18n.Fill(phrase, "actor", e.Actor, "op", labelOf(e.Op, e.Args).long, "reply", e.Reply)
}

// brokenLight is the light to speak of: one that this step broke, else the one that
// broke first.
func (d *Lesson) brokenLight() *trace.Light {
	var first *trace.Light
	lights := d.state().Lights
	for i := range lights {
		l := &lights[i]
		if l.Status != trace.Red {
			continue
		}
		if e := d.event(); e != nil && slices.Contains(e.Broken, l.Name) {
			return l
		}
		if first == nil || l.Since > 0 && (first.Since == 0 || l.Since < first.Since) {
			first = l
		}
	}
	return first
}

// why tells the race behind a broken light, or else the fault.
func (d *Lesson) why(light string) string {
	w := d.words()
	frames := d.Path[:d.cursor()+1]
	if d.atEnd() && len(d.RunOut) > 0 {
		frames = slices.Concat(frames, d.RunOut)
	}
	c, ok := trace.Explain(frames, light)
	if !ok {
		return d.withoutRace(frames, light)
	}
	phrase := w.RaceRead
	learned := c.Read.Reply
	switch {
	case slices.Contains(c.Read.Access, trace.Access{Resource: c.Resource, Write: true}):
		phrase = w.RaceTook
		if c.Write.Seq == c.Act.Seq && c.Write.Actor == c.Act.Actor {
			phrase = w.Overlap
		}
	case learned != "":
		phrase = w.RaceSaw
	}
	return i18n.Fill(phrase, "read", d.deed(&c.Read), "write", d.deed(&c.Write), "act", d.deed(&c.Act),
		"learned", learned, "what", c.Resource)
}

// withoutRace tells the fault behind a light that no race has broken, or that there is
// none either.
func (d *Lesson) withoutRace(frames []trace.Frame, light string) string {
	w := d.words()
	f, ok := trace.Blame(frames, light)
	switch {
	case !ok:
		return w.NoRace
	case f.Event == nil:
		return i18n.Fill(w.HangBehind, "actor", f.Hung)
	case f.Alone:
		return i18n.Fill(w.FaultAlone, "what", happening(w, f.Event))
	}
	return i18n.Fill(w.FaultBefore, "what", happening(w, f.Event), "n", strconv.Itoa(f.Event.Seq))
}

// deed names a step in a sentence: "A's SELECT (step 1)".
func (d *Lesson) deed(e *trace.Event) string {
	w := d.words()
	if e.RunOut {
		return i18n.Fill(w.DeedInRunOut, "actor", e.Actor, "op", e.Op)
	}
	return i18n.Fill(w.Deed, "actor", e.Actor, "op", e.Op, "n", strconv.Itoa(e.Seq))
}

// doomed reports whether every way on leads to a violation that has not shown yet.
func (d *Lesson) doomed() bool {
	lost := len(d.Worth) > 0
	for _, w := range d.Worth {
		lost = lost && w.All != nil && w.Bad != nil && w.All.Sign() > 0 && w.Bad.Cmp(w.All) >= 0
	}
	if !lost && (d.Doomed <= 0 || d.Doomed > d.cursor()) {
		return false
	}
	return d.Light == "" && !d.state().AnyRed() || d.Light != "" && !d.state().Broken(d.Light)
}

// Outcome tells in one sentence how an ended branch has turned out: what each actor
// got, how many orders there are and what is left of the stock.
func (d *Lesson) Outcome() string {
	w, now := d.words(), d.state()
	var parts []string
	for i := range now.Actors {
		a := &now.Actors[i]
		if a.Daemon && a.Phase != trace.Dead {
			continue
		}
		how := w.CannotStep
		switch a.Phase {
		case trace.Done, trace.Dead:
			how = result(w, a, d.ordered(a.Letter))
		case trace.Blocked, trace.Paused:
			how = waiting(w, a.Why)
		}
		parts = append(parts, a.Letter+w.Colon+how)
	}
	s := ""
	if len(parts) > 0 {
		s = strings.Join(parts, w.Semicolon) + w.Stop
	}
	return strings.TrimSpace(s + between(d.Lang) + d.balance())
}

// balance is the end of Outcome: what is in the database, and whether all held.
func (d *Lesson) balance() string {
	w, now := d.words(), d.state()
	s := ""
	if orders := tableOf(now, "orders"); orders != nil {
		phrase := w.Result
		stock, known := stockOf(now)
		if known {
			phrase = w.ResultStock
		}
		s += between(d.Lang) + i18n.Fill(phrase, "orders", strconv.Itoa(len(orders.Rows)), "stock", stock)
	}
	switch {
	case now.Deadlock:
		s += between(d.Lang) + w.Stuck
	case !now.AnyRed() && len(now.Lights) > 0:
		s += between(d.Lang) + w.AllHeld
	}
	return strings.TrimSpace(s)
}

// stockOf reads the stock of the only voucher.
func stockOf(s *trace.State) (stock string, ok bool) {
	t := tableOf(s, "voucher")
	if t == nil || len(t.Rows) != 1 {
		return "", false
	}
	i := slices.Index(t.Columns, "stock")
	if i < 0 || i >= len(t.Rows[0]) {
		return "", false
	}
	return t.Rows[0][i], true
}

// question is what the reader is asked, with the answers and what came of them.
func (d *Lesson) question() []paragraph {
	w, q := d.words(), d.Ask
	out := []paragraph{{text: q.Text, style: theme.Accent}}
	options := ""
	for i, a := range q.Answers {
		if i > 0 {
			options += "   "
		}
		options += answerLetter(i) + " " + a
	}
	if options != "" {
		out = append(out, paragraph{text: options, style: theme.Text})
	}
	if q.Chosen < 0 || q.Chosen >= len(q.Answers) {
		return out
	}
	text := i18n.Fill(w.Answered, "answer", answerLetter(q.Chosen))
	style := canvas.Style(theme.Text)
	switch {
	case q.Correct == q.Chosen:
		text, style = "✓ "+text, theme.OK
	case q.Correct >= 0 && q.Correct < len(q.Answers):
		text, style = "✗ "+text+between(d.Lang)+i18n.Fill(w.AnsweredRight, "right", answerLetter(q.Correct)), theme.Bad
	}
	return append(out, paragraph{text: text, style: style})
}

// answerLetter is the key of an answer.
func answerLetter(i int) string { return string(rune('a' + i%26)) }
