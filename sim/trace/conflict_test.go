package trace_test

import (
	"strings"
	"testing"

	"flashlab/sim/trace"
)

// play turns lines such as "A sql UPDATE voucher!" into frames; "!" marks a
// write, "owner=A" a grant that stands in the key after the step, "end" the
// actor's last step and "x" before the name of a light the violation.
func play(lines ...string) []trace.Frame {
	frames := []trace.Frame{{}}
	var s trace.State
	for i, line := range lines {
		f := strings.Fields(line)
		e := &trace.Event{Seq: i + 1, Actor: f[0], Kind: f[1], Op: f[2]}
		if e.Actor == "-" {
			e.Actor = ""
		}
		if e.Op == "DEL" || e.Op == "expire" {
			s.Keys = nil
		}
		for _, w := range f[3:] {
			owner, granted := strings.CutPrefix(w, "owner=")
			light, broke := strings.CutPrefix(w, "x:")
			switch {
			case granted:
				s.Keys = []trace.Key{{Name: "lock", Owner: owner}}
			case broke:
				e.Broken = append(e.Broken, light)
			case w == "end":
				e.End = "returned"
			default:
				name, write := strings.CutSuffix(strings.ReplaceAll(w, "-", " "), "!")
				e.Access = append(e.Access, trace.Access{Resource: name, Write: write})
			}
		}
		frames = append(frames, trace.Frame{Event: e, State: s})
	}
	return frames
}

