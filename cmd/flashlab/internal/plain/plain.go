// Package plain is the lab line by line: for screen readers, dumb terminals and
// pipes. It asks with numbered choices and reads answers as lines.
//
// It shows the same lessons through the same sessions as the screen and must not
// use escape sequences, colours or box drawing.
package plain

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"flashlab/cmd/flashlab/internal/canvas"
	"flashlab/cmd/flashlab/internal/i18n"
	"flashlab/cmd/flashlab/internal/pane"
	"flashlab/cmd/flashlab/internal/screen"
	"flashlab/lessons"
	"flashlab/sim/history"
	"flashlab/sim/scenario"
	"flashlab/sim/trace"
)

// Options say how the dialogue starts.
type Options struct {
	Lang            lessons.Lang
	Lesson, Variant string
}

// dialogue is one conversation.
type dialogue struct {
	ctx   context.Context
	in    *input
	out   io.Writer
	lang  lessons.Lang
	words *i18n.Strings
	told  bool  // the answers that are possible have been listed
	err   error // first error of out
}

// errDone ends the dialogue: the user said q, or the input has ended.
var errDone = errors.New("done")

// Run talks until the user leaves, the input ends or ctx is cancelled. In the last
// case a read of in may be left behind.
func Run(ctx context.Context, in io.Reader, out io.Writer, o Options) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	d := &dialogue{ctx: ctx, in: newInput(ctx, in), out: out, lang: o.Lang, words: i18n.For(o.Lang)}
	err := d.start(o)
	if errors.Is(err, errDone) {
		err = nil
	}
	if err == nil {
		err = d.err
	}
	return err
}

func (d *dialogue) start(o Options) error {
	if o.Lesson != "" {
		l, err := lessons.Find(o.Lesson)
		if err != nil {
			return err
		}
		v, err := l.Variant(o.Variant)
		if err != nil {
			return err
		}
		if err := d.walk(l, v, scenario.NewParams(v.Params)); err != nil {
			return err
		}
	}
	for {
		l, v, err := d.choose()
		if err != nil {
			return err
		}
		if err := d.walk(l, v, scenario.NewParams(v.Params)); err != nil {
			return err
		}
	}
}

// say writes lines, free of control characters.
func (d *dialogue) say(format string, args ...any) {
	if d.err != nil {
		return
	}
	text := fmt.Sprintf(format, args...)
	for _, line := range strings.Split(text, "\n") {
		if _, d.err = fmt.Fprintln(d.out, canvas.Clean(line)); d.err != nil {
			return
		}
	}
}

// ask reads one answer.
func (d *dialogue) ask(prompt string) (string, error) {
	if d.ctx.Err() != nil {
		return "", errDone
	}
	if d.err == nil {
		_, d.err = fmt.Fprint(d.out, prompt)
	}
	if d.err != nil { // nobody hears the answers
		return "", d.err
	}
	select {
	case text, ok := <-d.in.lines:
		if ok {
			return strings.TrimSpace(text), nil
		}
		d.say("")
		if err := d.in.err; err != nil {
			return "", fmt.Errorf("reading an answer: %w", err)
		}
	case <-d.ctx.Done():
		d.say("")
	}
	return "", errDone
}

// choose lists lessons and variants and reads a number.
func (d *dialogue) choose() (*lessons.Lesson, *lessons.Variant, error) {
	type item struct {
		l *lessons.Lesson
		v *lessons.Variant
	}
	for {
		var items []item
		d.say("%s", d.words.App.Map)
		for _, l := range lessons.All() {
			d.say("%s: %s", l.Name, l.Title.In(d.lang))
			d.say("   %s", l.Promise.In(d.lang))
			for i := range l.Variants {
				v := &l.Variants[i]
				items = append(items, item{l, v})
				d.say("   %d. %s - %s", len(items), v.Name, v.Title.In(d.lang))
			}
		}
		text, err := d.ask(d.words.Plain.ChooseLesson)
		if err != nil {
			return nil, nil, err
		}
		switch n, _ := strconv.Atoi(text); {
		case text == "q":
			return nil, nil, errDone
		case text == "L":
			d.swap()
		case text == "?":
			d.say("%s", d.words.Plain.Help)
		case n >= 1 && n <= len(items):
			return items[n-1].l, items[n-1].v, nil
		default:
			d.say("%s", i18n.Fill(d.words.Plain.NotANumber, "text", text, "n", strconv.Itoa(len(items))))
		}
	}
}

func (d *dialogue) swap() {
	d.lang, d.told = 1-d.lang, false
	d.words = i18n.For(d.lang)
}

// walk steps through one variant until the user goes back.
func (d *dialogue) walk(l *lessons.Lesson, v *lessons.Variant, p scenario.Params) error {
	s, err := history.Open(v.Scenario(p))
	if err != nil {
		return err
	}
	defer s.Close()
	d.say("\n%s, %s", l.Title.In(d.lang), v.Title.In(d.lang))
	d.say("%s", v.Summary.In(d.lang))
	for {
		d.situation(s, l, v)
		prompt := d.words.Plain.Prompt
		if d.told { // nobody wants to hear it every time
			prompt = d.words.Plain.Again
		}
		d.told = true
		text, err := d.ask(prompt)
		if err != nil {
			return err
		}
		leave, err := d.answer(s, l, v, text)
		if errors.Is(err, errDone) || d.err != nil {
			return err
		}
		if err != nil { // the code of the lesson failed, not the lab
			d.say("%s: %v", d.words.App.Problem, err)
			return nil
		}
		if leave {
			return nil
		}
	}
}

// situation lists lights, tables and what can be done next.
func (d *dialogue) situation(s *history.Session, l *lessons.Lesson, v *lessons.Variant) {
	st, paint := s.Cursor().State(), d.pane(s, l, v)
	for _, t := range st.Tables {
		d.say("   %s: %s", t.Name, tableText(t))
	}
	for _, k := range st.Keys {
		d.say("   %s = %s", k.Name, k.Value)
	}
	for _, x := range st.Lights {
		if x.Status == trace.Red {
			d.say("   ✗ %s: %s", x.Name, d.words.Say(x.Detail))
		}
	}
	if st.Ended {
		d.say("%s. %s", d.words.App.Ended, paint.Outcome())
		return
	}
	for i, c := range st.Choices {
		line := ""
		if a := st.Actor(c.Actor); a != nil && len(a.Stack) > 0 {
			line = fmt.Sprintf(" (%s:%d)", a.Stack[0].File, a.Stack[0].Line)
		}
		d.say("   %d. %s%s", i+1, strings.TrimSpace(c.Actor+" "+paint.Offer(c)), line)
	}
	for _, a := range st.Actors {
		if a.Phase == trace.Blocked || a.Phase == trace.Paused {
			d.say("   %s: %s", a.Letter, paint.WhyNot(a))
		}
	}
}

func tableText(t trace.Table) string {
	if len(t.Rows) == 0 {
		return "-"
	}
	var rows []string
	for _, r := range t.Rows {
		var cells []string
		for i, c := range r {
			cells = append(cells, t.Columns[i]+"="+c)
		}
		rows = append(rows, strings.Join(cells, " "))
	}
	return strings.Join(rows, "; ")
}

// pane is the session as the painters know it, for their sentences.
func (d *dialogue) pane(s *history.Session, l *lessons.Lesson, v *lessons.Variant) *pane.Lesson {
	st := screen.Stage{Lesson: l, Variant: v, Scenario: s.Scenario(), Session: s, Lang: d.lang, Words: d.words}
	return st.Pane()
}
