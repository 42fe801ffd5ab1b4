package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"flashlab/lessons"
	"flashlab/lessons/exercise"
	"flashlab/sim/explore"
)

var exercisesShape = parseShape(`
schema                1
exercises[].name      string
exercises[].lesson    string
exercises[].kind      string
exercises[].form?     string
exercises[].file?     string
exercises[].title     string
exercises[].title_zh  string
exercises[].task      string
exercises[].task_zh   string
exercises[].state     string
`)

var checkShape = parseShape(`
schema                  1
exercise                string
passed                  bool
mistake?                string
sentence                string
sentence_zh             string
shown?[]                string
light?                  string
scene?                  string
schedule?               string
steps?                  int
switches?               int
shortest?               int
interleavings?          decimal
scenes?[].name          string
scenes?[].complete      bool
scenes?[].states        int
scenes?[].interleavings? decimal
scenes?[].violating     decimal null
log?[]                  string
seconds                 number
`)

func TestExercises(t *testing.T) {
	newState(t)
	someWork(t)
	r := flashlab(t, "exercises", "--json")
	r.wants(t, exitHolds)
	states := map[string]any{}
	for _, x := range decode(t, r.out, exercisesShape)["exercises"].([]any) {
		states[x.(map[string]any)["name"].(string)] = x.(map[string]any)["state"]
	}
	for name, want := range map[string]string{"break-lost-update": "done", "unlock": "tried", "renew": "new"} {
		if states[name] != want {
			t.Errorf("%s is %v, want %s", name, states[name], want)
		}
	}
	list := flashlab(t, "exercises")
	list.wants(t, exitHolds)
	for _, l := range lessons.All() {
		for i := range l.Exercises {
			x := &l.Exercises[i]
			if states[x.Name] == nil || !strings.Contains(list.out, x.Name) {
				t.Errorf("%s is not listed", x.Name)
			}
			for _, lang := range []string{"en", "zh"} {
				one := flashlab(t, "exercises", x.Name, "--lang", lang)
				one.wants(t, exitHolds)
				if !strings.Contains(one.out, "flashlab check "+x.Name) {
					t.Errorf("%s does not say how to hand it in:\n%s", x.Name, one.out)
				}
			}
		}
	}
	one := flashlab(t, "exercises", "unlock", "--json")
	one.wants(t, exitHolds)
	if !strings.Contains(one.out, `"schema": 1`) || !strings.Contains(one.out, `"state": "tried"`) {
		t.Errorf("got %s", one.out)
	}
}

func TestExercisesWrite(t *testing.T) {
	newState(t)
	file := filepath.Join(t.TempDir(), "unlock.lua")
	r := flashlab(t, "exercises", "unlock", "--write", file)
	r.wants(t, exitHolds)
	flashlab(t, "check", "unlock", file).wants(t, exitBreaks) // as shipped it fails
	flashlab(t, "exercises", "unlock", "--write", file).refused(t, exitUsage, "there is a file|move it away")
	flashlab(t, "exercises", "unlock", "--write", filepath.Join(file, "x")).refused(t, exitService, "--write|can be written to")
	flashlab(t, "exercises", "break-lost-update", "--write", file).refused(t, exitUsage, "not done in a file")
	flashlab(t, "exercises", "--write", file).refused(t, exitUsage, "--write needs the name")
	flashlab(t, "exercises", "unlok").refused(t, exitUsage, "did you mean unlock?")
	flashlab(t, "exercises", "unlock", "x").refused(t, exitUsage, `takes one exercise|"x"`)
}

func TestCheck(t *testing.T) {
	newState(t)
	_, x, err := lessons.FindExercise("unlock")
	if err != nil {
		t.Fatal(err)
	}
	for script, mistake := range map[string]string{
		x.Fix.Solution:                      "",
		"return redis.call('DEL', KEYS[1])": exercise.AlwaysDeletes,
		"while true do end":                 exercise.Endless,
		"if then":                           exercise.Syntax,
		strings.Repeat("-- long\n", 20_000): "",
		"\xff\xfe":                          "",
	} {
		r := flashlabReading(t, script, "check", "unlock", "-", "--json")
		doc := decode(t, r.out, checkShape)
		got, _ := doc["mistake"].(string)
		passed := script == x.Fix.Solution
		if r.err != "" || doc["passed"] != passed || got != mistake || passed != (r.code == exitHolds) || !passed && r.code != exitBreaks {
			t.Errorf("%.60q: exit code %d, %s", script, r.code, r.out)
		}
	}
	// What never was an answer is not kept.
	if log := flashlab(t, "progress", "export").out; strings.Count(log, `"kind":"answered"`) != 4 {
		t.Errorf("kept: %.2000s", log)
	}
	r := flashlab(t, "check", "break-lost-update", "--schedule", best(t), "--json")
	r.wants(t, exitHolds)
	decode(t, r.out, checkShape)
	r = flashlab(t, "check", "break-lost-update", "--schedule", "A3B", "--lang", "zh")
	r.wants(t, exitBreaks)
	if !strings.Contains(r.out, "没有被破坏") {
		t.Errorf("in Chinese: %s", r.out)
	}
}

