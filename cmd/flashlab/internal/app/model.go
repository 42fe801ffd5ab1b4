package app

import (
	"context"
	"io"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"flashlab/cmd/flashlab/internal/canvas"
	"flashlab/cmd/flashlab/internal/i18n"
	"flashlab/cmd/flashlab/internal/keymap"
	"flashlab/cmd/flashlab/internal/screen"
	"flashlab/cmd/flashlab/internal/theme"
	"flashlab/lessons"
	"flashlab/sim/explore"
	"flashlab/store/progress"
)

// model is the root: it knows where the user is and hands keys to that place.
type model struct {
	ctx   context.Context
	o     Options
	guard *guard
	out   io.Writer // the terminal, for what is no part of a frame

	lang    lessons.Lang
	words   *i18n.Strings
	theme   theme.Theme
	palette *canvas.Palette
	glyphs  canvas.Glyphs

	w, h   int
	canvas *canvas.Canvas
	buf    []byte
	frame  string // the finished screen; View only returns it

	home     *homeView
	lesson   *lessonView   // nil on the map
	learn    *learnView    // the page that is shown, or that waits behind the lesson
	showdown *showdownView // measured last, and left
	prove    *proveView    // over the lesson; nil elsewhere
	modals   []modal
	prompt   *prompt

	message     string // one line in place of the footer, until the next key
	complaint   bool
	blank       bool
	mouse       bool
	interrupted bool

	marks   map[string]screen.Mark // by "lesson.variant"
	results *results
	side    explore.Limits // of searches on the side
	limits  explore.Limits // of those that were asked for

	evidence     *lessons.Evidence
	truth        map[string]string // answers of questions, by name, once computed
	events       []progress.Event  // all that the learner has done
	book         progress.Book     // what they add up to
	fast         bool              // fast track: exercises only
	learning     context.Context   // of what is computed for a page
	stopLearning context.CancelFunc
	learnGen     int
	scripts      int // pages of scripts that were opened
	now          func() time.Time

	tick func(time.Duration, func(time.Time) tea.Msg) tea.Cmd // tea.Tick
	gen  int                                                  // of ticks and searches; older ones are stale
}

func newModel(ctx context.Context, o Options, g *guard, out io.Writer) *model {
	m := &model{
		ctx: ctx, o: o, guard: g, out: out, lang: o.Lang, words: i18n.For(o.Lang), theme: o.Theme.Resolve(o.Dark),
		canvas: canvas.New(0, 0), mouse: o.Mouse, marks: map[string]screen.Mark{}, results: newResults(),
		evidence: lessons.NewEvidence(ctx), truth: map[string]string{}, now: time.Now,
		side: explore.Limits{States: sideStates, Duration: sideTime}, tick: tea.Tick,
	}
	if o.ASCII {
		m.glyphs = canvas.ASCII
	}
	m.palette = m.theme.Palette(o.Profile)
	m.home = newHome()
	m.recall()
	return m
}

// close ends engines and searches.
func (m *model) close() {
	m.leaveProve()
	m.leaveLesson()
	if m.learn != nil && m.learn.storm != nil && m.learn.storm.cancel != nil {
		m.learn.storm.cancel()
	}
	if m.learn != nil && m.learn.showdown != nil {
		m.learn.showdown.end()
	}
	if m.stopLearning != nil {
		m.stopLearning()
	}
}

// nextGen makes all ticks and searches stale that are on their way.
func (m *model) nextGen() int {
	m.gen++
	return m.gen
}

// Init implements tea.Model.
func (m *model) Init() (cmd tea.Cmd) {
	m.guard.run(func() { cmd = m.open() })
	return cmd
}

// open opens what the options name.
func (m *model) open() tea.Cmd {
	if m.o.Notice != "" {
		m.say(m.o.Notice)
	}
	if m.o.Lesson == "" {
		return nil
	}
	l, err := lessons.Find(m.o.Lesson)
	if err != nil {
		return m.fault(err)
	}
	v, err := l.Variant(m.o.Variant)
	if err != nil {
		return m.fault(err)
	}
	return m.openLesson(l, v, "")
}

// View implements tea.Model.
func (m *model) View() string { return m.frame }

// Update implements tea.Model.
func (m *model) Update(msg tea.Msg) (next tea.Model, cmd tea.Cmd) {
	m.guard.run(func() {
		cmd = m.handle(msg)
		m.paint()
	})
	return m, cmd
}

