package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"

	"github.com/spf13/cobra"

	"flashlab/cmd/flashlab/internal/i18n"
	"flashlab/lessons"
	"flashlab/sim"
	"flashlab/sim/history"
	"flashlab/sim/scenario"
	"flashlab/sim/token"
	"flashlab/sim/trace"
)

// formats of the run command, by name.
var formats = map[string]func(io.Writer, *picture) error{
	"text":    logged(trace.WriteText),
	"json":    logged(trace.WriteJSON),
	"mermaid": logged(trace.WriteMermaid),
	"shiviz":  logged(trace.WriteShiViz),
	"svg":     func(w io.Writer, p *picture) error { return p.writeSVG(w) },
	"html":    func(w io.Writer, p *picture) error { return p.writeHTML(w) },
	"cast":    func(w io.Writer, p *picture) error { return p.writeCast(w) },
}

// logged makes a format of an exporter that needs the log alone.
func logged(f func(io.Writer, trace.Log) error) func(io.Writer, *picture) error {
	return func(w io.Writer, p *picture) error { return f(w, p.stage.Session.Log()) }
}

func newRun() *cobra.Command {
	var (
		choose           choice
		schedule, staged string
		seed             uint64
		format           string
		asJSON           bool
		langFlag         string
	)
	c := &cobra.Command{
		Use:   "run LESSON",
		Short: "Run one schedule of a lesson and show every step",
		Long: `Run executes the lesson's real code under one schedule: the one of a token, a
staged one, or one drawn from a seed. The same input always gives the same output.

Exit code 0: it ends and everything held. 1: something broke. 3: the schedule
stops before the run has ended.`,
		Args: oneLesson,
		RunE: func(c *cobra.Command, args []string) error {
			if asJSON {
				if c.Flags().Changed("format") && format != "json" {
					return usage(fmt.Errorf("--json and --format %s contradict each other", format))
				}
				format = "json"
			}
			write, ok := formats[format]
			if !ok {
				return usage(fmt.Errorf("--format %s is not possible: use text, json, mermaid, shiviz, svg, html or cast", format))
			}
			given := 0
			for _, f := range []string{"schedule", "staged", "seed"} {
				if c.Flags().Changed(f) {
					given++
				}
			}
			if given > 1 {
				return usage(fmt.Errorf("--schedule, --staged and --seed exclude each other: give one"))
			}
			lang, err := language(langFlag)
			if err != nil {
				return err
			}
			p, err := openRun(c.Context(), args[0], &choose, schedule, c.Flags().Changed("schedule"), staged, seed, lang)
			if err != nil {
				return err
			}
			defer p.stage.Session.Close()
			verdict := p.stage.Session.Verdict()
			if err := write(c.OutOrStdout(), p); err != nil {
				return err
			}
			return verdictExit(verdict)
		},
	}
	choose.flags(c)
	c.Flags().StringVar(&schedule, "schedule", "", "token of a schedule")
	c.Flags().StringVar(&staged, "staged", "", "name of a staged schedule")
	c.Flags().Uint64Var(&seed, "seed", 1, "draw the schedule from this seed")
	c.Flags().StringVar(&format, "format", "text", "text, json, mermaid, shiviz, svg, html or cast")
	c.Flags().StringVar(&langFlag, "lang", "", "language of pictures: en or zh (default: the locale's)")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON Lines (the same as --format json)")
	return c
}

// openRun returns the picture of a session that stands at the end of the asked-for schedule.
func openRun(ctx context.Context, lesson string, choose *choice, schedule string, bySchedule bool, staged string, seed uint64, lang lessons.Lang) (*picture, error) {
	var moves []sim.Move
	var tok token.Token
	switch {
	case bySchedule:
		var err error
		if tok, err = token.Parse(schedule); err != nil {
			return nil, usage(err)
		}
		if _, err := lessons.Find(lesson); err != nil {
			return nil, usage(err)
		}
		if err := choose.adopt(lesson, tok); err != nil {
			return nil, err
		}
		moves = tok.Steps
	case staged != "":
		l, err := lessons.Find(lesson)
		if err != nil {
			return nil, usage(err)
		}
		st, err := l.StagedSchedule(staged)
		if err != nil {
			return nil, usage(err)
		}
		if choose.variant != "" && choose.variant != st.Variant || len(choose.sets) > 0 {
			return nil, usage(fmt.Errorf("staged schedule %s brings its own variant (%s) and sizes: leave out --variant and --set", st.Name, st.Variant))
		}
		choose.variant = st.Variant
		if st.Sets != "" {
			choose.sets = []string{st.Sets}
		}
		if moves, err = token.ParseSteps(st.Steps); err != nil {
			return nil, fmt.Errorf("staged schedule %s: %w", st.Name, err)
		}
	}
	l, v, sc, err := choose.resolve(lesson)
	if err != nil {
		return nil, err
	}
	s, err := history.Open(sc)
	if err != nil {
		return nil, exit{exitService, err}
	}
	if err := drive(ctx, s, sc, tok, bySchedule, staged, moves, seed); err != nil {
		s.Close()
		return nil, err
	}
	return newPicture(s, l, v, lang), nil
}

// language is that of pictures: the flag's, else the locale's.
func language(flag string) (lessons.Lang, error) {
	if flag == "" {
		return i18n.Locale(os.Getenv), nil
	}
	l, ok := i18n.Parse(flag)
	if !ok {
		return l, usage(fmt.Errorf("--lang %s is not possible: use en or zh", flag))
	}
	return l, nil
}

func drive(ctx context.Context, s *history.Session, sc *scenario.Scenario, tok token.Token, bySchedule bool, staged string, moves []sim.Move, seed uint64) error {
	if bySchedule && tok.Hash != s.Hash() {
		return usage(fmt.Errorf("the token was made for another version of %s.%s (%s, now %s): its steps would mean something else", sc.Lesson, sc.Variant, tok.Hash, s.Hash()))
	}
	if bySchedule || staged != "" {
		if err := s.Load(moves); err != nil {
			return usage(fmt.Errorf("the schedule does not fit %s.%s: %w", sc.Lesson, sc.Variant, err))
		}
		return nil
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	for ctx.Err() == nil {
		more, err := s.Random(rng)
		if err != nil {
			return err
		}
		if !more {
			break
		}
	}
	return ctx.Err()
}
