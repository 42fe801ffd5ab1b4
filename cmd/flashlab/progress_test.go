package main

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/adrg/xdg"

	"flashlab/lessons"
)

// newState gives the test a progress of its own and returns where its file is.
func newState(t *testing.T) string {
	t.Helper()
	t.Cleanup(xdg.Reload) // after the variable has its old value again
	dir := t.TempDir()
	t.Setenv("XDG_STATE_HOME", dir)
	return filepath.Join(dir, "flashlab", "progress.db")
}

// refused fails unless the command ended with code, printed nothing and said one
// sentence with all these parts, separated by |.
func (r result) refused(t *testing.T, code int, parts string) {
	t.Helper()
	if r.code != code || r.out != "" || !strings.HasPrefix(r.err, "flashlab: ") || strings.Count(r.err, "\n") != 1 {
		t.Errorf("exit code %d, want %d; stdout %q, stderr %q", r.code, code, r.out, r.err)
	}
	for _, part := range strings.Split(parts, "|") {
		if !strings.Contains(r.err, part) {
			t.Errorf("stderr %q does not say %q", r.err, part)
		}
	}
}

// best is a token that breaks the lost update in the fewest steps.
func best(t *testing.T) string {
	t.Helper()
	r := flashlab(t, "explore", "oversell", "--variant", "lost-update", "--json")
	_, rest, ok := strings.Cut(r.out, `"schedule": "`)
	if !ok {
		t.Fatalf("no schedule in %s", r.out)
	}
	tok, _, _ := strings.Cut(rest, `"`)
	return tok
}

// someWork does a few exercises: one broken as shortly as can be, one failed, one
// solved with a hint.
func someWork(t *testing.T) {
	t.Helper()
	flashlab(t, "check", "break-lost-update", "--schedule", best(t)).wants(t, exitHolds)
	flashlab(t, "check", "unlock", "--answer", "return redis.call('DEL', KEYS[1])").wants(t, exitBreaks)
	flashlab(t, "hint", "guard-the-update").wants(t, exitHolds)
	_, x, err := lessons.FindExercise("guard-the-update")
	if err != nil {
		t.Fatal(err)
	}
	flashlab(t, "check", x.Name, "--answer", x.Fix.Solution).wants(t, exitHolds)
}

var progressShape = parseShape(`
schema                           1
file                             string
lessons[].name                   string
lessons[].seen[]                 string
lessons[].beats                  int
lessons[].exercises[].name       string
lessons[].exercises[].state      string
lessons[].exercises[].attempts   int
lessons[].exercises[].hints      int
lessons[].exercises[].revealed   bool
lessons[].exercises[].steps?     int
lessons[].exercises[].switches?  int
lessons[].exercises[].shortest   bool
lessons[].exercises[].fewest     bool
lessons[].exercises[].mistakes{} int
calibration[].confidence         int
calibration[].predictions        int
calibration[].right              int
cards                            int
due[]                            string
resets[].id                      string
resets[].subject                 string
resets[].at                      string
`)

func TestProgress(t *testing.T) {
	file := newState(t)
	empty := flashlab(t, "progress")
	empty.wants(t, exitHolds)
	if strings.ContainsAny(empty.out, "✓~") || !strings.Contains(empty.out, "Kept in "+file+"\n") {
		t.Errorf("of nothing:\n%s", empty.out)
	}
	someWork(t)
	r := flashlab(t, "progress")
	r.wants(t, exitHolds)
	for _, part := range []string{
		"✓ break-lost-update          6 steps (shortest), 1 switch (fewest), 1 attempt\n",
		"✓ guard-the-update           1 attempt, 1 hint\n",
		"~ unlock                     1 attempt, deletes whoever holds it ×1\n",
		"Cards: 0 seen, 0 due.\n",
	} {
		if !strings.Contains(r.out, part) {
			t.Errorf("%q is not in\n%s", part, r.out)
		}
	}
	zh := flashlab(t, "progress", "--lang", "zh")
	zh.wants(t, exitHolds)
	if !strings.Contains(zh.out, "6 步（最短），切换 1 次（最少），交了 1 次") {
		t.Errorf("in Chinese:\n%s", zh.out)
	}
	asJSON := flashlab(t, "progress", "--json")
	asJSON.wants(t, exitHolds)
	doc := decode(t, asJSON.out, progressShape)
	if doc["file"] != file || len(doc["lessons"].([]any)) != len(lessons.All()) {
		t.Errorf("got %s", asJSON.out)
	}
}

