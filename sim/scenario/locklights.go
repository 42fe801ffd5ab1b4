package scenario

import (
	"strings"

	"flashlab/sim/trace"
)

// The names of the lights that look at locks and at the end of a run.
const (
	MutualExclusionLight = "mutual-exclusion"
	NoMisdeletionLight   = "no-misdeletion"
	LockReleasedLight    = "lock-released"
	ProgressLight        = "progress"
	ThirdPartyLight      = "third-party"
)

// MutualExclusion holds while at most one actor is in the section of a lock: from
// the reply that granted it until it stands before the first command of its
// release, ends, dies or has been told that the lock is lost.
func MutualExclusion() Light {
	return Light{
		Name: MutualExclusionLight, When: EachStep,
		Check: func(v *View) (bool, error) {
			return !v.anyLock(func(h *holding) bool { return h.overlap }), nil
		},
		Detail: func(v *View) trace.Phrase {
			var parts []string
			for _, h := range v.r.locks {
				who := ""
				for _, a := range v.r.W.Kernel.Actors {
					if h.inside(v.r, a) {
						who += " " + a.Letter()
					}
				}
				if who == "" {
					who = " -"
				}
				parts = append(parts, h.lock.Key+":"+who)
			}
			return trace.Verbatim(strings.Join(parts, ", "))
		},
	}
}

// ThirdParty holds while no two actors are in a section although neither one's own
// lease has run out: that takes somebody else's deletion.
func ThirdParty() Light {
	return Light{
		Name: ThirdPartyLight, When: EachStep,
		Check: func(v *View) (bool, error) {
			return !v.anyLock(func(h *holding) bool { return h.foreign }), nil
		},
	}
}

// NoMisdeletion holds while a lock key disappears only by an operation of the actor
// whose grant is in it, or by expiry. The owner is the actor of the last grant,
// never the stored value: two actors can store the same one.
func NoMisdeletion() Light {
	return Light{
		Name: NoMisdeletionLight, When: EachStep,
		Check: func(v *View) (bool, error) {
			return !v.anyLock(func(h *holding) bool { return h.stolen }), nil
		},
		Detail: func(v *View) trace.Phrase {
			var parts []string
			for _, h := range v.r.locks {
				owner := "-"
				if h.owner != nil {
					owner = h.owner.Letter()
				}
				parts = append(parts, h.lock.Key+" "+owner)
			}
			return trace.Verbatim(strings.Join(parts, ", "))
		},
	}
}

// LockReleased holds while no actor that took a lock ends normally with its grant
// still in the key, and, after the run-out, no lock key is left that no live actor
// holds. The key of a dead holder with a time to live is the lease at work.
func LockReleased() Light {
	return Light{
		Name: LockReleasedLight, When: EachStep,
		Check: func(v *View) (bool, error) {
			return !v.anyLock(func(h *holding) bool { return h.leaked || v.r.final && h.leftBehind(v.r) }), nil
		},
	}
}

// Progress holds if the run-out finishes: nobody that counts waits for ever and
// nothing stays in flight. A lock key without time to live whose holder is dead or
// gone breaks it at once.
func Progress() Light {
	return Light{
		Name: ProgressLight, When: EachStep,
		Check: func(v *View) (bool, error) {
			if v.anyLock(func(h *holding) bool { return h.orphaned(v.r) }) {
				return false, nil
			}
			if !v.r.final {
				return true, nil
			}
			n, err := v.r.inFlight()
			return v.r.W.Kernel.Finished() && n == 0, err
		},
		Detail: func(v *View) trace.Phrase {
			n, _ := v.r.inFlight()
			waiting := 0
			for _, a := range v.r.W.Kernel.Actors {
				if !a.Daemon && !a.Hung && a.Alive() {
					waiting++
				}
			}
			if !v.r.final {
				return trace.Phrase{}
			}
			return trace.Say("lab.unfinished", "unfinished {waiting}, in flight {flying}", "waiting", waiting, "flying", n)
		},
	}
}

func (v *View) anyLock(f func(*holding) bool) bool {
	for _, h := range v.r.locks {
		if f(h) {
			return true
		}
	}
	return false
}
