package shop

import (
	"flashlab/sim/redisgate"
	"flashlab/sim/scenario"
)

// Redelivery is the fault of handing an entry out again that one consumer has not
// acknowledged yet: another consumer, who waits for something new, gets it, and who
// has it is not told. to are the positions of the consumers in the order of start.
func Redelivery(to ...int) *scenario.Redelivery {
	return &scenario.Redelivery{
		To: to,
		Possible: func(v *scenario.View, to int) (bool, error) {
			_, id, err := elsewhere(v, to)
			return id != "", err
		},
		Do: func(v *scenario.View, to int) error {
			r, id, err := elsewhere(v, to)
			if err != nil {
				return err
			}
			return v.World().Hand(r, id)
		},
	}
}

// elsewhere returns the waiting read of an actor and the oldest entry of that stream
// that is pending with somebody else, "" if there is none.
func elsewhere(v *scenario.View, to int) (r redisgate.Reader, id string, err error) {
	a := v.Actor(to)
	if a == nil || !a.Alive() {
		return r, "", nil
	}
	r, waits := redisgate.Reading(a.Op.Detail)
	if !waits {
		return r, "", nil
	}
	entries, err := v.World().InFlight(r.Stream, r.Group)
	for _, e := range entries {
		if e.Consumer != "" && e.Consumer != r.Consumer {
			return r, e.ID, err
		}
	}
	return r, "", err
}
