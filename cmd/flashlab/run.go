package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"

	"github.com/spf13/cobra"

	"flashlab/cmd/flashlab/internal/i18n"
	"flashlab/lessons"
	"flashlab/sim"
	"flashlab/sim/history"
	"flashlab/sim/live"
	"flashlab/sim/token"
	"flashlab/sim/trace"
)

// writers of the run command, by format.
var writers = map[string]func(io.Writer, *picture) error{
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
		choose   choice
		by       route
		form     format
		srv      server
		parity   bool
		langFlag string
	)
	c := &cobra.Command{
		Use:   "run LESSON",
		Short: "Run one schedule of a lesson and show every step",
		Long: `Run executes the lesson's real code under one schedule: the one of a token, a
staged one, or one drawn from a seed. The same input always gives the same output.

` + liveHelp + `
On a server time is virtual as well: leases run out when the schedule says so. With
--parity the schedule runs on both engines, and what is printed is where they differ:
in answers, keys, leases, streams, rows and lights, but not in the wording of errors.

Exit code 0: it ends and everything held (with --parity: no difference). 1: something
broke (or differs). 3: the schedule stops before the run has ended. 4: the server
cannot be used, or was lost on the way; the steps taken until then are printed.`,
		Args: oneLesson,
		RunE: func(c *cobra.Command, args []string) error {
			how, err := form.pick(c)
			if err != nil {
				return err
			}
			lang, err := language(langFlag)
			if err != nil {
				return err
			}
			if err := by.read(c); err != nil {
				return err
			}
			target, err := srv.target()
			if err != nil {
				return err
			}
			if parity && (target == nil || how != "text" && how != "json") {
				return usage(errors.New("--parity compares with a server and prints text or json: give --redis URL, and no other format"))
			}
			on := target
			if parity {
				on = nil // the schedule is found on the embedded engine
			}
			p, err := openRun(c.Context(), args[0], &choose, &by, lang, on)
			if p == nil {
				return err
			}
			defer p.stage.Session.Close()
			if lost := err; lost != nil { // what was seen until then is worth having
				if err := writers[how](c.OutOrStdout(), p); err != nil {
					return err
				}
				return lost
			}
			if parity {
				s := p.stage.Session
				return compareEngines(c.Context(), c.OutOrStdout(), s.Scenario(), s.Cursor().Moves(), s.Token(), target, how == "json")
			}
			verdict := p.stage.Session.Verdict()
			if err := writers[how](c.OutOrStdout(), p); err != nil {
				return err
			}
			return verdictExit(verdict)
		},
	}
	choose.flags(c)
	by.flags(c)
	srv.flags(c)
	c.Flags().BoolVar(&parity, "parity", false, "compare the embedded engine with the server of --redis")
	form.flags(c, "print JSON Lines (the same as --format json)", "text", "json", "mermaid", "shiviz", "svg", "html", "cast")
	c.Flags().StringVar(&langFlag, "lang", "", "`LANGUAGE` of pictures: en or zh (default: the locale's)")
	return c
}

// route says where the steps of a run come from: a token, a staged schedule, or,
// without either, a seed.
type route struct {
	schedule, staged     string
	seed                 uint64
	bySchedule, byStaged bool
}

func (r *route) flags(c *cobra.Command) {
	c.Flags().StringVar(&r.schedule, "schedule", "", "run the schedule of this `TOKEN`")
	c.Flags().StringVar(&r.staged, "staged", "", "run the staged schedule of this `NAME`")
	c.Flags().Uint64Var(&r.seed, "seed", 1, "draw the schedule from the seed `N`")
	// The flag was defined three lines above.
	_ = c.RegisterFlagCompletionFunc("staged", func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		var names []string
		if len(args) > 0 {
			if l, err := lessons.Find(args[0]); err == nil {
				for _, s := range l.Staged {
					names = append(names, s.Name+"\t"+s.Title.EN)
				}
			}
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	})
}

// read looks which flags were given.
func (r *route) read(c *cobra.Command) error {
	given := 0
	for _, f := range []string{"schedule", "staged", "seed"} {
		if c.Flags().Changed(f) {
			given++
		}
	}
	if given > 1 {
		return usage(errors.New("--schedule, --staged and --seed exclude each other: give one"))
	}
	r.bySchedule, r.byStaged = c.Flags().Changed("schedule"), c.Flags().Changed("staged")
	return nil
}

// openRun returns the picture of a session that stands at the end of the asked-for
// schedule. When a server is lost on the way there is a picture as well as an error.
func openRun(ctx context.Context, lesson string, choose *choice, by *route, lang lessons.Lang, on *live.Target) (*picture, error) {
	l, err := lessons.Find(lesson)
	if err != nil {
		return nil, usage(err)
	}
	var moves []sim.Move
	var tok token.Token
	switch {
	case by.bySchedule:
		if tok, err = token.Parse(by.schedule); err != nil {
			return nil, usage(fmt.Errorf("--schedule: %w", err))
		}
		if err := choose.adopt(lesson, tok); err != nil {
			return nil, err
		}
	case by.byStaged:
		st, err := l.StagedSchedule(by.staged)
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
	_, v, sc, err := choose.resolve(lesson)
	if err != nil {
		return nil, err
	}
	if err := use(sc, on); err != nil {
		return nil, err
	}
	s, err := history.Open(sc)
	if err != nil {
		return nil, exit{exitService, err}
	}
	switch {
	case by.bySchedule:
		err = replay(s, tok)
	case by.byStaged:
		if err = s.Load(moves); err != nil {
			err = fmt.Errorf("staged schedule %s: %w", by.staged, err)
		}
	default:
		err = draw(ctx, s, by.seed)
	}
	var lost *live.Trouble
	if errors.As(err, &lost) {
		return newPicture(s, l, v, by.staged, lang), exit{exitService, lost}
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	return newPicture(s, l, v, by.staged, lang), nil
}

// replay takes the steps of a token.
func replay(s *history.Session, t token.Token) error {
	if t.Hash != s.Hash() {
		return usage(fmt.Errorf("--schedule: the token was made for another version of %s.%s (%s, now %s) and would mean something else: take a new one from flashlab explore", t.Lesson, t.Variant, t.Hash, s.Hash()))
	}
	err := s.Load(t.Steps)
	if errors.Is(err, history.ErrNotPossible) {
		return usage(fmt.Errorf("--schedule: the token does not fit %s.%s: %w; copy one from flashlab explore or from the lab", t.Lesson, t.Variant, err))
	}
	return err
}

// draw takes random steps to the end.
func draw(ctx context.Context, s *history.Session, seed uint64) error {
	rng := rand.New(rand.NewPCG(seed, 0))
	for ctx.Err() == nil {
		more, err := s.Random(rng)
		if err != nil || !more {
			return err
		}
	}
	return ctx.Err()
}

// language is that of pictures: the flag's, else the locale's.
func language(flag string) (lessons.Lang, error) {
	if flag == "" {
		return i18n.Locale(os.Getenv), nil
	}
	l, ok := i18n.Parse(flag)
	if !ok {
		return l, usage(fmt.Errorf("--lang %q is not possible: use en or zh", flag))
	}
	return l, nil
}
