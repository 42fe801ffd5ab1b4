package plain

import (
	"fmt"
	"strconv"
	"strings"

	"flashlab/cmd/flashlab/internal/i18n"
	"flashlab/lessons"
	"flashlab/sim"
	"flashlab/sim/explore"
	"flashlab/sim/history"
	"flashlab/sim/scenario"
	"flashlab/sim/token"
	"flashlab/sim/trace"
)

// answer does what a line asks for. leave is true when the user goes back to the
// list of lessons.
func (d *dialogue) answer(s *history.Session, l *lessons.Lesson, v *lessons.Variant, text string) (leave bool, err error) {
	choices := s.Cursor().Frame.State.Choices
	n, _ := strconv.Atoi(text)
	switch {
	case text == "q":
		return false, errDone
	case text == "m":
		return true, nil
	case text == "L":
		d.swap()
	case text == "" && len(choices) > 0:
		return false, d.step(s, l, v, choices[0].Move)
	case text == "u":
		if s.Back(1) == 0 {
			d.say("%s", d.words.App.AtStart)
		} else {
			d.say("%s", i18n.Fill(d.words.App.StepAt, "n", strconv.Itoa(s.Cursor().Depth)))
		}
	case text == "w":
		d.why(s, l, v)
	case text == "s":
		d.source(s, l)
	case text == "P":
		return false, d.prove(s, v)
	case text == "y":
		d.say("%s", s.Token())
	case text == "?":
		d.say("%s", d.words.Plain.Help)
	case n >= 1 && n <= len(choices):
		return false, d.step(s, l, v, choices[n-1].Move)
	case len(text) == 1 && text[0] >= 'a' && text[0] <= 'z':
		move := strings.ToUpper(text)
		for _, c := range choices {
			if c.Move == move {
				return false, d.step(s, l, v, move)
			}
		}
		d.refuse(s, l, v, move)
	default:
		d.say("%s", i18n.Fill(d.words.Plain.NotANumber, "text", text, "n", strconv.Itoa(len(choices))))
	}
	return false, nil
}

// refuse says why an actor cannot step.
func (d *dialogue) refuse(s *history.Session, l *lessons.Lesson, v *lessons.Variant, letter string) {
	if a := s.Cursor().Frame.State.Actor(letter); a != nil {
		d.say("%s: %s", letter, d.pane(s, l, v).WhyNot(*a))
		return
	}
	d.say("%s", i18n.Fill(d.words.App.NoSuchKey, "key", strings.ToLower(letter)))
}

// step takes a step and tells what happened.
func (d *dialogue) step(s *history.Session, l *lessons.Lesson, v *lessons.Variant, move string) error {
	moves, err := token.ParseSteps(move)
	if err != nil {
		return err
	}
	if err := s.Step(moves[0]); err != nil {
		return err
	}
	e := s.Cursor().Frame.Event
	d.say("\n%d. %s %s -> %s", e.Seq, e.Actor, e.Args, e.Reply)
	d.say("   %s", d.pane(s, l, v).Sentence(e))
	for _, name := range e.Broken {
		d.say("   ✗ %s", name)
	}
	if len(e.Broken) > 0 {
		d.why(s, l, v)
	}
	return nil
}

// why explains every light that is red.
func (d *dialogue) why(s *history.Session, l *lessons.Lesson, v *lessons.Variant) {
	red := false
	for _, x := range s.Cursor().State().Lights {
		if x.Status != trace.Red {
			continue
		}
		red = true
		d.say("   %s: %s", x.Name, d.pane(s, l, v).Why(x.Name))
	}
	if !red {
		d.say("%s", d.words.App.NothingRed)
		return
	}
	d.say("   %s", v.Moral.In(d.lang))
}

// source prints the code with the letters of the actors at their lines.
func (d *dialogue) source(s *history.Session, l *lessons.Lesson) {
	at := map[string]map[int]string{}
	for _, a := range s.Cursor().Frame.State.Actors {
		if len(a.Stack) == 0 {
			continue
		}
		f := a.Stack[0].File
		if at[f] == nil {
			at[f] = map[int]string{}
		}
		at[f][a.Stack[0].Line] += a.Letter
	}
	for f, letters := range at {
		lines, err := l.GoSource(f)
		if err != nil {
			continue // the program was built without this file's text
		}
		d.say("%s", f)
		for i, text := range lines {
			d.say("%3s %3d  %s", letters[i+1], i+1, strings.ReplaceAll(text, "\t", "    "))
		}
	}
}

// prove counts all schedules and says what breaks.
func (d *dialogue) prove(s *history.Session, v *lessons.Variant) error {
	sc := s.Scenario()
	run, err := scenario.Open(sc)
	if err != nil {
		return err
	}
	defer run.Close()
	d.say("%s", d.words.App.Computing)
	res, err := explore.Run(d.ctx, run, len(sc.Lights), explore.Limits{}, nil)
	if err != nil {
		return err
	}
	for i, l := range res.Lights {
		name := sc.Lights[i].Name
		switch {
		case l.Broken && res.Complete:
			d.say("   ✗ %s", i18n.Fill(d.words.Plain.Breaks, "light", name, "bad", l.Violating.String(), "all", res.Interleavings.String(), "n", strconv.Itoa(l.Shortest)))
			d.say("     %s", tokenOf(s, l.Schedule))
		case l.Broken:
			d.say("   ✗ %s", i18n.Fill(d.words.Plain.BreaksSomewhere, "light", name, "n", strconv.Itoa(l.Shortest)))
		case res.Complete:
			d.say("   ✓ %s", i18n.Fill(d.words.Plain.Holds, "light", name, "all", res.Interleavings.String()))
		default:
			d.say("   ? %s", i18n.Fill(d.words.Plain.Unknown, "light", name, "k", strconv.Itoa(res.Switches)))
		}
	}
	d.say("   %s", v.Moral.In(d.lang))
	return nil
}

func tokenOf(s *history.Session, moves []sim.Move) string {
	return fmt.Sprint(history.TokenOf(s.Scenario(), s.Hash(), moves))
}
