package lua

import (
	"context"
	"fmt"

	"github.com/redis/go-redis/v9"
)

var deadLetter = script("dead_letter")

// Burial is what has become of an entry that was to be given up.
type Burial int

// The values are the answers of the script.
const (
	NotPending Burial = 0 // nothing done: the entry is acknowledged already, or never was delivered
	Returned   Burial = 1 // moved; the unit and the mark of the user were given back
	Unmarked   Burial = 2 // moved; the user had no mark, so no unit was given back
	Lost       Burial = 3 // only acknowledged: the entry is no longer in the stream
	TooEarly   Burial = 4 // nothing done: it has not been delivered often enough
)

// String returns "not pending", "returned", "unmarked", "lost" or "too early".
func (b Burial) String() string {
	names := [...]string{"not pending", "returned", "unmarked", "lost", "too early"}
	if b < 0 || int(b) >= len(names) {
		return fmt.Sprintf("Burial(%d)", int(b))
	}
	return names[b]
}

// Letter names an entry of the order stream that is to be given up.
type Letter struct {
	Keys       SaleKeys
	Dead       string // the stream of dead letters
	Group      string // the consumer group in which the entry is pending
	ID         string // of the entry
	Deliveries int    // it must have been delivered more often than this; 0: any number
}

// Bury moves an entry that cannot be booked to the dead letters: all fields of the
// order, with the id it had ("entry") and how often it was delivered ("deliveries").
// It returns the id of the dead letter, "" where there is none. The caller must know
// that no order was booked: the script looks at Redis only.
func Bury(ctx context.Context, c redis.Scripter, l Letter) (Burial, string, error) {
	keys := []string{l.Keys.Stream, l.Dead, l.Keys.Stock, l.Keys.Users}
	reply, err := deadLetter.Run(ctx, c, keys, l.Group, l.ID, l.Deliveries).Slice()
	if err == nil && len(reply) == 2 {
		n, isInt := reply[0].(int64)
		id, isText := reply[1].(string)
		if isInt && isText && n >= int64(NotPending) && n <= int64(TooEarly) {
			return Burial(n), id, nil
		}
	}
	if err == nil {
		err = fmt.Errorf("%w %v", ErrAnswer, reply)
	}
	return 0, "", fmt.Errorf("burying entry %s of %s: %w", l.ID, l.Keys.Stream, err)
}
