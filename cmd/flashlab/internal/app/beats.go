package app

import (
	"context"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"flashlab/cmd/flashlab/internal/screen"
	"flashlab/cmd/flashlab/internal/theme"
	"flashlab/lessons"
	"flashlab/sim"
	"flashlab/sim/history"
	"flashlab/sim/scenario"
	"flashlab/sim/token"
	"flashlab/store/progress"
)

// promisePage says what the lesson is about.
func (m *model) promisePage(b *blocks) {
	l := m.learn.lesson
	b.add(screen.Block{Text: l.Promise.In(m.lang), Style: theme.Accent})
	b.add(screen.Block{Text: l.Intro.In(m.lang), Gap: true})
	b.goOn()
	b.option(m.words.Learn.OnStage, func() tea.Cmd { return m.stageOf(l, &l.Variants[0], "", nil) })
}

// predictPage asks what will happen, and how sure the learner is.
func (m *model) predictPage(b *blocks) {
	v, w := m.learn, &m.words.Learn
	list := v.lesson.Predict
	if len(list) == 0 {
		m.nothing(b)
		return
	}
	if v.question >= len(list) {
		for i := range list {
			b.add(screen.Block{Text: list[i].Ask.In(m.lang), Gap: true})
			m.guess(b, &list[i])
		}
		b.add(screen.Block{Text: w.Kept, Style: theme.Dim, Gap: true})
		b.goOn()
		b.option(w.Another, func() tea.Cmd { v.question, v.option, v.selected = 0, "", 1; return nil })
		return
	}
	m.ask(b, &list[v.question], func() tea.Cmd {
		v.question++
		return m.truths()
	})
}

// ask asks a question, then how sure the learner is; then goes on.
func (m *model) ask(b *blocks, q *lessons.Question, then func() tea.Cmd) {
	v, w := m.learn, &m.words.Learn
	b.add(screen.Block{Text: q.Ask.In(m.lang), Style: theme.Accent, Keep: true, Gap: len(b.list) > 0})
	if v.option == "" {
		for _, o := range q.Options {
			b.option(o.Text.In(m.lang), func() tea.Cmd { v.option, v.selected = o.Name, 1; return nil })
		}
		return
	}
	b.add(screen.Block{Text: q.Option(v.option).Text.In(m.lang), Gap: true, Indent: 2, Keep: true})
	b.add(screen.Block{Text: w.Confident, Style: theme.Title, Gap: true, Keep: true})
	for i, sure := range w.Confidence {
		b.option(sure, func() tea.Cmd {
			picked := v.option
			v.option, v.selected = "", 1
			return m.predicted(q, picked, i+1, then)
		})
	}
}

// predicted keeps a prediction together with what the engine says.
func (m *model) predicted(q *lessons.Question, picked string, sure int, then func() tea.Cmd) tea.Cmd {
	l := m.learn.lesson
	return m.work(m.words.Learn.Checking, func(ctx context.Context) (func() tea.Cmd, error) {
		truth, err := q.Truth(m.evidence, l)
		return func() tea.Cmd {
			m.truth[q.Name] = truth
			m.keep(q.Name, progress.Predicted{Lesson: l.Name, Option: picked, Confidence: sure, Right: picked == truth, Truth: truth})
			return then()
		}, err
	})
}

// openQuestion is the first prediction that has not been answered.
func (m *model) openQuestion() int {
	list := m.learn.lesson.Predict
	for i := range list {
		if m.book.Questions[list[i].Name].First.Option == "" {
			return i
		}
	}
	return len(list)
}

// truths computes the answers of the questions of the lesson that the learner has
// answered.
func (m *model) truths() tea.Cmd {
	l := m.learn.lesson
	var list []*lessons.Question
	answered := func(q *lessons.Question) bool { return m.book.Questions[q.Name].First.Option != "" }
	for i := range l.Predict {
		if answered(&l.Predict[i]) {
			list = append(list, &l.Predict[i])
		}
	}
	for i := range l.Exercises {
		x := &l.Exercises[i]
		if x.Ask != nil && answered(x.Ask) {
			list = append(list, x.Ask)
		}
		if x.Cause != nil && m.book.Exercises[x.Name].Why.Option != "" {
			list = append(list, x.Cause)
		}
	}
	list = slices.DeleteFunc(list, func(q *lessons.Question) bool { return m.truth[q.Name] != "" })
	if len(list) == 0 || m.learn.busy != "" {
		return nil
	}
	return m.work("", func(ctx context.Context) (func() tea.Cmd, error) {
		found := map[string]string{}
		for _, q := range list {
			truth, err := q.Truth(m.evidence, l)
			if err != nil {
				return nil, err
			}
			found[q.Name] = truth
		}
		return func() tea.Cmd {
			for name, truth := range found {
				m.truth[name] = truth
			}
			return nil
		}, nil
	})
}

