package lua

import (
	"strconv"
	"strings"
)

// Owner is who holds a re-entrant lock: one thread of control of one client. Calls
// with an equal owner are re-entries, so two goroutines must not share one, and a
// pooled worker needs a new one for each task.
type Owner struct {
	ID string // of the client, unique among all: Redisson takes a random UUID
	N  int64  // of the thread within the client
}

// String returns the owner as it stands in the hash of the lock, "<id>:<n>".
func (o Owner) String() string { return o.ID + ":" + strconv.FormatInt(o.N, 10) }

// Channel returns the channel on which the release of a lock is announced, with the
// message "0". A name with a hash tag keeps it, any other one becomes the tag, so
// that the channel lives in the slot of the lock.
func Channel(lock string) string {
	const prefix = "redisson_lock__channel:"
	if strings.Contains(lock, "{") {
		return prefix + lock
	}
	return prefix + "{" + lock + "}"
}
