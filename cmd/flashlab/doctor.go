package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/adrg/xdg"
	"github.com/muesli/termenv"
	"github.com/spf13/cobra"

	"flashlab/cmd/flashlab/internal/theme"
	"flashlab/lessons"
	"flashlab/sim/explore"
	"flashlab/sim/live"
	"flashlab/sim/scenario"
	"flashlab/sim/world"
)

// checkup is one line of the doctor's findings.
type checkup struct {
	Name   string `json:"name"`
	Status string `json:"status"` // ok, note, fail
	Text   string `json:"text"`
}

type doctorJSON struct {
	Schema int       `json:"schema"`
	Checks []checkup `json:"checks"`
	Ok     bool      `json:"ok"`
}

func newDoctor() *cobra.Command {
	var (
		form format
		srv  server
	)
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Check terminal, directories and engines, and say what will work",
		Long: `Doctor looks at everything the lab needs and says what will and what will not work.

` + liveHelp + `
With one of them doctor looks there: version, mode, role, memory policy, latency, clock
and slots, and tries each thing that lessons do, below a prefix of its own.

Exit code 0: the lab works. 4: something that it needs does not.`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			how, err := form.pick(c)
			if err != nil {
				return err
			}
			target, err := srv.target()
			if err != nil {
				return err
			}
			doc := doctorJSON{Schema: schema, Ok: true, Checks: examine(c.Context(), c.OutOrStdout())}
			if target != nil {
				for _, f := range live.Examine(c.Context(), target) {
					doc.Checks = append(doc.Checks, checkup{f.Name, f.Status, f.Text})
				}
			}
			for _, x := range doc.Checks {
				doc.Ok = doc.Ok && x.Status != "fail"
			}
			if how == "json" {
				err = writeJSON(c.OutOrStdout(), doc)
			} else {
				p := &printer{w: c.OutOrStdout()}
				mark := map[string]string{"ok": "✓", "note": "·", "fail": "✗"}
				for _, x := range doc.Checks {
					p.f("%s %-12s %s\n", mark[x.Status], x.Name, x.Text)
				}
				err = p.err
			}
			if err == nil && !doc.Ok {
				err = exit{exitService, fmt.Errorf("something the lab needs does not work here: see the lines marked ✗")}
			}
			return err
		},
	}
	srv.flags(c)
	form.flags(c, "print one JSON document", "text", "json")
	return c
}

// examine runs every check; out is where the lab would appear. Each says in one
// line what it found.
func examine(ctx context.Context, out io.Writer) []checkup {
	var list []checkup
	add := func(name, status, format string, args ...any) {
		list = append(list, checkup{name, status, fmt.Sprintf(format, args...)})
	}

	w, h, isTerm := screenSize(out)
	switch {
	case !isTerm:
		add("terminal", "note", "none on the standard output: the lab would run in plain mode")
	case w < 60 || h < 16:
		add("terminal", "note", "%dx%d is too small for the lab: make it 60x16 or larger", w, h)
	default:
		add("terminal", "ok", "%dx%d, TERM=%s", w, h, os.Getenv("TERM"))
	}
	profile := theme.Profile(os.Getenv, isTerm)
	switch {
	case profile == termenv.Ascii && !isTerm:
		add("colour", "note", "no colour: the standard output is no terminal")
	case profile == termenv.Ascii:
		add("colour", "note", "no colour (TERM=%s, NO_COLOR=%s): signs say what colours would", os.Getenv("TERM"), os.Getenv("NO_COLOR"))
	default:
		add("colour", "ok", "%s", profile.Name())
	}
	if theme.ASCIIDefault(os.Getenv) {
		add("characters", "note", "the locale is not UTF-8: frames are drawn with --ascii")
	} else {
		add("characters", "ok", "UTF-8")
	}

	dir := filepath.Join(xdg.StateHome, "flashlab")
	if err := writable(dir); err != nil {
		add("state", "fail", "%s cannot be written (%v): set XDG_STATE_HOME to a directory that can", dir, err)
	} else {
		add("state", "ok", "%s", dir)
	}
	if n := world.RemoveStale(); n > 0 {
		add("leftovers", "note", "removed %d temporary directories of labs that were killed", n)
	}

	for _, engine := range []world.Engine{world.Memory, world.WAL} {
		name := "sqlite " + engine.String()
		if err := tryEngine(ctx, engine); err != nil {
			add(name, "fail", "%v", err)
		} else {
			add(name, "ok", "a lesson was proved on it")
		}
	}
	ww, err := world.Open(world.Config{Redis: true})
	if err != nil {
		add("redis", "fail", "the embedded Redis does not start: %v", err)
	} else {
		err = ww.Direct().Set(ctx, "doctor", "well", 0).Err()
		ww.Close()
		if err != nil {
			add("redis", "fail", "the embedded Redis does not answer: %v", err)
		} else {
			add("redis", "ok", "embedded, no port is open")
		}
	}
	if path, err := exec.LookPath("redis-server"); err == nil {
		v, _ := exec.CommandContext(ctx, path, "--version").Output()
		add("live redis", "ok", "%s", strings.TrimSpace(string(v)))
	} else {
		add("live redis", "note", "redis-server is not installed; lessons do not need it")
	}
	return list
}

// tryEngine proves the first variant that runs on the engine.
func tryEngine(ctx context.Context, engine world.Engine) error {
	for _, l := range lessons.All() {
		for _, v := range l.Variants {
			s := v.Scenario(scenario.NewParams(v.Params))
			if s.World.Engine != engine {
				continue
			}
			p, err := prove(ctx, s, explore.Limits{}, nil)
			if err != nil {
				return err
			}
			if !p.res.Complete {
				return fmt.Errorf("%s.%s was not proved: %s", l.Name, v.Name, p.res.Bound)
			}
			return nil
		}
	}
	return fmt.Errorf("no lesson uses it")
}

// writable makes the directory if need be and writes a file in it.
func writable(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, "doctor-")
	if err != nil {
		return err
	}
	f.Close()
	return os.Remove(f.Name())
}
