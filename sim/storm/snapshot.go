package storm

import (
	"sync"
	"time"
)

// Phase is how far a storm is.
type Phase string

// The phases.
const (
	Running  Phase = "running"
	Draining Phase = "draining" // the requests are over, consumers still work
	Ended    Phase = "ended"
)

// Snapshot is a picture of a storm. Times of requests are in us.
type Snapshot struct {
	Phase      Phase
	Elapsed    time.Duration // since the first request
	Left       time.Duration // estimate until the last; 0: unknown
	Requests   int64
	Started    int64
	Done       int64
	OK         int64
	CutOff     int64
	Refused    map[string]int64 // by class of error
	Accepted   int              // by a sale script
	InFlight   int              // accepted and not finished, while that is waited for
	Broken     []string         // lights that are red so far
	Figures    map[string]int64 // rows by table, and "table.column" of single rows
	Throughput []float64        // requests a second, in equal parts of the time so far
	Latency    Latency
	Nodes      []Node
}

// Latency is how long requests took, in us. The first three are quantiles.
type Latency struct{ P50, P90, P99, Max int64 }

// Node is a node that is a process.
type Node struct {
	Name   string
	PID    int
	Killed bool
}

// Mailbox holds the last snapshot: whoever looks late misses some, and nobody waits.
type Mailbox struct {
	mu   sync.Mutex
	last *Snapshot
}

// Put replaces what is in the box.
func (m *Mailbox) Put(s Snapshot) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.last = &s
}

// Take returns the last snapshot and empties the box; false if nothing new has come.
func (m *Mailbox) Take() (Snapshot, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.last == nil {
		return Snapshot{}, false
	}
	s := *m.last
	m.last = nil
	return s, true
}

// parts is how many parts of time a series has at most.
const parts = 64

// series counts events over time in a bounded number of equal parts: when there is no
// more room, two become one.
type series struct {
	width time.Duration
	n     []int64
	begun time.Time
	last  time.Time
}

// add counts n events that have happened since the last call, evenly.
func (s *series) add(n int64, now time.Time) {
	if s.width == 0 {
		s.width, s.last = 10*time.Millisecond, s.begun
	}
	to := s.part(now)
	for to >= parts {
		half := make([]int64, 0, parts)
		for j := 0; j < len(s.n); j += 2 {
			x := s.n[j]
			if j+1 < len(s.n) {
				x += s.n[j+1]
			}
			half = append(half, x)
		}
		s.n, s.width = half, 2*s.width
		to = s.part(now)
	}
	from := s.part(s.last)
	s.last = now
	for len(s.n) <= to {
		s.n = append(s.n, 0)
	}
	for i := from; i <= to; i++ {
		share := n / int64(to-i+1)
		s.n[i] += share
		n -= share
	}
}

func (s *series) part(at time.Time) int { return max(0, int(at.Sub(s.begun)/s.width)) }

// rates are the events a second.
func (s *series) rates() []float64 {
	out := make([]float64, len(s.n))
	for i, n := range s.n {
		out[i] = float64(n) / s.width.Seconds()
	}
	return out
}
