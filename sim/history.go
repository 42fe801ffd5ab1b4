package sim

import "encoding/binary"

// HistoryID stands for one exact sequence of replies. Equal ids mean equal
// sequences: they are interned, not hashed, so no collision can merge states.
type HistoryID uint32

// Histories interns reply sequences. An actor's local state is a function of the
// replies it has seen, so the id of its history stands for its stack and
// variables. A table outlives single runs: ids are comparable over all runs of
// one scenario.
type Histories struct {
	ids map[string]HistoryID
	buf []byte
}

// NewHistories returns an empty table; id 0 is the empty history.
func NewHistories() *Histories { return &Histories{ids: map[string]HistoryID{}} }

// Append returns the id of history h extended by one reply, and whether that is
// the first time it is asked for.
func (t *Histories) Append(h HistoryID, reply []byte) (id HistoryID, isNew bool) {
	t.buf = binary.LittleEndian.AppendUint32(t.buf[:0], uint32(h))
	t.buf = append(t.buf, reply...)
	if id, ok := t.ids[string(t.buf)]; ok {
		return id, false
	}
	id = HistoryID(len(t.ids) + 1)
	t.ids[string(t.buf)] = id
	return id, true
}

// Len is the number of distinct non-empty histories seen.
func (t *Histories) Len() int { return len(t.ids) }
