package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"golang.org/x/term"
)

// output is the standard output. It keeps its first error: some of what prints
// there, such as help and completion, does not look.
type output struct {
	w   io.Writer
	err error
}

func (o *output) Write(p []byte) (int, error) {
	n, err := o.w.Write(p)
	if err != nil && o.err == nil {
		o.err = err
	}
	return n, err
}

// fault is what a failed output means. A reader that has seen enough, such as head,
// is no fault: the program ends quietly, as if by SIGPIPE.
func (o *output) fault() error {
	if errors.Is(o.err, syscall.EPIPE) || errors.Is(o.err, io.ErrClosedPipe) {
		return exit{exitPipe, nil}
	}
	return exit{exitService, fmt.Errorf("the output cannot be written (%w): free some room or send it elsewhere", o.err)}
}

// file is the file behind a stream, or nil.
func file(stream any) *os.File {
	if o, ok := stream.(*output); ok {
		stream = o.w
	}
	f, _ := stream.(*os.File)
	return f
}

// isTerminal reports whether a stream is one.
func isTerminal(stream any) bool {
	f := file(stream)
	return f != nil && term.IsTerminal(int(f.Fd()))
}

// screenSize is the size of the terminal behind a stream, in cells.
func screenSize(stream any) (w, h int, ok bool) {
	f := file(stream)
	if f == nil {
		return 0, 0, false
	}
	w, h, err := term.GetSize(int(f.Fd()))
	return w, h, err == nil
}
