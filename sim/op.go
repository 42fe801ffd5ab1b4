package sim

import (
	"time"

	"flashlab/sim/trace"
)

// Kind classes an operation by the gate it came through.
type Kind uint8

// Kinds of operation.
const (
	KindRedis Kind = iota
	KindSQL
	KindMutex
	KindSleep
	KindQueue
	KindMessage
	KindHang
)

// String returns the lower-case name used in event logs.
func (k Kind) String() string {
	return [...]string{"redis", "sql", "mutex", "sleep", "queue", "message", "hang"}[k]
}

// maxPCs bounds the recorded stack: the gate, the client library (go-redis and
// database/sql nest about fifteen frames) and the lesson's own calls.
const maxPCs = 40

// Op is the operation an actor is parked at. The gate fills it between
// [Actor.Prepare] and [Actor.Park]; it is valid until the actor runs again.
type Op struct {
	Kind Kind
	Name string // short label: "SET", "UPDATE", "lock"

	// Blocked tells why the operation cannot run now, nil function or false: it
	// can. It must have no side effect: replays step without asking it.
	Blocked func() (trace.Reason, bool)

	// Wake is the virtual instant at which a sleeper or a timeout is due, 0: none.
	Wake time.Duration

	// Detail renders the operation for people. It may be nil.
	Detail Detail

	// Object is the shared thing with an identity that the operation waits for,
	// such as a mutex, or nil. Which of two equal-looking mutexes it is belongs
	// to the state.
	Object Object

	pcs [maxPCs]uintptr
	npc int
}

// PCs is the recorded call stack, empty unless the kernel records.
func (o *Op) PCs() []uintptr { return o.pcs[:o.npc] }

// Detail renders an operation for people; gates implement it lazily, since an
// exploration of millions of steps shows none of them.
type Detail interface {
	// Command is the whole command on one line.
	Command() string
	// Reply is the answer on one line, valid once the operation is done.
	Reply() string
	// Accesses lists the shared things the command touches.
	Accesses() []trace.Access
}

// Object is something that one actor at a time can hold, such as a mutex.
type Object interface {
	// Abandon frees the object because its holder died.
	Abandon()
}
