package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/spf13/cobra"

	"flashlab/cmd/flashlab/internal/app"
	"flashlab/cmd/flashlab/internal/plain"
	"flashlab/cmd/flashlab/internal/theme"
	"flashlab/sim/world"
)

// look is how the lab shows itself; the flags of the bare program.
type look struct {
	lang, theme, lesson, variant       string
	plain, ascii, reducedMotion, mouse bool
	server                             server
}

func (l *look) flags(c *cobra.Command) {
	f := c.Flags()
	l.server.flags(c)
	f.StringVar(&l.lang, "lang", "", "show this `LANGUAGE`: en or zh (default: the locale's)")
	f.StringVar(&l.theme, "theme", "auto", "use this `THEME`: auto, dark, light, high-contrast or mono")
	f.BoolVar(&l.plain, "plain", false, "line by line, without a screen; for screen readers and pipes")
	f.BoolVar(&l.ascii, "ascii", false, "frames and signs in ASCII")
	f.BoolVar(&l.reducedMotion, "reduced-motion", false, "fewer repaints, nothing slides (also REDUCED_MOTION=1)")
	f.BoolVar(&l.mouse, "mouse", false, "use the mouse; M toggles it")
	f.StringVar(&l.lesson, "lesson", "", "open this `LESSON` instead of the map")
	f.StringVar(&l.variant, "variant", "", "open this `VARIANT` of it")
}

// open is the bare program.
func (l *look) open(c *cobra.Command, _ []string) error {
	lang, err := language(l.lang)
	if err != nil {
		return err
	}
	th, err := theme.Parse(l.theme)
	if err != nil {
		return usage(fmt.Errorf("--theme: %w", err))
	}
	if l.lesson != "" || l.variant != "" {
		choose := choice{variant: l.variant}
		if l.lesson == "" {
			return usage(errors.New("--variant needs --lesson: say which lesson the variant belongs to"))
		}
		if _, _, _, err := choose.resolve(l.lesson); err != nil {
			return err
		}
	}
	in, out := c.InOrStdin(), c.OutOrStdout()
	if !isTerminal(in) && !l.plain {
		if err := c.Help(); err != nil {
			return err
		}
		return usage(errors.New("the lab needs a terminal on its standard input; without one use a command, or --plain"))
	}
	world.RemoveStale()
	if _, _, screen := screenSize(out); l.plain || !screen || os.Getenv("TERM") == "dumb" {
		return plain.Run(c.Context(), in, out, plain.Options{Lang: lang, Lesson: l.lesson, Variant: l.variant})
	}
	target, err := l.server.target()
	if err != nil {
		return err
	}
	store, notice := openProgress(c.Context(), lang)
	defer store.Close()
	return openScreen(c.Context(), file(in), file(out), app.Options{
		Progress: store, Notice: notice, Answers: answersDir(store), Showdown: showdownFile(store), Node: l.nodeCommand(),
		Live: target,
		Lang: lang, Theme: th, Dark: theme.Detect(os.Getenv), Profile: theme.Profile(os.Getenv, true),
		ASCII:         l.ascii || theme.ASCIIDefault(os.Getenv),
		ReducedMotion: l.reducedMotion || truthy(os.Getenv("REDUCED_MOTION")),
		Mouse:         l.mouse, Lesson: l.lesson, Variant: l.variant,
	})
}

// nodeCommand makes nodes that are processes of this program and, if told so, find the
// server of the lab; nil if the program does not find its own file.
func (l *look) nodeCommand() func(onServer bool) *exec.Cmd {
	self, err := os.Executable()
	if err != nil {
		return nil
	}
	return func(onServer bool) *exec.Cmd {
		if onServer {
			return l.server.node(self)
		}
		return exec.Command(self, "node")
	}
}

func openScreen(ctx context.Context, in, out *os.File, o app.Options) error {
	err := app.Run(ctx, in, out, o)
	if errors.Is(err, app.ErrInterrupted) {
		return exit{130, nil}
	}
	return err
}

// truthy reads an environment variable that switches something on.
func truthy(s string) bool {
	switch strings.ToLower(s) {
	case "", "0", "no", "false", "off":
		return false
	}
	return true
}
