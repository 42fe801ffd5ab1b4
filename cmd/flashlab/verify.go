package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"flashlab/cmd/flashlab/internal/canvas"
	"flashlab/lessons"
	"flashlab/lessons/exercise"
	"flashlab/lessons/homework"
)

type verifyJSON struct {
	Schema     int             `json:"schema"`
	Files      []paperJSON     `json:"files"`
	Learners   int             `json:"learners"`
	Exercises  []classExercise `json:"exercises"`
	Mistakes   []classMistake  `json:"mistakes"`
	Unreadable int             `json:"unreadable"`
	True       int             `json:"true"`
	False      int             `json:"false"`
	Unknown    int             `json:"unknown"`
	Told       int             `json:"told"`
	Seconds    float64         `json:"seconds"`
}

type paperJSON struct {
	File    string      `json:"file"`
	Error   string      `json:"error,omitempty"`
	Name    string      `json:"name"`
	Host    string      `json:"host"`
	Made    string      `json:"made"`
	Version string      `json:"version"`
	Note    string      `json:"note,omitempty"`
	Done    []string    `json:"done"`
	Rows    []verifyRow `json:"rows"`
}

type verifyRow struct {
	Lesson   string `json:"lesson"`
	Subject  string `json:"subject"`
	Kind     string `json:"kind"`
	Claim    string `json:"claim"`
	Verdict  string `json:"verdict"`
	Problem  string `json:"problem,omitempty"`
	Detail   string `json:"detail,omitempty"`
	DetailZH string `json:"detail_zh,omitempty"`
}

type classExercise struct {
	Lesson   string `json:"lesson"`
	Name     string `json:"name"`
	Learners int    `json:"learners"`
	Done     int    `json:"done"`
	True     int    `json:"true"`
	False    int    `json:"false"`
	Unknown  int    `json:"unknown"`
}

type classMistake struct {
	Name     string `json:"name"`
	Title    string `json:"title"`
	TitleZH  string `json:"title_zh"`
	Count    int    `json:"count"`
	Learners int    `json:"learners"`
}

// verification is what a command line of verify asks for.
type verification struct {
	form     format
	csv, all bool
	table    string
	lang     string
}

func newVerify() *cobra.Command {
	var v verification
	c := &cobra.Command{
		Use:   "verify REPORT...",
		Short: "Judge the reports that learners have handed in",
		Long: `Verify runs every claim of a report on the engine: schedules are played, answers are
judged over all interleavings, options are proved. Nothing in a report has to be
believed. What no engine can know (hints, cards) is marked as only told.

A REPORT is what flashlab progress export --report has made; - is the standard input.
For several files only what is not true is listed, unless --all is given, and the
class is summed up.

Exit code 0: nothing is wrong. 1: at least one claim is not true. 2: a file cannot be
read. 3: a claim could not be checked.`,
		Example: `  flashlab verify alice.json
  flashlab verify reports/*.json --csv --table learners > class.csv`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return nil
			}
			return usage(fmt.Errorf("%s needs a report: flashlab progress export --report makes one", c.CommandPath()))
		},
		RunE: v.run,
	}
	v.form.flags(c, "print one JSON document", "text", "json", "csv")
	c.Flags().BoolVar(&v.csv, "csv", false, "print one table as CSV")
	c.Flags().StringVar(&v.table, "table", homework.TableClaims, "the `TABLE` to print as CSV: "+strings.Join(homework.Tables(), ", "))
	c.Flags().BoolVar(&v.all, "all", false, "list every claim of every file")
	c.Flags().StringVar(&v.lang, "lang", "", "`LANGUAGE` of the texts: en or zh (default: the locale's)")
	// The flag was defined four lines above.
	_ = c.RegisterFlagCompletionFunc("table", cobra.FixedCompletions(homework.Tables(), cobra.ShellCompDirectiveNoFileComp))
	return c
}

func (v *verification) run(c *cobra.Command, files []string) error {
	how, err := v.pick(c)
	if err != nil {
		return err
	}
	lang, err := language(v.lang)
	if err != nil {
		return err
	}
	start := time.Now()
	papers, err := verifyFiles(c.Context(), c.InOrStdin(), files)
	if err != nil {
		return err
	}
	switch how {
	case "json":
		doc := verifyDocument(papers)
		doc.Seconds = time.Since(start).Seconds()
		err = writeJSON(c.OutOrStdout(), doc)
	case "csv":
		err = homework.WriteCSV(c.OutOrStdout(), v.table, papers)
	default:
		err = v.print(c.OutOrStdout(), papers, lang)
	}
	if err != nil {
		return err
	}
	return verdictOf(papers)
}

