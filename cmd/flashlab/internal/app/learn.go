package app

import (
	"context"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"flashlab/cmd/flashlab/internal/i18n"
	"flashlab/cmd/flashlab/internal/keymap"
	"flashlab/cmd/flashlab/internal/screen"
	"flashlab/lessons"
	"flashlab/lessons/exercise"
	"flashlab/store/progress"
)

// learnView is what is learned at the moment: a lesson beat by beat, the drill, or
// the learner's own progress. It shows pages; while one of its scenes is on the
// stage it waits behind it.
type learnView struct {
	lesson *lessons.Lesson // nil for drill and progress
	beat   lessons.Beat
	place  place

	exercise *lessons.Exercise // being done, nil while the list is shown
	question int               // of the predictions
	option   string            // picked, waiting for the learner's confidence or line
	warned   bool              // that an option which was picked would be lost

	selected int // option of the page, from 1
	scroll   int
	follow   bool // the learner moves among the options

	busy     string // what is being computed, "" for nothing
	verdict  *exercise.Verdict
	answer   string // that the verdict is about
	breaking *exercise.Breaking
	kept     *exercise.Breaking // what the schedule is worth that was kept before
	script   scriptFile
	chosen   []int          // lines of an Order, from 1
	hints    []lessons.Text // shown for the exercise
	solution bool
	reask    bool // the cause is asked for once more
	runs     []randomRun
	proofs   map[string]proof // by variant
	storm    *stormView       // over the page; nil: none
	showdown *showdownView    // of the place inShowdown
	cards    []card
	card     int
	revealed bool
	graded   int
	next     time.Duration
}

// place is which kind of pages a learnView shows.
type place uint8

const (
	inLesson place = iota
	inDrill
	inProgress
	inShowdown
)

// option is something that can be chosen on a page.
type option struct {
	text string
	do   func() tea.Cmd
}

// worked is the end of something that ran in the background.
type worked struct {
	gen   int
	apply func() tea.Cmd
	err   error
}

// work runs f in the background and what it returns in Update, unless the learner
// has gone on by then. busy is shown meanwhile.
func (m *model) work(busy string, f func(ctx context.Context) (func() tea.Cmd, error)) tea.Cmd {
	m.learn.busy = busy
	gen := m.nextLearn()
	ctx := m.learning
	return m.guard.cmd(func() tea.Msg {
		apply, err := f(ctx)
		return worked{gen, apply, err}
	})
}

// nextLearn makes everything stale that is still being computed for a page.
func (m *model) nextLearn() int {
	if m.stopLearning != nil {
		m.stopLearning()
	}
	m.learning, m.stopLearning = context.WithCancel(m.ctx)
	m.learnGen++
	return m.learnGen
}

func (m *model) workDone(w worked) tea.Cmd {
	if m.learn == nil || w.gen != m.learnGen {
		return nil
	}
	m.learn.busy = ""
	if w.err != nil {
		return m.fault(w.err)
	}
	return w.apply()
}

// openBeat shows a beat of a lesson.
func (m *model) openBeat(l *lessons.Lesson, b lessons.Beat) tea.Cmd {
	if m.learn == nil || m.learn.lesson != l {
		m.learn = &learnView{lesson: l, proofs: map[string]proof{}}
	}
	m.leaveLesson()
	v := m.learn
	v.place, v.beat = inLesson, b
	v.leaveExercise()
	v.question = 0
	m.home.open = l.Name
	if !slices.Contains(m.book.Lessons[l.Name].Seen, b.String()) {
		m.keep(l.Name, progress.Visited{Beat: b.String()})
	}
	at := m.book.Lessons[l.Name].Place.Placed
	at.Beat = b.String()
	m.keep(l.Name, at)
	return m.enterBeat()
}

// enterBeat starts what a beat computes by itself.
func (m *model) enterBeat() tea.Cmd {
	v := m.learn
	v.busy = ""
	m.nextLearn()
	switch v.beat {
	case lessons.BeatPredict:
		v.question = m.openQuestion()
		return m.truths()
	case lessons.BeatRun:
		if len(v.runs) == 0 {
			return m.runRandom()
		}
		return m.truths()
	case lessons.BeatExplain:
		return m.truths()
	case lessons.BeatRecall:
		v.cards, v.card, v.revealed = m.cardsFor(v.lesson), 0, false
	}
	return nil
}

// leaveExercise goes back to the list of a beat.
func (v *learnView) leaveExercise() {
	v.exercise, v.option, v.verdict, v.breaking, v.answer = nil, "", nil, nil, ""
	v.chosen, v.hints, v.solution, v.reask = nil, nil, false, false
	v.kept, v.script, v.warned = nil, scriptFile{}, false
	v.selected, v.scroll, v.follow = 1, 0, false
}

// otherBeat goes to the next or previous beat. On the fast track only those with
// something to do count.
func (m *model) otherBeat(d int) tea.Cmd {
	v := m.learn
	if v == nil || v.place != inLesson {
		return nil
	}
	for b := int(v.beat) + d; b >= 0 && b < int(lessons.Beats); b += d {
		if m.fast && !fastBeat(lessons.Beat(b)) {
			continue
		}
		return m.openBeat(v.lesson, lessons.Beat(b))
	}
	if d > 0 {
		if next := m.nextOf(v.lesson); next != nil {
			return m.openBeat(next, m.firstBeat())
		}
		return m.openProgress() // the end of the path
	}
	return nil
}

