package trace_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"
	"pgregory.net/rapid"

	"flashlab/sim/source"
	"flashlab/sim/trace"
)

// anyText mixes what happens, what hurts and what is no text at all.
var anyText = rapid.OneOf(
	rapid.SampledFrom([]string{"", "SET", "SELECT stock", "库存=1", "a\nb", "#1;", "%%{init}", "\x1b[31m", "\" {", "\xff\xfe", "end", "wrap:x", "✗", "-0", "007", "12"}),
	rapid.String(),
	rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 12), func(b []byte) string { return string(b) }),
)

func anyLog(t *rapid.T, actors int) trace.Log {
	text := func(what string) string { return anyText.Draw(t, what) }
	letters := []string{""}
	l := trace.Log{Lesson: text("lesson"), Variant: text("variant"), Verdict: text("verdict"), Token: text("token"), Params: text("params")}
	for i := range actors {
		letter := string(rune('A' + i))
		letters = append(letters, letter)
		l.Actors = append(l.Actors, trace.Actor{Letter: letter, Name: trace.Verbatim(text("name")), Node: text("node")})
	}
	kinds := rapid.SampledFrom([]string{"redis", "sql", "mutex", "sleep", "queue", "message", "hang", "env", ""})
	lights := rapid.SampledFrom([]string{"no-oversell", "no-misdeletion", "a;b#c"})
	things := rapid.SampledFrom([]string{"voucher", "lock:order:7", ""})
	for i := range rapid.IntRange(0, 12).Draw(t, "frames") {
		f := trace.Frame{State: trace.State{
			Now:    time.Duration(rapid.Int64().Draw(t, "now")),
			Keys:   []trace.Key{{Name: things.Draw(t, "key"), Type: text("type"), Value: text("value"), TTL: time.Duration(rapid.Int64().Draw(t, "ttl")), Owner: rapid.SampledFrom(letters).Draw(t, "owner")}},
			Tables: []trace.Table{{Name: text("table"), Columns: []string{text("column")}, Rows: [][]string{{text("cell"), text("cell")}, nil}}},
			Lights: []trace.Light{{Name: lights.Draw(t, "light"), Status: trace.Status(rapid.IntRange(0, 2).Draw(t, "status")), Since: 1, Detail: trace.Verbatim(text("detail"))}},
			Notes:  []trace.Phrase{trace.Verbatim(text("note"))},
		}}
		for _, a := range l.Actors {
			a.Phase = trace.Phase(rapid.IntRange(0, 4).Draw(t, "phase"))
			a.Next, a.Result = text("next"), text("result")
			a.Why = trace.Reason{Kind: text("kind"), Name: text("name"), By: text("by")}
			f.State.Actors = append(f.State.Actors, a)
		}
		if rapid.IntRange(0, 9).Draw(t, "event?") > 0 {
			f.Event = &trace.Event{
				Seq: i, Move: text("move"), Actor: rapid.SampledFrom(letters).Draw(t, "actor"), Node: text("node"),
				Kind: kinds.Draw(t, "kind"), Op: text("op"), Args: text("args"), Reply: text("reply"),
				Failed: rapid.Bool().Draw(t, "failed"), At: time.Duration(rapid.Int64().Draw(t, "at")),
				Stack:  []source.Frame{{Line: i}},
				Access: []trace.Access{{Resource: things.Draw(t, "resource"), Write: rapid.Bool().Draw(t, "write")}},
				Broken: rapid.SliceOfN(lights, 0, 2).Draw(t, "broken"),
				RunOut: i > 9,
			}
		}
		l.Frames = append(l.Frames, f)
	}
	return l
}

func TestAnyLog(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := anyLog(t, rapid.IntRange(0, 4).Draw(t, "actors"))
		out := map[string]string{}
		for ext, write := range exporters {
			var b bytes.Buffer
			if err := write(&b, l); err != nil {
				t.Fatalf("%s: %v", ext, err)
			}
			out[ext] = b.String()
		}
		if err := checkText(out["txt"]); err != nil {
			t.Errorf("text: %v\n%s", err, out["txt"])
		}
		if err := checkJSON(out["jsonl"]); err != nil {
			t.Errorf("JSON: %v\n%s", err, out["jsonl"])
		}
		if err := checkMermaid(out["mmd"]); err != nil {
			t.Errorf("Mermaid: %v\n%s", err, out["mmd"])
		}
		if err := checkShiViz(out["shiviz"]); err != nil {
			t.Errorf("ShiViz: %v\n%s", err, out["shiviz"])
		}
	})
}

// TestStrangeLetters: letters come from the kernel, but a log may come from a
// file; more than four actors only widen the lanes.
func TestStrangeLetters(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := anyLog(t, rapid.IntRange(1, 9).Draw(t, "actors"))
		for i := range l.Frames {
			if e := l.Frames[i].Event; e != nil {
				e.Actor = anyText.Draw(t, "letter")
			}
		}
		for ext, write := range exporters {
			var b bytes.Buffer
			if err := write(&b, l); err != nil {
				t.Fatalf("%s: %v", ext, err)
			}
			check := map[string]func(string) error{"jsonl": checkJSON, "mmd": checkMermaid, "shiviz": checkShiViz}[ext]
			if check == nil {
				continue
			}
			if err := check(b.String()); err != nil {
				t.Errorf("%s: %v\n%s", ext, err, b.String())
			}
		}
	})
}

