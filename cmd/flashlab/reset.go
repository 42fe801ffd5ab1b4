package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"flashlab/lessons"
	"flashlab/store/progress"
)

// everything is how all of the progress is called on the command line.
const everything = "all"

// subjectName is the name of what a reset covers, for people.
func subjectName(subject string) string {
	if subject == progress.Everything {
		return everything
	}
	return subject
}

func newReset() *cobra.Command {
	var yes bool
	c := &cobra.Command{
		Use:   "reset EXERCISE|LESSON|all",
		Short: "Start an exercise, a lesson or everything anew",
		Long: `Reset makes what you did so far count no more, for an exercise, for a lesson with all
that belongs to it, or for everything. Nothing is deleted: flashlab progress undo
takes the last reset back.`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 1 {
				return nil
			}
			return usage(fmt.Errorf("%s takes one exercise or one lesson, or the word all", c.CommandPath()))
		},
		ValidArgsFunction: func(c *cobra.Command, args []string, s string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			list, _ := exerciseNames(c, args, s)
			more, _ := lessonNames(c, args, s)
			return append(append(list, more...), everything), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			name := args[0]
			if name == everything && !yes {
				return usage(errors.New("reset all makes everything you did count no more: add --yes if you mean it"))
			}
			return withProgress(c, func(s *progress.Store) error { return reset(c, s, name) })
		},
	}
	c.Flags().BoolVar(&yes, "yes", false, "reset all without asking back")
	return c
}

func reset(c *cobra.Command, s *progress.Store, name string) error {
	b, err := s.Book(c.Context())
	if err != nil {
		return service(err)
	}
	subject := name
	if name == everything {
		subject = progress.Everything
	} else if err := resettable(name, &b); err != nil {
		return usage(err)
	}
	if _, err := s.Add(c.Context(), subject, progress.Reset{}); err != nil {
		return service(err)
	}
	p := &printer{w: c.OutOrStdout()}
	p.f("%s starts anew; flashlab progress undo takes that back\n", name)
	return p.err
}

// resettable returns an error unless there is something of that name: in the lab, or
// left in the progress by another version of it.
func resettable(name string, b *progress.Book) error {
	_, _, noExercise := lessons.FindExercise(name)
	_, noLesson := lessons.Find(name)
	if noExercise == nil || noLesson == nil {
		return nil
	}
	if _, ok := b.Exercises[name]; ok {
		return nil
	}
	if _, ok := b.Lessons[name]; ok {
		return nil
	}
	for _, err := range []error{noExercise, noLesson} {
		if strings.Contains(err.Error(), "did you mean") {
			return err
		}
	}
	return fmt.Errorf("there is no exercise and no lesson %q: flashlab exercises lists them", name)
}

func newUndo() *cobra.Command {
	return &cobra.Command{
		Use:   "undo",
		Short: "Take the last reset back",
		Args:  noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return withProgress(c, func(s *progress.Store) error {
				b, err := s.Book(c.Context())
				if err != nil {
					return service(err)
				}
				if len(b.Resets) == 0 {
					return usage(errors.New("there is no reset to take back"))
				}
				last := b.Resets[len(b.Resets)-1]
				if _, err := s.Add(c.Context(), last.ID, progress.Undone{}); err != nil {
					return service(err)
				}
				p := &printer{w: c.OutOrStdout()}
				p.f("the reset of %s on %s counts no more\n", subjectName(last.Subject), last.At.Local().Format(time.DateTime))
				return p.err
			})
		},
	}
}
