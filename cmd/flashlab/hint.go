package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"flashlab/cmd/flashlab/internal/canvas"
	"flashlab/lessons"
	"flashlab/lessons/exercise"
	"flashlab/store/progress"
)

func newHint() *cobra.Command {
	var langFlag string
	var n int
	c := &cobra.Command{
		Use:   "hint EXERCISE",
		Short: "Give the next hint of an exercise",
		Long: `Hint gives the next of the four hints of an exercise: a nudge, where to look, how to
begin, a whole solution. Which ones you have had is kept with your progress.`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 1 {
				return nil
			}
			return usage(fmt.Errorf("%s takes the name of one exercise: flashlab exercises lists them", c.CommandPath()))
		},
		ValidArgsFunction: func(c *cobra.Command, args []string, s string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return exerciseNames(c, args, s)
		},
		RunE: func(c *cobra.Command, args []string) error {
			lang, err := language(langFlag)
			if err != nil {
				return err
			}
			l, x, err := findExercise(c, args[0])
			if err != nil {
				return err
			}
			if c.Flags().Changed("number") && (n < 1 || n > exercise.MaxHints) {
				return usage(fmt.Errorf("--number %d: there are hints 1 to %d", n, exercise.MaxHints))
			}
			text := lessons.Text{}
			err = noted(c, func(s *progress.Store) error {
				text, n, err = giveHint(c.Context(), s, l, x, n)
				return service(err)
			})
			if err != nil {
				return err
			}
			p := &printer{w: c.OutOrStdout()}
			p.f("%s\n", words(lang, fmt.Sprintf("hint %d of %d", n, exercise.MaxHints), fmt.Sprintf("提示 %d / %d", n, exercise.MaxHints)))
			for _, line := range canvas.Wrap(text.In(lang), taskWidth) {
				p.f("  %s\n", line)
			}
			return p.err
		},
	}
	c.Flags().IntVar(&n, "number", 0, "give this hint `N` instead of the next")
	c.Flags().StringVar(&langFlag, "lang", "", "`LANGUAGE` of the hint: en or zh (default: the locale's)")
	return c
}

// giveHint returns the n-th hint, the next one for 0, and its number; the progress
// notes that it was given.
func giveHint(ctx context.Context, s *progress.Store, l *lessons.Lesson, x *lessons.Exercise, n int) (lessons.Text, int, error) {
	if n == 0 {
		b, err := s.Book(ctx)
		if err != nil {
			return lessons.Text{}, n, err
		}
		n = min(b.Exercises[x.Name].Hints+1, exercise.MaxHints)
	}
	text, err := exercise.Hint(ctx, lessons.NewEvidence(ctx), l, x, n)
	if err == nil {
		_, err = s.Add(ctx, x.Name, progress.Hinted{Lesson: l.Name, N: n})
	}
	return text, n, err
}
