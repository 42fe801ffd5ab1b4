package app

import (
	"strings"
	"testing"

	"flashlab/cmd/flashlab/internal/keymap"
)

// TestFaults strikes with every fault there is, each in a lesson that knows it.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		lesson, variant, set string
		before               string // steps until the fault is possible
		ask, strike          string // its keys; ask may be all of it
		move                 string // what has been done then, as in a token
	}{
		{"oversell", "lost-update", "crashes=1", "a", "x", "b", "xB"},
		{"setnx", "set-nx-px", "crashes=1", "a", "x", "a", "k1"}, // takes the whole node
		{"setnx", "set-nx-px", "crashes=1", "a", "x", "1", "k1"},
		{"setnx", "set-nx-px", "expiries=1", "a", "!", "", "ea"},
		{"setnx", "set-nx-px", "expiries=1", "a", "！", "", "ea"},
		{"watchdog", "pause", "pauses=1", "", "p", "a", "p1"},
		{"watchdog", "pause", "pauses=1", "", "p", "1", "p1"},
		{"watchdog", "renewed", "ticks=2", "a", "t", "", "t"},
	} {
		o := english()
		o.Lesson, o.Variant = c.lesson, c.variant
		p := play(t, o, 120, 40)
		name := c.lesson + "." + c.variant + " " + c.set + " " + c.ask + c.strike
		p.command(":set " + c.set)
		for _, k := range c.before {
			p.press(string(k))
		}
		at := p.depth()
		p.press(c.ask)
		if c.strike != "" {
			p.must("whom?")
			p.press("esc") // takes it back
			if p.depth() != at || p.m.lesson == nil {
				t.Errorf("%s: esc did not take it back", name)
				continue
			}
			p.press(c.ask, "L", c.strike) // not even a change of language is in the way
		}
		moves := p.m.lesson.session.Cursor().Moves()
		if len(moves) != at+1 || moves[at].String() != c.move {
			t.Errorf("%s: %v was done, want %s\n%s", name, moves, c.move, p.text())
		}
	}
}

// Where the budget is spent, or there is none, a key says so.
func TestNoFault(t *testing.T) {
	p := lesson(t, 80, 24)
	for key, what := range map[string]string{"!": "expire", "t": "clock", "x": "crash", "p": "pause", "r": "redeliver", "l": "lose reply"} {
		p.press(key)
		p.must(what + ": not possible here")
		if p.m.lesson.pending != "" {
			t.Errorf("%s waits for a letter", key)
		}
	}
}

// An entry that nobody has acknowledged is handed out again.
func TestRedeliver(t *testing.T) {
	o := english()
	o.Lesson, o.Variant = "stream-pipeline", "not-idempotent"
	p := play(t, o, 120, 40)
	p.command(":set redeliveries=1")
	v := p.m.lesson
	for range 50 { // schedules drawn at random, until one comes there
		for len(v.possible(keymap.Redeliver)) == 0 {
			more, err := v.session.Random(v.rng)
			if err != nil {
				t.Fatal(err)
			}
			if !more {
				break
			}
		}
		moves := v.possible(keymap.Redeliver)
		if len(moves) == 0 {
			v.session.Seek(0)
			continue
		}
		p.press("r")
		if len(moves) > 1 {
			p.press(strings.ToLower(moves[0][1:]))
		}
		done := v.session.Cursor().Moves()
		if got := done[len(done)-1].String(); !strings.HasPrefix(got, "r") {
			t.Errorf("%s was done", got)
		}
		return
	}
	t.Fatal("no schedule comes to a redelivery")
}
