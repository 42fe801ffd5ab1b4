package scene_test

import (
	"context"
	"math/big"
	"strconv"
	"strings"
	"testing"

	"flashlab/lessons"
	_ "flashlab/lessons/oversell/scene"
	"flashlab/sim/explore"
	"flashlab/sim/scenario"
	"flashlab/sim/trace"
)

func lesson(t *testing.T) *lessons.Lesson {
	t.Helper()
	l, err := lessons.Find("oversell")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func variant(t *testing.T, name string) *lessons.Variant {
	t.Helper()
	v, err := lesson(t).Variant(name)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func staged(t *testing.T, l *lessons.Lesson, name string) *lessons.Staged {
	t.Helper()
	st, err := l.StagedSchedule(name)
	if err != nil {
		t.Fatal(err)
	}
	return st
}

// scene makes a variant's scenario; sets may be empty.
func scene(t *testing.T, name, sets string) *scenario.Scenario {
	t.Helper()
	v := variant(t, name)
	p := scenario.NewParams(v.Params)
	if sets != "" {
		var err error
		if p, err = p.Set(sets); err != nil {
			t.Fatal(err)
		}
	}
	return v.Scenario(p)
}

// search explores every schedule of a scenario.
func search(t *testing.T, s *scenario.Scenario) *explore.Result {
	t.Helper()
	r, err := scenario.Open(s)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	res, err := explore.Run(context.Background(), r, len(s.Lights), explore.Limits{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !res.Complete {
		t.Fatalf("%s.%s: the search ended at the bound on %s", s.Lesson, s.Variant, res.Bound)
	}
	return res
}

// play runs one schedule and returns its frames.
func play(t *testing.T, s *scenario.Scenario, next func(r *scenario.Run, n int) (stop bool, move int)) []trace.Frame {
	t.Helper()
	r, err := scenario.Open(s)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	r.Record(true)
	f, err := r.Start()
	if err != nil {
		t.Fatal(err)
	}
	frames := []trace.Frame{f}
	for n := 0; ; n++ {
		moves := r.Moves(nil)
		if len(moves) == 0 {
			return frames
		}
		stop, i := next(r, n)
		if stop {
			return frames
		}
		if f, err = r.Play(moves[i%len(moves)], f.State.Lights); err != nil {
			t.Fatal(err)
		}
		frames = append(frames, f)
	}
}

// sold adds a light that is red where units are left although somebody wanted
// them: what the declared lights do not say of the optimistic locks.
func sold(s *scenario.Scenario) *scenario.Scenario {
	want := min(s.Params.Get("buyers"), s.Params.Get("stock"))
	s.Lights = append(s.Lights, scenario.Light{
		Name: "sold", When: scenario.AtEnd,
		Check: func(v *scenario.View) (bool, error) {
			rows, err := v.Rows("orders")
			return len(rows) == want, err
		},
	})
	return s
}

func decimal(n *big.Int) string {
	if n == nil {
		return "0"
	}
	return n.String()
}

// stock is the stock of the voucher in a picture of the world.
func stock(s trace.State) string {
	for _, tab := range s.Tables {
		if tab.Name == "voucher" {
			return tab.Rows[0][1]
		}
	}
	return "none"
}

// orders is the number of orders in a picture of the world.
func orders(s trace.State) string {
	for _, tab := range s.Tables {
		if tab.Name == "orders" {
			return strconv.Itoa(len(tab.Rows))
		}
	}
	return "none"
}

// both checks that a text is there in both languages and written as it should be.
func both(t *testing.T, what string, x lessons.Text) {
	t.Helper()
	if strings.TrimSpace(x.EN) == "" || strings.TrimSpace(x.ZH) == "" {
		t.Errorf("%s: a language is missing: %q, %q", what, x.EN, x.ZH)
		return
	}
	for _, problem := range chinese(x.ZH) {
		t.Errorf("%s: %s: %s", what, problem, x.ZH)
	}
	for _, r := range x.EN {
		if r > 0x7E {
			t.Errorf("%s: %q in the English text: %s", what, r, x.EN)
			break
		}
	}
}
