package app

import (
	"io"
	"os"
	"sync"
)

// output brackets each flush in synchronised-update marks, so that terminals that
// know them never show half a frame. It stays an *os.File to bubbletea, which asks
// it for its descriptor.
type output struct {
	*os.File
	mu sync.Mutex
}

const (
	syncBegin = "\x1b[?2026h"
	syncEnd   = "\x1b[?2026l"
)

func newOutput(f *os.File) *output { return &output{File: f} }

// Write writes one flush as a whole.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(p) < 64 { // mode changes: nothing to tear
		return o.File.Write(p)
	}
	buf := make([]byte, 0, len(p)+len(syncBegin)+len(syncEnd))
	buf = append(append(append(buf, syncBegin...), p...), syncEnd...)
	n, err := o.File.Write(buf)
	return max(0, min(len(p), n-len(syncBegin))), err
}

// WriteString must be overridden too: bubbletea uses it for mode changes, and the
// embedded one would bypass the lock.
func (o *output) WriteString(s string) (int, error) { return o.Write([]byte(s)) }

var _ io.StringWriter = (*output)(nil)
