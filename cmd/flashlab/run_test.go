package main

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"

	"flashlab/lessons"
	"flashlab/sim/token"
)

var (
	eventShape = parseShape(`
schema   1
seq      int
actor    string
node     string
op       string
args     string
reply    string
at_ms    int
line     int
broken[] string
run_out? bool
`)
	lastShape = parseShape(`
schema               1
verdict              string
schedule             string
final.at_ms          int
final.tables{}[]{}   int string
final.keys{}.type    string
final.keys{}.value   string
final.keys{}.ttl_ms  int
final.keys{}.owner?  string
final.lights{}       string
`)
)

// runLog is run --json as a reader elsewhere would declare it.
type runLog struct {
	events []runEvent
	last   struct {
		Verdict, Schedule string
		Final             struct{ Lights map[string]string }
	}
}

type runEvent struct {
	Seq    int
	Actor  string
	Broken []string
	RunOut bool `json:"run_out"`
}

// running runs a schedule with --json and checks the shape of every line.
func running(t *testing.T, code int, args ...string) runLog {
	t.Helper()
	r := flashlab(t, append([]string{"run"}, append(args, "--json")...)...)
	r.wants(t, code)
	lines := strings.Split(strings.TrimSuffix(r.out, "\n"), "\n")
	var log runLog
	for _, line := range lines[:len(lines)-1] {
		decode(t, line, eventShape)
		var e runEvent
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		log.events = append(log.events, e)
	}
	decode(t, lines[len(lines)-1], lastShape)
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &log.last); err != nil {
		t.Fatal(err)
	}
	return log
}

// Where broke has no step to name.
const (
	nowhere  = -1
	inRunOut = -2
)

// broke returns the step at which a light broke and the length of the schedule.
func (l *runLog) broke(light string) (at, steps int) {
	at = nowhere
	if l.last.Final.Lights[light] == "red" {
		at = inRunOut
	}
	for _, e := range l.events {
		if e.RunOut {
			continue
		}
		steps = e.Seq
		for _, name := range e.Broken {
			if name == light {
				at = e.Seq
			}
		}
	}
	return at, steps
}

func TestRunStaged(t *testing.T) {
	for _, l := range lessons.All() {
		for _, s := range l.Staged {
			t.Run(l.Name+"/"+s.Name, func(t *testing.T) {
				code := exitHolds
				if s.Light != "" {
					code = exitBreaks
				}
				log := running(t, code, l.Name, "--staged", s.Name)
				if s.Light != "" {
					want := s.At
					if want == 0 {
						want = inRunOut
					}
					if at, _ := log.broke(s.Light); at != want {
						t.Errorf("%s breaks at %d, want %d", s.Light, at, want)
					}
				}
				tok, err := token.Parse(log.last.Schedule)
				moves, err2 := token.ParseSteps(s.Steps)
				if err != nil || err2 != nil || tok.Variant != s.Variant || !slices.Equal(tok.Steps, moves) {
					t.Errorf("the token is %s (%v), want the steps %s of %s (%v)", log.last.Schedule, err, s.Steps, s.Variant, err2)
				}
				// Its token runs the same.
				again := running(t, code, l.Name, "--schedule", log.last.Schedule)
				if len(again.events) != len(log.events) || again.last.Verdict != log.last.Verdict {
					t.Errorf("the token leads elsewhere: %+v, not %+v", again, log)
				}
			})
		}
	}
}

// Every format is the same, byte for byte, each time.
func TestRunTwice(t *testing.T) {
	for format := range writers {
		for _, by := range [][]string{{"--staged", "both-read-one"}, {"--seed", "7"}, {"--variant", "guarded", "--seed", "3"}} {
			args := append([]string{"run", "oversell", "--format", format}, by...)
			one, two := flashlab(t, args...), flashlab(t, args...)
			if one != two {
				t.Errorf("%v differs:\n%s\n---\n%s", args, one.out, two.out)
			}
			if one.out == "" || one.err != "" || one.code != exitHolds && one.code != exitBreaks {
				t.Errorf("%v: %+v", args, one)
			}
		}
	}
}

