package main

import (
	"runtime"
	"runtime/debug"
	"sort"

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
	var asJSON bool
	c := &cobra.Command{
		Use:   "version",
		Short: "Print version, commit, Go and the engines' versions",
		Args:  noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			v := versionDocument()
			if asJSON {
				return writeJSON(c.OutOrStdout(), v)
			}
			p := &printer{w: c.OutOrStdout()}
			p.f("flashlab %s", v.Version)
			if v.Commit != "" {
				p.f(" (%.12s", v.Commit)
				if v.Modified {
					p.f(", modified")
				}
				p.f(")")
			}
			p.f("\n%s %s\n", v.Go, v.Platform)
			names := make([]string, 0, len(v.Modules))
			for n := range v.Modules {
				names = append(names, n)
			}
			sort.Strings(names)
			for _, n := range names {
				p.f("%s %s\n", n, v.Modules[n])
			}
			return p.err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return c
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