func (m *model) handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.resize(msg.Width, msg.Height)
		return nil
	case tea.ResumeMsg:
		if m.mouse { // bubbletea switches it off before it suspends, and not on again
			return tea.EnableMouseCellMotion
		}
		return nil
	case tea.KeyMsg:
		return m.keys(msg)
	case tea.MouseMsg:
		return m.mouseEvent(msg)
	case playTick:
		return m.played(msg)
	case drainTick:
		return m.drained(msg)
	case searchTick:
		return m.searchTicked(msg)
	case searched:
		return m.searchDone(msg)
	case stormTick:
		return m.stormTicked(msg)
	case stormed:
		return m.stormDone(msg)
	case showdownTick:
		return m.showdownTicked(msg)
	case showdownEnd:
		return m.showdownDone(msg)
	case compared:
		return m.parityDone(msg)
	case worked:
		return m.workDone(msg)
	case edited:
		return m.wasEdited(msg)
	case scriptRead:
		return m.scriptWasRead(msg)
	case scriptTick:
		return m.scriptTicked(msg)
	case recalled:
		m.recalledWorth(msg)
		return nil
	case counted:
		m.results.put(msg)
		return nil
	}
	return nil
}

// keys splits what arrives as one message although it was typed as several keys.
func (m *model) keys(k tea.KeyMsg) tea.Cmd {
	if k.Type == tea.KeyRunes && k.Paste {
		if m.prompt != nil {
			m.prompt.insert(string(k.Runes))
		}
		return nil
	}
	if k.Type == tea.KeyRunes && len(k.Runes) > 1 && !k.Alt {
		var cmds []tea.Cmd
		for _, r := range k.Runes {
			cmds = append(cmds, m.key(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}}))
		}
		return tea.Batch(cmds...)
	}
	return m.key(k)
}

// mode is where keys go now.
func (m *model) mode() keymap.Mode {
	switch {
	case len(m.modals) > 0:
		if m.modals[len(m.modals)-1].choose != nil {
			return keymap.List
		}
		return keymap.Reader
	case m.prove != nil:
		return keymap.Prove
	case m.lesson != nil && m.lesson.watch:
		return keymap.Watch
	case m.lesson != nil:
		return keymap.Step
	case m.learn != nil:
		return keymap.Page
	}
	return keymap.Home
}

// key routes one key: always-keys, then the prompt, then the place.
func (m *model) key(k tea.KeyMsg) tea.Cmd {
	name := k.String()
	mode := m.mode()
	action, known := keymap.Lookup(mode, name)
	switch {
	case action == keymap.Interrupt:
		m.interrupted = true
		return tea.Quit
	case action == keymap.Suspend:
		return tea.Suspend
	case action == keymap.Redraw:
		return tea.ClearScreen
	}
	if m.blank {
		m.blank = false
		return nil
	}
	if m.prompt != nil {
		return m.promptKey(k)
	}
	m.message, m.complaint = "", false
	if !known && mode == keymap.Reader && m.modals[len(m.modals)-1].through {
		all := m.modals
		m.modals = nil
		if _, below := keymap.Lookup(m.mode(), name); below {
			return m.key(k)
		}
		m.modals = all
	}
	if cmd, ok := m.anywhere(action); ok {
		return cmd
	}
	switch {
	case len(m.modals) > 0:
		return m.modalKey(action)
	case m.prove != nil:
		return m.proveKey(action, name)
	case m.lesson != nil:
		return tea.Batch(m.lessonKey(action, name, known), m.judgeStage())
	case m.learn != nil:
		return m.learnKey(action, name)
	}
	return m.homeKey(action, keymap.Normal(name))
}

// resize takes over the size of the terminal.
func (m *model) resize(w, h int) {
	m.w, m.h = max(w, 0), max(h, 0)
	m.canvas.Resize(m.w, m.h)
	m.rebuild()
	if m.lesson != nil {
		m.refocus()
	}
}

// anywhere handles what means the same in every mode.
func (m *model) anywhere(a keymap.Action) (tea.Cmd, bool) {
	switch a {
	case keymap.Language:
		m.setLang(1 - m.lang)
	case keymap.Theme:
		m.theme = theme.Next(m.theme)
		m.palette = m.theme.Palette(m.o.Profile)
		m.say(m.words.App.Theme, "name", m.theme.String())
	case keymap.Blank:
		m.blank = true
	case keymap.Help:
		m.openHelp()
	case keymap.Palette:
		m.openPalette()
	case keymap.Command:
		m.prompt = newPrompt(':', m.words.App.PromptKeys)
	case keymap.Mouse:
		m.mouse = !m.mouse
		if m.mouse {
			m.say(m.words.App.MouseOn)
			return tea.EnableMouseCellMotion, true
		}
		m.say(m.words.App.MouseOff)
		return tea.DisableMouse, true
	default:
		return nil, false
	}
	return nil, true
}

func (m *model) setLang(l lessons.Lang) {
	m.lang, m.words = l, i18n.For(l)
	m.rebuild()
}

// say shows a line in place of the footer until the next key.
func (m *model) say(text string, pairs ...string) {
	m.message, m.complaint = i18n.Fill(text, pairs...), false
}

// complain is say for something that did not work.
func (m *model) complain(text string, pairs ...string) {
	m.say(text, pairs...)
	m.complaint = true
}
