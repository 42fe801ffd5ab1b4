package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"flashlab/lessons"
	"flashlab/lessons/showdown"
	"flashlab/sim/live"
	"flashlab/sim/scenario"
)

// Limits of a showdown.
const (
	maxShowdown      = 20_000
	maxShowdownStock = 100_000
	maxPlaces        = 8
)

// showdownFlags is what the command line says of a showdown.
type showdownFlags struct {
	server             server
	form               format
	requests           int
	concurrency, stock []int
	save, compare      string
	claims             bool
}

func newShowdown() *cobra.Command {
	var f showdownFlags
	var langFlag string
	d := showdown.Options{}.Defaults()
	c := &cobra.Command{
		Use:   "showdown",
		Short: "The same sale three ways: which path is how fast, and what that depends on",
		Long: `Showdown sells the same stock three ways, all of them the shop's own code: with a lock
and a transaction for each request, with a guarded update, and with a script and a
stream whose consumers book in batches; each also behind a limiter. It measures how
long buyers wait for an answer, counts what consumers do afterwards apart, and judges
the promises of every run: a path that breaks one does not count. --claims computes
what the field claims of locks instead.

` + liveHelp + `

Exit code 0: every path kept its promises. 1: one broke. 3: one was not decided. 4: the
server cannot be used, or was lost on the way; what was measured is printed.`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			how, err := f.form.pick(c)
			if err != nil {
				return err
			}
			lang, err := language(langFlag)
			if err != nil {
				return err
			}
			return f.run(c.Context(), c.OutOrStdout(), c.ErrOrStderr(), lang, how == "json")
		},
	}
	f.server.flags(c)
	f.form.flags(c, "print one JSON document", "text", "json")
	fl := c.Flags()
	fl.IntVar(&f.requests, "requests", d.Requests, "send `N` requests in each sale")
	fl.IntSliceVar(&f.concurrency, "concurrency", d.Concurrency, "how many `REQUESTS` at once, a list with commas")
	fl.IntSliceVar(&f.stock, "stock", d.Stock, "how many `UNITS` there are, a list with commas")
	fl.StringVar(&f.save, "save", "", "write the JSON document to this `FILE` as well")
	fl.StringVar(&f.compare, "compare", "", "compare with the `FILE` that --save has written")
	fl.BoolVar(&f.claims, "claims", false, "compute the cards of claims from the field instead")
	fl.StringVar(&langFlag, "lang", "", "`LANGUAGE` of the text: en or zh (default: the locale's)")
	return c
}

// check refuses sizes that are not possible.
func (f *showdownFlags) check() error {
	for _, x := range []struct {
		name string
		list []int
		max  int
	}{{"requests", []int{f.requests}, maxShowdown}, {"concurrency", f.concurrency, maxConcurrency}, {"stock", f.stock, maxShowdownStock}} {
		if len(x.list) == 0 || len(x.list) > maxPlaces {
			return usage(fmt.Errorf("--%s takes 1 to %d numbers, not %d", x.name, maxPlaces, len(x.list)))
		}
		for i, n := range x.list {
			if n < 1 || n > x.max {
				return usage(fmt.Errorf("--%s %d is not possible: give whole numbers from 1 to %d", x.name, n, x.max))
			}
			if slices.Contains(x.list[:i], n) {
				return usage(fmt.Errorf("--%s names %d twice: leave one out", x.name, n))
			}
		}
	}
	if f.claims && (f.save != "" || f.compare != "") {
		return usage(errors.New("--claims has nothing to save or to compare: leave out --save and --compare"))
	}
	return nil
}

func (f *showdownFlags) run(ctx context.Context, out, errOut io.Writer, lang lessons.Lang, asJSON bool) error {
	if err := f.check(); err != nil {
		return err
	}
	t, err := f.server.target()
	if err != nil {
		return err
	}
	if f.claims {
		return f.runClaims(ctx, out, t, lang, asJSON)
	}
	var before *showdown.Document
	if f.compare != "" {
		if before, err = showdown.Load(f.compare); err != nil {
			return usage(notDocument(f.compare, err))
		}
	}
	if err := canWrite("--save", f.save); err != nil {
		return err
	}
	o := showdown.Options{Server: t, Requests: f.requests, Concurrency: f.concurrency, Stock: f.stock}
	if isTerminal(errOut) {
		o.Progress = func(p showdown.Progress) {
			fmt.Fprintf(errOut, words(lang, "\rsale %d of %d\x1b[K", "\r第 %d 场，共 %d 场\x1b[K"), len(p.Done)+1, p.All)
		}
	}
	cells, err := showdown.Run(ctx, o)
	if o.Progress != nil { // what is printed now may go to the same terminal
		fmt.Fprint(errOut, "\r\x1b[K")
	}
	if err != nil {
		return unusable(err)
	}
	doc := showdown.NewDocument(o, cells)
	if before != nil {
		doc.Compared = doc.Compare(before)
	}
	if asJSON {
		err = writeJSON(out, doc)
	} else {
		err = writeShowdown(out, doc, before, lang)
	}
	if err != nil {
		return err
	}
	if f.save != "" {
		b, err := doc.Encode()
		if err == nil {
			err = os.WriteFile(f.save, b, 0o644)
		}
		if err != nil {
			return exit{exitService, fmt.Errorf("--save: %w", err)}
		}
	}
	v := scenario.Holds
	for _, c := range cells {
		switch {
		case c.Lost != nil:
			return unreachable(c.Lost)
		case c.Verdict == scenario.Breaks:
			v = scenario.Breaks
		case c.Verdict == scenario.Unknown && v != scenario.Breaks:
			v = scenario.Unknown
		}
	}
	if len(cells) < len(o.Settings()) && v == scenario.Holds {
		v = scenario.Unknown
	}
	return verdictExit(v)
}

// notDocument is the error of a file that cannot be compared with.
func notDocument(file string, err error) error {
	if errors.Is(err, showdown.ErrForeign) {
		return fmt.Errorf("--compare: %s cannot be used: %w", file, err)
	}
	return fmt.Errorf("--compare: %w", err)
}

func (f *showdownFlags) runClaims(ctx context.Context, out io.Writer, t *live.Target, lang lessons.Lang, asJSON bool) error {
	cards, err := showdown.Claims(ctx, t, f.requests)
	if err != nil {
		return unusable(err)
	}
	doc := claimsDocument(t, cards)
	if asJSON {
		return writeJSON(out, doc)
	}
	return writeClaims(out, cards, t == nil, lang)
}

// unusable gives an error of the measurement its exit code.
func unusable(err error) error {
	var x *live.Trouble
	switch {
	case errors.As(err, &x):
		return unreachable(x)
	case errors.Is(err, context.Canceled):
		return err
	}
	return exit{exitService, err}
}
