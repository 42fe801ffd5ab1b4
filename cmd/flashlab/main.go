// Command flashlab is an interactive terminal lab for flash-sale concurrency: the
// same real code is stepped, played and proved over all interleavings.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/redis/go-redis/v9/logging"

	"flashlab/cmd/flashlab/internal/canvas"
	_ "flashlab/cmd/flashlab/internal/prelude"
	_ "flashlab/lessons/all"
)

// Exit codes; tests and graders depend on them.
const (
	exitHolds   = 0
	exitBreaks  = 1
	exitUsage   = 2
	exitUnknown = 3
	exitService = 4
	exitFault   = 70
	exitPipe    = 128 + int(syscall.SIGPIPE)
)

func main() {
	logging.Disable() // what go-redis tells of itself would tear the screen; what matters is an error
	os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// exit is an error that carries its exit code. Without a text nothing more is
// said: the command has printed its result.
type exit struct {
	code int
	err  error
}

func (e exit) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

func (e exit) Unwrap() error { return e.err }

// usage marks bad input: one sentence, exit code 2.
func usage(err error) error { return exit{exitUsage, err} }

// stopped is the cause of a context that a signal cancelled.
type stopped struct{ sig syscall.Signal }

func (s stopped) Error() string { return "stopped by " + s.sig.String() }

// Main runs one command line until it ends or a signal stops it, and returns its
// exit code.
func Main(args []string, in io.Reader, out, errOut io.Writer) (code int) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(signals)
	done := make(chan struct{})
	defer close(done)
	go func() {
		select {
		case s := <-signals:
			signal.Stop(signals) // whoever does not want to wait signals again
			cancel(stopped{s.(syscall.Signal)})
		case <-done:
		}
	}()
	return execute(ctx, args, in, out, errOut)
}

// execute runs one command line and returns its exit code. A command whose ctx is
// cancelled prints what it has found.
func execute(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) (code int) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintf(errOut, "flashlab: internal fault: %v; please report it together with your command line\n%s", r, debug.Stack())
			code = exitFault
		}
	}()
	w := &output{w: out}
	root := newRoot(w)
	root.SetArgs(append([]string{}, args...)) // cobra takes those of the process for nil
	root.SetIn(in)
	root.SetErr(errOut)
	err := root.ExecuteContext(ctx)

	var s stopped
	switch {
	case errors.As(context.Cause(ctx), &s):
		return 128 + int(s.sig)
	case w.err != nil:
		err = w.fault()
	case err == nil:
		return exitHolds
	}
	var e exit
	if !errors.As(err, &e) {
		e = exit{exitFault, err}
	}
	text := e.Error()
	if e.code != exitFault { // whose stack is worth its lines
		text = oneLine(text)
	}
	if text != "" {
		fmt.Fprintln(errOut, "flashlab: "+text)
	}
	return e.code
}

// oneLine keeps what was typed from breaking a message over several lines.
func oneLine(s string) string {
	return canvas.Clean(strings.Join(strings.Fields(s), " "))
}