// guess shows what the learner has said about a question.
func (m *model) guess(b *blocks, q *lessons.Question) {
	w := &m.words.Learn
	g := m.book.Questions[q.Name].First
	o := q.Option(g.Option)
	if o == nil {
		b.add(screen.Block{Text: w.NotRunYet, Style: theme.Dim, Indent: 2})
		return
	}
	b.add(screen.Block{Text: fill(w.YouSaid, "answer", o.Text.In(m.lang), "sure", w.Confidence[min(max(g.Confidence, 1), 3)-1]), Indent: 2})
}

// randomRun is one random schedule of the run beat.
type randomRun struct {
	moves  []sim.Move
	broken string // light, "" for none
}

// runsAtOnce is how many random schedules are run at once.
const runsAtOnce = 20

// runRandom runs the first variant under random schedules.
func (m *model) runRandom() tea.Cmd {
	l := m.learn.lesson
	seed := uint64(len(m.learn.runs) + 1)
	return m.work(m.words.Learn.Running, func(ctx context.Context) (func() tea.Cmd, error) {
		runs, err := randomRuns(ctx, l, seed)
		return func() tea.Cmd {
			m.learn.runs = append(m.learn.runs, runs...)
			m.learn.scroll = 0
			return m.truths()
		}, err
	})
}

func randomRuns(ctx context.Context, l *lessons.Lesson, seed uint64) (out []randomRun, err error) {
	v := &l.Variants[0]
	s := v.Scenario(scenario.NewParams(v.Params))
	x, err := history.Open(s)
	if err != nil {
		return nil, err
	}
	defer x.Close()
	rng := rand.New(rand.NewPCG(seed, 1))
	for len(out) < runsAtOnce && ctx.Err() == nil {
		x.Seek(0)
		for ctx.Err() == nil {
			// Whatever is possible, faults too: many a promise breaks only by one.
			choices := x.Cursor().Frame.State.Choices
			if len(choices) == 0 {
				break
			}
			moves, err := token.ParseSteps(choices[rng.IntN(len(choices))].Move)
			if err != nil {
				return nil, err
			}
			if err := x.Step(moves[0]); err != nil {
				return nil, err
			}
		}
		r := randomRun{moves: x.Cursor().Moves()}
		for _, light := range x.Cursor().State().Lights {
			if x.Cursor().State().Broken(light.Name) && r.broken == "" {
				r.broken = light.Name
			}
		}
		out = append(out, r)
	}
	return out, nil
}

// runPage lets random schedules run, and holds the predictions against them.
func (m *model) runPage(b *blocks) {
	v, w := m.learn, &m.words.Learn
	b.add(screen.Block{Text: v.lesson.Name + " · " + v.lesson.Variants[0].Name, Pre: true, Style: theme.Title})
	b.text(w.RunNone)
	if len(v.runs) > 0 {
		bad, light, row := 0, "", ""
		for i, r := range v.runs {
			if i%runsAtOnce == 0 && i > 0 {
				row += "\n"
			}
			if r.broken == "" {
				row += "✓ "
				continue
			}
			row += "✗ "
			bad++
			if light == "" {
				light = r.broken
			}
		}
		b.add(screen.Block{Text: row, Pre: true, Gap: true, Indent: 2})
		if bad > 0 {
			b.add(screen.Block{Text: fill(w.RanBroke, "bad", strconv.Itoa(bad), "all", strconv.Itoa(len(v.runs)), "light", light), Style: theme.Warn})
		} else {
			b.add(screen.Block{Text: fill(w.RanFine, "all", strconv.Itoa(len(v.runs))), Style: theme.Warn})
		}
	}
	if list := v.lesson.Predict; len(list) > 0 {
		b.title(w.YourGuess)
		for i := range list {
			b.add(screen.Block{Text: list[i].Ask.In(m.lang), Gap: i > 0})
			m.guess(b, &list[i])
			m.outcome(b, &list[i], m.book.Questions[list[i].Name].First.Option)
		}
	}
	b.goOn()
	b.option(fill(w.RunMore, "n", strconv.Itoa(runsAtOnce)), m.runRandom)
	b.option(m.words.Storm.Title, func() tea.Cmd { return m.openStorm(v.lesson, &v.lesson.Variants[0]) })
	if len(v.runs) > 0 {
		b.option(w.RunWatch, func() tea.Cmd {
			r := v.runs[len(v.runs)-1]
			if i := slices.IndexFunc(v.runs, func(r randomRun) bool { return r.broken != "" }); i >= 0 {
				r = v.runs[i]
			}
			return m.stageOf(v.lesson, &v.lesson.Variants[0], "", r.moves)
		})
	}
}

