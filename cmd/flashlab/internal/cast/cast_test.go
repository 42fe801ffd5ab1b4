package cast

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"testing"
	"time"
)

func TestFormat(t *testing.T) {
	var b bytes.Buffer
	c := New(&b, 80, 24, "oversell <1>")
	c.Output(0, "\x1b[2Jhello\r\n锁")
	c.Marker(1500*time.Millisecond, "step 1")
	if c.Err() != nil {
		t.Fatal(c.Err())
	}
	s := bufio.NewScanner(&b)
	var lines []any
	for s.Scan() {
		var v any
		if err := json.Unmarshal(s.Bytes(), &v); err != nil {
			t.Fatalf("%s: %v", s.Text(), err)
		}
		lines = append(lines, v)
	}
	head := lines[0].(map[string]any)
	if head["version"] != 2.0 || head["width"] != 80.0 || head["height"] != 24.0 || head["title"] != "oversell <1>" {
		t.Errorf("header %v", head)
	}
	if e := lines[1].([]any); e[0] != 0.0 || e[1] != "o" || e[2] != "\x1b[2Jhello\r\n锁" {
		t.Errorf("output %v", e)
	}
	if e := lines[2].([]any); e[0] != 1.5 || e[1] != "m" || e[2] != "step 1" {
		t.Errorf("marker %v", e)
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestKeepsFirstError(t *testing.T) {
	c := New(broken{}, 80, 24, "")
	c.Output(0, "x")
	if c.Err() == nil {
		t.Error("no error")
	}
}
