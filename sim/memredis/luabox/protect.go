package luabox

import (
	"errors"

	lua "github.com/yuin/gopher-lua"
)

// A protected call runs in a thread of its own. In gopher-lua an error cuts the
// closures of every function of its thread off from the variables they share,
// also of functions outside the pcall that are going to continue; in a thread of
// its own there are none.

// pcall(f, ...) runs f and tells whether it ended without an error.
func (b *Box) pcall(l *lua.LState) int {
	l.CheckAny(1)
	v, err := b.protected(l, 1)
	if err == nil {
		return v
	}
	l.SetTop(0)
	l.Push(lua.LFalse)
	// Redis gives a caught error of a command as text, though it is thrown as a
	// table.
	if t, ok := err.(*lua.LTable); ok {
		if s, ok := t.RawGetString("err").(lua.LString); ok {
			err = s
		}
	}
	l.Push(err)
	return 2
}

// xpcall(f, handler) hands an error to the handler, as it was thrown.
func (b *Box) xpcall(l *lua.LState) int {
	l.CheckAny(2)
	handler := l.Get(2)
	l.SetTop(1)
	n, err := b.protected(l, 1)
	if err == nil {
		return n
	}
	l.SetTop(0)
	l.Push(lua.LFalse)
	l.Push(handler)
	l.Push(err)
	l.Call(1, 1)
	return 2
}

// protected calls the value at index from with the arguments that follow. It
// returns the number of results that it has left on the stack, true in front, or
// the error value.
func (b *Box) protected(l *lua.LState, from int) (int, lua.LValue) {
	th := b.borrow(l)
	defer b.giveBack(th)
	n := l.GetTop() - from + 1
	l.XMoveTo(th, n)
	err := th.PCall(n-1, lua.MultRet, nil)
	if err != nil {
		th.SetTop(0)
		return 0, b.caught(l, err)
	}
	l.Push(lua.LTrue)
	n = th.GetTop()
	th.XMoveTo(l, n)
	return n + 1, nil
}

// caught returns the value of an error that a script may handle. What ended
// because of a limit goes on ending.
func (b *Box) caught(l *lua.LState, err error) lua.LValue {
	if b.over != nil {
		b.again(l, err)
	}
	b.spend(l, stepsPerFailure)
	var api *lua.ApiError
	if !errors.As(err, &api) {
		return lua.LString(err.Error())
	}
	if api.Type == lua.ApiErrorPanic {
		b.worn = true
	}
	return api.Object
}

// again throws an error anew, without another position.
func (b *Box) again(l *lua.LState, err error) {
	var api *lua.ApiError
	if errors.As(err, &api) {
		if s, ok := api.Object.(lua.LString); ok {
			l.Error(s, 0)
		}
		l.Error(api.Object, 1)
	}
	l.Error(lua.LString(err.Error()), 0)
}

// borrow returns a thread for one level of protected calls. Levels nest in Go as
// well, so there is a limit.
func (b *Box) borrow(l *lua.LState) *lua.LState {
	b.descend(l)
	if n := len(b.spare); n > 0 {
		th := b.spare[n-1]
		b.spare = b.spare[:n-1]
		return th
	}
	return b.thread(l)
}

func (b *Box) giveBack(th *lua.LState) {
	b.depth--
	b.spare = append(b.spare, th)
}

func (b *Box) descend(l *lua.LState) {
	if b.depth >= maxThreads {
		b.raise(l, "stack overflow (pcall or coroutine within another, too often)")
	}
	b.depth++
}

// thread makes a thread with a small stack that grows, counted by the same budget.
func (b *Box) thread(l *lua.LState) *lua.LState {
	own := b.l.Options
	b.l.Options.RegistrySize = 256
	b.l.Options.MinimizeStackMemory = true
	// NewThread would derive a context that does not count.
	th, _ := b.l.NewThread()
	b.l.Options = own
	th.Options = own
	th.SetContext(&b.budget)
	return th
}
