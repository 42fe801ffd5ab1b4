package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/adrg/xdg"
	"github.com/spf13/cobra"

	"flashlab/cmd/flashlab/internal/i18n"
	"flashlab/lessons"
	"flashlab/lessons/homework"
	"flashlab/sim/trace"
	"flashlab/store/progress"
)

// openProgress opens the learner's progress. Where that is not possible it returns
// one that lives in memory, and a sentence that says why: nobody is kept from
// learning by a file.
func openProgress(ctx context.Context, lang lessons.Lang) (*progress.Store, string) {
	s, notice, err := openProgressFile(ctx)
	if err == nil {
		return s, notice
	}
	s, memory := progress.Memory(ctx)
	if memory != nil {
		panic(memory) // SQLite in memory cannot be opened: nothing can
	}
	return s, notSaved(err, lang)
}

// notSaved says that nothing is kept, why not, and what helps.
func notSaved(err error, lang lessons.Lang) string {
	file := filepath.Join(xdg.StateHome, "flashlab", "progress.db") // as it was looked up just now
	const anotherZH = "，或者把 XDG_STATE_HOME 设成另一个能写的目录"
	en, zh := err.Error(), file+" 用不了（"+err.Error()+"）：把它移走"+anotherZH
	switch {
	case errors.Is(err, errNoPlace):
		en = filepath.Dir(file) + " cannot be made: set XDG_STATE_HOME to a directory that can be written to"
		zh = "建不了目录 " + filepath.Dir(file) + "，请把 XDG_STATE_HOME 设成一个能写的目录"
	case errors.Is(err, progress.ErrNewer):
		zh = file + " 是更新版本的 flashlab 写的，没有动它：请升级 flashlab"
	case errors.Is(err, progress.ErrForeign):
		zh = file + " 不是 flashlab 的文件，没有动它：把它移走" + anotherZH
	case errors.Is(err, progress.ErrReadOnly):
		zh = file + " 不能写：改一下它和目录的权限" + anotherZH
	case errors.Is(err, progress.ErrFull):
		zh = file + " 写不进去，磁盘满了：请腾出空间"
	case errors.Is(err, progress.ErrBusy):
		zh = "另一个 flashlab 正在写 " + file + "：请再试一次"
	case !strings.Contains(en, "XDG_STATE_HOME"):
		en += "; move it away, or set XDG_STATE_HOME to another directory"
	}
	return words(lang, "progress is not being saved: "+en, "进度没有保存："+zh)
}

// errNoPlace marks that there is no directory for the progress.
var errNoPlace = errors.New("no place to keep progress")

// openProgressFile opens the progress file of this user.
func openProgressFile(ctx context.Context) (*progress.Store, string, error) {
	path, err := progress.DefaultPath()
	if err != nil {
		return nil, "", fmt.Errorf("%w: %w", errNoPlace, err)
	}
	s, notice, err := progress.Open(ctx, path)
	return s, notice.String(), err
}

// answersDir is where the learner's scripts are kept, "" if there is no such place.
func answersDir(s *progress.Store) string {
	if s.Path() == "" {
		return ""
	}
	return answersBeside(s.Path())
}

// answersBeside is that directory for the file of the progress.
func answersBeside(file string) string { return filepath.Join(filepath.Dir(file), "answers") }

// showdownFile is where the lab keeps a showdown, "" if there is no such place.
func showdownFile(s *progress.Store) string {
	if s.Path() == "" {
		return ""
	}
	return filepath.Join(filepath.Dir(s.Path()), "showdown.json")
}

// noted opens the progress for a command, prints what it has to say to the error
// output, and calls f.
func noted(c *cobra.Command, f func(*progress.Store) error) error {
	s, notice := openProgress(c.Context(), languageOf(c))
	defer s.Close()
	if notice != "" {
		fmt.Fprintln(c.ErrOrStderr(), "flashlab: "+oneLine(notice))
	}
	return f(s)
}

// languageOf is the language that a command was asked for, or that of the locale.
func languageOf(c *cobra.Command) lessons.Lang {
	asked := ""
	if f := c.Flags().Lookup("lang"); f != nil {
		asked = f.Value.String()
	}
	lang, err := language(asked)
	if err != nil {
		lang, _ = language("")
	}
	return lang
}

// findExercise finds an exercise for a command; the error is in its language.
func findExercise(c *cobra.Command, name string) (*lessons.Lesson, *lessons.Exercise, error) {
	l, x, err := lessons.FindExercise(name)
	var m trace.Mistake
	if lang := languageOf(c); errors.As(err, &m) && lang != lessons.EN {
		said := i18n.For(lang).Say(m.Phrase)
		if m.Key == "exercise.unknown" {
			said += "（flashlab exercises 列出全部）"
		}
		err = errors.New(said)
	}
	if err != nil {
		return nil, nil, usage(err)
	}
	return l, x, nil
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

// payload is what is kept of a verdict. A schedule that breaks nothing is not.
func (doc *checkJSON) payload(l *lessons.Lesson, x *lessons.Exercise, answer string) (progress.Payload, bool) {
	if doc.breaking != nil {
		return homework.Broke(l, x, doc.token, doc.breaking), doc.Passed
	}
	kept, ok := homework.Answered(l, x, answer, doc.verdict)
	kept.Sentence = doc.Sentence // what passes was told something as well
	return kept, ok
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
