package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"flashlab/lessons/homework"
	"flashlab/store/progress"
)

// export is what a command line of progress export asks for.
type export struct {
	report, force bool
	name          string
}

func newExport() *cobra.Command {
	var e export
	c := &cobra.Command{
		Use:   "export [FILE]",
		Short: "Write the whole progress, or a report to hand in",
		Long: `Export writes the whole log, for another machine or as a copy: flashlab progress
import merges it. With --report it writes what you claim to have done, each claim
with all that is needed to check it: flashlab verify runs them again.

Without FILE, or with -, it goes to the standard output.`,
		Example: `  flashlab progress export backup.json
  flashlab progress export --report homework.json --name "Ada Lovelace"`,
		Args: aFile,
		RunE: func(c *cobra.Command, args []string) error {
			if c.Flags().Changed("name") && !e.report {
				return usage(errors.New("--name goes into a report: add --report or leave it out"))
			}
			if len(e.name) > homework.MaxName {
				return usage(fmt.Errorf("--name has %d bytes, the limit is %d: take a shorter one", len(e.name), homework.MaxName))
			}
			file := "-"
			if len(args) == 1 {
				file = args[0]
			}
			return withProgress(c, func(s *progress.Store) error { return e.run(c, s, file) })
		},
	}
	c.Flags().BoolVar(&e.report, "report", false, "write a report to hand in instead of the log")
	c.Flags().StringVar(&e.name, "name", "", "your `NAME`, for the report")
	c.Flags().BoolVar(&e.force, "force", false, "overwrite FILE if it is there")
	return c
}

func aFile(c *cobra.Command, args []string) error {
	switch {
	case len(args) > 1:
		return usage(fmt.Errorf("%s takes one file, but got %q as well: leave it out", c.CommandPath(), args[1]))
	case len(args) == 1 && args[0] == "":
		return usage(fmt.Errorf("%s got an empty name of a file: give one, or - for the standard output", c.CommandPath()))
	}
	return nil
}

func (e *export) run(c *cobra.Command, s *progress.Store, file string) error {
	var doc bytes.Buffer
	if !e.report {
		if err := s.Export(c.Context(), &doc); err != nil {
			return service(err)
		}
	} else {
		events, err := s.Events(c.Context())
		if err != nil {
			return service(err)
		}
		r := homework.Make(events, time.Now(), s.Host(), e.name, version)
		if err := r.Write(&doc); err != nil {
			return err
		}
	}
	if file == "-" {
		_, err := doc.WriteTo(c.OutOrStdout())
		return err
	}
	if err := writeNew(file, doc.Bytes(), e.force); err != nil {
		return err
	}
	p := &printer{w: c.OutOrStdout()}
	if e.report {
		p.f("wrote %s; flashlab verify %s checks it\n", file, file)
	} else {
		p.f("wrote %s; flashlab progress import %s merges it elsewhere\n", file, file)
	}
	return p.err
}

// writeNew writes a file that only its owner may read. It must not be there, unless
// force is set; what is there stays whole until all of the new one is on the disk.
func writeNew(name string, doc []byte, force bool) error {
	st, err := os.Stat(name)
	switch {
	case err == nil && st.IsDir():
		return usage(fmt.Errorf("%s is a directory: give the name of a file in it", name))
	case err == nil && !force:
		return usage(fmt.Errorf("there is a file %s already: add --force to overwrite it, or take another name", name))
	case err == nil && !st.Mode().IsRegular(): // a pipe, /dev/stdout
		return cannotWrite(name, os.WriteFile(name, doc, 0o600))
	}
	to, err := filepath.EvalSymlinks(name) // a link stays one
	if err != nil {
		to = name
	}
	f, err := os.CreateTemp(filepath.Dir(to), ".flashlab-*")
	if err != nil {
		return cannotWrite(name, err)
	}
	defer os.Remove(f.Name()) // fails once it has its name
	_, err = f.Write(doc)
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil && force {
		err = os.Rename(f.Name(), to)
	} else if err == nil {
		err = os.Link(f.Name(), to) // unlike Rename it never overwrites
		if errors.Is(err, fs.ErrExist) {
			return usage(fmt.Errorf("there is a file %s already: add --force to overwrite it, or take another name", name))
		}
		if err != nil { // a file system without links
			err = os.Rename(f.Name(), to)
		}
	}
	return cannotWrite(name, err)
}

func cannotWrite(name string, err error) error {
	if err == nil {
		return nil
	}
	return exit{exitService, fmt.Errorf("%s cannot be written (%w): choose a place that can be written to", name, plainPath(err))}
}

func newImport() *cobra.Command {
	return &cobra.Command{
		Use:   "import FILE",
		Short: "Merge an exported progress into yours",
		Long: `Import adds what an export holds to your progress, all of it or nothing. What you have
already is not added twice. - is the standard input.`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage(fmt.Errorf("%s needs the file that flashlab progress export has written", c.CommandPath()))
			}
			return aFile(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			doc, err := readExport(c.InOrStdin(), args[0])
			if err != nil {
				return usage(err)
			}
			return withProgress(c, func(s *progress.Store) error {
				added, known, err := s.Import(c.Context(), bytes.NewReader(doc))
				for _, trouble := range []error{progress.ErrBusy, progress.ErrFull, progress.ErrReadOnly, progress.ErrMoved} {
					if errors.Is(err, trouble) {
						return service(err)
					}
				}
				if err != nil {
					return usage(fmt.Errorf("%s: %w", args[0], err))
				}
				p := &printer{w: c.OutOrStdout()}
				p.f("%d added, %d known already\n", added, known)
				return p.err
			})
		},
	}
}

// readExport reads a file, "-" for the standard input. One that is a report says
// little of how it came about, and cannot be imported.
func readExport(in io.Reader, name string) ([]byte, error) {
	r := in
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, fmt.Errorf("the export cannot be read: %w", err)
		}
		defer f.Close()
		if st, err := f.Stat(); err == nil && st.IsDir() {
			return nil, fmt.Errorf("%s is a directory: give the file with the export", name)
		}
		r = f
	}
	doc, err := io.ReadAll(io.LimitReader(r, progress.MaxImport+1))
	if err != nil {
		return nil, fmt.Errorf("the export cannot be read: %w", err)
	}
	if _, err := homework.Read(bytes.NewReader(doc)); err == nil {
		return nil, fmt.Errorf("%s is a report, which cannot be imported: flashlab progress export without --report writes what can", name)
	}
	return doc, nil
}
