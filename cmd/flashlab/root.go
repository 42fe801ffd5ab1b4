package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

const long = `flashlab teaches flash-sale concurrency with real code: go-redis and database/sql
against embedded engines, under a scheduler that decides who takes the next step.

Without a command it opens the lab. The commands below run the same lessons
without a screen.`

const examples = `  flashlab                                        open the lab
  flashlab lessons                                what there is to learn
  flashlab explore oversell                       prove it over all interleavings
  flashlab explore oversell --set buyers=3 --json
  flashlab run oversell --staged both-read-one    one schedule, step by step`

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:           "flashlab",
		Short:         "An interactive lab for flash-sale concurrency",
		Long:          long,
		Example:       examples,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          noArgs,
		RunE:          openLab,
	}
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usage(fmt.Errorf("%w; see %s --help", err, c.CommandPath()))
	})
	root.CompletionOptions.DisableDescriptions = false
	root.SuggestionsMinimumDistance = 2
	screenFlags(root)
	root.AddCommand(newLessons(), newRun(), newExplore(), newDoctor(), newVersion(), newMan(root))
	return root
}

// noArgs refuses words after a command that takes none. For the bare program such
// a word is most often a mistyped command.
func noArgs(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if c.HasParent() {
		return usage(fmt.Errorf("%s takes no argument, but got %q", c.CommandPath(), args[0]))
	}
	text := fmt.Sprintf("there is no command %q", args[0])
	if near := c.SuggestionsFor(args[0]); len(near) > 0 {
		text += ": did you mean " + strings.Join(near, " or ") + "?"
	} else {
		text += "; see flashlab --help"
	}
	return usage(fmt.Errorf("%s", text))
}

// oneLesson takes exactly the name of a lesson.
func oneLesson(c *cobra.Command, args []string) error {
	switch len(args) {
	case 0:
		return usage(fmt.Errorf("%s needs the name of a lesson; flashlab lessons lists them", c.CommandPath()))
	case 1:
		return nil
	}
	return usage(fmt.Errorf("%s takes one lesson, but got %q as well", c.CommandPath(), args[1]))
}
