package main

import (
	"context"
	"fmt"
	"path/filepath"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"flashlab/lessons"
	"flashlab/lessons/exercise"
	"flashlab/lessons/homework"
	"flashlab/store/progress"
)

// openProgress opens the learner's progress. Where that is not possible it returns
// one that lives in memory, and a sentence that says why: nobody is kept from
// learning by a file.
func openProgress(ctx context.Context) (*progress.Store, string) {
	s, notice, err := openProgressFile(ctx)
	if err == nil {
		return s, notice
	}
	s, memory := progress.Memory(ctx)
	if memory != nil {
		panic(memory) // SQLite in memory cannot be opened: nothing can
	}
	return s, "progress is not being saved: " + err.Error()
}

// openProgressFile opens the progress file of this user.
func openProgressFile(ctx context.Context) (*progress.Store, string, error) {
	path, err := progress.DefaultPath()
	if err != nil {
		return nil, "", err
	}
	s, notice, err := progress.Open(ctx, path)
	return s, notice.String(), err
}

// answersDir is where the learner's scripts are kept, "" if there is no such place.
func answersDir(s *progress.Store) string {
	if s.Path() == "" {
		return ""
	}
	return filepath.Join(filepath.Dir(s.Path()), "answers")
}

// noted opens the progress for a command, prints what it has to say to the error
// output, and calls f.
func noted(c *cobra.Command, f func(*progress.Store) error) error {
	s, notice := openProgress(c.Context())
	defer s.Close()
	if notice != "" {
		fmt.Fprintln(c.ErrOrStderr(), "flashlab: "+oneLine(notice))
	}
	return f(s)
}

// keep notes an answer in the learner's progress.
func keep(c *cobra.Command, l *lessons.Lesson, x *lessons.Exercise, answer string, doc *checkJSON) error {
	payload, ok := doc.payload(l, x, answer)
	if !ok {
		return nil
	}
	return noted(c, func(s *progress.Store) error {
		_, err := s.Add(c.Context(), x.Name, payload)
		return service(err)
	})
}

// payload is what is kept of a verdict. A schedule that breaks nothing is not, nor is
// what never was an answer: too long, or no text.
func (doc *checkJSON) payload(l *lessons.Lesson, x *lessons.Exercise, answer string) (progress.Payload, bool) {
	if doc.undecided {
		return nil, false
	}
	if doc.breaking != nil {
		return homework.Broke(l, x, doc.token, doc.breaking), doc.Passed
	}
	if len(answer) > exercise.MaxAnswer || !utf8.ValidString(answer) {
		return nil, false
	}
	return progress.Answered{
		Lesson: l.Name, Form: x.Fix.Form.String(), Answer: answer, Passed: doc.Passed,
		Mistake: doc.Mistake, Sentence: doc.Sentence,
	}, true
}

// book is the learner's progress, empty where there is none to be read. What there is
// to say about the file goes to the error output.
func book(c *cobra.Command) (known *progress.Book, err error) {
	err = noted(c, func(s *progress.Store) error {
		b, err := s.Book(c.Context())
		known = &b
		return service(err)
	})
	return known, err
}

// service marks an error of a file or an engine that cannot be used.
func service(err error) error {
	if err == nil {
		return nil
	}
	return exit{exitService, err}
}

func stateMark(s homework.State) string { return [...]string{"·", "~", "✓"}[s] }
