package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

func screenFlags(c *cobra.Command) {}

func openLab(c *cobra.Command, _ []string) error {
	return usage(fmt.Errorf("not yet"))
}
