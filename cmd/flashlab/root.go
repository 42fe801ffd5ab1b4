package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
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

// newRoot returns the program as commands that print to out.
func newRoot(out io.Writer) *cobra.Command {
	var show look
	v := versionDocument()
	root := &cobra.Command{
		Use:           "flashlab",
		Short:         "An interactive lab for flash-sale concurrency",
		Long:          long,
		Example:       examples,
		Version:       v.Version,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          noArgs,
		RunE:          show.open,
	}
	root.SetOut(out) // before completion is added, which keeps what it finds
	root.SetFlagErrorFunc(badFlag)
	root.SuggestionsMinimumDistance = 2
	show.flags(root)
	root.Flags().Bool("version", false, "print version, commit, Go and the engines' versions")
	root.SetVersionTemplate(v.text())
	root.AddCommand(newLessons(), newRun(), newExplore(), newStorm(), newShowdown(), newNode(), newExercises(), newCheck(), newWatch(), newHint(), newProgress(), newVerify(), newRehearse(), newDoctor(), newClean(), newVersion(), newMan(root))

	// Cobra's own commands let mistakes pass: help on an unknown command and
	// completion for an unknown shell would end with 0.
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		switch c.Name() {
		case "help":
			c.Short = "Show the help of a command"
			c.Args = aCommand
		case "completion":
			c.Use, c.Short = "completion SHELL", "Print completions for bash, zsh, fish or powershell"
			c.Args = noShell
			c.RunE = func(*cobra.Command, []string) error { return nil } // never: noShell refuses
			for _, shell := range c.Commands() {
				shell.Args = noArgs
			}
		}
	}
	return root
}

// badFlag says in one sentence what is wrong with a flag.
func badFlag(c *cobra.Command, err error) error {
	var value *pflag.InvalidValueError
	if !errors.As(err, &value) {
		return usage(fmt.Errorf("%w; see %s --help", err, c.CommandPath()))
	}
	f := value.GetFlag()
	wants := map[string]string{
		"int": "a whole number", "intSlice": "whole numbers with commas between, such as 1,16,256", "uint64": "a whole number from 0", "duration": "a time such as 30s or 2m", "bool": "true or false",
	}[f.Value.Type()]
	return usage(fmt.Errorf("--%s %q is not possible: it takes %s", f.Name, value.GetValue(), wants))
}

// noArgs refuses words after a command that takes none. For the bare program such
// a word is most often a mistyped command.
func noArgs(c *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return nil
	case c.HasParent():
		return usage(fmt.Errorf("%s takes no argument, but got %q: leave it out", c.CommandPath(), args[0]))
	}
	return usage(noCommand(c, args[0]))
}

// noCommand suggests what may have been meant by the name of no command.
func noCommand(root *cobra.Command, name string) error {
	text := "see flashlab --help"
	if near := root.SuggestionsFor(name); len(near) > 0 {
		text = "did you mean " + strings.Join(near, " or ") + "?"
	}
	return fmt.Errorf("there is no command %q: %s", name, text)
}

// aCommand takes the name of a command, or nothing.
func aCommand(c *cobra.Command, args []string) error {
	found, rest, err := c.Root().Find(args)
	switch {
	case len(args) == 0 || err == nil && len(rest) == 0:
		return nil
	case found == nil || found == c.Root():
		return usage(noCommand(c.Root(), args[0]))
	}
	return usage(fmt.Errorf("%s has no command %q: leave it out", found.CommandPath(), rest[0]))
}

// noShell refuses completion for no shell or an unknown one.
func noShell(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usage(fmt.Errorf("%s needs the name of a shell: bash, zsh, fish or powershell", c.CommandPath()))
	}
	return usage(fmt.Errorf("%s knows no shell %q: use bash, zsh, fish or powershell", c.CommandPath(), args[0]))
}

// oneLesson takes exactly the name of a lesson.
func oneLesson(c *cobra.Command, args []string) error {
	switch len(args) {
	case 0:
		return usage(fmt.Errorf("%s needs the name of a lesson: flashlab lessons lists them", c.CommandPath()))
	case 1:
		return nil
	}
	return usage(fmt.Errorf("%s takes one lesson, but got %q as well: leave it out", c.CommandPath(), args[1]))
}
