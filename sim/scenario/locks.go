package scenario

import (
	"errors"
	"strings"

	"github.com/redis/go-redis/v9"

	"flashlab/sim"
	"flashlab/sim/redisgate"
	"flashlab/sim/trace"
)

// Role is what a script does to a lock key. Roles follow from commands and scripts,
// so business code stays unaware of being watched.
type Role uint8

// The roles of scripts.
const (
	NoRole        Role = iota
	Acquire            // grants the lock: OK, or 1, when it does
	AcquireOrWait      // grants the lock: nil when it does, else how long to wait, in ms
	Release            // gives one hold back
	Renew              // extends the lease; 0 when the lock is somebody else's or gone
)

// Lock is a key that is used as a lock.
type Lock struct {
	Key string
	// Roles names what the scenario's scripts do to the key, by script name.
	Roles map[string]Role
	// Leases says which argument of a script is a lease in ms, by script name; the first
	// is 1.
	Leases map[string]int
	// LossCancels says that whoever learns from a failed renewal that the lock is
	// gone stops working: its belief ends there.
	LossCancels bool
}

// holding is a lock as the run has seen it: whose grant is in the key, and who
// believes to hold it.
type holding struct {
	lock    *Lock
	owner   *sim.Actor          // root actor of the last grant that is still there
	belief  map[*sim.Actor]int  // grants that an actor has not given back
	lapsed  map[*sim.Actor]bool // whose own lease has run out while it believed
	stolen  bool                // the key has gone by the hand of somebody else
	leaked  bool                // an actor has ended normally with its grant in the key
	overlap bool                // two believers now
	foreign bool                // two believers now, none of whose leases has run out
}

func (r *Run) resetLocks() {
	r.locks = r.locks[:0]
	for i := range r.S.Locks {
		r.locks = append(r.locks, &holding{lock: &r.S.Locks[i], belief: map[*sim.Actor]int{}, lapsed: map[*sim.Actor]bool{}})
	}
}

// role returns what a command does to the lock, and the command's name.
func (h *holding) role(r *Run, cmd redis.Cmder) (Role, string) {
	return h.lock.role(r.W.ScriptName, cmd)
}

// role returns what a command does to the lock, and the command's name; script tells
// the name of a script by its SHA-1.
func (l *Lock) role(script func(sha string) string, cmd redis.Cmder) (Role, string) {
	args := cmd.Args()
	name := strings.ToLower(cmd.Name())
	if len(args) < 2 {
		return NoRole, name
	}
	switch name {
	case "set", "setnx":
		if text(args[1]) != l.Key {
			return NoRole, name
		}
		if name == "setnx" {
			return Acquire, name
		}
		for _, a := range args[2:] {
			if strings.EqualFold(text(a), "nx") {
				return Acquire, name
			}
		}
	case "del", "unlink", "get", "delex":
		if text(args[1]) == l.Key {
			return Release, name
		}
	case "evalsha", "eval":
		if len(args) > 3 && text(args[3]) == l.Key {
			return l.Roles[scriptOf(script, cmd)], name
		}
	}
	return NoRole, name
}

// scriptOf is the name of the script that a command runs, by its SHA-1 or as a whole.
func scriptOf(name func(sha string) string, cmd redis.Cmder) string {
	source := text(cmd.Args()[1])
	if strings.EqualFold(cmd.Name(), "eval") {
		source = redis.NewScript(source).Hash()
	}
	return name(source)
}

// expires reports whether a command gives the key a lease, whoever holds the lock, and
// has done so.
func (l *Lock) expires(cmd redis.Cmder) bool {
	args := cmd.Args()
	switch strings.ToLower(cmd.Name()) {
	case "expire", "pexpire":
	default:
		return false
	}
	if len(args) < 3 || text(args[1]) != l.Key {
		return false
	}
	b, ok := cmd.(*redis.BoolCmd)
	return answers(cmd, 1) || ok && b.Val()
}

func text(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	return ""
}

// observe follows a finished Redis operation of an actor.
func (h *holding) observe(r *Run, a *sim.Actor, d sim.Detail) {
	root := a.Root()
	for _, cmd := range redisgate.Commands(d) {
		role, name := h.role(r, cmd)
		switch {
		case grants(role, cmd):
			h.belief[root]++
			h.owner = root
			delete(h.lapsed, root)
		case role == Renew && h.lock.LossCancels && refused(cmd):
			delete(h.belief, root)
		case role == Release && name != "get":
			h.released(r, root)
		}
	}
	if h.owner != nil && !r.W.Exists(h.lock.Key) {
		if h.owner != root {
			h.stolen = true
		}
		h.owner = nil
	}
}

// released ends one hold of an actor, or all of them unless the key is still its
// own: then it was a partial release of a nested hold, or one that failed.
func (h *holding) released(r *Run, root *sim.Actor) {
	if h.owner == root && r.W.Exists(h.lock.Key) && h.belief[root] > 1 {
		h.belief[root]--
		return
	}
	delete(h.belief, root)
}

