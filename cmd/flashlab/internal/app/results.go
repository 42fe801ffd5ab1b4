package app

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"flashlab/lessons"
	"flashlab/sim/explore"
	"flashlab/sim/scenario"
)

// results keeps searches, so that a scene is counted once.
type results struct {
	done map[string]*explore.Result // by scenario name; nil: not known, or still being counted
	busy map[string]bool            // those being counted
}

func newResults() *results {
	return &results{done: map[string]*explore.Result{}, busy: map[string]bool{}}
}

func nameOf(s *scenario.Scenario) string { return s.Lesson + "." + s.Variant + "," + s.Params.String() }

// get returns the complete search of a scenario, or nil.
func (r *results) get(s *scenario.Scenario) *explore.Result {
	if res := r.done[nameOf(s)]; res != nil && res.Complete {
		return res
	}
	return nil
}

// pending reports whether a scenario is still being counted.
func (r *results) pending(s *scenario.Scenario) bool { return r.busy[nameOf(s)] }

// counted is a finished search on the side.
type counted struct {
	name string
	res  *explore.Result
}

func (r *results) put(c counted) {
	delete(r.busy, c.name)
	if old := r.done[c.name]; old == nil || !old.Complete {
		r.done[c.name] = c.res
	}
}

// Searches on the side stay small: they only serve hints, and a lesson must not
// warm the machine by being open.
const (
	sideStates = 20_000
	sideTime   = 3 * time.Second
)

// count searches a scenario on the side unless that has been done.
func (m *model) count(ctx context.Context, s *scenario.Scenario) tea.Cmd {
	name := nameOf(s)
	if _, ok := m.results.done[name]; ok {
		return nil
	}
	m.results.done[name], m.results.busy[name] = nil, true
	limits := m.side
	return m.guard.cmd(func() tea.Msg {
		res, err := lessons.Explore(ctx, s, limits, nil)
		if err != nil {
			return counted{name, nil} // the lesson itself reports what is wrong
		}
		return counted{name, res}
	})
}
