package trace

import (
	"fmt"
	"slices"
)

// Conflict is the race behind a broken invariant: somebody learned something
// about a resource, somebody else changed it, and the first went on as if
// nothing had happened. Violation is the step that broke the light; the other
// events stand before it or are it.
type Conflict struct {
	Light     string
	Resource  string // what both touched: "voucher", "lock:order:7"
	Read      Event  // the step whose answer was relied upon
	Write     Event  // the step of another actor that made the answer stale
	Act       Event  // the step that relied on the answer
	Violation Event
}

// Explain finds the race behind the first step that broke the named light. It
// reports false when the light is not broken or no two actors raced: then the
// code is wrong in every schedule, and there is no interleaving to blame.
//
// The answer is a reading of who touched what in which order, no proof: what the
// code did with a reply is not in the log. Patterns are tried from the most telling to the least, first for
// the actor that broke the light, and the latest read wins:
//
//  1. check then act: X reads R, Y writes R, X writes R (a lost update, a GET
//     and DEL with a gap);
//  2. lapsed claim: X takes the lock R, Y takes it too, X writes it as if it were
//     still its own (a DEL after the lease ran out);
//  3. skew: X reads R, Y writes R, X breaks the light by writing elsewhere;
//  4. overlap: X holds the lock R, the violating step takes it.
//
// Who holds a lock is read from [Key.Owner].
func Explain(frames []Frame, light string) (Conflict, bool) {
	r := race{frames: frames}
	for i := range frames {
		if frames[i].Event == nil {
			continue
		}
		r.steps = append(r.steps, i)
		if slices.Contains(frames[i].Event.Broken, light) {
			return r.explain(light)
		}
	}
	return Conflict{}, false
}

// race searches the steps up to a violation, which is the last one.
type race struct {
	frames []Frame
	steps  []int // indexes of the frames that have an event
}

// pattern says whether what the step at index read learned about a resource was
// changed by another's step, write, before a step act relied on it.
type pattern func(read int, resource string) (write, act int, ok bool)

func (r *race) explain(light string) (Conflict, bool) {
	v := len(r.steps) - 1
	mine := func(e *Event) bool { return e.Actor == r.at(v).Actor }
	others := func(e *Event) bool { return !mine(e) }
	for _, try := range []struct {
		who func(*Event) bool
		how pattern
	}{
		{mine, r.checkThenAct}, {mine, r.lapsedClaim},
		{others, r.checkThenAct}, {mine, r.skew},
		{others, r.lapsedClaim}, {others, r.overlap}, {others, r.earlierSkew},
	} {
		for i := v - 1; i >= 0; i-- {
			e := r.at(i)
			// What stays in a process (a mutex, a queue) orders steps; it is no
			// knowledge that goes stale. Neither is the database's write lock.
			if e.environment() || e.engine() == "" || !try.who(e) {
				continue
			}
			for _, a := range e.Access {
				if a.Resource == writeLock {
					continue
				}
				if w, act, ok := try.how(i, a.Resource); ok {
					return Conflict{light, a.Resource, *e, *r.at(w), *r.at(act), *r.at(v)}, true
				}
			}
		}
	}
	return Conflict{}, false
}

// writeLock is the resource that stands for the database's write lock.
const writeLock = "write lock"

func (r *race) at(i int) *Event { return r.frames[r.steps[i]].Event }

// checkThenAct: the reader later writes what it read.
func (r *race) checkThenAct(read int, resource string) (write, act int, ok bool) {
	if !r.onlyRead(read, resource) {
		return 0, 0, false
	}
	return r.staleWrite(read, resource)
}

// lapsedClaim: the holder of a lock touches it again after another took it.
func (r *race) lapsedClaim(read int, resource string) (write, act int, ok bool) {
	if !r.granted(read, resource) {
		return 0, 0, false
	}
	return r.staleWrite(read, resource)
}

// skew: what the reader saw has changed when it breaks the light.
func (r *race) skew(read int, resource string) (write, act int, ok bool) {
	act = len(r.steps) - 1
	if !r.onlyRead(read, resource) {
		return 0, 0, false
	}
	write, ok = r.foreignWrite(read, act, resource)
	return write, act, ok
}

// earlierSkew: as skew, but the light could be judged only at another's step.
func (r *race) earlierSkew(read int, resource string) (write, act int, ok bool) {
	if !r.onlyRead(read, resource) {
		return 0, 0, false
	}
	for act = read + 1; act < len(r.steps)-1; act++ {
		e := r.at(act)
		if e.Actor != r.at(read).Actor || e.engine() == "" || !writes(e) {
			continue
		}
		if write, ok = r.foreignWrite(read, act, resource); ok {
			return write, act, true
		}
	}
	return 0, 0, false
}

