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
	"os/exec"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"flashlab/cmd/flashlab/internal/theme"
	"flashlab/lessons"
	"flashlab/sim/live"
	"flashlab/store/progress"
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
	// Progress is where the learner's progress is kept; nil: nowhere.
	Progress *progress.Store
	Showdown string // file of the showdown kept last; "" if there is no such place
	Answers  string // directory of the learner's scripts; "" if there is none
	Notice   string // said at the start, "" for nothing
	// Live is a server on which lessons are stepped; nil: the embedded Redis.
	Live *live.Target
	// Node makes the command of a node that is a process, which finds the server of the
	// lab if it is told so; nil: nodes are goroutines.
	Node func(onServer bool) *exec.Cmd
}

// closing is how long engines and searches have to end when the user leaves.
const closing = 3 * time.Second

// framesPerSecond is how often what has changed is written to the terminal; a key waits
// for it half a frame on average. It is the most that bubbletea does.
const framesPerSecond = 120

// ErrInterrupted is returned when the user left with ctrl+c.
var ErrInterrupted = errors.New("interrupted")

// Run shows the program until the user leaves or ctx is cancelled. The terminal is
// restored in every case, also when a goroutine panics; the panic comes back as an
// error then.
func Run(ctx context.Context, in io.Reader, out *os.File, o Options) error {
	searching, stop := context.WithCancel(ctx)
	defer stop()
	g := &guard{}
	w := newOutput(out)
	m := newModel(searching, o, g, w)
	opts := []tea.ProgramOption{
		tea.WithContext(ctx), tea.WithAltScreen(), tea.WithInput(in), tea.WithOutput(w),
		tea.WithoutSignalHandler(), tea.WithReportFocus(), tea.WithFPS(framesPerSecond),
	}
	if o.Mouse {
		opts = append(opts, tea.WithMouseCellMotion())
	}
	p := tea.NewProgram(m, opts...)
	g.set(p)
	_, err := p.Run()
	stop()
	g.close(closing, m.close)
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