// grants reports whether a command has granted the lock. A wait of 1 ms is no grant.
func grants(role Role, cmd redis.Cmder) bool {
	if role == AcquireOrWait {
		return errors.Is(cmd.Err(), redis.Nil)
	}
	if role != Acquire {
		return false
	}
	switch c := cmd.(type) {
	case *redis.BoolCmd:
		return c.Val()
	case *redis.StatusCmd:
		return c.Val() == "OK"
	case *redis.IntCmd:
		return c.Val() == 1
	case *redis.Cmd:
		switch v := c.Val().(type) {
		case string:
			return v == "OK"
		case int64:
			return v == 1
		}
	}
	return false
}

func refused(cmd redis.Cmder) bool {
	switch c := cmd.(type) {
	case *redis.IntCmd:
		return c.Err() == nil && c.Val() <= 0
	case *redis.Cmd:
		n, ok := c.Val().(int64)
		return ok && n <= 0
	}
	return false
}

// settle looks at the lock after any step: keys that have expired, actors that
// have ended, believers.
func (h *holding) settle(r *Run) {
	if h.owner != nil && !r.W.Exists(h.lock.Key) { // only expiry is left
		h.lapsed[h.owner] = true
		h.owner = nil
	}
	if h.owner != nil && h.owner.State() == sim.Done {
		h.leaked = true // also if it has tried to release, in vain
	}
	n, own := 0, 0
	for _, a := range r.W.Kernel.Actors {
		if h.belief[a] == 0 {
			continue
		}
		if a.State() != sim.Parked {
			delete(h.belief, a)
			continue
		}
		if !h.inside(r, a) {
			continue
		}
		n++
		if !h.lapsed[a] {
			own++
		}
	}
	h.overlap, h.foreign = n > 1, own > 1
}

// inside reports whether a live actor is in the section: it has not given the lock
// back and does not stand before its last release.
func (h *holding) inside(r *Run, a *sim.Actor) bool {
	return h.belief[a] > 0 && a.State() == sim.Parked && (h.belief[a] > 1 || !h.atRelease(r, a))
}

// atRelease reports whether the actor stands before the first command of a release.
func (h *holding) atRelease(r *Run, a *sim.Actor) bool {
	if a.Op.Kind != sim.KindRedis {
		return false
	}
	for _, cmd := range redisgate.Commands(a.Op.Detail) {
		if role, _ := h.role(r, cmd); role == Release {
			return true
		}
	}
	return false
}

// orphaned: the key has no time to live and nobody alive to delete it.
func (h *holding) orphaned(r *Run) bool {
	if !r.W.Exists(h.lock.Key) || r.W.TTL(h.lock.Key) > 0 {
		return false
	}
	return h.owner == nil || h.owner.State() != sim.Parked
}

// leftBehind: after the run-out, a key that no live actor holds, unless it is the
// lease of a dead holder at work.
func (h *holding) leftBehind(r *Run) bool {
	if !r.W.Exists(h.lock.Key) {
		return false
	}
	switch {
	case h.owner == nil, h.owner.State() == sim.Done:
		return true
	case h.owner.State() == sim.Parked:
		return false
	}
	return r.W.TTL(h.lock.Key) <= 0
}

// appendKey appends what the lights remember of the lock.
func (h *holding) appendKey(r *Run, b []byte) []byte {
	owner := byte(255)
	if h.owner != nil {
		owner = byte(h.owner.ID)
	}
	b = append(b, 'L', owner)
	for _, a := range r.W.Kernel.Actors {
		lapsed := byte(0)
		if h.lapsed[a] && h.belief[a] > 0 {
			lapsed = 0x80
		}
		b = append(b, byte(h.belief[a])|lapsed)
	}
	return b
}

// believers returns the letters of the actors that believe to hold the lock.
func (r *Run) believers(h *holding) []string {
	var out []string
	for _, a := range r.W.Kernel.Actors {
		if h.belief[a] > 0 && a.State() == sim.Parked {
			out = append(out, a.Letter())
		}
	}
	return out
}

// lockKeys adds to the keys who holds them and who believes to; a lock that is
// believed in although its key is gone is listed too.
func (r *Run) lockKeys(keys []trace.Key) []trace.Key {
	for _, h := range r.locks {
		believers := r.believers(h)
		found := false
		for i := range keys {
			if keys[i].Name != h.lock.Key {
				continue
			}
			found = true
			keys[i].Believers = believers
			if h.owner != nil {
				keys[i].Owner = h.owner.Letter()
			}
		}
		if !found && len(believers) > 0 {
			keys = append(keys, trace.Key{Name: h.lock.Key, TTL: -1, Believers: believers, Missing: true})
		}
	}
	return keys
}
