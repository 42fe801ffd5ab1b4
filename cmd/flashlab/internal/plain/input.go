package plain

import (
	"bufio"
	"context"
	"io"
)

// longest is the longest answer that is read, in bytes.
const longest = 1 << 20

// input hands answers on line by line. A read cannot be taken back, so it waits in a
// goroutine of its own, and a signal is not kept waiting by a silent user.
type input struct {
	lines chan string // closed at the end
	err   error       // why it ended, nil at a proper end; valid when lines is closed
}

func newInput(ctx context.Context, r io.Reader) *input {
	in := &input{lines: make(chan string)}
	go func() {
		defer close(in.lines)
		s := bufio.NewScanner(r)
		s.Buffer(nil, longest)
		for s.Scan() {
			select {
			case in.lines <- s.Text():
			case <-ctx.Done():
				return
			}
		}
		in.err = s.Err()
	}()
	return in
}
