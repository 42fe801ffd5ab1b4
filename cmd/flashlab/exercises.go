package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"flashlab/cmd/flashlab/internal/canvas"
	"flashlab/lessons"
	"flashlab/lessons/homework"
	"flashlab/store/progress"
)

type exercisesJSON struct {
	Schema    int            `json:"schema"`
	Exercises []exerciseJSON `json:"exercises"`
}

type exerciseJSON struct {
	Name   string `json:"name"`
	Lesson string `json:"lesson"`
	Kind   string `json:"kind"`
	Form   string `json:"form,omitempty"`
	File   string `json:"file,omitempty"`
	Title  string `json:"title"`
	TitleZ string `json:"title_zh"`
	Task   string `json:"task"`
	TaskZ  string `json:"task_zh"`
	State  string `json:"state"`
}

// oneExerciseJSON is the document of one exercise.
type oneExerciseJSON struct {
	Schema int `json:"schema"`
	exerciseJSON
}

func newExercises() *cobra.Command {
	var form format
	var langFlag, write string
	c := &cobra.Command{
		Use:   "exercises [EXERCISE]",
		Short: "List the exercises, or show one of them",
		Long: `Exercises lists what there is to do: break a promise (you are the scheduler), mend
code, find the bug. With the name of one it shows its task and what to start from.`,
		Example: `  flashlab exercises unlock --write unlock.lua   # a file to start from
  flashlab check unlock unlock.lua`,
		Args:              atMostOneExercise,
		ValidArgsFunction: exerciseNames,
		RunE: func(c *cobra.Command, args []string) error {
			how, err := form.pick(c)
			if err != nil {
				return err
			}
			lang, err := language(langFlag)
			if err != nil {
				return err
			}
			if len(args) == 0 {
				if write != "" {
					return usage(errors.New("--write needs the name of an exercise: flashlab exercises lists them"))
				}
				known, err := book(c)
				if err != nil {
					return err
				}
				return listExercises(c.OutOrStdout(), known, how == "json", lang)
			}
			l, x, err := findExercise(c, args[0])
			if err != nil {
				return err
			}
			if write != "" {
				return writeShipped(c.OutOrStdout(), x, write)
			}
			if how == "json" {
				known, err := book(c)
				if err != nil {
					return err
				}
				return writeJSON(c.OutOrStdout(), oneExerciseJSON{schema, exerciseDocument(l, x, known)})
			}
			return showExercise(c.OutOrStdout(), l, x, lang)
		},
	}
	form.flags(c, "print one JSON document", "text", "json")
	c.Flags().StringVar(&langFlag, "lang", "", "`LANGUAGE` of the texts: en or zh (default: the locale's)")
	c.Flags().StringVar(&write, "write", "", "write what the exercise starts from to this new `FILE`")
	return c
}

func atMostOneExercise(c *cobra.Command, args []string) error {
	if len(args) > 1 {
		return usage(fmt.Errorf("%s takes one exercise, but got %q as well: leave it out", c.CommandPath(), args[1]))
	}
	return nil
}

