package lessons

import (
	"strings"
	"testing"
	"testing/fstest"
)

const stagedFile = `order: 2
variant: lost-update
sets: buyers=3,stock=2
steps: A3BCB2C2
breaks: no-oversell at 9
title-en: The last unit
title-zh: 最后一件
en: Two buyers read
  one, and both
	take it.
zh: 两人都查到还剩 1，
  都下了单，一件
  卖了两次，见
  guarded。
---
  1 A  SELECT -> stock=2
---
  2 A  the second mark belongs to the log
`

func stagedFiles(files map[string]string) fstest.MapFS {
	m := fstest.MapFS{}
	for name, text := range files {
		m["staged/"+name] = &fstest.MapFile{Data: []byte(text)}
	}
	return m
}

func TestParseStaged(t *testing.T) {
	plain := "variant: guarded\nsteps: A4\nbreaks: nothing\ntitle-en: x\ntitle-zh: 甲\nen: x\nzh: 甲\n---\n"
	list, err := ParseStaged(stagedFiles(map[string]string{
		"last-unit.txt":  stagedFile,
		"at-end.txt":     strings.Replace(plain, "nothing", "progress at end", 1),
		"no-order.txt":   plain,
		"first.txt":      "order: 1\r\n" + strings.ReplaceAll(plain, "\n", "\r\n"),
		"readme.md":      "not a schedule",
		"sub/hidden.txt": "not read",
	}), "staged")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, st := range list {
		names = append(names, st.Name)
	}
	if got := strings.Join(names, " "); got != "first last-unit at-end no-order" {
		t.Fatalf("order %s", got)
	}
	want := Staged{
		Name: "last-unit", Order: 2, Variant: "lost-update", Sets: "buyers=3,stock=2", Steps: "A3BCB2C2",
		Light: "no-oversell", At: 9,
		Title: Text{EN: "The last unit", ZH: "最后一件"},
		Story: Text{EN: "Two buyers read one, and both take it.", ZH: "两人都查到还剩 1，都下了单，一件卖了两次，见 guarded。"},
		Log:   "  1 A  SELECT -> stock=2\n---\n  2 A  the second mark belongs to the log\n",
	}
	if list[1] != want {
		t.Errorf("is   %+v\nwant %+v", list[1], want)
	}
	if st := list[2]; st.Light != "progress" || st.At != 0 {
		t.Errorf("at end: %q at %d", st.Light, st.At)
	}
	if st := list[3]; st.Light != "" || st.At != 0 || st.Sets != "" || st.Log != "" {
		t.Errorf("nothing: %+v", st)
	}
}

func TestParseStagedErrors(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"---\n", "", `the line "---" after the head is missing`},
		{"variant: lost-update\n", "", `"variant" is missing`},
		{"zh: 两人", "cn: 两人", `line 11: there is no key "cn"`},
		{"order: 2", "order: two", `order "two" is no whole number`},
		{"order: 2", "  order: 2", "line 1 is indented"},
		{"sets: buyers=3,stock=2", "variant: guarded", `line 3: "variant" stands twice`},
		{"sets: buyers=3,stock=2", "sets buyers 3", `line 3 is no "key: value"`},
		{"steps: A3BCB2C2", "steps: A3?C", "steps A3?C"},
		{"no-oversell at 9", "no-oversell", `neither "nothing"`},
		{"no-oversell at 9", "no-oversell at 0", `neither "nothing"`},
		{"no-oversell at 9", "no-oversell at 10", "step 10 of a schedule of 9"},
	} {
		text := strings.Replace(stagedFile, c.old, c.new, 1)
		if c.old == "---\n" {
			text = strings.ReplaceAll(stagedFile, c.old, c.new)
		}
		_, err := ParseStaged(stagedFiles(map[string]string{"x.txt": text}), "staged")
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "x.txt") {
			t.Errorf("%q -> %q: %v, want %s", c.old, c.new, err, c.want)
		}
	}
	if _, err := ParseStaged(fstest.MapFS{}, "staged"); err == nil {
		t.Error("a missing directory is no error")
	}
}