func (v *verification) pick(c *cobra.Command) (string, error) {
	how, err := v.form.pick(c)
	if err != nil {
		return "", err
	}
	if v.csv {
		if v.form.json || c.Flags().Changed("format") && how != "csv" {
			return "", usage(errors.New("--csv and another format contradict each other: leave one out"))
		}
		how = "csv"
	}
	switch {
	case c.Flags().Changed("table") && how != "csv":
		return "", usage(errors.New("--table chooses what --csv prints: add --csv or leave it out"))
	case !homework.HasTable(v.table):
		return "", usage(fmt.Errorf("--table %q is not possible: use one of %s", v.table, strings.Join(homework.Tables(), ", ")))
	}
	return how, nil
}

// verifyFiles judges files one after the other; what is found in one is known for
// the next. A file that cannot be read is part of the result.
func verifyFiles(ctx context.Context, in io.Reader, files []string) ([]homework.Paper, error) {
	checker := homework.NewChecker(ctx, homework.Limits{})
	papers := make([]homework.Paper, len(files))
	for i, name := range files {
		p := &papers[i]
		p.File = name
		if p.Report, p.Err = readReport(in, name); p.Err != nil {
			p.Report = nil
			continue
		}
		var err error
		if p.Rows, err = checker.Verify(p.Report); err != nil {
			return nil, exit{exitService, fmt.Errorf("%s was not checked to its end: %w", name, err)}
		}
	}
	homework.Mark(papers)
	return papers, nil
}

func readReport(in io.Reader, name string) (*homework.Report, error) {
	if name == "-" {
		return homework.Read(in)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, plainPath(err)
	}
	defer f.Close()
	if st, err := f.Stat(); err == nil && st.IsDir() {
		return nil, errors.New("it is a directory: give the files in it")
	}
	r, err := homework.Read(f)
	return r, plainPath(err)
}

