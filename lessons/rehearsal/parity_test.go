package rehearsal_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"flashlab/lessons"
	_ "flashlab/lessons/all"
	"flashlab/sim"
	"flashlab/sim/live"
	"flashlab/sim/live/livetest"
	"flashlab/sim/live/parity"
	"flashlab/sim/scenario"
	"flashlab/sim/token"
)

// apart lists the schedules that not every server can follow, and what it needs for
// them. All others are compared with every server.
var apart = []struct{ lesson, schedule, command, reason string }{
	{"lua-unlock", "one-command", "delex", "DELEX came with Redis 8.4; what it does in one command the other schedules do by a script"},
}

// TestParity runs every staged schedule that uses Redis on the embedded engine and on
// a real server: answers, keys, leases, entries, rows and lights must be equal.
func TestParity(t *testing.T) {
	server := livetest.Start(t)
	known, err := server.Client(t).Command(t.Context()).Result()
	if err != nil {
		t.Fatal(err)
	}
	cannot := map[string]string{} // schedule -> why this server cannot
	for _, x := range apart {
		l, err := lessons.Find(x.lesson)
		if err == nil {
			_, err = l.StagedSchedule(x.schedule)
		}
		if err != nil {
			t.Errorf("the list of schedules apart is out of date: %v", err)
		}
		if known[x.command] == nil {
			cannot[x.lesson+"/"+x.schedule] = x.reason
		}
	}
	schedules := 0
	for _, l := range lessons.All() {
		for i := range l.Staged {
			st := &l.Staged[i]
			v, err := l.Variant(st.Variant)
			if err != nil {
				t.Fatal(err)
			}
			p, err := st.Params(v)
			if err != nil {
				t.Fatal(err)
			}
			s := v.Scenario(p)
			if !s.World.Redis {
				continue
			}
			schedules++
			t.Run(l.Name+"/"+st.Name, func(t *testing.T) {
				if why := cannot[l.Name+"/"+st.Name]; why != "" {
					t.Skip(why)
				}
				moves, err := token.ParseSteps(st.Steps)
				if err != nil {
					t.Fatal(err)
				}
				compare(t, s, moves, server)
			})
		}
	}
	if schedules < 30 {
		t.Errorf("only %d schedules use Redis", schedules)
	}
	nothingLeft(t, server)
}

// differs lists variants for which the embedded engine is known to answer otherwise
// than a server does.
var differs = map[string]string{
	"stream-pipeline/resume-first":   "the embedded engine ignores COUNT where a consumer reads its own pending entries",
	"stream-pipeline/resume-pending": "the embedded engine ignores COUNT where a consumer reads its own pending entries",
}

// TestParityDrawn compares schedules nobody has thought of, faults included.
func TestParityDrawn(t *testing.T) {
	server := livetest.Start(t)
	const schedules, steps = 3, 40
	delex, err := server.Client(t).Command(t.Context()).Result()
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lessons.All() {
		for _, v := range append(append([]lessons.Variant(nil), l.Variants...), l.Extra...) {
			s := v.Scenario(scenario.NewParams(v.Params))
			if !s.World.Redis || l.Name == "lua-unlock" && delex["delex"] == nil && v.File == "delex.go" {
				continue
			}
			for seed := range uint64(schedules) {
				t.Run(fmt.Sprintf("%s/%s/%d", l.Name, v.Name, seed), func(t *testing.T) {
					if why := differs[l.Name+"/"+v.Name]; why != "" {
						t.Skip(why)
					}
					compare(t, s, drawn(t, s, seed, steps), server)
				})
			}
		}
	}
	nothingLeft(t, server)
}

// drawn draws a schedule among all steps that are possible.
func drawn(t *testing.T, s *scenario.Scenario, seed uint64, steps int) (moves []sim.Move) {
	t.Helper()
	r, err := scenario.Open(s)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := r.Reset(); err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(seed, 7))
	for range steps {
		able := r.Moves(nil)
		if len(able) == 0 {
			break
		}
		m := able[rng.IntN(len(able))]
		if err := r.Do(m); err != nil {
			t.Fatal(err)
		}
		moves = append(moves, m)
	}
	return moves
}

func compare(t *testing.T, s *scenario.Scenario, moves []sim.Move, server *livetest.Server) {
	t.Helper()
	target, err := live.Parse(live.Flags{URL: "redis://" + server.Addr()}, os.Getenv)
	if err != nil {
		t.Fatal(err)
	}
	rep, err := parity.Compare(t.Context(), s, moves, target)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range rep.Differences {
		t.Error(d)
	}
	if rep.Steps < len(moves) {
		t.Errorf("%d steps of %d were compared", rep.Steps, len(moves))
	}
}

// nothingLeft checks that every run has removed its keys.
func nothingLeft(t *testing.T, server *livetest.Server) {
	t.Helper()
	left, err := server.Client(t).Keys(t.Context(), "*").Result()
	if err != nil || len(left) > 0 {
		t.Errorf("left on the server: %v, %v", left, err)
	}
}
