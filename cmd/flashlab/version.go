package main

import (
	"fmt"
	"io"
	"maps"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// version is set by the linker for a release.
var version = "dev"

// shown are the dependencies that decide how the lab behaves.
var shown = map[string]bool{
	"github.com/charmbracelet/bubbletea": true, "github.com/charmbracelet/lipgloss": true,
	"github.com/redis/go-redis/v9": true, "github.com/alicebob/miniredis/v2": true, "modernc.org/sqlite": true,
}

type versionJSON struct {
	Schema   int               `json:"schema"`
	Version  string            `json:"version"`
	Commit   string            `json:"commit"`
	Modified bool              `json:"modified"`
	Go       string            `json:"go"`
	Platform string            `json:"platform"`
	Modules  map[string]string `json:"modules"`
}

func newVersion() *cobra.Command {
	var form format
	c := &cobra.Command{
		Use:   "version",
		Short: "Print version, commit, Go and the engines' versions",
		Args:  noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			how, err := form.pick(c)
			if err != nil {
				return err
			}
			v := versionDocument()
			if how == "json" {
				return writeJSON(c.OutOrStdout(), v)
			}
			_, err = io.WriteString(c.OutOrStdout(), v.text())
			return err
		},
	}
	form.flags(c, "print one JSON document", "text", "json")
	return c
}

// text is the document for people.
func (v *versionJSON) text() string {
	var b strings.Builder
	b.WriteString("flashlab " + v.Version)
	if v.Commit != "" {
		fmt.Fprintf(&b, " (%.12s", v.Commit)
		if v.Modified {
			b.WriteString(", modified")
		}
		b.WriteString(")")
	}
	fmt.Fprintf(&b, "\n%s %s\n", v.Go, v.Platform)
	for _, n := range slices.Sorted(maps.Keys(v.Modules)) {
		fmt.Fprintf(&b, "%s %s\n", n, v.Modules[n])
	}
	return b.String()
}

func versionDocument() versionJSON {
	v := versionJSON{Schema: schema, Version: version, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH, Modules: map[string]string{}}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Commit = s.Value
		case "vcs.modified":
			v.Modified = s.Value == "true"
		}
	}
	for _, d := range info.Deps {
		if shown[d.Path] {
			v.Modules[d.Path] = d.Version
		}
	}
	return v
}
