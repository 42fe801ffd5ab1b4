package homework_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"flashlab/lessons"
	"flashlab/lessons/exercise"
	"flashlab/lessons/homework"
)

// paper judges a report as the file of somebody.
func paper(t testing.TB, c *homework.Checker, file, name, host string, r *homework.Report) homework.Paper {
	t.Helper()
	r = reread(t, r)
	r.Name, r.Host = name, host
	rows, err := c.Verify(r)
	if err != nil {
		t.Fatal(err)
	}
	return homework.Paper{File: file, Report: r, Rows: rows}
}

func TestClass(t *testing.T) {
	c := homework.NewChecker(t.Context(), homework.Limits{})
	forged := whole(t)
	claimOf(t, forged, homework.Answer, "unlock").Answer = "return redis.call('DEL', KEYS[1])"
	papers := []homework.Paper{
		paper(t, c, "a.json", "Ada", "h1", whole(t)),
		paper(t, c, "b.json", "Bob", "h2", forged),
		{File: "c.json", Err: errors.New("it is cut off")},
		paper(t, c, "a2.json", " ada", "h1", forged),
		paper(t, c, "d.json", "Dan", "h1", &homework.Report{Schema: 1, Program: "flashlab", Kind: "report", Made: "2026-11-30T12:00:00Z"}),
	}
	homework.Mark(papers)
	var notes []string
	for i := range papers {
		notes = append(notes, papers[i].SameLearner+"/"+papers[i].SameHost)
	}
	if want := []string{"/", "/", "/", "a.json/", "/a.json"}; !slices.Equal(notes, want) {
		t.Errorf("notes %q, want %q", notes, want)
	}
	class := homework.Sum(papers)
	if class.Learners != 3 {
		t.Errorf("%d learners, want 3", class.Learners)
	}
	i := slices.IndexFunc(class.Exercises, func(e homework.OfExercise) bool { return e.Name == "unlock" })
	if e := class.Exercises[i]; e.Learners != 2 || e.Done != 1 || e.False != 2 || e.Lesson != "lua-unlock" {
		t.Errorf("unlock: %+v, want 2 learners of whom 1 has done it, and 2 false claims", e)
	}
	if !slices.Contains(papers[0].Done(), "unlock") || slices.Contains(papers[1].Done(), "unlock") {
		t.Errorf("done: %q and %q", papers[0].Done(), papers[1].Done())
	}
	// Ada's second file tells the same again; it must not count twice.
	told := map[string]int{}
	for _, claim := range papers[0].Report.Claims {
		for name, n := range claim.Mistakes {
			told[name] += n
		}
	}
	for _, m := range class.Mistakes {
		if m.Count != 2*told[m.Name] || m.Learners != 2 {
			t.Errorf("%+v, want twice %d of 2 learners", m, told[m.Name])
		}
	}
	if len(class.Mistakes) != len(told) {
		t.Errorf("%d misconceptions, want %d", len(class.Mistakes), len(told))
	}
}

// noFormula fails if a cell of a CSV text could be taken for a formula.
func noFormula(t testing.TB, text string) [][]string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	for _, row := range rows {
		for _, cell := range row {
			if trimmed := strings.TrimLeft(cell, " \t\r\n"); trimmed != "" && strings.ContainsAny(trimmed[:1], "=+-@") {
				t.Errorf("a formula: %q", cell)
			}
		}
	}
	return rows
}

func TestCSV(t *testing.T) {
	c := homework.NewChecker(t.Context(), homework.Limits{})
	names := []string{`=cmd|'/c calc'!A1`, "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "＝1", `say "hi", you`, "two\nlines", "李雷", "O'Hara", ""}
	var papers []homework.Paper
	for i, name := range names {
		papers = append(papers, paper(t, c, fmt.Sprint(i, ".json"), name, fmt.Sprint("h", i), whole(t)))
	}
	papers = append(papers, homework.Paper{File: "=x.json", Err: errors.New("it is empty")})
	for _, table := range homework.Tables() {
		var b bytes.Buffer
		if err := homework.WriteCSV(&b, table, papers); err != nil {
			t.Fatal(err)
		}
		rows := noFormula(t, b.String())
		if len(rows) < 2 || strings.Count(strings.ReplaceAll(b.String(), "two\r\nlines", ""), "\n") != strings.Count(b.String(), "\r\n")-strings.Count(b.String(), "two\r\nlines") {
			t.Errorf("%s: %d rows, or lines that do not end in CR LF", table, len(rows))
		}
		if table != homework.TableLearners {
			continue
		}
		want := []string{`'=cmd|'/c calc'!A1`, "'+1", "'-1", "'@SUM(A1)", "'\t=1", "'=1", "' =1", "'＝1", `say "hi", you`, "two\nlines", "李雷", "O'Hara", ""}
		for i := range names {
			if got := rows[i+1][1]; got != want[i] {
				t.Errorf("the name %q is written %q, want %q", names[i], got, want[i])
			}
		}
	}
}

// A class of thirty equal reports is judged about as quickly as one.
func TestThirtyReports(t *testing.T) {
	c := homework.NewChecker(t.Context(), homework.Limits{})
	r := whole(t)
	start := time.Now()
	paper(t, c, "0", "0", "0", r)
	one := time.Since(start)
	start = time.Now()
	for i := range 29 {
		n := fmt.Sprint(i + 1)
		if p := paper(t, c, n, n, n, r); p.Tally().False != 0 {
			t.Fatal("a copy of a true report is not true")
		}
	}
	rest := time.Since(start)
	t.Logf("the first took %v, the other 29 %v", one, rest)
	if rest > 2*one+3*time.Second {
		t.Error("what was found in the first report was not kept")
	}
}

// BenchmarkThirtyReports verifies the reports of a class that has done every exercise
// of every lesson.
func BenchmarkThirtyReports(b *testing.B) {
	var all []entry
	for _, l := range lessons.All() {
		list, err := entriesOf(l)
		if err != nil {
			b.Fatal(err)
		}
		all = append(all, list...)
	}
	r := made(b, all)
	b.ReportMetric(float64(len(r.Claims)), "claims")
	for b.Loop() {
		c := homework.NewChecker(b.Context(), homework.Limits{})
		for i := range 30 {
			n := fmt.Sprint(i)
			if p := paper(b, c, n, n, n, r); p.Tally().False+p.Tally().Unknown != 0 {
				b.Fatalf("%+v", p.Tally())
			}
		}
	}
}

func TestEveryMistakeHasATitle(t *testing.T) {
	for _, name := range exercise.Mistakes() {
		if title := exercise.MistakeTitle(name); title.EN == name || title.ZH == name {
			t.Errorf("%s has no title", name)
		}
	}
}
