package main

import (
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

func newMan(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "man [COMMAND]",
		Short: "Print the manual page",
		Args:  cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			page := root
			if len(args) > 0 {
				found, rest, err := root.Find(args)
				if err != nil || len(rest) > 0 || found == root {
					return noArgs(root, args)
				}
				page = found
			}
			// A fixed date keeps the page the same on every machine.
			date := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
			return doc.GenMan(page, &doc.GenManHeader{Title: "FLASHLAB", Section: "1", Source: "flashlab", Manual: "flashlab manual", Date: &date}, c.OutOrStdout())
		},
	}
}
