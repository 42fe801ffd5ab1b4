package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"flashlab/sim"
	"flashlab/sim/live"
	"flashlab/sim/live/parity"
	"flashlab/sim/scenario"
)

// liveHelp is what the help of each command says that can use a server.
const liveHelp = `--redis, --redis-sentinel or --redis-cluster uses a Redis that somebody operates.
Every key and channel stands below flashlab:{RUN}:, nothing else there is touched,
and the keys are removed at the end; flashlab clean removes what a killed run has
left. A password goes into the URL or, better, into FLASHLAB_REDIS_PASSWORD (user:
FLASHLAB_REDIS_USERNAME). For rediss:// SSL_CERT_FILE names further authorities. The
server needs Redis 7.0 or newer; flashlab doctor says what will work there.`

// server is where a live Redis is, as flags say.
type server struct {
	flag live.Flags
	said func(flag string) bool // whether a flag was given; nil: there are none
}

func (s *server) flags(c *cobra.Command) {
	f := c.Flags()
	s.said = f.Changed
	f.StringVar(&s.flag.URL, "redis", "", "use the Redis at this `URL`: redis://, rediss:// or unix://")
	f.StringVar(&s.flag.Sentinel, "redis-sentinel", "", "use the master that sentinels know: `NAME@HOST:PORT,...`")
	f.StringVar(&s.flag.Cluster, "redis-cluster", "", "use the cluster with these nodes: `HOST:PORT,...`")
}

// target reads the flags; nil if no server is wanted.
func (s *server) target() (*live.Target, error) {
	for _, name := range []string{"redis", "redis-sentinel", "redis-cluster"} {
		// A variable of the shell that is not set must not mean another engine.
		if s.said != nil && s.said(name) && !s.flag.Given() {
			return nil, usage(fmt.Errorf("--%s is empty: give an address, or leave it out for the embedded Redis", name))
		}
	}
	if !s.flag.Given() {
		return nil, nil
	}
	t, err := live.Parse(s.flag, os.Getenv)
	if err != nil {
		return nil, usage(err)
	}
	return t, nil
}

// needed is target for commands that are about a server.
func (s *server) needed(c *cobra.Command) (*live.Target, error) {
	t, err := s.target()
	if t == nil && err == nil {
		return nil, usage(fmt.Errorf("%s needs a server: give --redis URL, --redis-sentinel or --redis-cluster", c.CommandPath()))
	}
	return t, err
}

// unreachable gives trouble with a server its exit code.
func unreachable(err error) error {
	var x *live.Trouble
	if errors.As(err, &x) {
		return exit{exitService, x}
	}
	return err
}

// use puts the server in the place of the embedded Redis.
func use(s *scenario.Scenario, t *live.Target) error {
	if t == nil {
		return nil
	}
	if !s.World.Redis {
		return usage(fmt.Errorf("%s.%s does not use Redis: leave out --redis", s.Lesson, s.Variant))
	}
	s.World.Live = t
	return nil
}

// parityJSON is the document of run --parity.
type parityJSON struct {
	Schema      int              `json:"schema"`
	Lesson      string           `json:"lesson"`
	Variant     string           `json:"variant"`
	Schedule    string           `json:"schedule"`
	Server      string           `json:"server"`
	Steps       int              `json:"steps"`
	Differences []differenceJSON `json:"differences"`
}

type differenceJSON struct {
	Step     int    `json:"step"`
	Move     string `json:"move"`
	Actor    string `json:"actor"`
	Command  string `json:"command"`
	What     string `json:"what"`
	Embedded string `json:"embedded"`
	Live     string `json:"live"`
}

// compareEngines runs a schedule on both engines and prints where they differ.
func compareEngines(ctx context.Context, out io.Writer, s *scenario.Scenario, moves []sim.Move, token string, t *live.Target, asJSON bool) error {
	rep, err := parity.Compare(ctx, s, moves, t)
	if err != nil {
		return unreachable(err)
	}
	if asJSON {
		doc := parityJSON{Schema: schema, Lesson: s.Lesson, Variant: s.Variant, Schedule: token, Server: t.String(), Steps: rep.Steps, Differences: []differenceJSON{}}
		for _, d := range rep.Differences {
			doc.Differences = append(doc.Differences, differenceJSON(d))
		}
		err = json.NewEncoder(out).Encode(doc)
	} else {
		p := &printer{w: out}
		for _, d := range rep.Differences {
			p.f("%s\n", d)
		}
		if len(rep.Differences) == 0 {
			p.f("%s.%s: %d steps, no difference between the embedded engine and %s\n", s.Lesson, s.Variant, rep.Steps, t)
		} else {
			p.f("%s.%s: %d steps, %d differences between the embedded engine and %s\n", s.Lesson, s.Variant, rep.Steps, len(rep.Differences), t)
		}
		err = p.err
	}
	if err == nil && len(rep.Differences) > 0 {
		return exit{exitBreaks, nil}
	}
	return err
}
