package main

import (
	"os"

	"golang.org/x/term"
)

// terminal reports whether a file descriptor is one.
func terminal(fd uintptr) bool { return term.IsTerminal(int(fd)) }

// screenSize is the size of the terminal on the standard output, in cells.
func screenSize() (w, h int, ok bool) {
	w, h, err := term.GetSize(int(os.Stdout.Fd()))
	return w, h, err == nil
}
