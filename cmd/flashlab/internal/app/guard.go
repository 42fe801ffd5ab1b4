package app

import (
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// guard keeps a panic in our code from leaving the terminal raw and from being
// printed where nobody can read it: bubbletea looks after its own goroutines only,
// and after those it writes into the alternate screen. It also knows what still
// runs, so that engines are closed before the program ends.
type guard struct {
	mu     sync.Mutex
	p      *tea.Program
	bad    error
	closed bool
	busy   sync.WaitGroup
}

func (g *guard) set(p *tea.Program) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.p = p
}

// err is the first panic, with its stack.
func (g *guard) err() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.bad
}

// enter reports whether something may still begin.
func (g *guard) enter() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return false
	}
	g.busy.Add(1)
	return true
}

// run calls f unless the program is over; a panic in it ends the program and is
// kept with its stack.
func (g *guard) run(f func()) {
	if !g.enter() {
		return
	}
	defer g.busy.Done()
	g.catch(f)
}

func (g *guard) catch(f func()) {
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		g.mu.Lock()
		if g.bad == nil {
			// The text comes again behind the stack, which may fill the screen.
			g.bad = fmt.Errorf("internal fault: %v\n%s\ninternal fault: %v", r, debug.Stack(), r)
		}
		p := g.p
		g.mu.Unlock()
		if p != nil {
			p.Kill()
		}
	}()
	f()
}

// cmd makes a command of f that cannot take the program down with it.
func (g *guard) cmd(f func() tea.Msg) tea.Cmd {
	return func() (msg tea.Msg) {
		g.run(func() { msg = f() })
		return msg
	}
}

// close lets nothing begin any more, calls last, and waits until it and all that
// still runs has ended, but no longer than limit: business code that never comes
// back must not keep the user.
func (g *guard) close(limit time.Duration, last func()) {
	g.mu.Lock()
	g.closed = true
	g.mu.Unlock()
	done := make(chan struct{})
	go func() {
		defer close(done)
		g.catch(last)
		g.busy.Wait()
	}()
	t := time.NewTimer(limit)
	defer t.Stop()
	select {
	case <-done:
	case <-t.C:
	}
}
