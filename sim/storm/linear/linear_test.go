package linear

import (
	"strings"
	"testing"
	"time"

	"flashlab/sim/scenario"
)

func calls(list ...Call) *History {
	h := &History{Locks: 1}
	h.Add(list, 0)
	return h
}

func find(t *testing.T, h *History, s Setting, object string) Finding {
	t.Helper()
	s.Timeout = 2 * time.Second
	for _, f := range h.Check(s, []string{"lock"}) {
		if f.Object == object {
			return f
		}
	}
	t.Fatalf("nothing is said of %s", object)
	return Finding{}
}

func TestStock(t *testing.T) {
	one := Setting{Units: 1, HasUnits: true}
	for _, tt := range []struct {
		name string
		h    *History
		s    Setting
		want scenario.Verdict
	}{
		{"one unit, one yes", calls(Call{"1", 0, 10, Got}, Call{"2", 5, 20, SoldOut}), one, scenario.Holds},
		{"one unit, two yes", calls(Call{"1", 0, 10, Got}, Call{"2", 5, 20, Got}), one, scenario.Breaks},
		{"sold out too early", calls(Call{"1", 0, 10, SoldOut}, Call{"2", 20, 30, Got}), one, scenario.Breaks},
		{"but somebody's effect is not known", calls(Call{"1", 0, 10, SoldOut}, Call{"2", 20, 30, Got}, Call{"3", 0, 5, Unclear}), one, scenario.Holds},
		{"or some were lost", calls(Call{"1", 0, 10, SoldOut}, Call{"2", 20, 30, Got}), Setting{Units: 1, HasUnits: true, Lost: true}, scenario.Holds},
	} {
		if got := find(t, tt.h, tt.s, "stock"); got.Verdict != tt.want {
			t.Errorf("%s: %v %s", tt.name, got.Verdict, got.Reason)
		}
	}
}

// Many at once are not decided, and never called good.
func TestTooManyAtOnce(t *testing.T) {
	h := &History{}
	for i := range 20 {
		h.Add([]Call{{"", int64(i), 1000, Got}}, 0)
	}
	if f := find(t, h, Setting{Units: 100, HasUnits: true}, "stock"); f.Verdict != scenario.Unknown || f.Reason.Empty() {
		t.Errorf("%v %q", f.Verdict, f.Reason)
	}
	// Refusals in between can be left out.
	h = &History{}
	h.Add([]Call{{"", 0, 5, Got}}, 0)
	for i := range 50 {
		h.Add([]Call{{"", int64(10 + i), 1000, SoldOut}}, 0)
	}
	if f := find(t, h, Setting{Units: 1, HasUnits: true}, "stock"); f.Verdict != scenario.Holds {
		t.Errorf("%v %q", f.Verdict, f.Reason)
	}
}

func TestUser(t *testing.T) {
	h := calls(Call{"7", 0, 10, Got}, Call{"7", 20, 30, Got}, Call{"8", 0, 10, Got}, Call{"8", 5, 30, Duplicate})
	f := find(t, h, Setting{}, "user 7")
	var b strings.Builder
	if err := f.WriteHTML(&b); f.Verdict != scenario.Breaks || err != nil || !strings.Contains(b.String(), "gets an order") {
		t.Errorf("%v %v", f.Verdict, err)
	}
}