func TestProgressReset(t *testing.T) {
	newState(t)
	done := func(name string) bool { return strings.Contains(flashlab(t, "progress").out, "✓ "+name) }
	flashlab(t, "progress", "undo").refused(t, exitUsage, "no reset to take back")
	someWork(t)
	for subject, also := range map[string]bool{"break-lost-update": true, "oversell": false, "all": false} {
		args := []string{"progress", "reset", subject}
		if subject == "all" {
			flashlab(t, args...).refused(t, exitUsage, "reset all|count no more|--yes")
			args = append(args, "--yes")
		}
		r := flashlab(t, args...)
		r.wants(t, exitHolds)
		if !strings.Contains(r.out, subject+" starts anew") || !strings.Contains(r.out, "flashlab progress undo") {
			t.Errorf("it says %q", r.out)
		}
		if done("break-lost-update") || done("guard-the-update") != also {
			t.Errorf("after the reset of %s:\n%s", subject, flashlab(t, "progress").out)
		}
		r = flashlab(t, "progress", "undo")
		r.wants(t, exitHolds)
		if !strings.Contains(r.out, "the reset of "+subject) || !done("break-lost-update") || !done("guard-the-update") {
			t.Errorf("it says %q, and now there is\n%s", r.out, flashlab(t, "progress").out)
		}
	}
}

func TestProgressBadInput(t *testing.T) {
	file := newState(t)
	dir := filepath.Dir(filepath.Dir(file))
	there := filepath.Join(dir, "there")
	if err := os.WriteFile(there, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args string
		code int
		want string
	}{
		{"progress frobnicate", exitUsage, `no command "frobnicate"|export, import, reset or undo`},
		{"progress --format xml", exitUsage, `--format "xml"|text or json`},
		{"progress --lang fr", exitUsage, `--lang "fr"|en or zh`},
		{"progress reset", exitUsage, "one exercise or one lesson"},
		{"progress reset a b", exitUsage, "one exercise or one lesson"},
		{"progress reset break-lost-updat", exitUsage, "no exercise|did you mean break-lost-update?"},
		{"progress reset oversel", exitUsage, "no lesson|did you mean oversell?"},
		{"progress reset zzzzzzzzzzzzzzzzzzz", exitUsage, "no exercise and no lesson|flashlab exercises"},
		{"progress undo x", exitUsage, "takes no argument"},
		{"progress import", exitUsage, "needs the file|flashlab progress export"},
		{"progress import a b", exitUsage, `takes one file|"b"`},
		{"progress import " + dir, exitUsage, "is a directory"},
		{"progress import " + dir + "/nope", exitUsage, "cannot be read|nope"},
		{"progress import " + there, exitUsage, "there|not the JSON document that flashlab exports"},
		{"progress export a b", exitUsage, `takes one file|"b"`},
		{"progress export " + dir, exitUsage, "is a directory"},
		{"progress export " + there, exitUsage, "there is a file|--force"},
		{"progress export --report " + there, exitUsage, "there is a file|--force"},
		{"progress export --name Ada", exitUsage, "--name|--report"},
		{"progress export --report --name " + strings.Repeat("A", 300), exitUsage, "--name|300 bytes"},
		{"progress export " + dir + "/no/such", exitService, "/no/such cannot be written|choose a place"},
	} {
		flashlab(t, strings.Fields(tt.args)...).refused(t, tt.code, tt.want)
	}
	flashlab(t, "progress", "export", "").refused(t, exitUsage, "empty name")
	if b, err := os.ReadFile(there); err != nil || string(b) != "mine" {
		t.Errorf("the file that was there is %q, %v", b, err)
	}
}

func TestExportImport(t *testing.T) {
	newState(t)
	someWork(t)
	out := flashlab(t, "progress", "export")
	out.wants(t, exitHolds)
	if dash := flashlab(t, "progress", "export", "-"); dash.code != exitHolds || len(dash.out) != len(out.out) {
		t.Errorf("export - gives %d bytes, export %d", len(dash.out), len(out.out))
	}
	copied := filepath.Join(t.TempDir(), "copy.json")
	for _, args := range [][]string{{copied}, {copied, "--force"}} {
		r := flashlab(t, append([]string{"progress", "export"}, args...)...)
		r.wants(t, exitHolds)
		if !strings.Contains(r.out, "wrote "+copied) {
			t.Errorf("it says %q", r.out)
		}
	}
	if st, err := os.Stat(copied); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v: others may read it", st, err)
	}
	if rest, _ := filepath.Glob(filepath.Join(filepath.Dir(copied), ".flashlab-*")); len(rest) != 0 {
		t.Errorf("left behind: %q", rest)
	}
	before := flashlab(t, "progress").out

	newState(t) // another machine
	r := flashlab(t, "progress", "import", copied)
	r.wants(t, exitHolds)
	if r.out != "4 added, 0 known already\n" {
		t.Errorf("it says %q", r.out)
	}
	again := flashlabReading(t, out.out, "progress", "import", "-")
	if again.code != exitHolds || again.out != "0 added, 4 known already\n" {
		t.Errorf("again: %+v", again)
	}
	lines := func(text string) string { head, _, _ := strings.Cut(text, "Kept in"); return head }
	if now := flashlab(t, "progress").out; lines(now) != lines(before) {
		t.Errorf("there it was\n%s\nhere it is\n%s", before, now)
	}
	for text, want := range map[string]string{
		strings.Replace(out.out, `"schema":1`, `"schema":9`, 1):              "a newer flashlab|update",
		strings.Replace(out.out, `"steps":6`, `"steps":5`, 1):                "events[0]|two different events",
		strings.Replace(out.out, `"steps":6`, `"steps":"6"`, 1):              "events[0].data.steps is a string",
		out.out[:len(out.out)/2]:                                             "not the JSON document|ends too early",
		flashlab(t, "progress", "export", "--report").out:                    "is a report|without --report",
		strings.Replace(out.out, `"program":"flashlab"`, `"program":"x"`, 1): "not exported by flashlab",
	} {
		flashlabReading(t, text, "progress", "import", "-").refused(t, exitUsage, want)
	}
}

