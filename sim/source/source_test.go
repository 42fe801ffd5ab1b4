package source

import (
	_ "embed"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

//go:embed source_test.go
var text string

// lineOf finds the one line of this file that ends in the mark.
func lineOf(t *testing.T, mark string) int {
	t.Helper()
	at := 0
	for i, l := range strings.Split(text, "\n") {
		if strings.HasSuffix(l, "// here: "+mark) {
			if at > 0 {
				t.Fatalf("two lines are marked %s", mark)
			}
			at = i + 1
		}
	}
	if at == 0 {
		t.Fatalf("no line is marked %s", mark)
	}
	return at
}

// chain is code written as a chain of calls over several lines.
type chain struct{ pcs []uintptr }

func (c chain) with(any) chain { return c }

//go:noinline
func (c chain) gate(...any) chain {
	pcs := make([]uintptr, 32)
	return chain{pcs[:runtime.Callers(2, pcs)]}
}

// helper is small enough to be inlined.
func helper(c chain) chain {
	return c.gate() // here: helper
}

func generic[T any](c chain, v T) chain {
	return c.
		gate(v) // here: generic
}

type shop struct{ got []uintptr }

func (s *shop) buy() {
	s.got = chain{}.gate().pcs // here: method
}

func TestLines(t *testing.T) {
	var c chain
	for _, x := range []struct {
		marks []string // innermost first
		run   func() []uintptr
	}{
		{[]string{"plain"}, func() []uintptr {
			return c.gate().pcs // here: plain
		}},
		{[]string{"argument list"}, func() []uintptr {
			return c.gate( // here: argument list
				1,
				2,
			).pcs
		}},
		{[]string{"chain"}, func() []uintptr {
			return c.
				with(1).
				gate(2). // here: chain
				with(3).
				pcs
		}},
		{[]string{"helper", "caller"}, func() []uintptr {
			return helper(c).pcs // here: caller
		}},
		{[]string{"generic", "instance"}, func() []uintptr {
			return generic(c, "x").pcs // here: instance
		}},
		{[]string{"method", "receiver"}, func() []uintptr {
			s := &shop{}
			s.buy() // here: receiver
			return s.got
		}},
		{[]string{"closure", "called"}, func() []uintptr {
			f := func() chain {
				return c.gate() // here: closure
			}
			return f().pcs // here: called
		}},
		{[]string{"deferred"}, func() (got []uintptr) {
			defer func() {
				got = c.gate().pcs // here: deferred
			}()
			return nil
		}},
		{[]string{"one line"}, func() (got []uintptr) {
			defer func() { got = c.gate().pcs }() // here: one line
			for range 3 {
				helper(c)
			}
			return nil
		}},
		{[]string{"goroutine"}, func() (got []uintptr) {
			var wg sync.WaitGroup
			wg.Go(func() {
				got = c.gate().pcs // here: goroutine
			})
			wg.Wait()
			return got
		}},
	} {
		// The tests are functions of this package too: TestLines ends each stack.
		r := NewResolver("flashlab/sim/source.")
		var got, want []int
		for _, f := range r.Stack(x.run()) {
			if f.File != "source_test.go" || f.Package != "source" {
				t.Errorf("frame %+v", f)
			}
			if f.Func == "TestLines" {
				break
			}
			got = append(got, f.Line)
		}
		for _, m := range x.marks {
			want = append(want, lineOf(t, m))
		}
		// A deferred closure is seen with the line its function returns from.
		if len(got) < len(want) || !slices.Equal(got[:len(want)], want) {
			t.Errorf("%v: lines %v, want %v", x.marks, got, want)
		}
	}
}

// TestStable: a counter resolves to the same frames each time, also for many
// readers at once.
func TestStable(t *testing.T) {
	r := NewResolver("flashlab/sim/source.")
	pcs := helper(chain{}).pcs
	want := fmt.Sprint(r.Stack(pcs))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 100 {
				if got := fmt.Sprint(r.Stack(pcs)); got != want {
					t.Errorf("%s, then %s", want, got)
				}
			}
		})
	}
	wg.Wait()
	if got := r.Stack(nil); got != nil {
		t.Errorf("no counters give %v", got)
	}
}

// TestMatch works on names of functions alone. They are the same with -trimpath,
// which changes paths of files only.
func TestMatch(t *testing.T) {
	r := NewResolver("flashlab/lessons/", "/scene")
	for _, x := range []struct{ full, pkg, fn string }{
		{"flashlab/lessons/oversell.(*Shop).LostUpdate", "flashlab/lessons/oversell", "(*Shop).LostUpdate"},
		{"flashlab/lessons/oversell.(*Shop).LostUpdate.func1", "flashlab/lessons/oversell", "(*Shop).LostUpdate.func1"},
		{"flashlab/lessons/oversell.(*Shop).Tx.deferwrap1", "flashlab/lessons/oversell", "(*Shop).Tx.deferwrap1"},
		{"flashlab/lessons/locks/redis.Mutex.Lock-fm", "flashlab/lessons/locks/redis", "Mutex.Lock-fm"},
		{"flashlab/lessons/shop.Map[...].Put", "flashlab/lessons/shop", "Map[...].Put"},
		{"flashlab/lessons/shop.init.0", "flashlab/lessons/shop", "init.0"},
		{"flashlab/lessons/oversell/scene.sale.func1", "", ""},
		{"flashlab/sim/proc.(*Mutex).Lock", "", ""},
		{"example.com/flashlab/lessons/oversell.Buy", "", ""},
		{"flashlab/lessonsplus.Buy", "", ""},
		{"main.main", "", ""},
		{"flashlab/lessons/nodot", "", ""},
		{"", "", ""},
	} {
		pkg, fn, ok := r.match(x.full)
		if pkg != x.pkg || fn != x.fn || ok != (x.pkg != "") {
			t.Errorf("%s: %q, %q, %v", x.full, pkg, fn, ok)
		}
	}
}