func TestLock(t *testing.T) {
	const ms = 1e6
	grant := func(who int, call, at, lease int64) scenario.LockEvent {
		return scenario.LockEvent{Kind: scenario.SawGrant, Who: who, Call: call, At: at, Lease: lease}
	}
	freed := func(who int, call, at int64, deleted bool) scenario.LockEvent {
		return scenario.LockEvent{Kind: scenario.SawRelease, Who: who, Call: call, At: at, Deleted: deleted}
	}
	renewed := func(who int, call, at, lease int64, plain bool) scenario.LockEvent {
		return scenario.LockEvent{Kind: scenario.SawRenewal, Who: who, Call: call, At: at, Lease: lease, Plain: plain}
	}
	for _, tt := range []struct {
		name   string
		events []scenario.LockEvent
		want   scenario.Verdict
	}{
		{"before the lease is over", []scenario.LockEvent{grant(1, 0, 10, 5*ms), grant(2, 2*ms, 2*ms+5, ms)}, scenario.Breaks},
		{"of a lease that is not known", []scenario.LockEvent{grant(1, 0, 10, -1), grant(2, 2*ms, 2*ms+5, ms)}, scenario.Holds},
		{"after a lease that was renewed", []scenario.LockEvent{grant(1, 0, 10, 5*ms), renewed(1, 3*ms, 3*ms+5, 5*ms, false), grant(2, 9*ms, 9*ms+5, ms)}, scenario.Holds},
		{"before the end of a renewed one", []scenario.LockEvent{grant(1, 0, 10, 5*ms), renewed(1, 3*ms, 3*ms+5, 5*ms, false), grant(2, 6*ms, 6*ms+5, ms)}, scenario.Breaks},
		{"a renewal shortens", []scenario.LockEvent{grant(1, 0, 10, 5*ms), renewed(1, ms, ms+5, ms, false), grant(2, 3*ms, 3*ms+5, ms)}, scenario.Holds},
		{"a renewal beside another", []scenario.LockEvent{
			grant(1, 0, 10, 5*ms), renewed(1, ms, ms+9, 9*ms, false), renewed(1, ms+5, ms+15, ms, false), grant(2, 3*ms, 3*ms+5, ms),
		}, scenario.Holds},
		{"somebody else shortens", []scenario.LockEvent{grant(1, 0, 10, 5*ms), renewed(3, ms, ms+5, ms, true), grant(2, 3*ms, 3*ms+5, ms)}, scenario.Holds},
		{"somebody else prolongs his own", []scenario.LockEvent{grant(1, 0, 10, 5*ms), renewed(3, ms, ms+5, ms, false), grant(2, 3*ms, 3*ms+5, ms)}, scenario.Breaks},
		{"one after the other", []scenario.LockEvent{grant(1, 0, 10, 0), freed(1, 20, 30, true), grant(2, 25, 40, 0)}, scenario.Holds},
		{"two at once", []scenario.LockEvent{grant(1, 0, 10, 0), grant(2, 15, 18, 0), freed(1, 20, 30, true)}, scenario.Breaks},
		{"after the lease", []scenario.LockEvent{grant(1, 0, 10, ms), grant(2, 2*ms, 2*ms+5, ms), freed(1, 3*ms, 3*ms+1, false)}, scenario.Holds},
		{"deleted after the lease", []scenario.LockEvent{grant(1, 0, 10, ms), grant(2, 2*ms, 2*ms+5, 9*ms), freed(1, 3*ms, 3*ms+1, true)}, scenario.Breaks},
		{"of a node that died", []scenario.LockEvent{grant(1, 0, 10, 0), {Kind: scenario.SawDeath, At: 12}, grant(2, 20, 30, 0)}, scenario.Holds},
	} {
		h := &History{Locks: 1}
		h.Follow(tt.events)
		if f := find(t, h, Setting{}, "lock"); f.Verdict != tt.want {
			t.Errorf("%s: %v %s", tt.name, f.Verdict, f.Reason)
		}
	}
}

// Wherever a possible history is cut, what is left is possible.
func TestCutKeepsPossible(t *testing.T) {
	h := &History{Locks: 1}
	for i := range 300 { // each is granted before the reply to the release before it comes
		at := int64(100 * i)
		h.Follow([]scenario.LockEvent{
			{Kind: scenario.SawGrant, Who: i, Call: at - 60, At: at},
			{Kind: scenario.SawRelease, Who: i, Call: at + 20, At: at + 130, Deleted: true},
		})
	}
	if f := find(t, h, Setting{}, "lock"); f.Verdict != scenario.Holds {
		t.Fatalf("%v %s", f.Verdict, f.Reason)
	}
	for at := int64(1); at < 3000; at += 7 {
		f := check("lock", lockModel(), lockCalls(h.locks[0], at), time.Now().Add(time.Second))
		if f.Verdict == scenario.Breaks {
			t.Fatalf("cut at %d it is called impossible", at)
		}
	}
}
