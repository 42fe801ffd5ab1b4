package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"flashlab/cmd/flashlab/internal/canvas"
	"flashlab/lessons"
	"flashlab/lessons/exercise"
	"flashlab/sim/token"
)

// maxFile is the largest answer that is read, in bytes.
const maxFile = 1 << 20

type checkJSON struct {
	Schema        int         `json:"schema"`
	Exercise      string      `json:"exercise"`
	Passed        bool        `json:"passed"`
	Mistake       string      `json:"mistake,omitempty"`
	Sentence      string      `json:"sentence"`
	SentenceZH    string      `json:"sentence_zh"`
	Shown         []string    `json:"shown,omitempty"`
	Light         string      `json:"light,omitempty"`
	Scene         string      `json:"scene,omitempty"`
	Schedule      string      `json:"schedule,omitempty"`
	Steps         int         `json:"steps,omitempty"`
	Switches      *int        `json:"switches,omitempty"`
	Shortest      *int        `json:"shortest,omitempty"`
	Interleavings string      `json:"interleavings,omitempty"`
	Scenes        []sceneJSON `json:"scenes,omitempty"`
	Log           []string    `json:"log,omitempty"`
	Seconds       float64     `json:"seconds"`

	scene    lessons.Text
	breaking *exercise.Breaking // of a schedule
	token    string             // the same as a token

	undecided bool // a search came to its bound
}

type sceneJSON struct {
	Name          string  `json:"name"`
	Complete      bool    `json:"complete"`
	States        int     `json:"states"`
	Interleavings string  `json:"interleavings,omitempty"`
	Violating     *string `json:"violating"`

	name lessons.Text
}

// handIn says where an answer comes from.
type handIn struct {
	answer, schedule string
}

func newCheck() *cobra.Command {
	var form format
	var in handIn
	var langFlag string
	c := &cobra.Command{
		Use:   "check EXERCISE [FILE]",
		Short: "Judge an answer over all interleavings",
		Long: `Check runs your answer inside the real scene, in every schedule and with every fault
of its budget. It passes if the search is complete, nothing breaks and somebody gets
something; otherwise you get one sentence and the shortest counterexample.

FILE is the script; without it the file that the exercise names is read from the
current directory, and - is the standard input. Short answers go into --answer, a
schedule into --schedule.

A script may take two calls: write "-- next call" on a line of its own between them.
The second gets the answer of the first behind its arguments.

Exit code 0: passed. 1: failed. 3: not decided.`,
		Args:              anExercise,
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
			l, x, err := lessons.FindExercise(args[0])
			if err != nil {
				return usage(err)
			}
			answer, err := in.read(c, x, args[1:])
			if err != nil {
				return err
			}
			doc, err := judge(c.Context(), l, x, answer)
			if err != nil {
				return err
			}
			if err := keep(c, l, x, answer, doc); err != nil {
				return err
			}
			if how == "json" {
				err = writeJSON(c.OutOrStdout(), doc)
			} else {
				err = printVerdict(c.OutOrStdout(), x, doc, lang)
			}
			switch {
			case err != nil || doc.Passed:
				return err
			case doc.undecided:
				return exit{exitUnknown, nil}
			}
			return exit{exitBreaks, nil}
		},
	}
	form.flags(c, "print one JSON document", "text", "json")
	c.Flags().StringVar(&in.answer, "answer", "", "the answer itself: an option, line numbers, what fills the gap")
	c.Flags().StringVar(&in.schedule, "schedule", "", "the schedule that breaks it, as a `TOKEN` or its steps")
	c.Flags().StringVar(&langFlag, "lang", "", "`LANGUAGE` of the verdict: en or zh (default: the locale's)")
	return c
}

func anExercise(c *cobra.Command, args []string) error {
	switch len(args) {
	case 0:
		return usage(fmt.Errorf("%s needs the name of an exercise: flashlab exercises lists them", c.CommandPath()))
	case 1, 2:
		return nil
	}
	return usage(fmt.Errorf("%s takes one exercise and one file, but got %q as well: leave it out", c.CommandPath(), args[2]))
}

