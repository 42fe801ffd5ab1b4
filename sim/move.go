package sim

// MoveKind is who or what takes a step.
type MoveKind uint8

// The kinds of step, in the order in which choices are listed.
const (
	MoveActor     MoveKind = iota // an actor executes its operation
	MoveExpire                    // a lock key's lease runs out
	MoveClock                     // time passes to the next deadline
	MoveCrash                     // an actor dies
	MoveKillNode                  // a node dies
	MovePause                     // a node stands still for a while
	MoveRedeliver                 // an unacknowledged entry is handed out again
	MoveLoseReply                 // an actor's next reply is lost
)

// String returns the name of a kind of step in event logs.
func (k MoveKind) String() string {
	return [...]string{"step", "expire", "clock", "crash", "kill-node", "pause", "redeliver", "lose-reply"}[k]
}

// Move is one step of a schedule: a kind and whom it concerns. Arg is the index
// of the actor (MoveActor, MoveCrash, MoveRedeliver, MoveLoseReply), of the lock
// key (MoveExpire) or the number of the node, from 1 (MoveKillNode, MovePause).
type Move struct {
	Kind MoveKind
	Arg  uint8
}

// Actor reports whether the move is an ordinary actor's step.
func (m Move) Actor() bool { return m.Kind == MoveActor }

// String returns the move as it stands in a token: "A", "ea", "t", "xB", "k1".
func (m Move) String() string {
	letter, digit := string(rune('A'+m.Arg)), string(rune('0'+m.Arg))
	switch m.Kind {
	case MoveActor:
		return letter
	case MoveExpire:
		return "e" + string(rune('a'+m.Arg))
	case MoveClock:
		return "t"
	case MoveCrash:
		return "x" + letter
	case MoveKillNode:
		return "k" + digit
	case MovePause:
		return "p" + digit
	case MoveRedeliver:
		return "r" + letter
	case MoveLoseReply:
		return "l" + letter
	}
	return "?"
}