func TestRunSeeds(t *testing.T) {
	different := map[string]bool{}
	for seed := range uint64(20) {
		r := flashlab(t, "run", "oversell", "--set", "buyers=3", "--seed", strconv.FormatUint(seed, 10), "--json")
		if r.code != exitHolds && r.code != exitBreaks {
			t.Fatalf("seed %d: %+v", seed, r)
		}
		different[r.out] = true
	}
	if len(different) < 10 {
		t.Errorf("20 seeds give %d schedules", len(different))
	}
	if flashlab(t, "run", "oversell", "--seed", "18446744073709551615").code == exitUsage {
		t.Error("the largest seed is refused")
	}
	if flashlab(t, "run", "oversell") != flashlab(t, "run", "oversell", "--seed", "1") {
		t.Error("without a seed it is not seed 1")
	}
}

// A schedule that stops early has no verdict yet.
func TestRunUnfinished(t *testing.T) {
	full := running(t, exitBreaks, "oversell", "--staged", "both-read-one").last.Schedule
	tok, err := token.Parse(full)
	if err != nil {
		t.Fatal(err)
	}
	tok.Steps = tok.Steps[:3]
	log := running(t, exitUnknown, "oversell", "--schedule", tok.String())
	if log.last.Verdict != "unknown" || len(log.events) != 3 {
		t.Errorf("got %+v", log)
	}
	tok.Steps = nil
	if log := running(t, exitUnknown, "oversell", "--schedule", tok.String()); len(log.events) != 0 || log.last.Schedule != tok.String() {
		t.Errorf("no step at all gives %+v", log)
	}
}

func TestRunText(t *testing.T) {
	for _, name := range []string{"both-read-one", "crash-between", "wait-in-line"} {
		golden(t, "testdata/run-"+name+".txt", steady(flashlab(t, "run", "oversell", "--staged", name).out))
	}
}

// A token that was written down stays good as long as its scenario is the same. A
// change here makes all tokens of a variant out of date: it should be meant.
func TestTokensStayGood(t *testing.T) {
	var b strings.Builder
	for _, l := range lessons.All() {
		for _, v := range l.Variants {
			tok, err := token.Parse(running(t, flashlab(t, "run", l.Name, "--variant", v.Name).code, l.Name, "--variant", v.Name).last.Schedule)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&b, "%s.%s@%s\n", l.Name, v.Name, tok.Hash)
		}
	}
	golden(t, "testdata/hashes.txt", b.String())
}

// The formats that other programs read are what those expect.
func TestRunForeignFormats(t *testing.T) {
	for format, start := range map[string]string{
		"mermaid": "sequenceDiagram\n", "shiviz": "(?<host>", "svg": "<svg ", "html": "<!doctype html>", "cast": `{"version":2,`,
	} {
		out := flashlab(t, "run", "oversell", "--staged", "both-read-one", "--format", format).out
		if !strings.HasPrefix(out, start) {
			t.Errorf("%s begins with %.40q", format, out)
		}
		switch format {
		case "svg":
			wellFormed(t, out)
		case "html":
			if n := strings.Count(out, "<section "); n != 7 { // the start and six steps
				t.Errorf("the page has %d pictures", n)
			}
		case "cast":
			for line := range strings.Lines(out) {
				if !json.Valid([]byte(line)) {
					t.Errorf("no JSON: %s", line)
				}
			}
		}
	}
}

func wellFormed(t *testing.T, text string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

func TestRunChinesePicture(t *testing.T) {
	en := flashlab(t, "run", "oversell", "--staged", "both-read-one", "--format", "svg")
	zh := flashlab(t, "run", "oversell", "--staged", "both-read-one", "--format", "svg", "--lang", "zh")
	if en.out == zh.out || !strings.Contains(zh.out, "令牌") && !strings.Contains(zh.out, "步") {
		t.Error("--lang zh changes nothing")
	}
}
