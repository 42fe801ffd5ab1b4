package homework

import (
	"encoding/csv"
	"io"
	"slices"
	"strconv"
	"strings"

	"flashlab/lessons/exercise"
)

// The tables that can be written as CSV.
const (
	TableClaims    = "claims"    // a row a claim
	TableLearners  = "learners"  // a row a file
	TableExercises = "exercises" // a row an exercise
	TableMistakes  = "mistakes"  // a row a misconception
)

// Tables lists them.
func Tables() []string {
	return []string{TableClaims, TableLearners, TableExercises, TableMistakes}
}

// WriteCSV writes one table of papers as CSV (RFC 4180). No cell can be taken for a
// formula by a spreadsheet.
func WriteCSV(w io.Writer, table string, papers []Paper) error {
	out := csv.NewWriter(w)
	out.UseCRLF = true
	for _, row := range tableOf(table, papers) {
		for i := range row {
			row[i] = Cell(row[i])
		}
		if err := out.Write(row); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// Cell puts an apostrophe before text that a spreadsheet would take for a formula
// (https://owasp.org/www-community/attacks/CSV_Injection), and takes control
// characters other than line breaks away.
func Cell(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7f {
			return -1
		}
		return r
	}, s)
	// Spaces before it do not keep some programs from reading a formula.
	if first := strings.TrimLeft(s, " \t\n\u00a0\u3000\ufeff"); first != "" && strings.ContainsRune("=+-@＝＋－＠", []rune(first)[0]) ||
		s != "" && strings.ContainsRune("\t\n", rune(s[0])) {
		return "'" + s
	}
	return s
}

func tableOf(table string, papers []Paper) [][]string {
	class := Sum(papers)
	n := strconv.Itoa
	switch table {
	case TableLearners:
		rows := [][]string{{"file", "name", "host", "made", "version", "done", "true", "false", "unknown", "told", "note"}}
		for i := range papers {
			p := &papers[i]
			if p.Report == nil {
				rows = append(rows, []string{p.File, "", "", "", "", "", "", "", "", "", "not readable: " + p.Err.Error()})
				continue
			}
			t := p.Tally()
			rows = append(rows, []string{p.File, p.Report.Name, p.Report.Host, p.Report.Made, p.Report.Version,
				strings.Join(p.Done(), " "), n(t.True), n(t.False), n(t.Unknown), n(t.Told), p.Note().EN})
		}
		return rows
	case TableExercises:
		rows := [][]string{{"lesson", "exercise", "learners", "done", "true", "false", "unknown"}}
		for _, e := range class.Exercises {
			rows = append(rows, []string{e.Lesson, e.Name, n(e.Learners), n(e.Done), n(e.True), n(e.False), n(e.Unknown)})
		}
		return rows
	case TableMistakes:
		rows := [][]string{{"mistake", "title", "count", "learners"}}
		for _, m := range class.Mistakes {
			rows = append(rows, []string{m.Name, exercise.MistakeTitle(m.Name).EN, n(m.Count), n(m.Learners)})
		}
		return rows
	}
	rows := [][]string{{"file", "name", "host", "lesson", "subject", "kind", "claim", "verdict", "problem", "detail"}}
	for i := range papers {
		p := &papers[i]
		if p.Report == nil {
			rows = append(rows, []string{p.File, "", "", "", "", "", "", "unreadable", "", p.Err.Error()})
			continue
		}
		for _, r := range p.Rows {
			rows = append(rows, []string{p.File, p.Report.Name, p.Report.Host, r.Claim.Lesson, r.Claim.Subject, r.Claim.Kind,
				r.Says.EN, string(r.Verdict), string(r.Problem), r.Detail.EN})
		}
	}
	return rows
}

// HasTable reports whether there is a table of that name.
func HasTable(name string) bool { return slices.Contains(Tables(), name) }
