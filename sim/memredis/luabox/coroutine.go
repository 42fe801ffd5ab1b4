package luabox

import lua "github.com/yuin/gopher-lua"

func (b *Box) coroutineLibrary() map[string]lua.LGFunction {
	return map[string]lua.LGFunction{
		"create": b.coroutineCreate, "resume": b.coroutineResume, "wrap": b.coroutineWrap,
		"yield": b.coroutineYield, "running": b.coroutineRunning, "status": b.coroutineStatus,
	}
}

func (b *Box) coroutineCreate(l *lua.LState) int {
	l.Push(b.coroutine(l, l.CheckFunction(1)))
	return 1
}

// coroutine makes a thread and remembers its body, which gopher-lua wants at the
// first resume. The machine is not used for another run: a coroutine may be left
// in the middle.
func (b *Box) coroutine(l *lua.LState, body *lua.LFunction) *lua.LState {
	b.take(l, sizeCoroutine)
	b.worn = true
	th := b.thread(l)
	b.bodies[th] = body
	return th
}

func (b *Box) coroutineResume(l *lua.LState) int {
	th := l.CheckThread(1)
	n, err := b.resume(l, th)
	if err == nil {
		return n
	}
	l.SetTop(0)
	l.Push(lua.LFalse)
	l.Push(err)
	return 2
}

func (b *Box) coroutineWrap(l *lua.LState) int {
	th := b.coroutine(l, l.CheckFunction(1))
	l.Push(l.NewFunction(func(l *lua.LState) int {
		l.Insert(th, 1)
		n, err := b.resume(l, th)
		if err != nil {
			if s, ok := err.(lua.LString); ok {
				l.Error(s, 0)
			}
			l.Error(err, 1)
		}
		return n - 1
	}))
	return 1
}

// resume continues a coroutine with the arguments after the first. It returns the
// number of results left on the stack, true in front, or the error value.
func (b *Box) resume(l *lua.LState, th *lua.LState) (int, lua.LValue) {
	switch {
	case th.Dead:
		return 0, lua.LString("cannot resume dead coroutine")
	case l.G.CurrentThread == th || th.Parent != nil || b.bodies[th] == nil:
		return 0, lua.LString("cannot resume non-suspended coroutine")
	}
	var args []lua.LValue
	for i := 2; i <= l.GetTop(); i++ {
		args = append(args, l.Get(i))
	}
	b.descend(l)
	state, err, values := l.Resume(th, b.bodies[th], args...)
	b.depth--
	if state == lua.ResumeError {
		return 0, b.caught(l, err)
	}
	// Resume gives one nil for no value.
	if len(values) == 1 && values[0] == lua.LNil {
		values = nil
	}
	l.Push(lua.LTrue)
	for _, v := range values {
		l.Push(v)
	}
	return len(values) + 1, nil
}

// coroutineYield hands its arguments to whoever has resumed the thread. A protected
// call runs in a thread that nobody resumes, so that yield fails there, as it does
// in Lua 5.1.
func (b *Box) coroutineYield(l *lua.LState) int {
	if l.Parent == nil {
		b.raise(l, "attempt to yield across metamethod/C-call boundary")
	}
	return -1 // gopher-lua's sign for it
}

func (b *Box) coroutineRunning(l *lua.LState) int {
	if th := l.G.CurrentThread; th != nil && b.bodies[th] != nil {
		l.Push(th)
	} else {
		l.Push(lua.LNil)
	}
	return 1
}

func (b *Box) coroutineStatus(l *lua.LState) int {
	th := l.CheckThread(1)
	status := "suspended"
	switch {
	case th.Dead:
		status = "dead"
	case l.G.CurrentThread == th:
		status = "running"
	case th.Parent != nil:
		status = "normal"
	}
	l.Push(lua.LString(status))
	return 1
}
