package main

import (
	"context"
	"io"
)

// input is a stream of lines that ends when its context does. Reading a terminal
// cannot be called off, so the read is left behind in a goroutine of its own; its
// bytes are lost, and nobody is there to miss them.
type input struct {
	ctx context.Context
	r   io.Reader
}

func (i *input) Read(p []byte) (int, error) {
	type answer struct {
		n   int
		err error
	}
	buf := make([]byte, len(p))
	read := make(chan answer, 1)
	go func() {
		n, err := i.r.Read(buf)
		read <- answer{n, err}
	}()
	select {
	case a := <-read:
		return copy(p, buf[:a.n]), a.err
	case <-i.ctx.Done():
		return 0, io.EOF
	}
}
