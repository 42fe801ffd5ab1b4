package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"flashlab/lessons"
	"flashlab/sim/history"
	"flashlab/sim/token"
)

// documents are what people read, by name from the top.
func documents(t *testing.T) []string {
	t.Helper()
	var out []string
	for name := range treeOf(t).texts {
		if strings.HasSuffix(name, ".md") {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// The README and the guides say what is true today: tables are made from the key
// map, the commands and the lessons, and every token in them runs.
func TestREADME(t *testing.T) {
	for _, name := range documents(t) {
		text := slurp(t, name)
		text = fill(t, name, text, "keys", keyTable())
		text = fill(t, name, text, "commands", commandTable())
		text = fill(t, name, text, "staged", stagedTable())
		text = fresh(t, name, text)
		golden(t, top+"/"+name, text)
	}
	readme := slurp(t, "README.md")
	for _, part := range []string{"keys", "commands", "numbers"} {
		if !strings.Contains(readme, "<!-- "+part) || !strings.Contains(readme, "<!-- /"+part+" -->") {
			t.Errorf("README.md has lost its markers of %s", part)
		}
	}
}

// fill puts a table between the markers of a part, where a document has them.
func fill(t *testing.T, name, text, part, table string) string {
	t.Helper()
	begin, end := strings.Index(text, "<!-- "+part+":"), strings.Index(text, "<!-- /"+part+" -->")
	if begin < 0 && end < 0 {
		return text
	}
	if begin < 0 || end < begin {
		t.Fatalf("%s: the markers of %s do not match", name, part)
	}
	head := text[:begin+strings.Index(text[begin:], "\n")+1]
	return head + "\n" + table + "\n" + text[end:]
}

func keyTable() string {
	var b strings.Builder
	b.WriteString("| keys | where | what they do |\n|---|---|---|\n")
	for _, g := range keyGroups() {
		fmt.Fprintf(&b, "| **%s** | | |\n", g.title)
		for _, l := range g.lines {
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", strings.Join(l.keys, "` `"), l.where, cell(l.help))
		}
	}
	return b.String()
}

func commandTable() string {
	var b strings.Builder
	b.WriteString("| command | what it does | flags |\n|---|---|---|\n")
	root := newRoot(io.Discard)
	for _, c := range append([]*cobra.Command{root}, root.Commands()...) {
		if c.Name() == "help" {
			continue
		}
		use, does := c.CommandPath(), c.Short
		if _, args, ok := strings.Cut(c.Use, " "); ok {
			use += " " + args
		}
		if c == root {
			does = "Open the lab"
		}
		var flags []string
		c.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
			if f.Name != "help" && !f.Hidden {
				value, _ := pflag.UnquoteUsage(f)
				flags = append(flags, "`"+strings.TrimSpace("--"+f.Name+" "+value)+"`")
			}
		})
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", use, cell(does), strings.Join(flags, " "))
	}
	return b.String()
}

func stagedTable() string {
	var b strings.Builder
	for _, l := range lessons.All() {
		if len(l.Staged) == 0 {
			continue
		}
		fmt.Fprintf(&b, "| key | %s | what happens | breaks |\n|---|---|---|---|\n", l.Name)
		for i, s := range l.Staged {
			key, breaks := "", ""
			if i < 9 {
				key = fmt.Sprintf("`F%d`", i+2)
			}
			switch {
			case s.Light != "" && s.At > 0:
				breaks = fmt.Sprintf("`%s` at step %d", s.Light, s.At)
			case s.Light != "":
				breaks = fmt.Sprintf("`%s` at the end", s.Light)
			}
			fmt.Fprintf(&b, "| %s | `%s` | %s | %s |\n", key, s.Name, cell(s.Title.EN), breaks)
		}
		b.WriteString("\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// cell keeps a text from ending its cell of a table.
func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }

var anyToken = regexp.MustCompile(`\b[a-z][a-z-]+\.[a-z0-9-]+(,[a-z]+=[0-9]+)*@[0-9a-z]{3}:[A-Za-z0-9]*~[0-9a-z]`)

// fresh gives every token of a document the hash that its scenario has today.
func fresh(t *testing.T, name, text string) string {
	t.Helper()
	return anyToken.ReplaceAllStringFunc(text, func(old string) string {
		body, _, _ := strings.Cut(old, "~")
		tok, err := token.Parse(sealed(body))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		choose := choice{}
		if err := choose.adopt(tok.Lesson, tok); err != nil {
			t.Fatalf("%s: %s: %v", name, old, err)
		}
		_, _, sc, err := choose.resolve(tok.Lesson)
		if err != nil {
			t.Fatalf("%s: %s: %v", name, old, err)
		}
		s, err := history.Open(sc)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if err := s.Load(tok.Steps); err != nil {
			t.Errorf("%s: %s: %v", name, old, err)
		}
		return s.Token()
	})
}

var link = regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`)

// No link of a document leads nowhere.
func TestDocumentLinks(t *testing.T) {
	for _, name := range documents(t) {
		for _, m := range link.FindAllStringSubmatch(slurp(t, name), -1) {
			to := path.Join(path.Dir(name), m[1])
			if _, err := os.Stat(path.Join(top, to)); err != nil {
				t.Errorf("%s leads to %s: %v", name, m[1], err)
			} else if m[2] != "" && !slices.Contains(anchors(slurp(t, to)), m[2]) {
				t.Errorf("%s leads to %s%s, which is no heading there", name, m[1], m[2])
			}
		}
	}
}

func anchors(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		if title, ok := strings.CutPrefix(strings.TrimLeft(line, "#"), " "); ok && strings.HasPrefix(line, "#") {
			out = append(out, "#"+strings.ReplaceAll(strings.ToLower(strings.TrimSpace(title)), " ", "-"))
		}
	}
	return out
}

// Whatever command line a document shows works as it stands there, one after the other.
func TestDocumentCommands(t *testing.T) {
	tried := 0
	texts := map[string]string{}
	for _, name := range documents(t) {
		texts[name] = slurp(t, name)
	}
	for name, text := range texts {
		t.Chdir(t.TempDir()) // some write files
		inCode := false
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, "```") {
				inCode = !inCode
			}
			args, ok := strings.CutPrefix(strings.TrimSpace(line), "flashlab ")
			if !inCode || !ok {
				continue
			}
			args, _, _ = strings.Cut(args, " > ")
			args, _, _ = strings.Cut(args, " #")
			var r result
			switch words := expanded(t, args); {
			case words[0] == "watch": // until somebody ends it
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				r = flashlabUnder(ctx, words...)
				cancel()
			case slices.Contains(words, "--processes"): // which are the program itself
				r = flashlabProcess(t, words...)
			default:
				r = flashlab(t, words...)
			}
			if tried++; r.code != exitHolds && r.code != exitBreaks || r.err != "" {
				t.Errorf("%s: flashlab %s ends with %d: %s", name, args, r.code, r.err)
			}
		}
	}
	if tried < 10 {
		t.Errorf("only %d command lines found", tried)
	}
}

