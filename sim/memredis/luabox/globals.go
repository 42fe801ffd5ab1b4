package luabox

import (
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// machine is the virtual machine of a box with its environment. A box drops and
// rebuilds it when a run may have left something behind in it.
type machine struct {
	l       *lua.LState
	worn    bool
	globals *lua.LTable // environment of ordinary scripts, and what _G shows
	guarded *lua.LTable // environment of scripts that assign to globals: all fail
	views   map[lua.LValue]*lua.LTable
	strings [2]*lua.LTable // the metatable of strings and its view
	null    *lua.LUserData // cjson.null
	next    *lua.LFunction
	inext   *lua.LFunction
	spare   []*lua.LState // threads for protected calls, by depth
	depth   int           // protected calls and coroutines under way
	bodies  map[*lua.LState]*lua.LFunction
}

// build makes the machine. Scripts see every table of it through a view that
// refuses to be written, so that one run cannot change what the next one finds.
func (b *Box) build() {
	l := lua.NewState(lua.Options{
		SkipOpenLibs:     true,
		CallStackSize:    maxCalls,
		RegistrySize:     1024,
		RegistryMaxSize:  maxValues,
		RegistryGrowStep: 1024,
	})
	l.SetContext(&b.budget)
	b.machine = machine{
		l:       l,
		globals: l.CreateTable(0, 64),
		guarded: l.CreateTable(0, 0),
		views:   map[lua.LValue]*lua.LTable{},
		null:    &lua.LUserData{Metatable: lua.LNil},
		bodies:  map[*lua.LState]*lua.LFunction{},
	}
	if b.names == nil {
		b.names = map[lua.LValue]int{}
	}
	l.Env = b.globals

	b.register(b.globals, map[string]lua.LGFunction{
		nameConcat: b.concat, nameStore: b.store, nameTable: b.table, nameKey: b.key,
	})
	b.register(b.globals, b.baseLibrary())
	b.globals.RawSetString("_VERSION", lua.LString("Lua 5.1"))
	b.next = b.globals.RawGetString("next").(*lua.LFunction)
	b.inext = l.NewFunction(b.baseInext)
	b.library("table", b.tableLibrary(), nil)
	b.library("math", b.mathLibrary(), mathConstants)
	b.library("coroutine", b.coroutineLibrary(), nil)
	b.library("bit", b.bitLibrary(), nil)
	b.library("cjson", b.jsonLibrary(), map[string]lua.LValue{"null": b.null})
	b.library("redis", b.redisLibrary(), redisConstants)
	methods := b.library("string", b.stringLibrary(), nil)

	// Methods of strings: ("x"):rep(3).
	mt := l.CreateTable(0, 1)
	mt.RawSetString("__index", methods)
	l.SetMetatable(lua.LString(""), mt)
	b.strings = [2]*lua.LTable{mt, b.view(mt)}

	undefined := l.CreateTable(0, 1)
	undefined.RawSetString("__index", l.NewFunction(func(l *lua.LState) int {
		b.raise(l, "Script attempted to access nonexistent global variable '"+b.text(l.Get(2))+"'")
		return 0
	}))
	b.globals.Metatable = undefined
	b.globals.RawSetString("_G", b.view(b.globals))

	guard := l.CreateTable(0, 2)
	guard.RawSetString("__index", b.globals)
	guard.RawSetString("__newindex", l.NewFunction(func(l *lua.LState) int {
		b.raise(l, "Script attempted to create global variable '"+b.text(l.Get(2))+"'")
		return 0
	}))
	b.guarded.Metatable = guard
}

func (b *Box) register(t *lua.LTable, fns map[string]lua.LGFunction) {
	for name, fn := range fns {
		t.RawSetString(name, b.l.NewFunction(fn))
	}
}

// library makes a global table of functions and constants and returns its view.
func (b *Box) library(name string, fns map[string]lua.LGFunction, constants map[string]lua.LValue) *lua.LTable {
	t := b.l.CreateTable(0, len(fns)+len(constants))
	b.register(t, fns)
	for k, v := range constants {
		t.RawSetString(k, v)
	}
	v := b.view(t)
	b.globals.RawSetString(name, v)
	return v
}

// view returns the read-only face of a table: empty, so that every access takes
// the way through its metatable. The functions that go around metatables know
// views by [Box.behind].
func (b *Box) view(t *lua.LTable) *lua.LTable {
	mt := b.l.CreateTable(0, 2)
	mt.RawSetString("__index", t)
	mt.RawSetString("__newindex", b.l.NewFunction(func(l *lua.LState) int {
		b.refuse(l)
		return 0
	}))
	v := b.l.CreateTable(0, 0)
	v.Metatable = mt
	b.views[v] = t
	return v
}

func (b *Box) refuse(l *lua.LState) { b.raise(l, "Attempt to modify a readonly table") }

// behind returns the table behind a view, or the table itself.
func (b *Box) behind(t *lua.LTable) *lua.LTable {
	if real, ok := b.views[t]; ok {
		return real
	}
	return t
}

// writable returns an argument that is a table of the script's own.
func (b *Box) writable(l *lua.LState, n int) *lua.LTable {
	t := l.CheckTable(n)
	if _, ok := b.views[t]; ok {
		b.refuse(l)
	}
	return t
}

// hiddenKey tells the names that only rewritten code uses.
func hiddenKey(k lua.LValue) bool {
	s, ok := k.(lua.LString)
	return ok && strings.HasPrefix(string(s), "(")
}

func (b *Box) setGlobal(name string, v lua.LValue) { b.globals.RawSetString(name, v) }

// function makes a function of a compiled chunk.
func (b *Box) function(proto *lua.FunctionProto, writes bool) *lua.LFunction {
	fn := b.l.NewFunctionFromProto(proto)
	fn.Env = b.globals
	if writes {
		fn.Env = b.guarded
	}
	return fn
}