// A file that cannot be used is left as it is, and nobody is kept from learning.
func TestProgressFileFaults(t *testing.T) {
	change := func(query string) func(string) error {
		return func(file string) error {
			db, err := sql.Open("sqlite", file)
			if err != nil {
				return err
			}
			defer db.Close()
			_, err = db.Exec(query)
			return err
		}
	}
	for name, tt := range map[string]struct {
		spoil func(file string) error
		want  string
	}{
		"newer":       {change("PRAGMA user_version = 99"), "newer flashlab|left untouched|update flashlab"},
		"foreign":     {change("DROP TABLE event; PRAGMA application_id = 7"), "belongs to another program"},
		"a directory": {func(file string) error { os.Remove(file); return os.Mkdir(file, 0o700) }, "cannot be used|progress.db"},
		"read-only":   {func(file string) error { return os.Chmod(file, 0o400) }, "cannot be written|XDG_STATE_HOME"},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "read-only" && os.Geteuid() == 0 {
				t.Skip("root may write everywhere")
			}
			file := newState(t)
			someWork(t)
			if err := tt.spoil(file); err != nil {
				t.Fatal(err)
			}
			was, _ := os.ReadFile(file)
			for _, args := range [][]string{
				{"progress"}, {"progress", "--json"}, {"progress", "export"}, {"progress", "export", "--report"},
				{"progress", "reset", "unlock"}, {"progress", "undo"},
			} {
				flashlab(t, args...).refused(t, exitService, tt.want)
			}
			// The answer is judged all the same, and that it is not kept is said once.
			r := flashlab(t, "check", "unlock", "--answer", "return 1")
			if r.code != exitBreaks || !strings.Contains(r.out, "✗ unlock fails") || !strings.Contains(r.err, "progress is not being saved") || strings.Count(r.err, "\n") != 1 {
				t.Errorf("check: %+v", r)
			}
			if r = flashlab(t, "hint", "unlock"); r.code != exitHolds || strings.Count(r.err, "\n") != 1 {
				t.Errorf("hint: %+v", r)
			}
			if now, _ := os.ReadFile(file); string(now) != string(was) {
				t.Error("the file was changed")
			}
		})
	}
}

// A damaged file is set aside, what can be read of it is kept, and it is said.
func TestProgressFileDamaged(t *testing.T) {
	for name, keeps := range map[string]bool{"cut": false, "one letter": true} {
		t.Run(name, func(t *testing.T) {
			file := newState(t)
			someWork(t)
			was, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			bad := []byte(strings.Replace(string(was), "always-deletes", "always-DELETES", 1))
			if !keeps {
				bad = was[:700]
			}
			if err := os.WriteFile(file, bad, 0o600); err != nil {
				t.Fatal(err)
			}
			r := flashlab(t, "exercises") // even this says so
			if r.code != exitHolds || !strings.Contains(r.err, "was damaged") || strings.Count(r.err, "\n") != 1 {
				t.Errorf("%+v", r)
			}
			aside, _ := filepath.Glob(filepath.Join(filepath.Dir(file), "progress.damaged-*.db"))
			if len(aside) != 1 {
				t.Fatalf("set aside: %q", aside)
			}
			if kept, _ := os.ReadFile(aside[0]); string(kept) != string(bad) {
				t.Error("the damaged file was changed")
			}
			after := flashlab(t, "progress")
			after.wants(t, exitHolds)
			if strings.Contains(after.out, "✓ break-lost-update") != keeps {
				t.Errorf("after it:\n%s", after.out)
			}
		})
	}
}
