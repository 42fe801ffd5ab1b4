package i18n

import (
	"errors"
	"slices"
	"testing"

	"flashlab/lessons"
	_ "flashlab/lessons/all"
	"flashlab/sim/scenario"
	"flashlab/sim/trace"
)

// said checks that a phrase has Chinese words, with no braces but those that are filled.
func said(t *testing.T, where string, p trace.Phrase) {
	t.Helper()
	if p.Key == "" {
		return
	}
	own, ok := phrasesZH[p.Key]
	if !ok {
		t.Errorf("%s: %q (%s) has no Chinese", where, p.Key, p)
		return
	}
	for _, b := range blank.FindAllString(own, -1) {
		if i := slices.Index(p.Values, b[1:len(b)-1]); i < 0 || i%2 != 0 {
			t.Errorf("%s: nothing fills %s of %q", where, b, own)
		}
	}
}

// TestPhrases: whatever the lessons say through figures, names, notes and mistakes can
// be said in Chinese. Each variant is stepped until all its actors have been seen.
func TestPhrases(t *testing.T) {
	for _, l := range lessons.All() {
		for i := range l.Variants {
			v := &l.Variants[i]
			phrasesOf(t, l.Name+"."+v.Name, v)
		}
		_, err := l.Variant(l.Variants[0].Name + "x")
		mistake(t, err)
		_, err = l.Variant("zzzzzzzzzzzzzzzzzz")
		mistake(t, err)
		_, err = l.StagedSchedule("zzzzzzzzzzzzzzzzzz")
		mistake(t, err)
		if len(l.Staged) > 0 {
			_, err = l.StagedSchedule(l.Staged[0].Name + "x")
			mistake(t, err)
		}
		_, err = lessons.Find(l.Name + "x")
		mistake(t, err)
		p := scenario.NewParams(l.Variants[0].Params)
		for _, set := range []string{"nothing", "nothing=1", "buyers=99"} {
			_, err = p.Set(set)
			mistake(t, err)
		}
	}
	_, err := lessons.Find("zzzzzzzzzzzzzzzzzz")
	mistake(t, err)
}

func mistake(t *testing.T, err error) {
	t.Helper()
	var m trace.Mistake
	if !errors.As(err, &m) {
		t.Errorf("%v is no mistake", err)
		return
	}
	said(t, err.Error(), m.Phrase)
}

func phrasesOf(t *testing.T, name string, v *lessons.Variant) {
	t.Helper()
	run, err := scenario.Open(v.Scenario(scenario.NewParams(v.Params)))
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	run.Record(true)
	f, err := run.Start()
	if err != nil {
		t.Fatal(err)
	}
	check := func(f trace.Frame) {
		for _, a := range f.State.Actors {
			said(t, name, a.Name)
		}
		for _, x := range f.State.Lights {
			said(t, name, x.Detail)
		}
		for _, n := range f.State.Notes {
			said(t, name, n)
		}
	}
	check(f)
	out, err := run.PlayOut(f.State.Lights)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range out {
		check(f)
	}
}

func TestSay(t *testing.T) {
	p := trace.Say("sale.stock", "stock {stock}", "stock", 3)
	if got := chinese.Say(p); got != "库存 3" {
		t.Error(got)
	}
	if got := english.Say(p); got != "stock 3" {
		t.Error(got)
	}
	if got := chinese.Say(trace.Say("unheard of", "stock {stock}", "stock", 3)); got != "stock 3" {
		t.Error(got)
	}
	if got := chinese.Say(trace.Verbatim("UNIQUE")); got != "UNIQUE" {
		t.Error(got)
	}
}
