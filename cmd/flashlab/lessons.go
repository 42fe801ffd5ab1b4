package main

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"flashlab/lessons"
)

// schema is the version of every JSON document.
const schema = 1

type lessonsJSON struct {
	Schema  int          `json:"schema"`
	Lessons []lessonJSON `json:"lessons"`
}

type lessonJSON struct {
	Name      string        `json:"name"`
	Title     string        `json:"title"`
	TitleZH   string        `json:"title_zh"`
	Promise   string        `json:"promise"`
	Variants  []variantJSON `json:"variants"`
	Exercises []string      `json:"exercises"`
	Staged    []stagedJSON  `json:"staged"`
}

type variantJSON struct {
	Name   string            `json:"name"`
	Title  string            `json:"title"`
	Params map[string]int    `json:"params"`
	Lights map[string]string `json:"lights"`
}

type stagedJSON struct {
	Name    string `json:"name"`
	Variant string `json:"variant"`
	Sets    string `json:"sets,omitempty"`
	Breaks  string `json:"breaks,omitempty"`
	Step    int    `json:"step,omitempty"`
	Title   string `json:"title"`
}

func newLessons() *cobra.Command {
	var form format
	c := &cobra.Command{
		Use:   "lessons",
		Short: "List lessons, variants, expected verdicts, staged schedules and exercises",
		Args:  noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			how, err := form.pick(c)
			if err != nil {
				return err
			}
			if how == "json" {
				return writeJSON(c.OutOrStdout(), lessonsDocument())
			}
			return listLessons(c.OutOrStdout())
		},
	}
	form.flags(c, "print one JSON document", "text", "json")
	return c
}

func lessonsDocument() lessonsJSON {
	doc := lessonsJSON{Schema: schema, Lessons: []lessonJSON{}}
	for _, l := range lessons.All() {
		x := lessonJSON{Name: l.Name, Title: l.Title.EN, TitleZH: l.Title.ZH, Promise: l.Promise.EN, Exercises: []string{}, Staged: []stagedJSON{}}
		for _, v := range l.Variants {
			y := variantJSON{Name: v.Name, Title: v.Title.EN, Params: map[string]int{}, Lights: map[string]string{}}
			for _, p := range v.Params {
				y.Params[p.Name] = p.Default
			}
			for _, d := range v.Lights {
				y.Lights[d.Light] = d.Verdict.String()
			}
			x.Variants = append(x.Variants, y)
		}
		for _, e := range l.Exercises {
			x.Exercises = append(x.Exercises, e.Name)
		}
		for _, s := range l.Staged {
			x.Staged = append(x.Staged, stagedJSON{s.Name, s.Variant, s.Sets, s.Light, s.At, s.Title.EN})
		}
		doc.Lessons = append(doc.Lessons, x)
	}
	return doc
}

func listLessons(w io.Writer) error {
	p, width := &printer{w: w}, nameWidth()
	for i, l := range lessons.All() {
		if i > 0 {
			p.f("\n")
		}
		number := "elective"
		if l.Number > 0 {
			number = fmt.Sprintf("%d.", l.Number)
		}
		p.f("%s %s - %s\n   %s\n\n", number, l.Name, l.Title.EN, l.Promise.EN)
		for _, v := range l.Variants {
			p.f("   %-*s  %s\n", width, v.Name, expected(&v))
		}
		if len(l.Staged) > 0 {
			p.f("\n   staged schedules (flashlab run %s --staged NAME)\n", l.Name)
			for _, s := range l.Staged {
				p.f("   %-*s  %s\n", width, s.Name, s.Title.EN)
			}
		}
		if len(l.Exercises) > 0 {
			p.f("\n   exercises (flashlab exercises NAME)\n")
			for _, x := range l.Exercises {
				p.f("   %-*s  %s\n", width, x.Name, x.Title.EN)
			}
		}
	}
	return p.err
}

// nameWidth is the length of the longest name that a line of lessons begins with.
func nameWidth() int {
	width := 0
	for _, l := range lessons.All() {
		for _, v := range l.Variants {
			width = max(width, len(v.Name))
		}
		for _, s := range l.Staged {
			width = max(width, len(s.Name))
		}
		for i := range l.Exercises {
			width = max(width, len(l.Exercises[i].Name))
		}
	}
	return width
}

// expected sums up the declared verdicts of a variant.
func expected(v *lessons.Variant) string {
	text := ""
	for _, d := range v.Lights {
		if d.Verdict.String() != "holds" {
			if text != "" {
				text += ", "
			}
			text += d.Verdict.String() + " " + d.Light
		}
	}
	if text == "" {
		return "holds"
	}
	return text
}

// printer writes formatted text and keeps the first error.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) f(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format, args...)
	}
}

func writeJSON(w io.Writer, doc any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(doc)
}