// beatFromStage goes from the stage to a beat of its lesson.
func (m *model) beatFromStage(a keymap.Action) tea.Cmd {
	l := m.lesson.lesson
	if m.learn == nil || m.learn.lesson != l {
		return m.openLearning(l)
	}
	m.leaveLesson()
	if a == keymap.PrevBeat {
		return m.otherBeat(-1)
	}
	return m.otherBeat(1)
}

// toggleFast switches between all beats and the exercises alone.
func (m *model) toggleFast() {
	m.fast = !m.fast
	m.say(m.words.Learn.FastOff)
	if m.fast {
		m.say(m.words.Learn.FastOn)
	}
}

func fastBeat(b lessons.Beat) bool {
	return b == lessons.BeatBreak || b == lessons.BeatExplain || b == lessons.BeatFix
}

func (m *model) firstBeat() lessons.Beat {
	if m.fast {
		return lessons.BeatBreak
	}
	return lessons.BeatPromise
}

// nextOf is the lesson after l on the map, nil at the end.
func (m *model) nextOf(l *lessons.Lesson) *lessons.Lesson {
	all := lessons.All()
	if i := slices.Index(all, l); i >= 0 && i+1 < len(all) {
		return all[i+1]
	}
	return nil
}

// openLearning opens a lesson where the learner left it.
func (m *model) openLearning(l *lessons.Lesson) tea.Cmd {
	b := m.firstBeat()
	if at, ok := lessons.ParseBeat(m.book.Lessons[l.Name].Place.Beat); ok {
		b = at
	}
	return m.openBeat(l, b)
}

// leaveLearn goes back to the map.
func (m *model) leaveLearn() {
	if m.learn == nil {
		return
	}
	m.nextLearn()
	if l := m.learn.lesson; l != nil {
		m.selectAt(screen.Entry{Lesson: l})
	}
	m.learn = nil
}

// learnKey handles a key on a page.
func (m *model) learnKey(a keymap.Action, name string) tea.Cmd {
	v := m.learn
	_, options := m.pageBlocks()
	key := keymap.Normal(name)
	if len(key) == 1 && key[0] >= 'a' && key[0] <= 'h' {
		if i := int(key[0] - 'a'); i < len(options) {
			v.selected = i + 1
			return m.choose(options[i])
		}
	}
	if m.unsure(a) {
		return nil
	}
	v.follow = a == keymap.Up || a == keymap.Down || a == keymap.First || a == keymap.Last
	switch a {
	case keymap.Up:
		if v.selected <= 1 { // the text above the options
			v.scroll, v.follow = v.scroll-1, false
		}
		v.selected = max(1, v.selected-1)
	case keymap.Down:
		if v.selected >= len(options) {
			v.scroll, v.follow = v.scroll+1, false
		}
		v.selected = min(max(1, len(options)), v.selected+1)
	case keymap.PageUp, keymap.PageDn:
		page := max(1, m.h-6)
		if a == keymap.PageUp {
			page = -page
		}
		v.scroll += page
	case keymap.First:
		v.selected, v.scroll = min(1, len(options)), 0
	case keymap.Last:
		v.selected, v.scroll = len(options), toEnd
	case keymap.Open:
		if i := v.selected - 1; i >= 0 && i < len(options) {
			return m.choose(options[i])
		}
		return m.otherBeat(1)
	case keymap.NextBeat:
		return m.otherBeat(1)
	case keymap.PrevBeat:
		return m.otherBeat(-1)
	case keymap.Fast:
		m.toggleFast()
	case keymap.Hint:
		return m.hint()
	case keymap.Undo:
		return m.undoReset()
	case keymap.Showdown:
		return m.openShowdown()
	case keymap.Leave:
		if v.storm != nil {
			return m.leaveStorm()
		}
		if v.place == inShowdown {
			m.leaveShowdown()
			return nil
		}
		if v.exercise != nil && v.beat != lessons.BeatExplain {
			v.leaveExercise()
			m.nextLearn()
			v.busy = ""
			return nil
		}
		m.leaveLearn()
	default:
		m.complain(m.words.App.NoSuchKey, "key", name)
	}
	return nil
}

// toEnd scrolls a page to its end.
const toEnd = 1 << 20

// unsure reports whether a key would leave an option behind that was picked and not
// kept yet, since nobody has said how sure they are of it. It says so; the second time
// the key does what it does.
func (m *model) unsure(a keymap.Action) bool {
	v := m.learn
	leaves := a == keymap.NextBeat || a == keymap.PrevBeat || a == keymap.Leave
	if v.option == "" || !leaves || v.storm != nil {
		v.warned = false
		return false
	}
	if !v.warned {
		v.warned = true
		m.complain(m.words.Learn.Unsure)
		return true
	}
	v.option, v.warned = "", false
	return false
}

func (m *model) choose(o option) tea.Cmd {
	if m.learn.busy != "" {
		m.say(m.learn.busy)
		return nil
	}
	return o.do()
}

// keep writes an event to the learner's progress and takes it into account.
func (m *model) keep(subject string, p progress.Payload) {
	if m.o.Progress == nil {
		return
	}
	e, err := m.o.Progress.Add(m.ctx, subject, p)
	if err != nil {
		m.complain(m.words.Learn.NotSaved, "why", err.Error())
		return
	}
	m.events = append(m.events, e)
	m.book = progress.Fold(m.events, m.now())
}

// fill is i18n.Fill, shorter.
func fill(s string, pairs ...string) string { return i18n.Fill(s, pairs...) }
