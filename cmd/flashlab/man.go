package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"
)

func newMan(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "man [COMMAND]",
		Short: "Print the manual page",
		Args:  aCommand,
		RunE: func(c *cobra.Command, args []string) error {
			page := manual(root)
			if len(args) > 0 {
				page, _, _ = root.Find(args) // aCommand has found it before
			}
			// A fixed date keeps the page the same on every machine.
			date := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
			page.DisableAutoGenTag = true
			title := strings.ToUpper(strings.ReplaceAll(page.CommandPath(), " ", "-"))
			return doc.GenMan(page, &doc.GenManHeader{Title: title, Section: "1", Source: "flashlab", Manual: "flashlab manual", Date: &date}, c.OutOrStdout())
		},
	}
}

// manual is the root as one page that tells everything, so that nobody has to look
// for a page a command: cobra's would only name them.
func manual(root *cobra.Command) *cobra.Command {
	page := &cobra.Command{Use: root.Use, Short: root.Short, Example: root.Example, Run: func(*cobra.Command, []string) {}}
	page.Flags().AddFlagSet(root.LocalNonPersistentFlags())
	var b strings.Builder
	b.WriteString(root.Long + "\n\n# COMMANDS\n")
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() || c.Name() == "help" {
			manCommand(&b, c)
		}
	}
	b.WriteString(manExit + "# KEYS\nIn the lab a letter from a to g lets that actor step, where there are actors to step.\n\n")
	for _, g := range keyGroups() {
		fmt.Fprintf(&b, "### %s\n", g.title)
		for _, l := range g.lines {
			fmt.Fprintf(&b, "`%s` (%s)\n\t%s\n\n", strings.Join(l.keys, "` `"), l.where, l.help)
		}
	}
	page.Long = b.String() + manEnvironment
	return page
}

func manCommand(b *strings.Builder, c *cobra.Command) {
	fmt.Fprintf(b, "### %s\n%s.\n\n", c.UseLine(), c.Short)
	if c.Runnable() && c.Long != "" && c.Name() != "completion" && c.Name() != "help" { // cobra's own texts
		b.WriteString(c.Long + "\n\n")
	}
	c.NonInheritedFlags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		name, use := pflag.UnquoteUsage(f)
		fmt.Fprintf(b, "**%s**\n\t%s\n\n", strings.TrimSpace("--"+f.Name+" "+name), use)
	})
}

const manExit = `
# EXIT STATUS
0: everything holds, or done. 1: something breaks. 2: bad input. 3: unknown, for a
bound was reached first or the schedule stops before the run has ended. 4: a service
or file that is needed does not work. 70: internal fault. 128 + n: stopped by signal n.

`

const manEnvironment = `
# ENVIRONMENT
**FLASHLAB_LANG**, **LC_ALL**, **LC_MESSAGES**, **LANG**
	the language, where --lang does not say it

**NO_COLOR**, **CLICOLOR**, **CLICOLOR_FORCE**, **TERM**, **COLORTERM**, **COLORFGBG**
	colours and their depth; TERM=dumb means --plain

**REDUCED_MOTION**
	1 is --reduced-motion

`
