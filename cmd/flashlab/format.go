package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// format is the form in which a command prints: text, unless --format or --json
// says otherwise.
type format struct {
	name    string
	json    bool
	allowed []string
}

func (f *format) flags(c *cobra.Command, jsonHelp string, allowed ...string) {
	f.allowed = allowed
	c.Flags().BoolVar(&f.json, "json", false, jsonHelp)
	c.Flags().StringVar(&f.name, "format", "text", "print as `FORMAT`: "+f.list())
	// The flag was defined one line above.
	_ = c.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(allowed, cobra.ShellCompDirectiveNoFileComp))
}

// list names the formats for people.
func (f *format) list() string {
	last := len(f.allowed) - 1
	return strings.Join(f.allowed[:last], ", ") + " or " + f.allowed[last]
}

// pick returns the format asked for.
func (f *format) pick(c *cobra.Command) (string, error) {
	if !slices.Contains(f.allowed, f.name) {
		return "", usage(fmt.Errorf("--format %q is not possible: use %s", f.name, f.list()))
	}
	if !f.json {
		return f.name, nil
	}
	if c.Flags().Changed("format") && f.name != "json" {
		return "", usage(fmt.Errorf("--json and --format %s contradict each other: leave one out", f.name))
	}
	return "json", nil
}