// What was not decided neither passes nor fails, and is not kept.
func TestCheckUndecided(t *testing.T) {
	newState(t)
	_, x, err := lessons.FindExercise("unlock")
	if err != nil {
		t.Fatal(err)
	}
	defer func(was explore.Limits) { exercise.Limits = was }(exercise.Limits)
	exercise.Limits.States = 3
	r := flashlab(t, "check", "unlock", "--answer", x.Fix.Solution)
	r.wants(t, exitUnknown)
	if !strings.HasPrefix(r.out, "? unlock\n") || !strings.Contains(r.out, "Not decided") {
		t.Errorf("got %s", r.out)
	}
	if log := flashlab(t, "progress", "export").out; strings.Contains(log, "answered") {
		t.Errorf("kept: %s", log)
	}
}

func TestCheckBadInput(t *testing.T) {
	newState(t)
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"big": strings.Repeat("\x00", maxFile+1), "notes": "the third\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for args, want := range map[string]string{
		"check":                                    "needs the name of an exercise",
		"check unlok":                              "did you mean unlock?",
		"check unlock a b":                         `one exercise and one file|"b"`,
		"check unlock":                             "no unlock.lua here|--write unlock.lua",
		"check unlock nope":                        "cannot be read|nope",
		"check unlock .":                           "is a directory",
		"check unlock big":                         "larger than",
		"check unlock a --answer b":                "exclude each other",
		"check unlock --schedule A":                "asks for code",
		"check break-lost-update":                  "--schedule",
		"check break-lost-update --answer A":       "asks for a schedule",
		"check break-lost-update --schedule A9Z":   "--schedule|cannot be played",
		"check break-lost-update --schedule a@b:c": "--schedule|damaged token",
		"check guard-the-update":                   "--answer",
		"check bug-limit --answer 3":               `no option "3"|leave, where, free, zero`,
		"check bug-limit --answer e":               `no option "e"`,
		"check unlock /dev/null":                   "no regular file|- to read",
		"check nope":                               `no exercise "nope"|flashlab exercises lists all`,
		"check nope --lang zh":                     `没有练习 "nope"|flashlab exercises 列出全部`,
		"hint unlok --lang zh":                     "是不是 unlock",
		"watch bug-limit notes":                    `no option "the third"`,
		"check unlock --lang fr":                   `--lang "fr"`,
		"hint":                                     "one exercise",
		"hint unlok":                               "did you mean unlock?",
		"hint unlock --number 5":                   "--number 5|1 to 4",
		"watch unlock":                             "an exercise and a file",
		"watch break-lost-update big":              "asks for a schedule",
		"watch unlock nope":                        "cannot be read",
	} {
		flashlab(t, strings.Fields(args)...).refused(t, exitUsage, want)
	}
	if log := flashlab(t, "progress", "export").out; strings.Contains(log, "answered") {
		t.Errorf("kept: %s", log)
	}
}

// An option may be named by its letter; its name is what is kept.
func TestCheckLetter(t *testing.T) {
	newState(t)
	r := flashlab(t, "exercises", "bug-limit")
	r.wants(t, exitHolds)
	for _, part := range []string{"The code:", "func ", "  a  ", "where"} {
		if !strings.Contains(r.out, part) {
			t.Errorf("%q is missing:\n%s", part, r.out)
		}
	}
	flashlab(t, "check", "bug-limit", "--answer", "d").wants(t, exitHolds)
	if log := flashlab(t, "progress", "export").out; !strings.Contains(log, `"answer":"zero"`) {
		t.Errorf("kept: %s", log)
	}
}

// The script that everybody knows passes, and what it cannot tell is said.
func TestCheckRemark(t *testing.T) {
	newState(t)
	const usual = "\ufeffif redis.call('get',KEYS[1])==ARGV[1] then\r\n return redis.call('del',KEYS[1])\r\nelse return 0 end\r\n"
	r := flashlabReading(t, usual, "check", "unlock", "-")
	r.wants(t, exitHolds)
	if !strings.Contains(r.out, "cannot tell expired from taken") {
		t.Errorf("got %s", r.out)
	}
	r = flashlabReading(t, usual, "check", "unlock", "-", "--json")
	if doc := decode(t, r.out, checkShape); r.code != exitHolds || !strings.Contains(doc["sentence"].(string), "-1 for somebody else's lock") {
		t.Errorf("got %s", r.out)
	}
}