// read returns the answer, wherever it was put.
func (h *handIn) read(c *cobra.Command, x *lessons.Exercise, files []string) (string, error) {
	byAnswer, bySchedule := c.Flags().Changed("answer"), c.Flags().Changed("schedule")
	given := len(files)
	for _, b := range []bool{byAnswer, bySchedule} {
		if b {
			given++
		}
	}
	switch {
	case given > 1:
		return "", usage(errors.New("a file, --answer and --schedule exclude each other: give one"))
	case bySchedule && x.Break == nil:
		return "", usage(fmt.Errorf("%s asks for code, not for a schedule: leave out --schedule and give a file or --answer", x.Name))
	case byAnswer && x.Fix == nil:
		return "", usage(fmt.Errorf("%s asks for a schedule: give it with --schedule", x.Name))
	case bySchedule:
		return h.schedule, nil
	case byAnswer:
		return h.answer, nil
	case given == 0 && x.Fix == nil:
		return "", usage(fmt.Errorf("%s asks for a schedule: give it with --schedule, or play it in the lab", x.Name))
	case given == 0 && x.Fix.Form != lessons.Script:
		return "", usage(fmt.Errorf("%s needs an answer: give it with --answer; flashlab exercises %s shows the task", x.Name, x.Name))
	}
	name := ""
	if given == 0 {
		name = x.Fix.File
		if _, err := os.Stat(name); err != nil {
			return "", usage(fmt.Errorf("there is no %s here: flashlab exercises %s --write %s makes one to start from", name, x.Name, name))
		}
	} else {
		name = files[0]
	}
	return readAnswer(c.InOrStdin(), name)
}

// readAnswer reads a file, "-" for the standard input.
func readAnswer(in io.Reader, name string) (string, error) {
	r := in
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return "", usage(fmt.Errorf("the answer cannot be read: %w", err))
		}
		defer f.Close()
		if st, err := f.Stat(); err == nil && st.IsDir() {
			return "", usage(fmt.Errorf("%s is a directory: give the file with the answer", name))
		}
		r = f
	}
	b, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	if err != nil {
		return "", usage(fmt.Errorf("the answer cannot be read: %w", err))
	}
	if len(b) > maxFile {
		return "", usage(fmt.Errorf("%s is larger than %d bytes: is it the right file?", name, maxFile))
	}
	return string(b), nil
}

// judge judges an answer of either kind.
func judge(ctx context.Context, l *lessons.Lesson, x *lessons.Exercise, answer string) (*checkJSON, error) {
	if isSchedule(x, answer) {
		return judgeSchedule(ctx, l, x, answer)
	}
	v, err := exercise.Grade(ctx, l, x, answer)
	if err != nil {
		return nil, exit{exitService, err}
	}
	doc := &checkJSON{
		Schema: schema, Exercise: x.Name, Passed: v.Passed, Light: v.Light, Steps: v.Steps,
		Schedule: token.Steps(v.Schedule), Seconds: v.Elapsed.Seconds(), undecided: !v.Decided(),
	}
	for _, s := range v.Scenes {
		y := sceneJSON{Name: s.Name.EN, name: s.Name, Complete: s.Complete, States: s.States}
		if s.Interleavings != nil {
			y.Interleavings = s.Interleavings.String()
		}
		if s.Violating != nil {
			text := s.Violating.String()
			y.Violating = &text
		}
		doc.Scenes = append(doc.Scenes, y)
	}
	if v.Passed {
		doc.Sentence, doc.SentenceZH = x.Learned.EN, x.Learned.ZH
		return doc, nil
	}
	doc.Mistake, doc.Shown = v.Miss.Mistake, v.Miss.Shown
	doc.Sentence, doc.SentenceZH = v.Miss.Sentence.EN, v.Miss.Sentence.ZH
	if v.Stage != nil {
		doc.Scene, doc.scene = v.Stage.Name.EN, v.Stage.Name
	}
	frames, err := v.Frames()
	if err != nil {
		return nil, exit{exitService, err}
	}
	if len(frames) > 0 {
		doc.Log = strings.Split(strings.TrimRight(lessons.StagedLog(frames), "\n"), "\n")
	}
	return doc, nil
}