// exerciseNames completes the name of an exercise, then a file.
func exerciseNames(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveDefault
	}
	var names []string
	for _, l := range lessons.All() {
		for i := range l.Exercises {
			names = append(names, l.Exercises[i].Name+"\t"+l.Exercises[i].Title.EN)
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

func exerciseDocument(l *lessons.Lesson, x *lessons.Exercise, known *progress.Book) exerciseJSON {
	doc := exerciseJSON{
		Name: x.Name, Lesson: l.Name, Kind: x.Kind.String(), Title: x.Title.EN, TitleZ: x.Title.ZH,
		Task: x.Task.EN, TaskZ: x.Task.ZH, State: homework.StateOf(x, known).String(),
	}
	if x.Fix != nil {
		doc.Form, doc.File = x.Fix.Form.String(), x.Fix.File
	}
	return doc
}

func listExercises(w io.Writer, known *progress.Book, asJSON bool, lang lessons.Lang) error {
	doc := exercisesJSON{Schema: schema, Exercises: []exerciseJSON{}}
	p := &printer{w: w}
	for _, l := range lessons.All() {
		if len(l.Exercises) == 0 {
			continue
		}
		if !asJSON {
			p.f("%s - %s\n", l.Name, l.Title.In(lang))
		}
		for i := range l.Exercises {
			x := &l.Exercises[i]
			doc.Exercises = append(doc.Exercises, exerciseDocument(l, x, known))
			if !asJSON {
				p.f("  %s %-26s %-6s %s\n", stateMark(homework.StateOf(x, known)), x.Name, kindWord(x.Kind, lang), x.Title.In(lang))
			}
		}
	}
	if asJSON {
		return writeJSON(w, doc)
	}
	p.f("\n%s\n", words(lang, "flashlab exercises NAME shows a task, flashlab check NAME [FILE] judges an answer.",
		"flashlab exercises 名称：看题目；flashlab check 名称 [文件]：判答案。"))
	return p.err
}

func kindWord(k lessons.ExerciseKind, lang lessons.Lang) string {
	if lang == lessons.ZH {
		return [...]string{"破坏", "修复", "找错"}[k]
	}
	return k.String()
}

// words picks one of two texts.
func words(lang lessons.Lang, en, zh string) string { return lessons.Text{EN: en, ZH: zh}.In(lang) }

const taskWidth = 84

func showExercise(w io.Writer, l *lessons.Lesson, x *lessons.Exercise, lang lessons.Lang) error {
	p := &printer{w: w}
	p.f("%s (%s, %s) - %s\n\n", x.Name, l.Name, kindWord(x.Kind, lang), x.Title.In(lang))
	for _, line := range canvas.Wrap(x.Task.In(lang), taskWidth) {
		p.f("%s\n", line)
	}
	if x.Code != nil {
		code, err := codeOf(l, x.Code)
		if err != nil {
			return err
		}
		p.f("\n%s\n", words(lang, "The code:", "代码："))
		for _, line := range code {
			p.f("%s\n", strings.TrimRight("  "+strings.ReplaceAll(line, "\t", "    "), " "))
		}
	}
	if x.Ask != nil {
		p.f("\n")
		for _, line := range canvas.Wrap(x.Ask.Ask.In(lang), taskWidth) {
			p.f("%s\n", line)
		}
		for i, o := range x.Ask.Options {
			p.f("  %c  %s\n", 'a'+i, o.Text.In(lang))
		}
	}
	if x.Break != nil {
		scene := l.Name + " --variant " + x.Break.Variant
		if x.Break.Sets != "" {
			scene += " --set " + strings.ReplaceAll(x.Break.Sets, ",", " --set ")
		}
		p.f("\n%s\n", words(lang,
			"Break "+x.Break.Light+" in the lab (flashlab --lesson "+l.Name+"), or hand in a token:",
			"在实验室里破坏 "+x.Break.Light+"（flashlab --lesson "+l.Name+"），或者交一个 token："))
		p.f("  flashlab check %s --schedule TOKEN      # %s\n", x.Name, scene)
	}
	if x.Fix == nil {
		return p.err
	}
	switch x.Fix.Form {
	case lessons.Pick:
		p.f("\n%s\n", words(lang, "Pick one:", "选一个："))
		for i, o := range x.Fix.Options {
			p.f("  %c  %-21s %s\n", 'a'+i, o.Name, o.Text.In(lang))
		}
		p.f("\n  flashlab check %s --answer %s      # %s\n", x.Name, x.Fix.Options[0].Name, words(lang, "or --answer a", "或者 --answer a"))
	case lessons.Order:
		p.f("\n%s\n", words(lang, "Choose lines and put them in order:", "选出需要的行，排好顺序："))
		for i, line := range x.Fix.Lines {
			p.f("  %2d  %s\n", i+1, line)
		}
		p.f("\n  flashlab check %s --answer \"3 1 2\"\n", x.Name)
	case lessons.Gap:
		p.f("\n%s\n", words(lang, "Fill the gap:", "把空填上："))
		for _, line := range strings.Split(x.Fix.Frame, "\n") {
			p.f("  %s\n", line)
		}
		p.f("\n  flashlab check %s --answer TEXT\n", x.Name)
	case lessons.Script:
		p.f("\n%s\n", words(lang, "You start from:", "从这里开始："))
		for _, line := range strings.Split(strings.TrimRight(x.Fix.Shipped, "\n"), "\n") {
			p.f("  %s\n", line)
		}
		p.f("\n  flashlab exercises %s --write %s\n  flashlab check %s %s\n  flashlab watch %s %s\n", x.Name, x.Fix.File, x.Name, x.Fix.File, x.Name, x.Fix.File)
	}
	return p.err
}

// codeOf is the code that is to be read, line by line.
func codeOf(l *lessons.Lesson, s *lessons.Snippet) ([]string, error) {
	if s.Text != "" {
		return strings.Split(strings.TrimRight(s.Text, "\n"), "\n"), nil
	}
	return l.FuncSource(s.File, s.Func)
}

// writeShipped writes what a script starts from to a new file; it never overwrites.
func writeShipped(w io.Writer, x *lessons.Exercise, name string) error {
	if x.Fix == nil || x.Fix.Form != lessons.Script {
		return usage(fmt.Errorf("--write: %s is not done in a file: flashlab exercises %s shows how", x.Name, x.Name))
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return usage(fmt.Errorf("--write: there is a file %s already: move it away or take another name", name))
	}
	if err == nil {
		_, err = f.WriteString(x.Fix.Shipped)
		if e := f.Close(); err == nil {
			err = e
		}
	}
	if err != nil {
		return exit{exitService, fmt.Errorf("--write: %w: choose a place that can be written to", err)}
	}
	p := &printer{w: w}
	p.f("wrote %s; now: flashlab check %s %s\n", name, x.Name, name)
	return p.err
}