// Without a file the one here is judged, or else the one of the lab.
func TestCheckFindsFile(t *testing.T) {
	file := newState(t)
	t.Chdir(t.TempDir())
	_, x, err := lessons.FindExercise("unlock")
	if err != nil {
		t.Fatal(err)
	}
	own := filepath.Join(answersBeside(file), x.Fix.File)
	if err := os.MkdirAll(filepath.Dir(own), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(own, []byte(x.Fix.Shipped), 0o600); err != nil {
		t.Fatal(err)
	}
	r := flashlab(t, "check", "unlock")
	r.wants(t, exitBreaks)
	if !strings.Contains(r.out, "judged: "+own) || !strings.Contains(r.out, "still the text") {
		t.Errorf("got %s", r.out)
	}
	if err := os.WriteFile(x.Fix.File, []byte(x.Fix.Solution), 0o600); err != nil {
		t.Fatal(err)
	}
	r = flashlab(t, "check", "unlock")
	r.wants(t, exitHolds)
	if !strings.Contains(r.out, "judged: unlock.lua\n") || strings.Contains(r.out, "still the text") {
		t.Errorf("got %s", r.out)
	}
}

// A standard input that says nothing does not keep a signal from ending check.
func TestCheckSignalWhileReading(t *testing.T) {
	r, w := io.Pipe()
	defer w.Close()
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(100*time.Millisecond, func() { cancel(stopped{syscall.SIGTERM}) })
	var out, errOut spoken
	if code := execute(ctx, []string{"check", "unlock", "-"}, r, &out, &errOut); code != 143 || out.text() != "" {
		t.Errorf("exit code %d, %q", code, out.text())
	}
}

// Hints come one after the other; the last stays.
func TestHint(t *testing.T) {
	newState(t)
	var said []string
	for range exercise.MaxHints + 1 {
		r := flashlab(t, "hint", "break-lost-update")
		r.wants(t, exitHolds)
		said = append(said, r.out)
	}
	for i := range said {
		for j := range i {
			if (said[i] == said[j]) != (i == exercise.MaxHints && j == i-1) {
				t.Errorf("hints %d and %d:\n%s%s", i+1, j+1, said[i], said[j])
			}
		}
	}
	if r := flashlab(t, "hint", "break-lost-update", "--number", "1"); r.out != said[0] {
		t.Errorf("--number 1:\n%s", r.out)
	}
	if r := flashlab(t, "progress"); !strings.Contains(r.out, "4 hints") {
		t.Errorf("progress:\n%s", r.out)
	}
}

// spoken is an output that several goroutines may look at.
type spoken struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *spoken) Write(p []byte) (int, error) { s.mu.Lock(); defer s.mu.Unlock(); return s.b.Write(p) }

func (s *spoken) text() string { s.mu.Lock(); defer s.mu.Unlock(); return s.b.String() }

// until waits for a text to be said so many times.
func (s *spoken) until(t *testing.T, part string, n int) {
	t.Helper()
	for range 600 {
		if strings.Count(s.text(), part) >= n {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("%q was not said %d times:\n%s", part, n, s.text())
}

// Watch judges a file each time it is saved, in whatever way an editor does that.
func TestWatch(t *testing.T) {
	newState(t)
	_, x, err := lessons.FindExercise("unlock")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "unlock.lua")
	save := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	save(file, x.Fix.Shipped)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var out, errOut spoken
	code := make(chan int)
	go func() {
		code <- execute(ctx, []string{"watch", "unlock", file}, strings.NewReader(""), &out, &errOut)
	}()
	out.until(t, "✗ unlock fails", 1)
	save(file, x.Fix.Solution)
	out.until(t, "✓ unlock passes", 1)
	save(file+"~", "while true do end") // replaced, as vim does
	if err := os.Rename(file+"~", file); err != nil {
		t.Fatal(err)
	}
	out.until(t, "before: ✓ passes", 1)
	os.Remove(file)
	time.Sleep(2 * settle)
	save(file, x.Fix.Solution)
	out.until(t, "✓ unlock passes", 2)
	cancel()
	if got := <-code; got != exitHolds || errOut.text() != "" {
		t.Errorf("exit code %d, stderr %q", got, errOut.text())
	}
	if log := flashlab(t, "progress", "export").out; strings.Count(log, `"kind":"answered"`) != 4 {
		t.Errorf("kept: %s", log)
	}
}