func TestExplain(t *testing.T) {
	for _, tt := range []struct {
		name  string
		steps []string
		// resource and the steps read, write, act and violation; "" for no race
		resource string
		want     [4]int
	}{
		{"lost update", []string{
			"A sql SELECT voucher", "B sql SELECT voucher", "A sql UPDATE voucher!", "A sql INSERT orders! end",
			"B sql UPDATE voucher!", "B sql INSERT orders! end x:light",
		}, "voucher", [4]int{2, 3, 5, 6}},
		{"lost update, broken by the other one's insert", []string{
			"A sql SELECT voucher", "B sql SELECT voucher", "A sql UPDATE voucher!", "B sql UPDATE voucher!",
			"B sql INSERT orders! end", "A sql INSERT orders! end x:light",
		}, "voucher", [4]int{2, 3, 4, 6}},
		{"with the write lock among the accesses", []string{
			"A sql SELECT voucher", "B sql SELECT voucher", "A sql UPDATE write-lock voucher!", "A sql INSERT write-lock orders! end",
			"B sql UPDATE write-lock voucher!", "B sql INSERT write-lock orders! end x:light",
		}, "voucher", [4]int{2, 3, 5, 6}},
		{"row count ignored: no race", []string{
			"A sql UPDATE voucher!", "B sql UPDATE voucher!", "A sql INSERT orders! end", "B sql INSERT orders! end x:light",
		}, "", [4]int{}},
		{"row count ignored, write lock listed: no race", []string{
			"B sql UPDATE write-lock voucher!", "A sql UPDATE write-lock voucher!", "A sql INSERT write-lock orders! end",
			"B sql INSERT write-lock orders! end x:light",
		}, "", [4]int{}},
		{"one after the other: no race", []string{
			"A sql SELECT voucher", "A sql UPDATE voucher!", "A sql INSERT orders! end",
			"B sql SELECT voucher", "B sql UPDATE voucher!", "B sql INSERT orders! end x:light",
		}, "", [4]int{}},
		{"read again after the change: no race", []string{
			"B sql SELECT voucher", "A sql UPDATE voucher!", "B sql SELECT voucher", "B sql UPDATE voucher! x:light",
		}, "", [4]int{}},
		{"two orders of one person", []string{
			"A sql COUNT orders", "B sql COUNT orders", "A sql BEGIN write-lock!", "A sql INSERT orders!", "A sql COMMIT write-lock! end",
			"B sql BEGIN write-lock!", "B sql INSERT orders! x:light",
		}, "orders", [4]int{2, 4, 7, 7}},
		{"read and write differ", []string{
			"A sql COUNT orders", "B sql INSERT orders! end", "A redis DECR stock! x:light",
		}, "orders", [4]int{1, 2, 3, 3}},
		{"get then delete", []string{
			"A redis SET lock! owner=A", "A sql SELECT voucher", "A redis GET lock", "- env expire lock!",
			"B redis SET lock! owner=B", "A redis DEL lock! x:light",
		}, "lock", [4]int{3, 5, 6, 6}},
		{"blind delete", []string{
			"A redis SET lock! owner=A", "A sql SELECT voucher", "- env expire lock!",
			"B redis SET lock! owner=B", "A redis DEL lock! x:light",
		}, "lock", [4]int{1, 4, 5, 5}},
		{"two in the section", []string{
			"A redis SET lock! owner=A", "A sql SELECT voucher", "- env expire lock!", "B redis SET lock! owner=B x:light",
		}, "lock", [4]int{1, 4, 4, 4}},
		{"released, then taken: no race", []string{
			"A redis SET lock! owner=A", "A redis DEL lock!", "B redis SET lock! owner=B x:light",
		}, "", [4]int{}},
		{"expired only: no race", []string{
			"A redis GET lock", "- env expire lock!", "A redis DEL lock! x:light",
		}, "", [4]int{}},
		{"judged at a third actor's step", []string{
			"A sql SELECT voucher", "B sql SELECT voucher", "A sql UPDATE voucher! end", "B sql UPDATE voucher! end", "C sql SELECT other x:light",
		}, "voucher", [4]int{2, 3, 4, 5}},
		{"acted elsewhere, judged at a third actor's step", []string{
			"A sql COUNT orders", "B sql INSERT orders! end", "A redis DECR stock! end", "C sql SELECT other x:light",
		}, "orders", [4]int{1, 2, 3, 4}},
		{"a try that failed is no claim and no change", []string{
			"A redis SET lock! owner=A", "B redis SET lock!", "- env expire lock!", "B redis SET lock! owner=B", "A redis DEL lock! x:light",
		}, "lock", [4]int{1, 4, 5, 5}},
		{"tries until it gets in: no race", []string{
			"A redis SET lock! owner=A", "B redis SET lock!", "A redis DEL lock! end", "B redis SET lock! owner=B x:light",
		}, "", [4]int{}},
		{"a counter is no lock: no race", []string{
			"A redis DECR stock!", "B redis DECR stock!", "A redis INCR stock! x:light",
		}, "", [4]int{}},
		{"a mutex is no knowledge: no race", []string{
			"A mutex lock mutex", "B mutex lock mutex!", "A mutex unlock mutex! x:light",
		}, "", [4]int{}},
		{"reads that wait for the write lock: no race", []string{
			"A sql SELECT write-lock", "B sql BEGIN write-lock!", "A sql BEGIN write-lock! x:light",
		}, "", [4]int{}},
		{"broken by the environment alone", []string{
			"A redis SET lock! owner=A", "- env crash x:light",
		}, "", [4]int{}},
		{"never broken", []string{"A sql SELECT voucher", "B sql UPDATE voucher!"}, "", [4]int{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, ok := trace.Explain(play(tt.steps...), "light")
			if ok != (tt.resource != "") {
				t.Fatalf("found %v: %v", ok, c)
			}
			if !ok {
				return
			}
			got := [4]int{c.Read.Seq, c.Write.Seq, c.Act.Seq, c.Violation.Seq}
			if c.Light != "light" || c.Resource != tt.resource || got != tt.want {
				t.Errorf("%s at %v, want %s at %v", c.Resource, got, tt.resource, tt.want)
			}
			if c.Read.Actor == c.Write.Actor {
				t.Error("an actor does not race with itself")
			}
		})
	}
}

func TestExplainHandMadeLogs(t *testing.T) {
	c, ok := trace.Explain(oversellLog().Frames, "no-oversell")
	if want := "B's SELECT at 2 saw stock=1 in voucher before A's UPDATE at 3 changed it; B's UPDATE at 5 still counted on it"; !ok || c.String() != want {
		t.Errorf("%v %s", ok, c)
	}
	c, ok = trace.Explain(misdeletionLog().Frames, "no-misdeletion")
	if want := "A's GET at 3 saw a1 in lock:order:7 before B's SET at 5 changed it; A's DEL at 6 still counted on it"; !ok || c.String() != want {
		t.Errorf("%v %s", ok, c)
	}
	if _, ok := trace.Explain(nil, "no-oversell"); ok {
		t.Error("explained an empty run")
	}
}
