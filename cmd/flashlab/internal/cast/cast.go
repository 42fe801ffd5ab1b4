// Package cast writes recordings in the asciicast v2 format, which asciinema and
// its players read: a header line of JSON, then one line an event.
// See https://docs.asciinema.org/manual/asciicast/v2/.
//
// The package must not know what is recorded; it gets finished output.
package cast

import (
	"encoding/json"
	"fmt"
	"io"
	"time"
)

// Writer writes one recording.
type Writer struct {
	w   io.Writer
	err error
}

type header struct {
	Version int               `json:"version"`
	Width   int               `json:"width"`
	Height  int               `json:"height"`
	Title   string            `json:"title,omitempty"`
	Env     map[string]string `json:"env,omitempty"`
}

// New writes the header of a recording of width cells by height rows.
func New(w io.Writer, width, height int, title string) *Writer {
	c := &Writer{w: w}
	c.line(header{Version: 2, Width: width, Height: height, Title: title, Env: map[string]string{"TERM": "xterm-256color"}})
	return c
}

// Output records what goes to the terminal at an instant since the start.
func (c *Writer) Output(at time.Duration, data string) { c.event(at, "o", data) }

// Marker records a named position to jump to.
func (c *Writer) Marker(at time.Duration, label string) { c.event(at, "m", label) }

func (c *Writer) event(at time.Duration, kind, data string) {
	c.line([]any{json.Number(fmt.Sprintf("%.3f", at.Seconds())), kind, data})
}

func (c *Writer) line(v any) {
	if c.err != nil {
		return
	}
	e := json.NewEncoder(c.w)
	e.SetEscapeHTML(false)
	c.err = e.Encode(v)
}

// Err returns the first error of the writer below.
func (c *Writer) Err() error { return c.err }
