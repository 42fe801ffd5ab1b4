package lua

import (
	"fmt"

	"github.com/redis/go-redis/v9"
)

// Outcome is what has become of a lock that its holder wanted to release or renew.
// The last two are different news: after Expired the section may have been entered
// by others and left again, with Foreign somebody is in it now. Both mean that the
// work done under the lock was not protected to its end. A command that failed has
// no outcome but an error: the lock may be held or not.
type Outcome int

// The values are the answers of the scripts.
const (
	Foreign   Outcome = -1 // somebody else holds the lock; it was left alone
	Expired   Outcome = 0  // there is no lock: the lease has run out, or it was never taken
	Done      Outcome = 1  // released, or renewed
	StillHeld Outcome = 2  // one hold of several was given back (re-entrant locks)
)

// String returns "done", "still held", "expired" or "someone else's".
func (o Outcome) String() string {
	switch o {
	case Done:
		return "done"
	case StillHeld:
		return "still held"
	case Expired:
		return "expired"
	case Foreign:
		return "someone else's"
	}
	return fmt.Sprintf("Outcome(%d)", int(o))
}

// outcome reads an answer between Foreign and most.
func outcome(cmd *redis.Cmd, most Outcome, doing, lock string) (Outcome, error) {
	n, err := cmd.Int()
	if err == nil && (Outcome(n) < Foreign || Outcome(n) > most) {
		err = fmt.Errorf("%w %d", ErrAnswer, n)
	}
	if err != nil {
		return 0, fmt.Errorf("%s lock %s: %w", doing, lock, err)
	}
	return Outcome(n), nil
}