// outcome shows what is so, and whether the learner was right, once that is known.
func (m *model) outcome(b *blocks, q *lessons.Question, picked string) {
	w := &m.words.Learn
	truth := q.Option(m.truth[q.Name])
	if truth == nil || picked == "" {
		return
	}
	text, style := "✓ "+w.Right, theme.OK
	if truth.Name != picked {
		text, style = "✗ "+fill(w.ItIs, "answer", truth.Text.In(m.lang)), theme.Bad
	}
	b.add(screen.Block{Text: text, Style: style, Indent: 2})
	b.add(screen.Block{Text: q.Because.In(m.lang), Indent: 2})
}

// nothing says that the lesson has nothing for the beat.
func (m *model) nothing(b *blocks) {
	b.text(fill(m.words.Learn.None, "beat", m.words.Learn.Beats[m.learn.beat]))
	b.goOn()
}

// stageOf opens a scene of the lesson on the stage, with the page behind it. moves
// are loaded and watched from the start; nil: the learner steps.
func (m *model) stageOf(l *lessons.Lesson, v *lessons.Variant, sets string, moves []sim.Move) tea.Cmd {
	cmd := m.openLesson(l, v, sets)
	if m.lesson == nil || moves == nil {
		return cmd
	}
	if err := m.lesson.session.Load(moves); err != nil {
		return m.fault(err)
	}
	m.lesson.watched()
	m.lesson.session.Seek(0)
	return cmd
}

// proof is what has been found about a variant.
type proof struct {
	verdict scenario.Verdict
	light   string
	bad     *big.Int
	all     *big.Int
}

// provePage holds every way to write it against all schedules.
func (m *model) provePage(b *blocks) {
	v, w := m.learn, &m.words.Learn
	l := v.lesson
	width := 0
	for i := range l.Variants {
		width = max(width, len(l.Variants[i].Name))
	}
	for i := range l.Variants {
		x := &l.Variants[i]
		text := x.Name + strings.Repeat(" ", width-len(x.Name)) + "  "
		style := theme.Dim
		if p, ok := v.proofs[x.Name]; ok {
			text += m.proofText(p)
			style = map[scenario.Verdict]canvasStyle{scenario.Holds: theme.OK, scenario.Breaks: theme.Bad, scenario.Unknown: theme.Warn}[p.verdict]
		} else {
			text += "?"
		}
		b.add(screen.Block{Text: text, Pre: true, Style: style, Indent: 2})
	}
	if len(v.proofs) < len(l.Variants) {
		b.option(w.ProveAll, m.proveVariants)
	}
	b.goOn()
	b.option(w.OnStage, func() tea.Cmd { return m.stageOf(l, &l.Variants[0], "", nil) })
}

func (m *model) proofText(p proof) string {
	w := &m.words.Learn
	switch p.verdict {
	case scenario.Holds:
		return "✓ " + fill(w.AllHold, "all", p.all.String())
	case scenario.Breaks:
		if p.all == nil {
			return "✗ " + p.light
		}
		return "✗ " + fill(w.SomeBreak, "light", p.light, "bad", p.bad.String(), "all", p.all.String())
	}
	return "? " + w.NotAll
}

// proveVariants searches the variants one after the other.
func (m *model) proveVariants() tea.Cmd {
	l := m.learn.lesson
	i := slices.IndexFunc(l.Variants, func(v lessons.Variant) bool { _, ok := m.learn.proofs[v.Name]; return !ok })
	if i < 0 {
		return nil
	}
	v := &l.Variants[i]
	return m.work(m.words.Learn.Proving+" "+v.Name, func(ctx context.Context) (func() tea.Cmd, error) {
		p, err := proveVariant(ctx, v)
		return func() tea.Cmd {
			m.learn.proofs[v.Name] = p
			if p.verdict != scenario.Unknown {
				m.markProved(l.Name, v.Name)
			}
			return m.proveVariants()
		}, err
	})
}

// againPage turns one dial.
func (m *model) againPage(b *blocks) {
	v, w := m.learn, &m.words.Learn
	a := v.lesson.Again
	if a == nil {
		m.nothing(b)
		return
	}
	b.add(screen.Block{Text: w.Again, Style: theme.Title})
	b.text(a.Say.In(m.lang))
	in, err := a.In(v.lesson)
	if err != nil {
		b.text(err.Error())
		return
	}
	sets := a.Sets
	if sets != "" {
		sets = " (" + sets + ")"
	}
	b.add(screen.Block{Text: in.Name + " " + a.Variant + sets + "  ✗ " + a.Light, Pre: true, Style: theme.Bad, Gap: true, Indent: 2})
	b.goOn()
	b.option(w.OnStage, func() tea.Cmd {
		variant, err := in.Variant(a.Variant)
		if err != nil {
			return m.fault(err)
		}
		return m.stageOf(in, variant, a.Sets, nil)
	})
	m.showdownOption(b)
	if next := m.nextOf(v.lesson); next != nil {
		b.option(fill(w.NextLesson, "name", next.Title.In(m.lang)), func() tea.Cmd { return m.openBeat(next, m.firstBeat()) })
	}
}
