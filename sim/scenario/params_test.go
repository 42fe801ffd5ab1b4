package scenario_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"flashlab/sim/scenario"
)

func some() scenario.Params {
	return scenario.NewParams([]scenario.Param{
		scenario.Standard("buyers", 2), scenario.Standard("stock", 1), scenario.Standard("crashes", 0),
		{Name: "speed", Default: -3, Min: -5, Max: 5},
	})
}

func TestParams(t *testing.T) {
	p := some()
	if p.String() != "buyers=2,stock=1,crashes=0,speed=-3" || p.Changed() != "" {
		t.Errorf("defaults %s, changed %q", p, p.Changed())
	}
	q, err := p.Set("stock=2, buyers=8")
	if err != nil {
		t.Fatal(err)
	}
	if q.Changed() != "buyers=8,stock=2" || q.Get("buyers") != 8 || q.Map()["stock"] != 2 || !q.Has("stock") {
		t.Errorf("%s", q)
	}
	if p.Get("buyers") != 2 {
		t.Error("the original has changed")
	}
	if p.Get("nothing") != 0 || p.Has("nothing") {
		t.Error("an unknown parameter is there")
	}
	if strings.Join(p.Names(), " ") != "buyers crashes speed stock" {
		t.Errorf("names %v", p.Names())
	}
}

// TestBadSettings: each is refused by one sentence that says what is possible.
func TestBadSettings(t *testing.T) {
	for _, c := range []struct{ text, says string }{
		{"buyers=9", "from 1 to 8"},
		{"buyers=0", "from 1 to 8"},
		{"stock=100001", "from 0 to 100000"},
		{"buyers=two", "whole number"},
		{"buyers=02", "whole number"},
		{"buyers=+2", "whole number"},
		{"buyers=1e1", "whole number"},
		{"buyers=99999999999999999999", "whole number"},
		{"buyers=", "whole number"},
		{"buyers", "name=number"},
		{"", "name=number"},
		{"sellers=2", "buyers, crashes, speed, stock"},
		{"buyers=2,,stock=1", "name=number"},
		{"speed=-6", "from -5 to 5"},
	} {
		p := some()
		q, err := p.Set(c.text)
		if err == nil || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v", c.text, err)
		}
		if c.text == "buyers=9" && q.String() != p.String() {
			t.Errorf("%q: settings are %s", c.text, q)
		}
	}
}

func TestStandardPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("an unknown standard parameter is made up")
		}
	}()
	scenario.Standard("sellers", 1)
}

// TestChangedRoundTrip: what Changed prints sets the same values.
func TestChangedRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := some()
		for range rapid.IntRange(0, 4).Draw(t, "settings") {
			name := rapid.SampledFrom(p.Names()).Draw(t, "name")
			if q, err := p.With(name, rapid.StringMatching(`-?[0-9]{1,2}`).Draw(t, "value")); err == nil {
				p = q
			}
		}
		q := some()
		if p.Changed() != "" {
			var err error
			if q, err = q.Set(p.Changed()); err != nil {
				t.Fatal(err)
			}
		}
		if q.String() != p.String() {
			t.Fatalf("%s becomes %s", p, q)
		}
	})
}
