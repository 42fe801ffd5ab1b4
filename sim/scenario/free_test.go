package scenario

import (
	"testing"

	"github.com/redis/go-redis/v9"
)

// feed follows events of one lock and returns it.
func feed(events ...LockEvent) *freeLock {
	l := newFreeLock()
	for _, e := range events {
		l.feed(e)
	}
	return l
}

func TestFreeLock(t *testing.T) {
	grant := func(who int, call, at int64) LockEvent {
		return LockEvent{Kind: SawGrant, Who: who, Node: who, Call: call, At: at}
	}
	leaving := func(who int, at int64) LockEvent { return LockEvent{Kind: SawLeaving, Who: who, At: at} }
	freed := func(who int, call, at int64) LockEvent {
		return LockEvent{Kind: SawRelease, Who: who, Call: call, At: at, Deleted: true}
	}
	for _, tt := range []struct {
		name                    string
		l                       *freeLock
		overlaps, stolen, leaks int
	}{
		{"handed over", feed(grant(1, 1, 2), leaving(1, 3), grant(2, 3, 5), freed(1, 3, 6), leaving(2, 7), freed(2, 7, 8)), 0, 0, 0},
		{"two inside", feed(grant(1, 1, 2), grant(2, 3, 4)), 1, 0, 0},
		{"never held", feed(grant(1, 1, 2), freed(2, 3, 4)), 0, 1, 0},
		{"held once", feed(grant(1, 1, 2), grant(2, 3, 4), leaving(1, 5), freed(1, 5, 6)), 1, 1, 0},
		{"nested", feed(grant(1, 1, 2), grant(1, 3, 4), leaving(1, 5), LockEvent{Kind: SawRelease, Who: 1, At: 6, Nested: true}, grant(2, 7, 8)), 1, 0, 0},
		{"left behind", feed(grant(1, 1, 2), LockEvent{Kind: SawEnd, Who: 1, At: 3, Left: true}), 0, 0, 1},
		{"whose key is it", feed(grant(1, 2, 5), LockEvent{Kind: SawEnd, Who: 1, At: 8, Left: true}, grant(2, 7, 9)), 0, 0, 0},
		{"whose key was it", feed(grant(2, 1, 4), grant(1, 2, 3), LockEvent{Kind: SawEnd, Who: 1, At: 8, Left: true}), 1, 0, 0},
		{"one more, much later", feed(grant(1, 1, 2), LockEvent{Kind: SawEnd, Who: 1, At: 3, Left: true}, grant(2, 4, 5+2*late)), 0, 0, 1},
		{"left by the dead", feed(grant(1, 1, 2), LockEvent{Kind: SawEnd, Who: 1, At: 3, Left: true}, LockEvent{Kind: SawDeath, Node: 3, At: 4}), 0, 0, 0},
		{"died", feed(grant(1, 1, 2), LockEvent{Kind: SawDeath, Node: 1, At: 3}, grant(2, 4, 5)), 0, 0, 0},
	} {
		tt.l.end()
		if l := tt.l; l.overlaps != tt.overlaps || l.stolen != tt.stolen || l.leaked != tt.leaks {
			t.Errorf("%s: %d overlaps, %d stolen, %d leaked", tt.name, l.overlaps, l.stolen, l.leaked)
		}
	}
}

func TestStormed(t *testing.T) {
	p := NewParams([]Param{Standard("buyers", 2), {Name: "users", Default: 1, Min: 1, Max: 8}, Standard("stock", 2), Standard("wait", 100)})
	got := p.Stormed(1000, 3, func(name string) bool { return name == "stock" })
	if got.String() != "buyers=1000,users=500,stock=2,wait=0" {
		t.Error(got)
	}
	if got := p.Stormed(40, 3, func(string) bool { return false }).Get("stock"); got != 10 {
		t.Errorf("stock %d", got)
	}
	if p.Get("buyers") != 2 {
		t.Error("the parameters themselves have changed")
	}
}

// TestGrants: a lock that answers how long to wait may answer 1.
func TestGrants(t *testing.T) {
	number := func(n int64) redis.Cmder { c := redis.NewCmd(t.Context(), "evalsha", "x"); c.SetVal(n); return c }
	null := redis.NewCmd(t.Context(), "evalsha", "x")
	null.SetErr(redis.Nil)
	refused := redis.NewCmd(t.Context(), "set", "k", "v", "nx")
	refused.SetErr(redis.Nil)
	for _, tt := range []struct {
		name string
		role Role
		cmd  redis.Cmder
		want bool
	}{
		{"wait 1 ms", AcquireOrWait, number(1), false}, {"wait for ever", AcquireOrWait, number(-1), false}, {"nothing to wait for", AcquireOrWait, null, true},
		{"1", Acquire, number(1), true}, {"0", Acquire, number(0), false}, {"nil", Acquire, refused, false}, {"renewed", Renew, number(1), false},
	} {
		if got := grants(tt.role, tt.cmd); got != tt.want {
			t.Errorf("%s: granted %v", tt.name, got)
		}
	}
}
