package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"flashlab/cmd/flashlab/internal/canvas"
	"flashlab/lessons"
	"flashlab/lessons/exercise"
	"flashlab/sim/token"
	"flashlab/store/progress"
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

	remark   lessons.Text // on what passed
	file     string       // that was judged without being named
	shipped  bool         // the answer is what the exercise starts from
	scene    lessons.Text
	breaking *exercise.Breaking // of a schedule
	token    string             // the same as a token

	verdict   *exercise.Verdict // of code
	undecided bool              // a search came to its bound
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
	found            string // file that was found without being named
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

FILE is the script; - is the standard input. Without it the file that the exercise names
is judged: in the current directory, or else the one that you have edited in the lab.
Short answers go into --answer, a schedule into --schedule.

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
			l, x, err := findExercise(c, args[0])
			if err != nil {
				return err
			}
			answer, err := in.read(c, x, args[1:])
			if err != nil {
				return err
			}
			doc, answer, err := in.judge(c, l, x, answer)
			if err != nil {
				return err
			}
			if err := keep(c, l, x, answer, doc); err != nil {
				return err
			}
			if how == "json" {
				doc.alone(c.ErrOrStderr())
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
		if name = ownFile(x); name == "" {
			hint := ""
			if in := c.InOrStdin(); !isTerminal(in) {
				hint = "; to judge the standard input give - as the file"
			}
			return "", usage(fmt.Errorf("there is no %s here: flashlab exercises %s --write %s makes one to start from%s", x.Fix.File, x.Name, x.Fix.File, hint))
		}
		h.found = name
	} else {
		name = files[0]
	}
	return readAnswer(c.Context(), c.InOrStdin(), name)
}

// ownFile is the learner's file of an exercise: the one here, or else the one that the
// lab keeps; "" if there is neither.
func ownFile(x *lessons.Exercise) string {
	if _, err := os.Stat(x.Fix.File); err == nil {
		return x.Fix.File
	}
	path, err := progress.DefaultPath()
	if err != nil {
		return ""
	}
	file := filepath.Join(answersBeside(path), x.Fix.File)
	if _, err := os.Stat(file); err != nil {
		return ""
	}
	return file
}

// readAnswer reads a file, "-" for the standard input.
func readAnswer(ctx context.Context, in io.Reader, name string) (string, error) {
	r := in
	if name != "-" {
		// Looked at before it is opened: opening a pipe waits for whoever writes it.
		st, err := os.Stat(name)
		switch {
		case err != nil:
			return "", usage(fmt.Errorf("the answer cannot be read: %w", err))
		case st.IsDir():
			return "", usage(fmt.Errorf("%s is a directory: give the file with the answer", name))
		case !st.Mode().IsRegular():
			return "", usage(fmt.Errorf("%s is no regular file: give the file with the answer, or - to read the standard input", name))
		}
		f, err := os.Open(name)
		if err != nil {
			return "", usage(fmt.Errorf("the answer cannot be read: %w", err))
		}
		defer f.Close()
		r = f
	}
	b, err := readSome(ctx, r, maxFile+1)
	if ctx.Err() != nil {
		return "", exit{exitUnknown, context.Cause(ctx)}
	}
	if err != nil {
		return "", usage(fmt.Errorf("the answer cannot be read: %w", err))
	}
	if len(b) > maxFile {
		return "", usage(fmt.Errorf("%s is larger than %d bytes: is it the right file?", name, maxFile))
	}
	return string(b), nil
}

// readSome reads up to so many bytes. It does not wait for a reader when ctx is
// cancelled.
func readSome(ctx context.Context, r io.Reader, most int64) ([]byte, error) {
	type read struct {
		b   []byte
		err error
	}
	done := make(chan read, 1)
	go func() {
		b, err := io.ReadAll(io.LimitReader(r, most))
		done <- read{b, err}
	}()
	select {
	case got := <-done:
		return got.b, got.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// judge judges what was handed in, and returns the answer as it is to be kept.
func (h *handIn) judge(c *cobra.Command, l *lessons.Lesson, x *lessons.Exercise, answer string) (*checkJSON, string, error) {
	if c.Flags().Changed("schedule") {
		doc, err := judgeSchedule(c.Context(), l, x, answer)
		return doc, answer, err
	}
	answer, err := chosen(x, answer, languageOf(c))
	if err != nil {
		return nil, "", err
	}
	doc, err := judge(c.Context(), l, x, answer)
	if err == nil {
		doc.file = h.found
	}
	return doc, answer, err
}

// chosen is the name of the option that an answer picks, and any other answer as it
// is. What is no option, or no line, is a slip of the hand and no attempt.
func chosen(x *lessons.Exercise, answer string, lang lessons.Lang) (string, error) {
	if x.Fix == nil || isSchedule(x, answer) || x.Fix.Form != lessons.Pick && x.Fix.Form != lessons.Order {
		return answer, nil
	}
	text, err := exercise.Text(x.Fix, answer)
	var m *lessons.Miss
	switch {
	case errors.As(err, &m):
		return "", usage(errors.New(m.Sentence.In(lang)))
	case err != nil:
		return "", err
	case x.Fix.Form == lessons.Pick:
		return text, nil
	}
	return answer, nil
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
		Schedule: token.Steps(v.Schedule), Seconds: v.Elapsed.Seconds(), verdict: v, undecided: !v.Decided(),
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
		doc.Sentence, doc.SentenceZH, doc.remark = x.Learned.EN, x.Learned.ZH, v.Remark
		return doc, nil
	}
	doc.shipped = x.Fix.Form == lessons.Script && plainText(answer) == plainText(x.Fix.Shipped)
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

// plainText is a script without what editors add to it.
func plainText(s string) string {
	return strings.TrimSpace(strings.ReplaceAll(strings.TrimPrefix(s, "\ufeff"), "\r\n", "\n"))
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

// alone makes a document say by itself what a verdict says around it; the file goes to w.
func (doc *checkJSON) alone(w io.Writer) {
	if doc.remark.EN != "" {
		doc.Sentence, doc.SentenceZH = doc.remark.EN+" "+doc.Sentence, doc.remark.ZH+doc.SentenceZH
	}
	if doc.file != "" {
		fmt.Fprintln(w, "flashlab: judged: "+oneLine(doc.file))
	}
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
	if doc.remark.EN != "" {
		p.f("  %s\n", doc.remark.In(lang))
	}
	if doc.file != "" {
		p.f("  %s\n", words(lang, "judged: "+doc.file, "判的文件："+doc.file))
	}
	if doc.shipped {
		p.f("  %s\n", words(lang, "This is still the text that the exercise starts from.", "这还是题目自带的起点，没有改过。"))
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
