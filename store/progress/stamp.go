package progress

import (
	"crypto/rand"
	"encoding/binary"
	"time"

	"github.com/google/uuid"
)

// skew is how far ahead of now the time of an event may be. What is dated later was
// written under a wrong clock.
const skew = 24 * time.Hour

// stamp gives a new event its time and ID so that it comes after last in the log, even
// if the clock was set back or two labs write in the same millisecond. last is the
// zero Event for an empty log; it must not be dated more than skew after now, or a
// wrong clock of one day would be followed for ever.
func stamp(now time.Time, last Event) (time.Time, string) {
	at := now.UTC().Truncate(time.Millisecond)
	if at.Before(last.At) {
		at = last.At
	}
	var count uint16
	if at.Equal(last.At) {
		if u, err := uuid.Parse(last.ID); err == nil {
			count = binary.BigEndian.Uint16(u[6:8])&0xfff + 1
		}
		if count > 0xfff {
			at, count = at.Add(time.Millisecond), 0
		}
	}
	return at, newID(at, count).String()
}

// newID makes a version 7 UUID (RFC 9562, 5.7 and 6.2 method 1): 48 bits of
// milliseconds since 1970, a 12-bit count within the millisecond, 62 random bits.
func newID(at time.Time, count uint16) uuid.UUID {
	var u uuid.UUID
	rand.Read(u[8:]) // never fails
	var ms [8]byte
	binary.BigEndian.PutUint64(ms[:], uint64(at.UnixMilli()))
	copy(u[:6], ms[2:])
	binary.BigEndian.PutUint16(u[6:8], 0x7000|count&0xfff)
	u[8] = u[8]&0x3f | 0x80
	return u
}
