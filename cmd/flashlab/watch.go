package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/spf13/cobra"

	"flashlab/lessons"
)

// settle is how long a file must have been left alone before it is read: editors
// write in several steps.
const settle = 80 * time.Millisecond

func newWatch() *cobra.Command {
	var langFlag string
	c := &cobra.Command{
		Use:   "watch EXERCISE FILE",
		Short: "Judge an answer again each time its file is saved",
		Long: `Watch judges the file as check does, now and each time it is saved, and says what
the verdict was before. Ctrl+c ends it.`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 2 {
				return nil
			}
			return usage(fmt.Errorf("%s takes an exercise and a file: flashlab watch unlock unlock.lua", c.CommandPath()))
		},
		ValidArgsFunction: exerciseNames,
		RunE: func(c *cobra.Command, args []string) error {
			lang, err := language(langFlag)
			if err != nil {
				return err
			}
			l, x, err := findExercise(c, args[0])
			if err != nil {
				return err
			}
			if x.Fix == nil {
				return usage(fmt.Errorf("%s asks for a schedule, not for a file: flashlab exercises %s shows how", x.Name, x.Name))
			}
			if _, err := readAnswer(c.Context(), nil, args[1]); err != nil {
				return err
			}
			w := &watcher{c: c, l: l, x: x, file: args[1], lang: lang}
			return w.run(c.Context())
		},
	}
	c.Flags().StringVar(&langFlag, "lang", "", "`LANGUAGE` of the verdict: en or zh (default: the locale's)")
	return c
}

// watcher judges one file again and again.
type watcher struct {
	c    *cobra.Command
	l    *lessons.Lesson
	x    *lessons.Exercise
	file string
	lang lessons.Lang
	last *checkJSON
	text string
}

func (w *watcher) run(ctx context.Context) error {
	// The directory is watched: many editors replace the file, and a watch on it
	// would end with the old one.
	events, err := fsnotify.NewWatcher()
	if err == nil {
		defer events.Close()
		err = events.Add(filepath.Dir(w.file))
	}
	if err != nil {
		return exit{exitService, fmt.Errorf("%s cannot be watched: %w: use flashlab check", w.file, err)}
	}
	if err := w.judge(ctx); err != nil {
		return err
	}
	var quiet <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return nil
		case e, ok := <-events.Events:
			if !ok {
				return nil
			}
			if filepath.Base(e.Name) == filepath.Base(w.file) {
				quiet = time.After(settle)
			}
		case err, ok := <-events.Errors:
			if !ok {
				return nil
			}
			return exit{exitService, fmt.Errorf("watching %s: %w", w.file, err)}
		case <-quiet:
			quiet = nil
			if err := w.judge(ctx); err != nil {
				return err
			}
		}
	}
}

// judge reads and judges the file, unless it is as before or just not there.
func (w *watcher) judge(ctx context.Context) error {
	text, err := readAnswer(ctx, nil, w.file)
	var e exit
	if err != nil && errors.As(err, &e) && w.last != nil {
		if _, gone := os.Stat(w.file); gone != nil {
			return nil // being replaced; it comes again
		}
	}
	if err != nil {
		return err
	}
	if w.last != nil && text == w.text {
		return nil
	}
	answer, err := chosen(w.x, text, w.lang)
	if err != nil && w.last != nil {
		p := &printer{w: w.c.OutOrStdout()}
		p.f("%s %s\n  %s\n\n", time.Now().Format("15:04:05"), w.file, oneLine(err.Error()))
		w.text = text
		return p.err
	}
	if err != nil {
		return err
	}
	doc, err := judge(ctx, w.l, w.x, answer)
	if err != nil {
		if ctx.Err() != nil {
			return nil
		}
		return err
	}
	if err := keep(w.c, w.l, w.x, answer, doc); err != nil {
		return err
	}
	p := &printer{w: w.c.OutOrStdout()}
	p.f("%s %s", time.Now().Format("15:04:05"), w.file)
	if w.last != nil {
		p.f("  %s", words(w.lang, "before: ", "上次：")+short(w.last, w.lang))
	}
	p.f("\n")
	if p.err != nil {
		return p.err
	}
	w.last, w.text = doc, text
	if err := printVerdict(w.c.OutOrStdout(), w.x, doc, w.lang); err != nil {
		return err
	}
	p.f("\n")
	return p.err
}

// short is a verdict in a few words.
func short(doc *checkJSON, lang lessons.Lang) string {
	if doc.Passed {
		return words(lang, "✓ passes", "✓ 通过")
	}
	return "✗ " + lessons.Text{EN: doc.Sentence, ZH: doc.SentenceZH}.In(lang)
}
