package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"flashlab/cmd/flashlab/internal/app"
	"flashlab/cmd/flashlab/internal/plain"
	"flashlab/cmd/flashlab/internal/theme"
	"flashlab/sim/world"
)

// look is how the lab shows itself; the flags of the bare program.
var look struct {
	lang, theme, lesson, variant       string
	plain, ascii, reducedMotion, mouse bool
}

func screenFlags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&look.lang, "lang", "", "language: en or zh (default: the locale's)")
	f.StringVar(&look.theme, "theme", "auto", "auto, dark, light, high-contrast or mono")
	f.BoolVar(&look.plain, "plain", false, "line by line, without a screen; for screen readers and pipes")
	f.BoolVar(&look.ascii, "ascii", false, "frames and signs in ASCII")
	f.BoolVar(&look.reducedMotion, "reduced-motion", false, "fewer repaints, nothing slides (also REDUCED_MOTION=1)")
	f.BoolVar(&look.mouse, "mouse", false, "use the mouse; M toggles it")
	f.StringVar(&look.lesson, "lesson", "", "open this lesson instead of the map")
	f.StringVar(&look.variant, "variant", "", "open this variant of it")
}

// openLab is the bare program.
func openLab(c *cobra.Command, _ []string) error {
	lang, err := language(look.lang)
	if err != nil {
		return err
	}
	th, err := theme.Parse(look.theme)
	if err != nil {
		return usage(fmt.Errorf("--theme: %w", err))
	}
	if look.lesson != "" || look.variant != "" {
		choose := choice{variant: look.variant}
		name := look.lesson
		if name == "" {
			return usage(fmt.Errorf("--variant needs --lesson"))
		}
		if _, _, _, err := choose.resolve(name); err != nil {
			return err
		}
	}
	dumb := os.Getenv("TERM") == "dumb"
	_, _, screen := screenSize()
	if !isTerminal(os.Stdin) && !look.plain {
		if err := c.Help(); err != nil {
			return err
		}
		return usage(errors.New("the lab needs a terminal on its standard input; without one use a command, or --plain"))
	}
	world.RemoveStale()
	if look.plain || dumb || !screen {
		return plain.Run(c.Context(), os.Stdin, os.Stdout, plain.Options{Lang: lang, Lesson: look.lesson, Variant: look.variant})
	}
	return openScreen(c.Context(), app.Options{
		Lang: lang, Theme: th, Dark: theme.Detect(os.Getenv), Profile: theme.Profile(os.Getenv, true),
		ASCII:         look.ascii || theme.ASCIIDefault(os.Getenv),
		ReducedMotion: look.reducedMotion || truthy(os.Getenv("REDUCED_MOTION")),
		Mouse:         look.mouse, Lesson: look.lesson, Variant: look.variant,
	})
}

func openScreen(ctx context.Context, o app.Options) error {
	err := app.Run(ctx, os.Stdin, os.Stdout, o)
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