// plainPath takes the file's name out of an error that is shown behind it.
func plainPath(err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// verdictOf is the exit code for all papers together.
func verdictOf(papers []homework.Paper) error {
	var all homework.Tally
	var bad []string
	for i := range papers {
		if papers[i].Report == nil {
			bad = append(bad, fmt.Sprintf("%s (%v)", papers[i].File, papers[i].Err))
		}
		t := papers[i].Tally()
		all.False += t.False
		all.Unknown += t.Unknown
	}
	switch {
	case len(bad) == 1:
		return usage(fmt.Errorf("a report cannot be read: %s", bad[0]))
	case len(bad) > 1:
		return usage(fmt.Errorf("%d of %d reports cannot be read, the first is %s", len(bad), len(papers), bad[0]))
	case all.False > 0:
		return exit{exitBreaks, nil}
	case all.Unknown > 0:
		return exit{exitUnknown, nil}
	}
	return nil
}

func verifyDocument(papers []homework.Paper) verifyJSON {
	class := homework.Sum(papers)
	doc := verifyJSON{Schema: schema, Files: []paperJSON{}, Learners: class.Learners, Exercises: []classExercise{}, Mistakes: []classMistake{}}
	for i := range papers {
		p := &papers[i]
		x := paperJSON{File: p.File, Done: []string{}, Rows: []verifyRow{}}
		if p.Report == nil {
			x.Error = p.Err.Error()
			doc.Unreadable++
			doc.Files = append(doc.Files, x)
			continue
		}
		x.Name, x.Host, x.Made, x.Version, x.Note = p.Report.Name, p.Report.Host, p.Report.Made, p.Report.Version, p.Note().EN
		x.Done = append(x.Done, p.Done()...)
		for _, r := range p.Rows {
			x.Rows = append(x.Rows, verifyRow{r.Claim.Lesson, r.Claim.Subject, r.Claim.Kind, r.Says.EN,
				string(r.Verdict), string(r.Problem), r.Detail.EN, r.Detail.ZH})
		}
		t := p.Tally()
		doc.True += t.True
		doc.False += t.False
		doc.Unknown += t.Unknown
		doc.Told += t.Told
		doc.Files = append(doc.Files, x)
	}
	for _, e := range class.Exercises {
		doc.Exercises = append(doc.Exercises, classExercise{e.Lesson, e.Name, e.Learners, e.Done, e.True, e.False, e.Unknown})
	}
	for _, m := range class.Mistakes {
		t := exercise.MistakeTitle(m.Name)
		doc.Mistakes = append(doc.Mistakes, classMistake{m.Name, t.EN, t.ZH, m.Count, m.Learners})
	}
	return doc
}

func (v *verification) print(w io.Writer, papers []homework.Paper, lang lessons.Lang) error {
	p := &printer{w: w}
	for i := range papers {
		if i > 0 && (v.all || papers[i-1].Report != nil && !quiet(&papers[i-1])) {
			p.f("\n")
		}
		printPaper(p, &papers[i], v.all || len(papers) == 1, lang)
	}
	if len(papers) > 1 {
		printClass(p, papers, lang)
	}
	return p.err
}

// quiet reports whether there is nothing to list of a paper among many.
func quiet(paper *homework.Paper) bool {
	t := paper.Tally()
	return t.False == 0 && t.Unknown == 0
}

func printPaper(p *printer, paper *homework.Paper, all bool, lang lessons.Lang) {
	if paper.Report == nil {
		p.f("✗ %s  %s\n", oneLine(paper.File), words(lang, "cannot be read: ", "读不了：")+oneLine(paper.Err.Error()))
		return
	}
	r, t := paper.Report, paper.Tally()
	mark := homework.True
	switch {
	case t.False > 0:
		mark = homework.False
	case t.Unknown > 0:
		mark = homework.Unknown
	}
	name := oneLine(r.Name)
	if name == "" {
		name = words(lang, "(no name)", "（没写名字）")
	}
	p.f("%s %s  %s  %s  %s", mark.Mark(), oneLine(paper.File), name, oneLine(r.Made), tallyText(t, lang))
	if note := paper.Note().In(lang); note != "" {
		p.f("  (%s)", oneLine(note))
	}
	p.f("\n")
	if r.Version != version {
		p.f("    %s\n", words(lang,
			fmt.Sprintf("made with flashlab %s, checked with %s: a grader may have changed between them", oneLine(r.Version), version),
			fmt.Sprintf("报告出自 flashlab %s，这里是 %s：两个版本的判法可能不同", oneLine(r.Version), version)))
	}
	head := false
	for i := range paper.Rows {
		row := &paper.Rows[i]
		if !all && (row.Verdict == homework.True || row.Verdict == homework.Told) {
			continue
		}
		if !head {
			head = true
			p.f("  %s %s %s  %s\n", canvas.PadRight(words(lang, "about", "对象"), 26), canvas.PadRight(words(lang, "kind", "类别"), 11),
				canvas.PadRight(words(lang, "claimed", "报告里说"), 40), words(lang, "checked", "核对结果"))
		}
		p.f("  %s %s %s  %s\n", canvas.PadRight(oneLine(row.Claim.Subject), 26), canvas.PadRight(oneLine(row.Claim.Kind), 11),
			canvas.PadRight(oneLine(row.Says.In(lang)), 40), checked(row, lang))
	}
}

// checked says what became of a claim: that of a failed answer is confirmed by its
// failing, which must not look like a solution.
func checked(row *homework.Row, lang lessons.Lang) string {
	detail := oneLine(row.Detail.In(lang))
	switch {
	case row.Verdict == homework.True && row.Claim.Kind == homework.Answer && !row.Claim.Passed:
		return "= " + words(lang, "confirmed: not passed", "属实：没通过")
	case row.Verdict == homework.True:
		return row.Verdict.Mark() + " " + words(lang, "confirmed", "属实")
	}
	return strings.TrimRight(row.Verdict.Mark()+" "+detail, " ")
}

func tallyText(t homework.Tally, lang lessons.Lang) string {
	return words(lang,
		fmt.Sprintf("%d true, %d false, %d not checked, %d only told", t.True, t.False, t.Unknown, t.Told),
		fmt.Sprintf("%d 条属实，%d 条不实，%d 条没核对，%d 条自述", t.True, t.False, t.Unknown, t.Told))
}

func printClass(p *printer, papers []homework.Paper, lang lessons.Lang) {
	class := homework.Sum(papers)
	learners := fmt.Sprintf("%d learners", class.Learners)
	if class.Learners == 1 {
		learners = "1 learner"
	}
	p.f("\n%s\n", words(lang, fmt.Sprintf("%d files, %s", len(papers), learners), fmt.Sprintf("%d 个文件，%d 人", len(papers), class.Learners)))
	if len(class.Exercises) > 0 {
		p.f("\n  %s %8s %6s %6s %6s %6s\n", canvas.PadRight(words(lang, "exercise", "练习"), 26), "learners", "done", "true", "false", "?")
	}
	for _, e := range class.Exercises {
		p.f("  %-26s %8d %6d %6d %6d %6d\n", e.Name, e.Learners, e.Done, e.True, e.False, e.Unknown)
	}
	if len(class.Mistakes) > 0 {
		p.f("\n  %s %8s %6s\n", canvas.PadRight(words(lang, "misconception, as told", "误解（自述）"), 40), "learners", "count")
	}
	for _, m := range class.Mistakes {
		p.f("  %s %8d %6d\n", canvas.PadRight(exercise.MistakeTitle(m.Name).In(lang), 40), m.Learners, m.Count)
	}
}
