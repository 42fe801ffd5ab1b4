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
	"syscall"

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
)

func main() {
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

// Main runs one command line and returns its exit code.
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
			cancel(stopped{s.(syscall.Signal)})
		case <-done:
		}
	}()

	root := newRoot()
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errOut)
	err := root.ExecuteContext(ctx)

	var s stopped
	if errors.As(context.Cause(ctx), &s) {
		return 128 + int(s.sig)
	}
	if err == nil {
		return exitHolds
	}
	var e exit
	if !errors.As(err, &e) {
		e = exit{exitFault, err}
	}
	if text := e.Error(); text != "" {
		fmt.Fprintln(errOut, "flashlab: "+text)
	}
	return e.code
}
