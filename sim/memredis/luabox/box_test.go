package luabox

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"
)

// run executes a script whose commands are all answered alike and returns the reply.
func run(t *testing.T, b *Box, source, reply string) string {
	t.Helper()
	s, err := Compile(source)
	if err != nil {
		t.Fatalf("%s: %v", source, err)
	}
	do := func([]string, bool) []byte { return []byte(reply) }
	return string(b.Run(s, &Call{Keys: []string{"k"}, Args: []string{"v"}, Do: do}, nil))
}

func TestRun(t *testing.T) {
	b := New(Limits{})
	var calls [][]string
	s, err := Compile(`redis.call('SET', KEYS[1], ARGV[1], 1.5) return {redis.pcall('GET', KEYS[1]), #ARGV}`)
	if err != nil {
		t.Fatal(err)
	}
	c := &Call{Keys: []string{"k"}, Args: []string{"v", "w"}, Do: func(args []string, resp3 bool) []byte {
		calls = append(calls, args)
		return []byte("$1\r\nx\r\n")
	}}
	got := string(b.Run(s, c, []byte("before ")))
	if got != "before *2\r\n$1\r\nx\r\n:2\r\n" || fmt.Sprint(calls) != "[[SET k v 1.5] [GET k]]" {
		t.Errorf("%q after %v", got, calls)
	}
}

// A reply that is none ends the script, not the program.
func TestBrokenReplies(t *testing.T) {
	b := New(Limits{})
	for _, reply := range []string{"", "\r\n", "$5\r\nab\r\n", "$x\r\n", "*2\r\n:1\r\n", ":x\r\n", "?\r\n", "%1\r\n", "~1\r\n"} {
		if got := run(t, b, `return redis.call('X')`, reply); !strings.HasPrefix(got, "-ERR ") {
			t.Errorf("%q: %q", reply, got)
		}
	}
	if got := run(t, b, `return redis.call('X')`, "+FINE\r\n"); got != "+FINE\r\n" {
		t.Errorf("afterwards: %q", got)
	}
}

// A panic of the caller's function is an error of the script.
func TestPanickingCommand(t *testing.T) {
	b := New(Limits{})
	s, _ := Compile(`return redis.call('X')`)
	got := b.Run(s, &Call{Do: func([]string, bool) []byte { panic("out of order") }}, nil)
	if !bytes.Contains(got, []byte("out of order")) || got[0] != '-' {
		t.Errorf("%q", got)
	}
	if got := run(t, b, `return 1`, ""); got != ":1\r\n" {
		t.Errorf("afterwards: %q", got)
	}
}

// Errors name the line of the script, whatever the way they take.
func TestErrorLines(t *testing.T) {
	b := New(Limits{})
	for _, source := range []string{
		"local a = 1\nerror('x')",
		"local a = 1\nerror({err = 'MY x'})",
		"local a = 1\nredis.call('X')",
		"local a = 1\nlocal b = nil + 1",
		"local a = 1\nlocal b = a.b.c",
		"local a = 1\nlocal b = 'x' .. nil",
		"local a = 1\nstock = 1",
		"local a = 1\nlocal b = stock",
		"local a = 1\nlocal t = {} t[nil] = 1",
		"local a = 1\nlocal t = {[nil] = 1}",
		"local a = 1\nlocal t = {} t[0/0] = 1",
		"local a = 1\n('x'):rep({})",
		"local a = 1\n('x'):match('[')",
		"local a = 1\nlocal t, u = {} u[1], t[1] = 1, 2",
		"local function f()\n  error('x')\nend\nf()",
		"local function f()\n  return error('x', 1)\nend\nreturn f()",
		"local c = coroutine.wrap(function()\n error('x')\nend)\nc()",
		"pcall(error)\nwhile true do end",
		"local s = 'x'\nrepeat s = s .. s until false",
		"local s = 'x'\nreturn ('%y'):format(s)",
	} {
		if got := run(t, b, source, "-ERR no\r\n"); !strings.Contains(got, "user_script:2") || got[0] != '-' || strings.Count(got, "\n") != 1 {
			t.Errorf("%q: %q", source, got)
		}
	}
}

// Steps are counted exactly: the same script always uses the same number, also on
// another machine and after another script.
func TestStepsAreExact(t *testing.T) {
	count := func(b *Box) int {
		run(t, b, `local n = 0 for i = 1, 100 do n = n + #tostring(i) end redis.call('X') return n .. ('x'):rep(100)`, "+OK\r\n")
		return b.limits.Steps - b.steps
	}
	a, b := New(Limits{}), New(Limits{})
	want := count(a)
	run(t, b, `while true do end`, "")
	run(t, b, `local c = coroutine.wrap(function() coroutine.yield(1) end) return c()`, "")
	for range 3 {
		if got := count(b); got != want {
			t.Errorf("%d steps, %d elsewhere", got, want)
		}
	}
	// One step less than needed ends it, as many as needed do not.
	for _, steps := range []int{want - 1, want} {
		got := run(t, New(Limits{Steps: steps}), `local n = 0 for i = 1, 100 do n = n + #tostring(i) end redis.call('X') return n .. ('x'):rep(100)`, "+OK\r\n")
		if over := strings.Contains(got, "over a limit"); over != (steps < want) {
			t.Errorf("%d steps of %d: %.60q", steps, want, got)
		}
	}
}

func TestLimitsHaveDefaults(t *testing.T) {
	l := New(Limits{}).Limits()
	if l.Steps != 500_000 || l.Bytes != 32<<20 || l.Time != 2*time.Second {
		t.Errorf("%+v", l)
	}
	l = New(Limits{Steps: 1, Bytes: 2, Time: 3}).Limits()
	if l.Steps != 1 || l.Bytes != 2 || l.Time != 3 {
		t.Errorf("%+v", l)
	}
}

// A script is compiled once and run anywhere, at the same time.
func TestScriptsAreShared(t *testing.T) {
	s, err := Compile(`local t = {} for i = 1, 100 do t[i] = i .. '' end return #table.concat(t)`)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan string)
	for range 4 {
		go func() {
			b := New(Limits{})
			var last string
			for range 50 {
				last = string(b.Run(s, &Call{}, nil))
			}
			done <- last
		}()
	}
	for range 4 {
		if got := <-done; got != ":192\r\n" {
			t.Errorf("%q", got)
		}
	}
}

// Memory that a run has used is not kept for the next one beyond measure.
func TestWornMachineIsReplaced(t *testing.T) {
	b := New(Limits{})
	run(t, b, `return 1`, "")
	first := b.l
	run(t, b, `error('x')`, "")
	if b.l != first {
		t.Error("an ordinary error has cost the machine")
	}
	for _, source := range []string{`while true do end`, `coroutine.create(function() end)`, `return redis.call('X')`} {
		s, _ := Compile(source)
		b.Run(s, &Call{Do: func([]string, bool) []byte { panic("x") }}, nil)
		if b.l != nil {
			t.Errorf("%s: the machine is kept", source)
		}
		run(t, b, `return 1`, "")
	}
}
