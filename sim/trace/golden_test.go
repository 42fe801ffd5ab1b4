package trace_test

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"flashlab/sim/trace"
)

var update = flag.Bool("update", false, "rewrite the files in testdata")

var exporters = map[string]func(io.Writer, trace.Log) error{
	"txt": trace.WriteText, "jsonl": trace.WriteJSON, "mmd": trace.WriteMermaid, "shiviz": trace.WriteShiViz,
}

func TestGoldens(t *testing.T) {
	logs := map[string]func() trace.Log{
		"oversell": oversellLog, "misdeletion": misdeletionLog, "four": fourLog, "empty": func() trace.Log { return trace.Log{} },
	}
	for name, build := range logs {
		for ext, write := range exporters {
			t.Run(name+"."+ext, func(t *testing.T) {
				var got, again bytes.Buffer
				if err := write(&got, build()); err != nil {
					t.Fatal(err)
				}
				if err := write(&again, build()); err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(got.Bytes(), again.Bytes()) {
					t.Error("the same log gave different bytes")
				}
				file := filepath.Join("testdata", name+"."+ext)
				if *update {
					if err := os.WriteFile(file, got.Bytes(), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				if got.String() != string(want) {
					t.Errorf("got\n%s\nwant\n%s", got.String(), want)
				}
			})
		}
	}
}

// TestLocale: a Chinese locale makes some terminals draw ambiguous characters
// two cells wide; the export must not follow it.
func TestLocale(t *testing.T) {
	var plain, chinese bytes.Buffer
	if err := trace.WriteText(&plain, oversellLog()); err != nil {
		t.Fatal(err)
	}
	t.Setenv("LC_ALL", "zh_CN.UTF-8")
	t.Setenv("RUNEWIDTH_EASTASIAN", "1")
	if err := trace.WriteText(&chinese, oversellLog()); err != nil {
		t.Fatal(err)
	}
	if plain.String() != chinese.String() {
		t.Error("the text form depends on the locale")
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

func TestWriterErrors(t *testing.T) {
	for ext, write := range exporters {
		if err := write(fullDisk{}, oversellLog()); err == nil || !strings.Contains(err.Error(), "short write") {
			t.Errorf("%s: error %v, want the writer's", ext, err)
		}
	}
}

// TestShiVizClocks checks what ShiViz refuses a log for: every line parses, each
// host counts its own events one by one, and no clock names an event that is
// not in the log.
func TestShiVizClocks(t *testing.T) {
	for name, l := range map[string]trace.Log{"oversell": oversellLog(), "misdeletion": misdeletionLog(), "four": fourLog()} {
		var b bytes.Buffer
		if err := trace.WriteShiViz(&b, l); err != nil {
			t.Fatal(err)
		}
		if err := checkShiViz(b.String()); err != nil {
			t.Errorf("%s: %v\n%s", name, err, b.String())
		}
	}
}

// TestMermaidEscapes: nothing in a command may end a statement, open a comment
// or start a directive.
func TestMermaidEscapes(t *testing.T) {
	l := oversellLog()
	l.Frames[1].Event.Args = "SELECT 1; # note\nend %%{init: {}}%% <br/> $$x$$"
	l.Frames[1].Event.Reply = "wrap: done"
	var b bytes.Buffer
	if err := trace.WriteMermaid(&b, l); err != nil {
		t.Fatal(err)
	}
	if err := checkMermaid(b.String()); err != nil {
		t.Error(err)
	}
	for _, want := range []string{`SELECT 1#59; #35; note\nend #37;#37;{init`, "SQLite-->>A: wrap#58; done"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing in\n%s", want, b.String())
		}
	}
}
