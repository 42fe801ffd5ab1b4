package progress

import "time"

// Grade says how well a card was recalled.
type Grade string

// The grades, from worst to best.
const (
	Again Grade = "again" // not known: back to box 0
	Hard  Grade = "hard"  // the card stays in its box
	Good  Grade = "good"  // one box up
	Easy  Grade = "easy"  // two boxes up
)

// LastBox is the highest Leitner box; boxes count from 0.
const LastBox = 5

// Relearn is after how long a card graded Again is due, sooner than its box says: it
// should come back in the same sitting.
const Relearn = time.Minute

// Interval is after how long a card that was put into a box is due: 10 minutes, 1, 3,
// 7, 16 and 35 days for the boxes 0 to 5. A box outside is taken for the nearest.
func Interval(box int) time.Duration {
	const day = 24 * time.Hour
	intervals := [LastBox + 1]time.Duration{10 * time.Minute, day, 3 * day, 7 * day, 16 * day, 35 * day}
	return intervals[min(max(box, 0), LastBox)]
}

// Card is where a card is in its Leitner boxes. A card never seen is the zero Card.
type Card struct {
	Lesson string    // "" if no event said
	Box    int       // 0 to LastBox
	Due    time.Time // UTC; when to show it again
	Seen   int       // times recalled
	Lapses int       // times graded Again
	Last   Grade
	At     time.Time // UTC; when last recalled
}

// recalled returns the card after a grade given at a time.
func (c Card) recalled(g Grade, at time.Time) Card {
	c.Seen++
	c.Last, c.At = g, at
	switch g {
	case Again:
		c.Box = 0
		c.Lapses++
		c.Due = at.Add(Relearn)
		return c
	case Good:
		c.Box = min(c.Box+1, LastBox)
	case Easy:
		c.Box = min(c.Box+2, LastBox)
	}
	c.Due = at.Add(Interval(c.Box))
	return c
}