// flashlabProcess runs a command line in a process of its own.
func flashlabProcess(t *testing.T, args ...string) result {
	t.Helper()
	file, err := program()
	if err != nil {
		t.Fatal(err)
	}
	var out, errOut bytes.Buffer
	cmd := exec.Command(file, args...)
	cmd.Stdout, cmd.Stderr = &out, &errOut
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return result{cmd.ProcessState.ExitCode(), out.String(), errOut.String()}
}

// expanded splits a command line into words, patterns replaced by the files they fit.
func expanded(t *testing.T, args string) []string {
	t.Helper()
	var words []string
	for _, w := range strings.Fields(args) {
		files, err := filepath.Glob(w)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(w, "*") && len(files) > 0 {
			words = append(words, files...)
		} else {
			words = append(words, w)
		}
	}
	return words
}

var fields = regexp.MustCompile("`([a-z_]+)`")

// The tables of fields in formats.md and formats-storm.md are those of the documents that the program
// writes: the same names in the same order.
func TestFormatsGuide(t *testing.T) {
	guide := slurp(t, "assets/guides/formats.md") + slurp(t, "assets/guides/formats-storm.md")
	for name, want := range jsonStructs(t) {
		_, rest, ok := strings.Cut(guide, "<!-- fields: "+name+" -->")
		if !ok {
			t.Errorf("no guide of formats has a table of %s", name)
			continue
		}
		rest, _, _ = strings.Cut(strings.TrimLeft(rest, "\n"), "\n\n")
		rows := strings.Split(strings.TrimSpace(rest), "\n")
		var got []jsonField
		for _, row := range rows[min(2, len(rows)):] { // below the head
			first, _, _ := strings.Cut(strings.TrimPrefix(row, "|"), "|")
			for _, m := range fields.FindAllStringSubmatch(first, -1) {
				got = append(got, jsonField{m[1], strings.Contains(row, "may be missing")})
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: its guide has the fields\n%v, the program\n%v", name, got, want)
		}
	}
}
