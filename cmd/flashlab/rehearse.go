package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"flashlab/lessons"
	"flashlab/lessons/rehearsal"
)

type rehearsalJSON struct {
	Schema  int            `json:"schema"`
	Rows    []rehearsalRow `json:"rows"`
	Failed  int            `json:"failed"`
	Seconds float64        `json:"seconds"`
}

type rehearsalRow struct {
	Lesson   string `json:"lesson"`
	Subject  string `json:"subject"`
	Light    string `json:"light,omitempty"`
	Declared string `json:"declared"`
	Found    string `json:"found"`
	OK       bool   `json:"ok"`
	Detail   string `json:"detail,omitempty"`
}

func newRehearse() *cobra.Command {
	var form format
	c := &cobra.Command{
		Use:   "rehearse [LESSON]",
		Short: "Prove that every claim of the lessons is true",
		Long: `Rehearse explores every variant at its default size and compares the verdicts with
those that the lessons declare, and runs every staged schedule to see that it ends as
its story says. Every exercise must fail as shipped and pass with its solution, every
question have one true option, every card say what is so.

Exit code 0: all true. 1: at least one claim is not.`,
		Args:              atMostOneLesson,
		ValidArgsFunction: lessonNames,
		RunE: func(c *cobra.Command, args []string) error {
			how, err := form.pick(c)
			if err != nil {
				return err
			}
			list := lessons.All()
			if len(args) == 1 {
				l, err := lessons.Find(args[0])
				if err != nil {
					return usage(err)
				}
				list = []*lessons.Lesson{l}
			}
			return rehearse(c.Context(), c.OutOrStdout(), list, how == "json")
		},
	}
	form.flags(c, "print one JSON document", "text", "json")
	return c
}

func atMostOneLesson(c *cobra.Command, args []string) error {
	if len(args) > 1 {
		return usage(fmt.Errorf("%s takes one lesson, but got %q as well: leave it out", c.CommandPath(), args[1]))
	}
	return nil
}

func rehearse(ctx context.Context, w io.Writer, list []*lessons.Lesson, asJSON bool) error {
	start := time.Now()
	doc := rehearsalJSON{Schema: schema, Rows: []rehearsalRow{}}
	p := &printer{w: w}
	for _, l := range list {
		if !asJSON {
			p.f("%s\n", l.Name)
		}
		err := rehearsal.Lesson(ctx, l, func(r rehearsal.Row) {
			if !r.OK {
				doc.Failed++
			}
			doc.Rows = append(doc.Rows, rehearsalRow{r.Lesson, r.Subject, r.Light, r.Declared, r.Found, r.OK, r.Detail})
			if !asJSON {
				mark := map[bool]string{true: "✓", false: "✗"}[r.OK]
				line := fmt.Sprintf("  %s %-26s %-20s %-8s %-8s %s", mark, r.Subject, r.Light, r.Declared, r.Found, r.Detail)
				p.f("%s\n", strings.TrimRight(line, " "))
			}
		})
		if err != nil {
			return err
		}
	}
	doc.Seconds = time.Since(start).Seconds()
	if asJSON {
		p.err = writeJSON(w, doc)
	} else {
		p.f("\n%d claims, %d not true, %.1f s\n", len(doc.Rows), doc.Failed, doc.Seconds)
	}
	if p.err != nil {
		return p.err
	}
	if doc.Failed > 0 {
		return exit{exitBreaks, nil}
	}
	return nil
}
