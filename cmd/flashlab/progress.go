package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"flashlab/cmd/flashlab/internal/canvas"
	"flashlab/lessons"
	"flashlab/lessons/exercise"
	"flashlab/lessons/homework"
	"flashlab/store/progress"
)

type progressJSON struct {
	Schema      int               `json:"schema"`
	File        string            `json:"file"`
	Lessons     []lessonProgress  `json:"lessons"`
	Calibration []calibrationJSON `json:"calibration"`
	Cards       int               `json:"cards"`
	Due         []string          `json:"due"`
	Resets      []resetJSON       `json:"resets"`
}

type lessonProgress struct {
	Name      string             `json:"name"`
	Seen      []string           `json:"seen"`
	Beats     int                `json:"beats"`
	Exercises []exerciseProgress `json:"exercises"`
}

type exerciseProgress struct {
	Name     string         `json:"name"`
	State    string         `json:"state"`
	Attempts int            `json:"attempts"`
	Hints    int            `json:"hints"`
	Revealed bool           `json:"revealed"`
	Steps    int            `json:"steps,omitempty"`
	Switches *int           `json:"switches,omitempty"`
	Shortest bool           `json:"shortest"`
	Fewest   bool           `json:"fewest"`
	Mistakes map[string]int `json:"mistakes"`

	title lessons.Text
}

type calibrationJSON struct {
	Confidence  int `json:"confidence"`
	Predictions int `json:"predictions"`
	Right       int `json:"right"`
}

type resetJSON struct {
	ID      string `json:"id"`
	Subject string `json:"subject"`
	At      string `json:"at"`
}

func newProgress() *cobra.Command {
	var form format
	var langFlag string
	c := &cobra.Command{
		Use:   "progress [COMMAND]",
		Short: "Show, export, import or reset what you have done",
		Long: `Progress shows per lesson what you have seen and done, and where it is kept. Nothing
in that file is ever deleted: a reset only makes what came before it count no more.`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return usage(fmt.Errorf("%s has no command %q: use export, import, reset or undo", c.CommandPath(), args[0]))
		},
		RunE: func(c *cobra.Command, _ []string) error {
			how, err := form.pick(c)
			if err != nil {
				return err
			}
			lang, err := language(langFlag)
			if err != nil {
				return err
			}
			return withProgress(c, func(s *progress.Store) error {
				b, err := s.Book(c.Context())
				if err != nil {
					return service(err)
				}
				doc := progressDocument(s.Path(), &b)
				if how == "json" {
					return writeJSON(c.OutOrStdout(), doc)
				}
				return printProgress(c.OutOrStdout(), &doc, lang)
			})
		},
	}
	form.flags(c, "print one JSON document", "text", "json")
	c.Flags().StringVar(&langFlag, "lang", "", "`LANGUAGE` of the texts: en or zh (default: the locale's)")
	c.AddCommand(newExport(), newImport(), newReset(), newUndo())
	return c
}

// withProgress opens the progress file for a command that is about the file itself:
// where it cannot be used, that is an error.
func withProgress(c *cobra.Command, f func(*progress.Store) error) error {
	s, notice, err := openProgressFile(c.Context())
	if err != nil {
		return service(err)
	}
	defer s.Close()
	if notice != "" {
		fmt.Fprintln(c.ErrOrStderr(), "flashlab: "+oneLine(notice))
	}
	return f(s)
}

func progressDocument(file string, b *progress.Book) progressJSON {
	doc := progressJSON{Schema: schema, File: file, Lessons: []lessonProgress{}, Calibration: []calibrationJSON{}, Due: []string{}, Resets: []resetJSON{}}
	for _, l := range lessons.All() {
		x := lessonProgress{Name: l.Name, Seen: []string{}, Beats: int(lessons.Beats), Exercises: []exerciseProgress{}}
		for _, beat := range b.Lessons[l.Name].Seen {
			if _, ok := lessons.ParseBeat(beat); ok {
				x.Seen = append(x.Seen, beat)
			}
		}
		for i := range l.Exercises {
			x.Exercises = append(x.Exercises, exerciseDone(&l.Exercises[i], b))
		}
		doc.Lessons = append(doc.Lessons, x)
	}
	for i, t := range b.Calibration {
		doc.Calibration = append(doc.Calibration, calibrationJSON{i + 1, t.N, t.Right})
	}
	doc.Cards, doc.Due = len(b.Cards), append(doc.Due, b.Due...)
	for _, cut := range b.Resets {
		doc.Resets = append(doc.Resets, resetJSON{cut.ID, cut.Subject, cut.At.Format(time.RFC3339)})
	}
	return doc
}

