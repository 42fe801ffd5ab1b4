package main

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"

	"github.com/spf13/cobra"

	"flashlab/lessons/storms"
	"flashlab/sim/live"
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
			server, err := nodeServer()
			if err != nil {
				return usage(err)
			}
			err = storm.Serve(c.Context(), c.InOrStdin(), file(c.OutOrStdout()), server, storms.Scenario, storms.Answer)
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

// nodeRedis is where a node finds the flags of its storm about a live server: there is
// a password in a URL, and everybody sees command lines.
const nodeRedis = "FLASHLAB_NODE_REDIS"

// node is the command of a node that works on the same server.
func (s *server) node(self string) *exec.Cmd {
	c := exec.Command(self, "node")
	if s.flag.Given() {
		b, err := json.Marshal(s.flag)
		if err != nil {
			panic(err) // three strings
		}
		c.Env = append(os.Environ(), nodeRedis+"="+string(b))
	}
	return c
}

// nodeServer is the server that a storm has told a node; nil: the embedded one.
func nodeServer() (*live.Target, error) {
	text := os.Getenv(nodeRedis)
	if text == "" {
		return nil, nil
	}
	var f live.Flags
	if err := json.Unmarshal([]byte(text), &f); err != nil {
		return nil, storm.ErrConfig
	}
	return live.Parse(f, os.Getenv)
}

// given names the flag that was used.
func (s *server) given() string {
	switch {
	case s.flag.Sentinel != "":
		return "--redis-sentinel"
	case s.flag.Cluster != "":
		return "--redis-cluster"
	}
	return "--redis"
}