// isSchedule tells which of its two tasks a "find the bug" is answered with.
func isSchedule(x *lessons.Exercise, answer string) bool {
	if x.Break == nil || x.Fix == nil {
		return x.Break != nil
	}
	return strings.Contains(answer, "@")
}

func judgeSchedule(ctx context.Context, l *lessons.Lesson, x *lessons.Exercise, answer string) (*checkJSON, error) {
	e := lessons.NewEvidence(ctx)
	b, err := exercise.GradeToken(e, l, x, strings.TrimSpace(answer))
	if errors.Is(err, exercise.ErrNotPossible) {
		return nil, usage(fmt.Errorf("--schedule: %w", err))
	}
	if err != nil {
		return nil, exit{exitService, err}
	}
	doc := &checkJSON{
		Schema: schema, Exercise: x.Name, Passed: b.Broke, Light: x.Break.Light, Steps: b.Steps,
		Switches: &b.Switches, Shortest: &b.Shortest, Interleavings: b.Interleavings,
		Schedule: token.Steps(b.Schedule),
		Log:      strings.Split(strings.TrimRight(lessons.StagedLog(b.Frames), "\n"), "\n"),
	}
	doc.breaking = b
	if doc.token, err = exercise.Token(l, x, b.Schedule); err != nil {
		return nil, exit{exitService, err}
	}
	said := b.Sentence(x)
	doc.Sentence, doc.SentenceZH = said.EN, said.ZH
	return doc, nil
}

func printVerdict(w io.Writer, x *lessons.Exercise, doc *checkJSON, lang lessons.Lang) error {
	p := &printer{w: w}
	said := lessons.Text{EN: doc.Sentence, ZH: doc.SentenceZH}.In(lang)
	switch {
	case doc.Passed:
		p.f("✓ %s %s\n  %s\n", x.Name, words(lang, "passes", "通过"), said)
	case doc.undecided:
		p.f("? %s\n  %s\n", x.Name, said)
	default:
		p.f("✗ %s %s\n  %s\n", x.Name, words(lang, "fails", "不通过"), said)
	}
	for _, line := range doc.Shown {
		p.f("    %s\n", line)
	}
	if len(doc.Log) > 0 {
		switch {
		case doc.Switches != nil:
			p.f("\n%s\n", words(lang, "Your schedule:", "你的顺序："))
		case doc.Light != "":
			p.f("\n%s\n", words(lang,
				fmt.Sprintf("The shortest schedule that breaks %s (%s, %d steps):", doc.Light, doc.scene.EN, doc.Steps),
				fmt.Sprintf("破坏 %s 的最短顺序（%s，%d 步）：", doc.Light, doc.scene.ZH, doc.Steps)))
		}
		for _, line := range doc.Log {
			p.f("  %s\n", line)
		}
	}
	for i, s := range doc.Scenes {
		if i == 0 {
			p.f("\n")
		}
		switch {
		case !s.Complete:
			p.f("  %s %s\n", canvas.PadRight(s.name.In(lang), 28), words(lang, "search not complete", "没有搜完"))
		case s.Violating == nil || *s.Violating == "0":
			p.f("  %s %s\n", canvas.PadRight(s.name.In(lang), 28), words(lang, "all "+s.Interleavings+" interleavings hold", "全部 "+s.Interleavings+" 种交错都成立"))
		default:
			p.f("  %s %s\n", canvas.PadRight(s.name.In(lang), 28), words(lang, *s.Violating+" of "+s.Interleavings+" interleavings break it", s.Interleavings+" 种交错里有 "+*s.Violating+" 种被破坏"))
		}
	}
	return p.err
}
