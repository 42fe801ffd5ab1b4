// Package app is the interactive program: it turns keys and ticks into changes of
// what is shown. It is the only package that knows bubbletea.
//
// Engines are driven through sim/history, searches run in goroutines of their own
// and are looked at once a frame; nothing is sent for a single event. The package
// must not paint by itself: screens do.
package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"sync"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"flashlab/cmd/flashlab/internal/theme"
	"flashlab/lessons"
)

// Options say how the program starts.
type Options struct {
	Lang          lessons.Lang
	Theme         theme.Theme
	Dark          bool // the terminal's ground, for theme auto
	Profile       termenv.Profile
	ASCII         bool
	ReducedMotion bool
	Mouse         bool
	Lesson        string // open this lesson at once; "" for the map
	Variant       string
}

// ErrInterrupted is returned when the user left with ctrl+c.
var ErrInterrupted = errors.New("interrupted")

// Run shows the program until the user leaves or ctx is cancelled. The terminal is
// restored in every case, also when a goroutine panics; the panic comes back as an
// error then.
func Run(ctx context.Context, in io.Reader, out *os.File, o Options) error {
	g := &guard{}
	w := newOutput(out)
	m := newModel(ctx, o, g, w)
	opts := []tea.ProgramOption{
		tea.WithContext(ctx), tea.WithAltScreen(), tea.WithInput(in), tea.WithOutput(w),
		tea.WithoutSignalHandler(), tea.WithReportFocus(), tea.WithFPS(120),
	}
	if o.Mouse {
		opts = append(opts, tea.WithMouseCellMotion())
	}
	p := tea.NewProgram(m, opts...)
	g.set(p)
	_, err := p.Run()
	m.close()
	if fault := g.err(); fault != nil {
		return fault
	}
	switch {
	case m.interrupted:
		return ErrInterrupted
	case ctx.Err() != nil:
		return nil // the caller knows why it cancelled
	case err != nil:
		return fmt.Errorf("the screen stopped: %w", err)
	}
	return nil
}

// guard keeps a panic in one of our goroutines from leaving the terminal raw:
// bubbletea only looks after its own.
type guard struct {
	mu  sync.Mutex
	p   *tea.Program
	bad error
}

func (g *guard) set(p *tea.Program) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.p = p
}

func (g *guard) err() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.bad
}

// run calls f; a panic in it ends the program and is kept with its stack.
func (g *guard) run(f func()) {
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		g.mu.Lock()
		if g.bad == nil {
			g.bad = fmt.Errorf("internal fault: %v\n%s", r, debug.Stack())
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