// overlap: the violating step takes a lock that another was granted, has not
// given back and still counts on.
func (r *race) overlap(read int, resource string) (write, act int, ok bool) {
	v := len(r.steps) - 1
	if !r.granted(read, resource) || !r.wrote(v, resource) || r.at(v).environment() {
		return 0, 0, false
	}
	for i := read; i < v; i++ {
		if r.at(i).Actor != r.at(read).Actor {
			continue
		}
		if r.at(i).End != "" || i > read && r.wrote(i, resource) {
			return 0, 0, false
		}
	}
	return v, v, true
}

// staleWrite finds the actor's next write of resource after the step read, and
// the write of another that came between.
func (r *race) staleWrite(read int, resource string) (write, act int, ok bool) {
	for act = read + 1; act < len(r.steps); act++ {
		if r.at(act).Actor == r.at(read).Actor && r.wrote(act, resource) {
			write, ok = r.foreignWrite(read, act, resource)
			return write, act, ok
		}
	}
	return 0, 0, false
}

// foreignWrite finds the first write of resource by another actor that others could
// see between the steps read and act. If the reader touched the resource again
// before act, it knew better: then there is none.
func (r *race) foreignWrite(read, act int, resource string) (write int, ok bool) {
	for i := read + 1; i < act; i++ {
		if e := r.at(i); e.Actor == r.at(read).Actor && touches(e, resource) {
			return 0, false
		}
	}
	for i := 0; i < act; i++ {
		e := r.at(i)
		if e.Actor == r.at(read).Actor || e.environment() || !r.wrote(i, resource) {
			continue
		}
		if at, seen := r.visible(i); seen && at > read && at < act && (!ok || at < write) {
			write, ok = at, true
		}
	}
	return write, ok
}

// visible is the step from which others see what the step wrote: itself, or the
// COMMIT of the transaction it belongs to. ok is false if there is none.
func (r *race) visible(step int) (at int, ok bool) {
	e := r.at(step)
	if e.engine() != sqliteEngine || !slices.Contains(e.Access, Access{writeLock, true}) {
		return step, true
	}
	for i := step + 1; i < len(r.steps); i++ {
		if x := r.at(i); x.Actor == e.Actor {
			switch x.Op {
			case "COMMIT", "END":
				return i, true
			case "ROLLBACK":
				return 0, false
			}
		}
	}
	return 0, false
}

// granted reports whether the step put a lock in its actor's name.
func (r *race) granted(step int, key string) bool {
	k := keyOf(&r.frames[r.steps[step]].State, key)
	return k != nil && k.Owner != "" && k.Owner == r.at(step).Actor && r.wrote(step, key)
}

// wrote reports whether the step changed resource. Commands that write under a
// condition are listed as writes whether or not it held, so the answer and the
// picture of the key have the last word. A renewed TTL makes no answer stale.
func (r *race) wrote(step int, resource string) bool {
	e := r.at(step)
	if !slices.Contains(e.Access, Access{resource, true}) {
		return false
	}
	if e.engine() == sqliteEngine {
		return e.Reply != "0 rows"
	}
	f := r.steps[step]
	if f == 0 {
		return true
	}
	before, after := keyOf(&r.frames[f-1].State, resource), keyOf(&r.frames[f].State, resource)
	if before == nil || after == nil {
		return true
	}
	return before.Value != after.Value || before.Owner != after.Owner || before.Type != after.Type
}

// onlyRead reports whether the step looked at resource without trying to write.
func (r *race) onlyRead(step int, resource string) bool {
	return touches(r.at(step), resource) && !slices.Contains(r.at(step).Access, Access{resource, true})
}

func touches(e *Event, resource string) bool {
	return slices.ContainsFunc(e.Access, func(a Access) bool { return a.Resource == resource })
}

func writes(e *Event) bool {
	return slices.ContainsFunc(e.Access, func(a Access) bool { return a.Write && a.Resource != writeLock })
}

// keyOf is the key of that name in the picture, or nil.
func keyOf(s *State, name string) *Key {
	i := slices.IndexFunc(s.Keys, func(k Key) bool { return k.Name == name })
	if i < 0 {
		return nil
	}
	return &s.Keys[i]
}

// String tells the race in one English sentence.
func (c Conflict) String() string {
	learned := "read " + c.Resource
	switch {
	case slices.Contains(c.Read.Access, Access{c.Resource, true}):
		learned = "took " + c.Resource
	case c.Read.Reply != "":
		learned = "saw " + c.Read.Reply + " in " + c.Resource
	}
	s := fmt.Sprintf("%s %s before %s changed it", deed(c.Read), learned, deed(c.Write))
	if c.Write.Seq == c.Act.Seq && c.Write.Actor == c.Act.Actor {
		return s + ", while " + c.Read.Actor + " still counted on it"
	}
	return s + "; " + deed(c.Act) + " still counted on it"
}

// deed names a step in a sentence: "B's UPDATE at 5".
func deed(e Event) string {
	at := fmt.Sprintf(" at %d", e.Seq)
	if e.RunOut {
		at = " in the run-out"
	}
	return e.Actor + "'s " + e.Op + at
}
