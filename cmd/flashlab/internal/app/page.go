package app

import (
	"slices"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"flashlab/cmd/flashlab/internal/keymap"
	"flashlab/cmd/flashlab/internal/screen"
	"flashlab/cmd/flashlab/internal/theme"
	"flashlab/lessons"
)

// page is the present page as it is to be shown.
func (m *model) page() *screen.Page {
	v := m.learn
	blocks, options := m.pageBlocks()
	v.selected = min(v.selected, len(options))
	p := &screen.Page{
		Words: m.words, Lang: m.lang, Blocks: blocks, Selected: v.selected, Scroll: v.scroll, Follow: v.follow,
		Right: []string{screen.LangLabel(m.lang)}, Foot: m.foot(keymap.Page),
	}
	if v.exercise == nil {
		p.Foot.Off = append(p.Foot.Off, keymap.Hint)
	}
	switch v.place {
	case inDrill:
		p.Left = m.words.App.Name + " · " + m.words.Learn.Drill
	case inProgress:
		p.Left = m.words.App.Name + " · " + m.words.Learn.Progress
	case inShowdown:
		p.Left = m.words.App.Name + " · " + m.words.Showdown.Title
		p.Right = append([]string{m.measuredOn()}, p.Right...)
	default:
		p.Left = v.lesson.Title.In(m.lang)
		if v.lesson.Number > 0 {
			p.Left = strconv.Itoa(v.lesson.Number) + " " + p.Left
		}
		p.Dots = m.dots()
	}
	p.Foot.Options = optionKeys(len(options))
	if len(options) == 0 {
		p.Foot.Off = append(p.Foot.Off, keymap.Open)
	}
	if v.place != inLesson {
		p.Foot.Off = append(p.Foot.Off, keymap.NextBeat, keymap.PrevBeat)
	}
	for i, o := range options {
		p.Blocks = append(p.Blocks, screen.Block{Text: o.text, Key: optionKey(i), Choice: i + 1, Gap: i == 0, Style: theme.Text})
	}
	if v.busy != "" {
		p.Blocks = append(p.Blocks, screen.Block{Text: v.busy, Style: theme.Accent, Gap: true})
	}
	return p
}

// dots are the beats of the lesson that is open.
func (m *model) dots() screen.Dots {
	return m.dotsOf(m.learn.lesson, int(m.learn.beat))
}

// dotsOf are the beats of a lesson; current is -1 where none is gone through.
func (m *model) dotsOf(l *lessons.Lesson, current int) screen.Dots {
	d := screen.Dots{Current: current}
	done := func(kinds ...lessons.ExerciseKind) bool {
		for i := range l.Exercises {
			x := &l.Exercises[i]
			if slices.Contains(kinds, x.Kind) && m.exerciseMark(x) != markDone {
				return false
			}
		}
		return true
	}
	seen := m.book.Lessons[l.Name].Seen
	for b := range lessons.Beats {
		d.Names = append(d.Names, m.words.Learn.Beats[b])
		was := slices.Contains(seen, b.String())
		all := was
		switch b {
		case lessons.BeatPredict:
			all = was && !slices.ContainsFunc(l.Predict, func(q lessons.Question) bool { return m.book.Questions[q.Name].First.Option == "" })
		case lessons.BeatBreak:
			all = was && done(lessons.BreakIt)
		case lessons.BeatFix:
			all = was && done(lessons.FixIt, lessons.FindBug)
		}
		d.Seen, d.Done = append(d.Seen, was), append(d.Done, all)
	}
	return d
}

// lettered is how many options of a page have a letter: those beyond are reached with
// the arrows, since i, j and k mean something else.
const lettered = 8

// optionKey is the letter of an option, from 0.
func optionKey(i int) string {
	if i >= lettered {
		return " "
	}
	return string(rune('a' + i))
}

// optionKeys are the letters of n options: "a", "a-c".
func optionKeys(n int) string {
	switch {
	case n == 0:
		return ""
	case n == 1:
		return "a"
	}
	return "a-" + optionKey(min(n, lettered)-1)
}

// pageBlocks are the text and the options of the present page.
func (m *model) pageBlocks() ([]screen.Block, []option) {
	b := &blocks{m: m}
	switch {
	case m.learn.storm != nil:
		m.stormPage(b)
	case m.learn.place == inDrill:
		m.cardPage(b)
	case m.learn.place == inProgress:
		m.progressPage(b)
	case m.learn.place == inShowdown:
		m.showdownPage(b)
	default:
		[...]func(*blocks){
			m.promisePage, m.predictPage, m.runPage, m.breakPage, m.explainPage, m.fixPage, m.provePage, m.againPage, m.cardPage,
		}[m.learn.beat](b)
	}
	return b.list, b.options
}

// blocks collects a page.
type blocks struct {
	m       *model
	list    []screen.Block
	options []option
}

func (b *blocks) title(text string) {
	b.list = append(b.list, screen.Block{Text: text, Style: theme.Title, Gap: true})
}

func (b *blocks) text(text string) {
	b.list = append(b.list, screen.Block{Text: text, Style: theme.Text})
}

func (b *blocks) add(x screen.Block) { b.list = append(b.list, x) }

func (b *blocks) option(text string, do func() tea.Cmd) {
	b.options = append(b.options, option{text: text, do: do})
}

// goOn is the option that leads to the next beat.
func (b *blocks) goOn() {
	b.option(b.m.words.Learn.GoOn, func() tea.Cmd { return b.m.otherBeat(1) })
}
