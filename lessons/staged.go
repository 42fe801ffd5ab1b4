package lessons

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"flashlab/sim/token"
)

// ParseStaged reads the staged schedules of a directory, one a file whose name is
// that of the schedule with .txt. A file is a head of "key: value" lines, a line
// "---" and the expected event log as [StagedLog] renders it:
//
//	order: 2
//	variant: lost-update
//	sets: buyers=3,stock=2
//	steps: A3BCB2C2
//	breaks: no-oversell at 9
//	title-en: The last unit
//	title-zh: ...
//	en: Two buyers read that one is left
//	  and both take it.
//	zh: ...
//	---
//	  1 A  SELECT ... -> stock=2
//
// An indented line goes on with the value above it. breaks is "nothing", "LIGHT at
// STEP" or, for what shows only after the last step, "LIGHT at end". order and
// sets may be left out. The schedules come by order, then by name. An error names
// the file and, where it can, the line.
func ParseStaged(fsys fs.FS, dir string) ([]Staged, error) {
	entries, err := fs.ReadDir(fsys, dir)
	if err != nil {
		return nil, fmt.Errorf("reading staged schedules: %w", err)
	}
	var out []Staged
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), ".txt")
		if e.IsDir() || !ok {
			continue
		}
		b, err := fs.ReadFile(fsys, path.Join(dir, e.Name()))
		if err != nil {
			return nil, fmt.Errorf("reading a staged schedule: %w", err)
		}
		st, err := parseStaged(name, string(b))
		if err != nil {
			return nil, fmt.Errorf("staged schedule %s: %w", e.Name(), err)
		}
		out = append(out, st)
	}
	sort.SliceStable(out, func(i, j int) bool {
		a, b := out[i], out[j]
		if a.Order == b.Order {
			return a.Name < b.Name
		}
		return a.Order != 0 && (b.Order == 0 || a.Order < b.Order)
	})
	return out, nil
}

// logMark separates the head of a staged file from its log.
const logMark = "---\n"

func parseStaged(name, text string) (Staged, error) {
	st := Staged{Name: name}
	text = strings.ReplaceAll(text, "\r\n", "\n")
	head, log, ok := strings.Cut("\n"+text, "\n"+logMark)
	if !ok {
		return st, errors.New(`the line "---" after the head is missing`)
	}
	st.Log = log
	values, err := headOf(strings.TrimPrefix(head, "\n"))
	if err != nil {
		return st, err
	}
	for _, key := range []string{"variant", "steps", "breaks", "title-en", "title-zh", "en", "zh"} {
		if values[key] == "" {
			return st, fmt.Errorf("%q is missing", key)
		}
	}
	st.Variant, st.Sets, st.Steps = values["variant"], values["sets"], values["steps"]
	st.Title = Text{EN: values["title-en"], ZH: values["title-zh"]}
	st.Story = Text{EN: values["en"], ZH: values["zh"]}
	if v := values["order"]; v != "" {
		if st.Order, err = strconv.Atoi(v); err != nil || st.Order < 1 {
			return st, fmt.Errorf("order %q is no whole number from 1", v)
		}
	}
	moves, err := token.ParseSteps(st.Steps)
	if err != nil {
		return st, fmt.Errorf("steps %s: %w", st.Steps, err)
	}
	if st.Light, st.At, err = parseBreaks(values["breaks"]); err != nil {
		return st, err
	}
	if st.At > len(moves) {
		return st, fmt.Errorf("breaks: step %d of a schedule of %d", st.At, len(moves))
	}
	return st, nil
}

// headOf reads "key: value" lines with their continuations.
func headOf(text string) (map[string]string, error) {
	values := map[string]string{}
	key := ""
	for i, line := range strings.Split(text, "\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		if line[0] == ' ' || line[0] == '\t' {
			if key == "" {
				return nil, fmt.Errorf("line %d is indented, but there is nothing to go on with", i+1)
			}
			values[key] = join(values[key], strings.TrimSpace(line))
			continue
		}
		k, v, ok := strings.Cut(line, ":")
		if !ok {
			return nil, fmt.Errorf("line %d is no \"key: value\"", i+1)
		}
		switch k {
		case "order", "variant", "sets", "steps", "breaks", "title-en", "title-zh", "en", "zh":
		default:
			return nil, fmt.Errorf("line %d: there is no key %q", i+1, k)
		}
		if _, twice := values[k]; twice {
			return nil, fmt.Errorf("line %d: %q stands twice", i+1, k)
		}
		key, values[k] = k, strings.TrimSpace(v)
	}
	return values, nil
}

// join puts a continuation behind a text: with a space between words, without one
// where Chinese is broken over two lines.
func join(a, b string) string {
	last, _ := utf8.DecodeLastRuneInString(a)
	first, _ := utf8.DecodeRuneInString(b)
	if a == "" || wide(last) && wide(first) || fullStop(last) {
		return a + b
	}
	return a + " " + b
}

// wide reports whether r is of a script that is written without spaces.
func wide(r rune) bool { return r >= 0x2E80 }

// fullStop reports whether r is full-width punctuation, which brings its own space.
func fullStop(r rune) bool { return r >= 0x3000 && r <= 0x303F || r >= 0xFF00 && r <= 0xFFEF }

// parseBreaks reads "nothing", "LIGHT at STEP" or "LIGHT at end".
func parseBreaks(s string) (light string, at int, err error) {
	if s == "nothing" {
		return "", 0, nil
	}
	light, step, ok := strings.Cut(s, " at ")
	if ok && light != "" && step == "end" {
		return light, 0, nil
	}
	if at, err = strconv.Atoi(step); !ok || light == "" || err != nil || at < 1 {
		return "", 0, fmt.Errorf(`breaks: %q is neither "nothing" nor "LIGHT at STEP" nor "LIGHT at end"`, s)
	}
	return light, at, nil
}
