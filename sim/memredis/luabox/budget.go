package luabox

import (
	"context"
	"errors"
	"fmt"
	"time"

	lua "github.com/yuin/gopher-lua"
)

// Limits bound what one run of a script may use. A field that is not positive
// means the default. Steps and bytes are counted, so that a script that exceeds
// them always does so at the same place.
type Limits struct {
	Steps int           // instructions of the virtual machine and turns of library loops; 500,000
	Bytes int           // bytes of text and tables made, those already dropped included; 32 MiB
	Time  time.Duration // wall time, for the few instructions that can take long; 2 s
}

func (l Limits) orDefault() Limits {
	if l.Steps <= 0 {
		l.Steps = 500_000
	}
	if l.Bytes <= 0 {
		l.Bytes = 32 << 20
	}
	if l.Time <= 0 {
		l.Time = 2 * time.Second
	}
	return l
}

// Limits that are no counts, close to those of Lua 5.1.
const (
	maxSource  = 128 << 10 // bytes of a script
	maxNesting = 1_000     // of syntax
	maxCalls   = 1_000     // Lua functions that have not returned, of one thread
	maxThreads = 150       // pcall within pcall, coroutine within coroutine (Lua: 200 C calls)
	maxUnpack  = 8_000     // values on the stack by one call
	maxValues  = 64 << 10  // slots of a value stack
)

// What things count as, in bytes: about what Go needs for them.
const (
	sizeSlot      = 16  // element of an array
	sizeField     = 150 // element of a hash
	sizeTable     = 200
	sizeCoroutine = 48 << 10
)

// What counts as more than a step.
const (
	stepsPerFailure = 100 // an error that a script catches: gopher-lua writes a stack trace
	stepsPerByte    = 8   // of source that a script compiles
)

// pulse is the number of steps between two looks at the clock.
const pulse = 4096

// errLimit is what a script that exceeded a limit ends with; no pcall catches it.
var errLimit = errors.New("over a limit")

// budget counts what a run uses. As the context of a virtual machine it is asked
// before each instruction whether to go on; that is the only hook gopher-lua
// offers, and costs some 3 ns.
type budget struct {
	limits Limits
	steps  int // left
	bytes  int // left
	mark   int // steps left at the next look at the clock
	began  time.Time
	over   error // the limit exceeded
}

var _ context.Context = (*budget)(nil)

// closed is a channel that is always ready: "do not go on".
var closed = func() chan struct{} { c := make(chan struct{}); close(c); return c }()

func (b *budget) reset() {
	b.steps, b.bytes, b.over = b.limits.Steps, b.limits.Bytes, nil
	b.mark = b.steps - pulse
	b.began = time.Time{}
}

// Done counts a step. It returns nil, which is never ready, or a closed channel.
func (b *budget) Done() <-chan struct{} {
	b.steps--
	if b.steps >= b.mark && b.steps >= 0 && b.over == nil {
		return nil
	}
	if b.check() != nil {
		return closed
	}
	return nil
}

// check looks at the count and at the clock. The clock is read for the first time
// after a pulse, so that ordinary scripts do not pay for it.
func (b *budget) check() error {
	switch {
	case b.over != nil:
	case b.steps < 0:
		b.over = fmt.Errorf("%w: more than %d steps; does a loop never end?", errLimit, b.limits.Steps)
	case b.steps < b.mark:
		b.mark = b.steps - pulse
		if now := time.Now(); b.began.IsZero() {
			b.began = now
		} else if now.Sub(b.began) > b.limits.Time {
			b.over = fmt.Errorf("%w: longer than %v", errLimit, b.limits.Time)
		}
	}
	return b.over
}

// spend takes n steps of a loop inside a library and ends the script when there
// are none left.
func (b *budget) spend(l *lua.LState, n int) {
	if !b.afford(n) {
		l.RaiseError("%s", b.over)
	}
}

// afford is spend for callers with a way of their own to report.
func (b *budget) afford(n int) bool {
	if n > 0 {
		b.steps -= n
	}
	return b.steps >= b.mark && b.steps >= 0 && b.over == nil || b.check() == nil
}

// take takes n bytes and ends the script when there are not so many left.
func (b *budget) take(l *lua.LState, n int) {
	if !b.hold(n) {
		l.RaiseError("%s", b.over)
	}
}

// hold is take for callers with a way of their own to report.
func (b *budget) hold(n int) bool {
	if b.over == nil {
		if n > b.bytes {
			b.over = fmt.Errorf("%w: more than %d bytes of text and tables", errLimit, b.limits.Bytes)
		} else if n > 0 {
			b.bytes -= n
		}
	}
	return b.over == nil
}

// Err is the text of the error that the virtual machine raises after Done.
func (b *budget) Err() error { return b.over }

// Deadline reports none.
func (b *budget) Deadline() (time.Time, bool) { return time.Time{}, false }

// Value holds nothing.
func (b *budget) Value(any) any { return nil }
