package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var verifyShape = parseShape(`
schema                  1
files[].file            string
files[].error?          string
files[].name            string
files[].host            string
files[].made            string
files[].version         string
files[].note?           string
files[].done[]          string
files[].rows[].lesson   string
files[].rows[].subject  string
files[].rows[].kind     string
files[].rows[].claim    string
files[].rows[].verdict  string
files[].rows[].problem? string
files[].rows[].detail?  string
files[].rows[].detail_zh? string
learners                int
exercises[].lesson      string
exercises[].name        string
exercises[].learners    int
exercises[].done        int
exercises[].true        int
exercises[].false       int
exercises[].unknown     int
mistakes[].name         string
mistakes[].title        string
mistakes[].title_zh     string
mistakes[].count        int
mistakes[].learners     int
unreadable              int
true                    int
false                   int
unknown                 int
told                    int
seconds                 number
`)

// reportOf does some work and returns the report of it.
func reportOf(t *testing.T, name string) string {
	t.Helper()
	newState(t)
	someWork(t)
	r := flashlab(t, "progress", "export", "--report", "--name", name)
	r.wants(t, exitHolds)
	return r.out
}

// handedIn writes a file and returns its name.
func handedIn(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

var moments = regexp.MustCompile(`\d{4}-\d\d-\d\dT[0-9:]*Z`)

// plainer takes what changes from run to run out of a table.
func plainer(text string, files ...string) string {
	text = moments.ReplaceAllString(text, "(moment)")
	for _, f := range files {
		text = strings.ReplaceAll(text, f, filepath.Base(f))
	}
	return text
}

func TestVerify(t *testing.T) {
	text := reportOf(t, "Ada")
	file := handedIn(t, "ada.json", text)
	r := flashlab(t, "verify", file)
	r.wants(t, exitHolds)
	golden(t, "testdata/verify.txt", plainer(r.out, file))
	if in := flashlabReading(t, text, "verify", "-"); in.code != exitHolds || in.err != "" {
		t.Errorf("from the standard input: %+v", in)
	}
	asJSON := flashlab(t, "verify", "--json", file)
	asJSON.wants(t, exitHolds)
	if doc := decode(t, asJSON.out, verifyShape); fmt.Sprintln(doc["false"], doc["unknown"], doc["unreadable"]) != "0 0 0\n" {
		t.Errorf("got %s", asJSON.out)
	}
	zh := flashlab(t, "verify", "--lang", "zh", file)
	zh.wants(t, exitHolds)
	if !strings.Contains(zh.out, "条属实") || !strings.Contains(zh.out, "引擎无从核对") {
		t.Errorf("in Chinese:\n%s", zh.out)
	}
}

// What was altered by hand is found, and its row is named.
func TestVerifyFindsForgery(t *testing.T) {
	text := reportOf(t, "Ada")
	newSealed := func(steps string) string {
		head, _, _ := strings.Cut(best(t), ":")
		return sealed(head + ":" + steps)
	}
	for name, tt := range map[string]struct {
		old, new string
		code     int
		want     string // parts of one line
	}{
		"steps":           {`"steps": 6`, `"steps": 5`, exitBreaks, "  break-lost-update |✗|5 steps|it takes 6 steps, not 5"},
		"switches":        {`"switches": 1`, `"switches": 0`, exitBreaks, "  break-lost-update |✗|the number of switches is 1, not 0"},
		"token":           {best(t), newSealed("A3B"), exitBreaks, "  break-lost-update |✗|holds in this schedule"},
		"damaged token":   {best(t), best(t)[:20], exitBreaks, "  break-lost-update |✗|damaged"},
		"other version":   {best(t), sealed("oversell.lost-update@zzz:AB3A2"), exitUnknown, "  break-lost-update |?|another version"},
		"script":          {`return redis.call('DEL', KEYS[1])`, `while true do end`, exitBreaks, "  unlock |✗|never ends"},
		"passed":          {`"answer": "return`, `"passed": true, "answer": "return`, exitBreaks, "  unlock |✗|it fails"},
		"exercise":        {`"subject": "unlock"`, `"subject": "break-lost-update"`, exitBreaks, "  break-lost-update |✗"},
		"no such":         {`"subject": "unlock"`, `"subject": "unlocked"`, exitUnknown, "  unlocked |?|no exercise"},
		"hints":           {`"hints": 1`, `"hints": 7`, exitBreaks, "  guard-the-update |✗|no hint 7"},
		"name over lines": {`"name": "Ada"`, `"name": "Ada\n\u001b[31mBob"`, exitHolds, "Ada|Bob"},
	} {
		t.Run(name, func(t *testing.T) {
			if !strings.Contains(text, tt.old) {
				t.Fatalf("%s is not in\n%s", tt.old, text)
			}
			r := flashlabReading(t, strings.Replace(text, tt.old, tt.new, 1), "verify", "-")
			if r.code != tt.code || r.err != "" || strings.Contains(r.out, "\x1b") {
				t.Errorf("exit code %d, want %d; stderr %q", r.code, tt.code, r.err)
			}
			for line := range strings.Lines(r.out) {
				found := true
				for _, part := range strings.Split(tt.want, "|") {
					found = found && strings.Contains(line, part)
				}
				if found {
					return
				}
			}
			t.Errorf("no line with %q in\n%s", tt.want, r.out)
		})
	}
}

func TestVerifyClass(t *testing.T) {
	ada := handedIn(t, "ada.json", reportOf(t, "=Ada"))
	bobs := strings.Replace(reportOf(t, "Bob"), `"steps": 6`, `"steps": 4`, 1)
	bob, again := handedIn(t, "bob.json", bobs), handedIn(t, "bob2.json", bobs)
	cut := handedIn(t, "cut.json", bobs[:len(bobs)/2])
	r := flashlab(t, "verify", ada, bob, again)
	r.wants(t, exitBreaks)
	golden(t, "testdata/verify-class.txt", plainer(r.out, ada, bob, again))

	// A file that cannot be read keeps no other from being judged.
	r = flashlab(t, "verify", ada, cut, bob, filepath.Join(cut, "nope"))
	if r.code != exitUsage || strings.Count(r.err, "\n") != 1 || !strings.Contains(r.err, "2 of 4 reports cannot be read") ||
		!strings.Contains(r.out, "✗ "+cut+"  cannot be read: it is cut off") || !strings.Contains(r.out, "it takes 6 steps, not 4") {
		t.Errorf("%+v", r)
	}
	if all := flashlab(t, "verify", "--all", ada, bob); strings.Count(all.out, "  guard-the-update ") < 2 {
		t.Errorf("--all:\n%s", all.out)
	}
	asJSON := flashlab(t, "verify", "--json", ada, bob, again, cut)
	doc := decode(t, asJSON.out, verifyShape)
	if asJSON.code != exitUsage || fmt.Sprintln(doc["learners"], doc["unreadable"], doc["false"]) != "2 1 2\n" {
		t.Errorf("exit code %d: %s", asJSON.code, asJSON.out)
	}
	for _, table := range []string{"claims", "learners", "exercises", "mistakes"} {
		r := flashlab(t, "verify", "--csv", "--table", table, ada, bob)
		r.wants(t, exitBreaks)
		rows, err := csv.NewReader(strings.NewReader(r.out)).ReadAll()
		if err != nil || len(rows) < 2 || strings.Contains(r.out, ",=") {
			t.Errorf("%s: %v\n%s", table, err, r.out)
		}
	}
}

func TestVerifyBadInput(t *testing.T) {
	newState(t)
	dir := t.TempDir()
	file, err := program()
	if err != nil {
		t.Fatal(err)
	}
	log := flashlab(t, "progress", "export").out
	for _, tt := range []struct {
		args string
		want string
	}{
		{"verify", "flashlab verify needs a report|flashlab progress export --report"},
		{"verify a --table x --csv", `--table "x" is not possible|claims, learners`},
		{"verify a --table learners", "--table|--csv"},
		{"verify a --csv --json", "--csv|contradict"},
		{"verify a --csv --format json", "--csv|contradict"},
		{"verify a --format xml", `--format "xml"|text, json or csv`},
		{"verify a --lang fr", `--lang "fr"`},
	} {
		flashlab(t, strings.Fields(tt.args)...).refused(t, exitUsage, tt.want)
	}
	for name, want := range map[string]string{
		filepath.Join(dir, "nope"): "no such file",
		dir:                        "is a directory",
		file:                       "it has more than 8 MiB",
		handedIn(t, "log", log):    "a whole log",
		handedIn(t, "empty", ""):   "it is empty",
		"/dev/zero":                "it has more than 8 MiB",
		"/dev/null":                "it is empty",
	} {
		r := flashlab(t, "verify", name)
		if r.code != exitUsage || strings.Count(r.err, "\n") != 1 || !strings.Contains(r.err, want) || !strings.Contains(r.out, want) {
			t.Errorf("%s: %+v, want %q", name, r, want)
		}
	}
}