func exerciseDone(x *lessons.Exercise, b *progress.Book) exerciseProgress {
	e := b.Exercises[x.Name]
	doc := exerciseProgress{
		Name: x.Name, State: homework.StateOf(x, b).String(), Attempts: e.Attempts, Hints: e.Hints, Revealed: e.Revealed,
		Shortest: e.Shortest, Fewest: e.Fewest, Mistakes: map[string]int{}, title: x.Title,
	}
	maps.Copy(doc.Mistakes, e.Mistakes)
	if e.Steps.Token != "" {
		doc.Steps = e.Steps.Steps
		doc.Switches = &e.Switches.Switches
	}
	return doc
}

func printProgress(w io.Writer, doc *progressJSON, lang lessons.Lang) error {
	p := &printer{w: w}
	for _, l := range doc.Lessons {
		done := 0
		for _, x := range l.Exercises {
			if x.State == homework.Done.String() {
				done++
			}
		}
		p.f("%s %s\n", canvas.PadRight(l.Name, 22), words(lang,
			fmt.Sprintf("beats %d of %d, exercises %d of %d", len(l.Seen), l.Beats, done, len(l.Exercises)),
			fmt.Sprintf("环节 %d/%d，练习 %d/%d", len(l.Seen), l.Beats, done, len(l.Exercises))))
		for _, x := range l.Exercises {
			if text := x.text(lang); text != "" {
				p.f("  %s %s %s\n", x.mark(), canvas.PadRight(x.Name, 26), text)
			}
		}
	}
	p.f("\n")
	if t := doc.Calibration[2]; t.Predictions > 0 {
		p.f("%s\n", words(lang,
			fmt.Sprintf("Of the %s you were sure, you were right in %d.", times(t.Predictions), t.Right),
			fmt.Sprintf("你有把握的 %d 次里，对了 %d 次。", t.Predictions, t.Right)))
	}
	if t := doc.Calibration[0]; t.Predictions > 0 {
		p.f("%s\n", words(lang,
			fmt.Sprintf("Of the %s you guessed, you were right in %d.", times(t.Predictions), t.Right),
			fmt.Sprintf("你靠猜的 %d 次里，对了 %d 次。", t.Predictions, t.Right)))
	}
	p.f("%s\n", words(lang,
		fmt.Sprintf("Cards: %d seen, %d due.", doc.Cards, len(doc.Due)),
		fmt.Sprintf("卡片：看过 %d 张，该复习 %d 张。", doc.Cards, len(doc.Due))))
	if n := len(doc.Resets); n > 0 {
		p.f("%s\n", words(lang,
			fmt.Sprintf("Last reset: %s; flashlab progress undo takes it back.", subjectName(doc.Resets[n-1].Subject)),
			fmt.Sprintf("最近一次清零：%s；flashlab progress undo 可以撤回。", subjectName(doc.Resets[n-1].Subject))))
	}
	p.f("%s %s\n", words(lang, "Kept in", "保存在"), doc.File)
	return p.err
}

func times(n int) string {
	if n == 1 {
		return "1 time"
	}
	return fmt.Sprintf("%d times", n)
}

func (x *exerciseProgress) mark() string {
	for _, s := range []homework.State{homework.New, homework.Tried, homework.Done} {
		if s.String() == x.State {
			return stateMark(s)
		}
	}
	return " "
}

// text says what was done about an exercise, "" if nothing was.
func (x *exerciseProgress) text(lang lessons.Lang) string {
	var parts []string
	add := func(yes bool, en, zh string) {
		if yes {
			parts = append(parts, words(lang, en, zh))
		}
	}
	plural := func(n int, one, many string) string {
		if n == 1 {
			return "1 " + one
		}
		return fmt.Sprintf("%d %s", n, many)
	}
	if x.Steps > 0 {
		steps, stepsZH := plural(x.Steps, "step", "steps"), fmt.Sprintf("%d 步", x.Steps)
		if x.Shortest {
			steps, stepsZH = steps+" (shortest)", stepsZH+"（最短）"
		}
		switches, switchesZH := plural(*x.Switches, "switch", "switches"), fmt.Sprintf("切换 %d 次", *x.Switches)
		if x.Fewest {
			switches, switchesZH = switches+" (fewest)", switchesZH+"（最少）"
		}
		add(true, steps+", "+switches, stepsZH+"，"+switchesZH)
	}
	add(x.Attempts > 0, plural(x.Attempts, "attempt", "attempts"), fmt.Sprintf("交了 %d 次", x.Attempts))
	add(x.Hints > 0, plural(x.Hints, "hint", "hints"), fmt.Sprintf("%d 条提示", x.Hints))
	add(x.Revealed, "solution shown", "看过答案")
	for _, name := range slices.Sorted(maps.Keys(x.Mistakes)) {
		t := exercise.MistakeTitle(name)
		add(true, fmt.Sprintf("%s ×%d", t.EN, x.Mistakes[name]), fmt.Sprintf("%s ×%d", t.ZH, x.Mistakes[name]))
	}
	return strings.Join(parts, words(lang, ", ", "，"))
}