func checkText(s string) error {
	width := runewidth.Condition{StrictEmojiNeutral: true}
	for i, line := range strings.Split(strings.TrimSuffix(s, "\n"), "\n") {
		if n := width.StringWidth(line); n >= 100 {
			return fmt.Errorf("line %d takes %d cells", i+1, n)
		}
		if strings.HasSuffix(line, " ") {
			return fmt.Errorf("line %d ends in a space", i+1)
		}
		for _, r := range line {
			if !unicode.IsPrint(r) {
				return fmt.Errorf("line %d holds %U", i+1, r)
			}
		}
	}
	return nil
}

// checkJSON holds every line against the keys and types that readers count on.
func checkJSON(s string) error {
	lines := strings.Split(strings.TrimSuffix(s, "\n"), "\n")
	if !utf8.ValidString(s) {
		return fmt.Errorf("no UTF-8")
	}
	for i, line := range lines {
		keys := []string{"schema", "seq", "actor", "node", "op", "args", "reply", "at_ms", "line", "broken"}
		if i == len(lines)-1 {
			keys = []string{"schema", "verdict", "schedule", "final"}
		}
		got, object, err := topKeys(line)
		if err != nil {
			return fmt.Errorf("line %d: %w", i+1, err)
		}
		if r, ok := object["run_out"]; ok {
			if string(r) != "true" {
				return fmt.Errorf("line %d: run_out is %s", i+1, r)
			}
			keys = append(keys, "run_out")
		}
		if strings.Join(got, " ") != strings.Join(keys, " ") {
			return fmt.Errorf("line %d: keys %v, want %v", i+1, got, keys)
		}
		if b := object["broken"]; b != nil && b[0] != '[' {
			return fmt.Errorf("line %d: broken is %s", i+1, b)
		}
	}
	return nil
}

// topKeys lists the keys of an object in the order in which they stand.
func topKeys(line string) ([]string, map[string]json.RawMessage, error) {
	var object map[string]json.RawMessage
	if err := json.Unmarshal([]byte(line), &object); err != nil {
		return nil, nil, err
	}
	var keys []string
	dec := json.NewDecoder(strings.NewReader(line))
	if _, err := dec.Token(); err != nil {
		return nil, nil, err
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, nil, err
		}
		keys = append(keys, key.(string))
		var skip json.RawMessage
		if err := dec.Decode(&skip); err != nil {
			return nil, nil, err
		}
	}
	return keys, object, nil
}

// mermaidStatement knows the few statements that the exporter writes; its groups
// are the free text in them.
var mermaidStatement = regexp.MustCompile(`^(?:sequenceDiagram|    (?:title (.+)|participant \w+(?: as (.+))?|` +
	`rect rgb\(255,220,220\)|end|Note over \w+(?:,\w+)?: (.+)|\w+(?:->>|-->>|--x)\w+: (.+)))$`)

var mermaidEntity = regexp.MustCompile(`#\w+;`)

func checkMermaid(s string) error {
	open := 0
	for i, line := range strings.Split(strings.TrimSuffix(s, "\n"), "\n") {
		m := mermaidStatement.FindStringSubmatch(line)
		if m == nil {
			return fmt.Errorf("line %d is no statement: %q", i+1, line)
		}
		if text := mermaidEntity.ReplaceAllString(strings.Join(m[1:], ""), ""); strings.ContainsAny(text, "#;%<>$&") {
			return fmt.Errorf("line %d has an unescaped character: %q", i+1, line)
		}
		switch strings.TrimSpace(line) {
		case "end":
			open--
		case "rect rgb(255,220,220)":
			open++
		}
		if open < 0 || open > 1 {
			return fmt.Errorf("line %d: rectangles do not nest", i+1)
		}
	}
	if open != 0 {
		return fmt.Errorf("a rectangle stays open")
	}
	return nil
}

func checkShiViz(s string) error {
	lines := strings.Split(strings.TrimSuffix(s, "\n"), "\n")
	if len(lines) < 2 || lines[1] != "" {
		return fmt.Errorf("the second line is not empty")
	}
	form, err := regexp.Compile("^" + lines[0] + "$")
	if err != nil {
		return err
	}
	events := map[string]int{}
	for i, line := range lines[2:] {
		m := form.FindStringSubmatch(line)
		if m == nil {
			return fmt.Errorf("event %d does not match: %q", i+1, line)
		}
		host := m[form.SubexpIndex("host")]
		var clock map[string]int
		if err := json.Unmarshal([]byte(m[form.SubexpIndex("clock")]), &clock); err != nil {
			return fmt.Errorf("event %d: %w", i+1, err)
		}
		events[host]++
		if clock[host] != events[host] {
			return fmt.Errorf("event %d: the own clock is %d, want %d", i+1, clock[host], events[host])
		}
		for host, n := range clock {
			if n < 1 || n > events[host] {
				return fmt.Errorf("event %d: has seen event %d of %s before it happened", i+1, n, host)
			}
		}
	}
	return nil
}
