package main

import (
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// walk visits every command that people can use.
func walk(c *cobra.Command, f func(*cobra.Command)) {
	f(c)
	for _, sub := range c.Commands() {
		if !sub.Hidden {
			walk(sub, f)
		}
	}
}

func TestManual(t *testing.T) {
	r := flashlab(t, "man")
	r.wants(t, exitHolds)
	golden(t, top+"/assets/man/flashlab.1", r.out)
	for _, c := range newRoot(io.Discard).Commands() {
		if !c.Hidden && (!strings.Contains(r.out, "flashlab "+c.Name()) || !strings.Contains(r.out, c.Short)) {
			t.Errorf("command %s is missing", c.Name())
		}
	}
	for _, part := range []string{".TH \"FLASHLAB\"", ".SH EXIT STATUS", ".SH KEYS", ".SH ENVIRONMENT", "--schedule TOKEN", "--max-states N", "FLASHLAB_LANG"} {
		if !strings.Contains(r.out, part) {
			t.Errorf("%q is missing", part)
		}
	}
	for _, g := range keyGroups() {
		for _, l := range g.lines {
			if !strings.Contains(r.out, l.help) {
				t.Errorf("the key for %q is missing", l.help)
			}
		}
	}
}

func TestManualOfACommand(t *testing.T) {
	walk(newRoot(io.Discard), func(c *cobra.Command) {
		args := strings.Fields(c.CommandPath())[1:]
		r := flashlab(t, append([]string{"man"}, args...)...)
		r.wants(t, exitHolds)
		if !strings.HasPrefix(r.out, ".nh\n.TH ") || !strings.Contains(r.out, c.Short) {
			t.Errorf("%s:\n%s", c.CommandPath(), r.out)
		}
	})
}

func TestHelp(t *testing.T) {
	walk(newRoot(io.Discard), func(c *cobra.Command) {
		args := strings.Fields(c.CommandPath())[1:]
		asFlag := flashlab(t, append(args, "--help")...)
		asWord := flashlab(t, append([]string{"help"}, args...)...)
		asFlag.wants(t, exitHolds)
		if asFlag != asWord {
			t.Errorf("%s: --help and help differ", c.CommandPath())
		}
		if c.Short == "" || !strings.Contains(asFlag.out, "Usage:") {
			t.Errorf("%s:\n%s", c.CommandPath(), asFlag.out)
		}
	})
}

func TestCompletion(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		r := flashlab(t, "completion", shell)
		r.wants(t, exitHolds)
		if !strings.Contains(r.out, "flashlab") {
			t.Errorf("%s: %.60q", shell, r.out)
		}
		if path, err := exec.LookPath(shell); err == nil && shell != "powershell" {
			cmd := exec.Command(path, "-n", "-")
			if shell == "bash" {
				cmd = exec.Command(path, "-n")
			}
			cmd.Stdin = strings.NewReader(r.out)
			if text, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s does not read it: %v\n%s", shell, err, text)
			}
		}
	}
}

// What a shell asks for when tab is pressed.
func TestCompletionAnswers(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{""}, "explore\t"},
		{[]string{"explore", ""}, "oversell\t"},
		{[]string{"run", "oversell", "--variant", ""}, "guarded\t"},
		{[]string{"run", "oversell", "--staged", ""}, "both-read-one\t"},
		{[]string{"run", "oversell", "--format", ""}, "mermaid"},
		{[]string{"explore", "oversell", "--format", ""}, "json"},
	} {
		r := flashlab(t, append([]string{"__complete"}, tt.args...)...)
		if r.code != exitHolds || !strings.Contains("\n"+r.out, "\n"+tt.want) {
			t.Errorf("%q: %+v, want %q", tt.args, r, tt.want)
		}
	}
}

var versionShape = parseShape(`
schema    1
version   string
commit    string
modified  bool
go        string
platform  string
modules{} string
`)

func TestVersion(t *testing.T) {
	r := flashlab(t, "version", "--json")
	r.wants(t, exitHolds)
	decode(t, r.out, versionShape)
	text := flashlab(t, "version")
	text.wants(t, exitHolds)
	if !strings.HasPrefix(text.out, "flashlab dev") || strings.Count(text.out, "\n") < 2 {
		t.Errorf("got %q", text.out)
	}
	if flag := flashlab(t, "--version"); flag != text {
		t.Errorf("--version gives %+v, version %+v", flag, text)
	}
	// Only a built program knows its modules.
	file, err := program()
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(file, "version", "--json").Output()
	if err != nil {
		t.Fatal(err)
	}
	modules := decode(t, string(out), versionShape)["modules"].(map[string]any)
	for name := range shown {
		if v, _ := modules[name].(string); !strings.HasPrefix(v, "v") {
			t.Errorf("%s has version %q", name, v)
		}
	}
}

var doctorShape = parseShape(`
schema          1
checks[].name   string
checks[].status string
checks[].text   string
ok              bool
`)

func TestDoctor(t *testing.T) {
	flashlab(t, "doctor") // removes what killed labs have left, and says so once
	r := flashlab(t, "doctor", "--json")
	r.wants(t, exitHolds)
	doc := decode(t, r.out, doctorShape)
	found := map[string]string{}
	for _, c := range doc["checks"].([]any) {
		check := c.(map[string]any)
		found[check["name"].(string)] = check["status"].(string)
	}
	for _, name := range []string{"state", "sqlite memory", "sqlite wal", "redis"} {
		if found[name] != "ok" {
			t.Errorf("%s: %q in %s", name, found[name], r.out)
		}
	}
	if doc["ok"] != true || found["terminal"] != "note" {
		t.Errorf("got %s", r.out)
	}
	text := flashlab(t, "doctor")
	text.wants(t, exitHolds)
	if got := strings.Count(text.out, "\n"); got != len(found) {
		t.Errorf("%d lines for %d checks:\n%s", got, len(found), text.out)
	}
}

// What does not work is found, named, and told by the exit code.
func TestDoctorFindsFault(t *testing.T) {
	file, err := program()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(file, "doctor")
	cmd.Env = append(cmd.Environ(), "XDG_STATE_HOME="+filepath.Join(file, "below-a-file"))
	var out, errOut strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errOut
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if code := exitCode(t, cmd); code != exitService {
		t.Errorf("exit code %d, want %d", code, exitService)
	}
	if !strings.Contains(out.String(), "✗ state") || !strings.Contains(out.String(), "XDG_STATE_HOME") || strings.Count(errOut.String(), "\n") != 1 {
		t.Errorf("stdout:\n%s\nstderr %q", out.String(), errOut.String())
	}
}
