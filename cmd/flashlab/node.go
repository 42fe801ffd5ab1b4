package main

import (
	"errors"

	"github.com/spf13/cobra"

	"flashlab/lessons"
	"flashlab/sim/scenario"
	"flashlab/sim/storm"
)

// newNode returns the command that a storm starts its nodes with. It is not for people:
// it reads what to do on its standard input and ends with it.
func newNode() *cobra.Command {
	return &cobra.Command{
		Use:    "node",
		Short:  "A node of a storm, started by one",
		Hidden: true,
		Args:   noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			err := storm.Serve(c.Context(), c.InOrStdin(), file(c.OutOrStdout()), nodeScenario, answerOf)
			if errors.Is(err, storm.ErrConfig) {
				return usage(err)
			}
			if err != nil {
				return exit{exitService, nil} // it has told the storm
			}
			return nil
		},
	}
}

// nodeScenario makes the scenario that a storm has told a node.
func nodeScenario(cfg storm.NodeConfig) (*scenario.Scenario, error) {
	l, err := lessons.Find(cfg.Lesson)
	if err != nil {
		return nil, err
	}
	v, err := l.Variant(cfg.Variant)
	if err != nil {
		return nil, err
	}
	p := scenario.NewParams(v.Params)
	for name, n := range cfg.Sizes {
		p = p.Storm(name, n)
	}
	return v.Scenario(p), nil
}
