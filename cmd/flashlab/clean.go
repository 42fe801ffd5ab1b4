package main

import (
	"encoding/json"
	"strconv"

	"github.com/spf13/cobra"

	"flashlab/sim/live"
)

// cleanJSON is the document of clean.
type cleanJSON struct {
	Schema int        `json:"schema"`
	Server string     `json:"server"`
	Runs   []leftJSON `json:"runs"`
}

type leftJSON struct {
	Run   string `json:"run"`
	Keys  int    `json:"keys"`
	Alive bool   `json:"alive"`
}

func newClean() *cobra.Command {
	var (
		form format
		srv  server
	)
	c := &cobra.Command{
		Use:   "clean",
		Short: "Remove what killed runs have left on a Redis server",
		Long: `Clean looks on every master for keys below flashlab:{RUN}: and removes those of runs
that have no heartbeat. A run gives a sign of life every 10 s, which counts for 30 s,
so what was killed a moment ago is still left alone. Other keys are not touched.

A password goes into the URL or, better, into FLASHLAB_REDIS_PASSWORD.

Exit code 0: nothing is left of dead runs. 4: the server cannot be used.`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			how, err := form.pick(c)
			if err != nil {
				return err
			}
			t, err := srv.needed(c)
			if err != nil {
				return err
			}
			left, failed := live.Clean(c.Context(), t)
			p := &printer{w: c.OutOrStdout()}
			if how == "json" {
				doc := cleanJSON{Schema: schema, Server: t.String(), Runs: []leftJSON{}}
				for _, l := range left {
					doc.Runs = append(doc.Runs, leftJSON(l))
				}
				if failed == nil {
					err = json.NewEncoder(c.OutOrStdout()).Encode(doc)
				}
			} else {
				for _, l := range left {
					if l.Alive {
						p.f("%s lives: %s left alone\n", l.Run, count(l.Keys))
					} else {
						p.f("%s is dead: %s removed\n", l.Run, count(l.Keys))
					}
				}
				if len(left) == 0 && failed == nil {
					p.f("nothing of the lab is on %s\n", t)
				}
				err = p.err
			}
			if failed != nil {
				return unreachable(failed)
			}
			return err
		},
	}
	srv.flags(c)
	form.flags(c, "print one JSON document", "text", "json")
	return c
}

func count(keys int) string {
	if keys == 1 {
		return "1 key"
	}
	return strconv.Itoa(keys) + " keys"
}
