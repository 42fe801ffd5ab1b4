package pane

import (
	"math/big"
	"strings"
	"testing"

	"flashlab/lessons"
	"flashlab/sim/trace"
)

// told is the whole narration as one text.
func told(d *Lesson) string {
	var lines []string
	for _, p := range d.story() {
		lines = append(lines, p.text)
	}
	return strings.Join(lines, "\n")
}

func TestStory(t *testing.T) {
	sure := []Worth{{big.NewInt(3), big.NewInt(3)}, {big.NewInt(5), big.NewInt(5)}}
	for _, tt := range []struct {
		name   string
		d      func() *Lesson
		en, zh []string // in this order
	}{
		{"start", func() *Lesson { d := lostUpdate(); d.Cursor = 0; return d }, []string{"LostUpdate reads"}, []string{"LostUpdate 先读库存"}},
		{"start without texts", func() *Lesson { d := guarded(); d.Cursor = 0; return d }, []string{"before the first step"}, []string{"第一步之前"}},
		{"the variant's sentence", func() *Lesson { d := lostUpdate(); d.Cursor = 1; return d }, []string{"A reads stock=1."}, []string{"A 读到 stock=1"}},
		{"a sentence given by line", func() *Lesson {
			d := lostUpdate()
			d.Cursor, d.Say = 1, map[int]lessons.Text{8: {EN: "{actor} looks", ZH: "{actor} 看"}}
			return d
		}, []string{"A looks"}, []string{"A 看"}},
		{"a sentence from the operation", func() *Lesson { d := lostUpdate(); d.Cursor = 3; return d }, []string{"B runs UPDATE stock=0. The answer: 1 row."}, []string{"B 执行 UPDATE stock=0，得到 1 row。"}},
		{"broken", lostUpdate, []string{
			"With that A is through.", "✗ no-oversell broke at step 6.", "A's SELECT (step 1) saw stock=1 in voucher", "B's UPDATE (step 3)", "A's UPDATE (step 5)",
			"Orders: 2, stock left: 0",
		}, []string{"✗ no-oversell 在第 6 步被打破。", "A 的 SELECT（第 1 步）", "B 的 UPDATE（第 3 步）", "A 的 UPDATE（第 5 步）", "订单 2 个，库存剩 0"}},
		{"sold out", func() *Lesson { d := guarded(); d.Cursor = 7; return d }, []string{"A ends: sold out.", "A: sold out; B: ok, has an order.", "Everything held"}, []string{"A：已售罄 (sold out)；B：成功，已下单。", "都成立"}},
		{"a rolled back order", func() *Lesson {
			d := guarded()
			d.Cursor = 7
			d.Path[7].Event.Actor = "B"
			return d
		}, []string{"B: ok. Orders"}, []string{"B：成功。订单"}},
		{"lost for good", func() *Lesson { d := lostUpdate(); d.Cursor, d.Worth, d.Doomed = 3, sure, 2; return d }, []string{"every schedule breaks no-oversell. Go back (←) before step 2."}, []string{"第 2 步之前"}},
		{"lost, step unknown", func() *Lesson { d := lostUpdate(); d.Cursor, d.Worth = 3, sure; return d }, []string{"Go back (←)."}, []string{"请退回去"}},
		{"lost, odds hidden", func() *Lesson { d := lostUpdate(); d.Cursor, d.Doomed = 3, 2; return d }, []string{"before step 2"}, []string{"第 2 步之前"}},
		{"deadlock", func() *Lesson {
			d := guarded()
			d.Cursor, d.RunOut, d.Path = 1, nil, d.Path[:2]
			s := &d.Path[1].State
			s.Ended, s.Deadlock, s.Choices = true, true, nil
			return d
		}, []string{"A: waits for the write lock held by B", "deadlock"}, []string{"死锁"}},
		{"expiry", func() *Lesson { d := lease(); d.Cursor = 3; return d }, []string{"Lease runs out: lock:order:7."}, []string{"租期到点：lock:order:7。"}},
	} {
		for lang, want := range [][]string{tt.en, tt.zh} {
			d := tt.d()
			d.Lang = lessons.Lang(lang)
			rest := told(d)
			for _, w := range want {
				_, after, ok := strings.Cut(rest, w)
				if !ok {
					t.Errorf("%s: no %q in\n%s", tt.name, w, told(d))
					break
				}
				rest = after
			}
		}
	}
}

func TestNotLost(t *testing.T) {
	d := lostUpdate()
	d.Worth, d.Doomed = []Worth{{big.NewInt(3), big.NewInt(3)}}, 2
	if text := told(d); strings.Contains(text, "From here") {
		t.Errorf("what is broken cannot be lost any more:\n%s", text)
	}
	d.Cursor, d.Doomed, d.Worth = 1, 0, []Worth{{big.NewInt(3), big.NewInt(3)}, {big.NewInt(4), big.NewInt(3)}}
	if text := told(d); strings.Contains(text, "From here") {
		t.Errorf("one way is left:\n%s", text)
	}
}

func TestNoRace(t *testing.T) {
	d := lostUpdate()
	// The same orders, but A alone has done everything.
	for i := range d.Path {
		if e := d.Path[i].Event; e != nil {
			e.Actor = "A"
		}
	}
	if got := d.Why("no-oversell"); !strings.Contains(got, "No race") {
		t.Error(got)
	}
	if got := (&Lesson{}).Why("x"); got == "" {
		t.Error("nothing is said")
	}
	var none trace.Event
	if got := (&Lesson{}).Sentence(&none); got == "" {
		t.Error("nothing is said of an empty step")
	}
}
