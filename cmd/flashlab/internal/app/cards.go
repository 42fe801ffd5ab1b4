package app

import (
	"slices"
	"strconv"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"flashlab/cmd/flashlab/internal/screen"
	"flashlab/cmd/flashlab/internal/theme"
	"flashlab/lessons"
	"flashlab/store/progress"
)

// card is a recall card and the lesson it comes from.
type card struct {
	lesson *lessons.Lesson
	recall *lessons.Recall
}

// cardsAtEnd is how many cards end a lesson.
const cardsAtEnd = 2

// cardsFor picks the cards that end a lesson: of earlier lessons, what is due first,
// then what has not been seen for longest; of the lesson itself if there are no
// others.
func (m *model) cardsFor(l *lessons.Lesson) []card {
	var list []card
	for _, x := range lessons.All() {
		if x == l {
			break
		}
		for i := range x.Recall {
			list = append(list, card{x, &x.Recall[i]})
		}
	}
	if len(list) == 0 {
		for i := range l.Recall {
			list = append(list, card{l, &l.Recall[i]})
		}
	}
	m.byDue(list)
	return list[:min(cardsAtEnd, len(list))]
}

// byDue sorts cards: those never seen come as if they were due now.
func (m *model) byDue(list []card) {
	due := func(c card) time.Time {
		if k := m.book.Cards[c.recall.Name]; k.Seen > 0 {
			return k.Due
		}
		return m.now()
	}
	slices.SortStableFunc(list, func(a, b card) int { return due(a).Compare(due(b)) })
}

// openDrill shows the cards that are due, of the lessons that have been opened.
func (m *model) openDrill() tea.Cmd {
	m.leaveLesson()
	v := &learnView{place: inDrill, selected: 1, proofs: map[string]proof{}}
	for _, l := range lessons.All() {
		if len(m.book.Lessons[l.Name].Seen) == 0 {
			continue
		}
		for i := range l.Recall {
			c := m.book.Cards[l.Recall[i].Name]
			if wait := c.Due.Sub(m.now()); c.Seen > 0 && wait > 0 {
				if v.next == 0 || wait < v.next {
					v.next = wait
				}
				continue
			}
			v.cards = append(v.cards, card{l, &l.Recall[i]})
		}
	}
	m.byDue(v.cards)
	m.learn = v
	return nil
}

// cardPage shows a card: its question, then its answer and how well it was known.
func (m *model) cardPage(b *blocks) {
	v, w := m.learn, &m.words.Learn
	if v.card >= len(v.cards) {
		if v.graded > 0 {
			b.text(fill(w.CardsDone, "n", strconv.Itoa(v.graded)))
		} else {
			b.text(w.NoCards)
		}
		if v.next > 0 {
			b.add(screen.Block{Text: fill(w.Next, "time", around(v.next)), Style: theme.Dim})
		}
		if v.place == inLesson {
			b.goOn()
			m.showdownOption(b)
		}
		return
	}
	c := v.cards[v.card]
	b.add(screen.Block{Text: fill(w.Card, "n", strconv.Itoa(v.card+1), "all", strconv.Itoa(len(v.cards))) + "  " + c.lesson.Title.In(m.lang), Style: theme.Dim})
	b.add(screen.Block{Text: c.recall.Front.In(m.lang), Style: theme.Accent, Gap: true})
	if !v.revealed {
		b.option(w.Reveal, func() tea.Cmd { v.revealed, v.selected = true, 1; return nil })
		return
	}
	b.add(screen.Block{Text: c.recall.Back.In(m.lang), Gap: true})
	b.title(w.HowWell)
	for i, grade := range []progress.Grade{progress.Again, progress.Hard, progress.Good, progress.Easy} {
		b.option(w.Grades[i], func() tea.Cmd {
			m.keep(c.recall.Name, progress.Recalled{Lesson: c.lesson.Name, Grade: grade})
			v.card, v.revealed, v.selected = v.card+1, false, 1
			v.graded++
			if grade == progress.Again { // comes back in the same sitting
				v.cards = append(v.cards, c)
			}
			return nil
		})
	}
}

// around is a time in the largest fitting unit.
func around(d time.Duration) string {
	switch {
	case d >= 48*time.Hour:
		return strconv.Itoa(int(d.Hours()/24)) + " d"
	case d >= 2*time.Hour:
		return strconv.Itoa(int(d.Hours())) + " h"
	}
	return strconv.Itoa(max(1, int(d.Minutes()))) + " min"
}

// openProgress shows how far the learner has come.
func (m *model) openProgress() tea.Cmd {
	m.leaveLesson()
	m.learn = &learnView{place: inProgress, selected: 1, proofs: map[string]proof{}}
	return nil
}

func (m *model) progressPage(b *blocks) {
	w := &m.words.Learn
	done, all := 0, 0
	for _, l := range lessons.All() {
		row, n := "", 0
		for i := range l.Exercises {
			all++
			mark := m.exerciseMark(&l.Exercises[i])
			if mark == markDone {
				done++
				n++
			}
			row += mark + " "
		}
		if len(l.Exercises) > 0 {
			b.add(screen.Block{Text: row + " " + l.Title.In(m.lang), Pre: true, Indent: 2})
		}
	}
	b.list = append([]screen.Block{{Text: fill(w.Summary, "done", strconv.Itoa(done), "all", strconv.Itoa(all)), Style: theme.Title}}, b.list...)
	b.title(w.Calibrated)
	any := false
	for i, t := range m.book.Calibration {
		if t.N > 0 {
			any = true
			b.add(screen.Block{Text: fill(w.CalRow, "sure", w.Confidence[i], "right", strconv.Itoa(t.Right), "all", strconv.Itoa(t.N)), Indent: 2})
		}
	}
	if !any {
		b.add(screen.Block{Text: w.CalNone, Style: theme.Dim, Indent: 2})
		return
	}
	b.add(screen.Block{Text: w.CalSay, Style: theme.Dim, Indent: 2})
}
