package e2e

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"flashlab/cmd/flashlab/internal/app"
	_ "flashlab/cmd/flashlab/internal/prelude"
	"flashlab/lessons"
	"flashlab/sim/scenario"
	"flashlab/sim/trace"
	"flashlab/sim/world"
)

// faultVariable makes this test binary a lab with a lesson that goes wrong; its value
// says how.
const faultVariable = "FLASHLAB_E2E_FAULT"

// The ways in which the lesson goes wrong.
const (
	faultUpdate = "update" // a panic while a key is handled
	faultSearch = "search" // a panic in the goroutine of a search
	faultStall  = "stall"  // code of the lesson that computes without end
	faultCode   = "code"   // a panic in code of the lesson
)

// runFault is the program's main function with that lesson; it returns the exit code.
func runFault(how string) int {
	lessons.Register(faultyLesson(how))
	err := app.Run(context.Background(), os.Stdin, os.Stdout, app.Options{Lesson: "faulty", Mouse: true})
	switch {
	case errors.Is(err, app.ErrInterrupted):
		return 130
	case err != nil:
		fmt.Fprintln(os.Stderr, "flashlab:", err)
		return 70
	}
	return 0
}

func faultyLesson(how string) *lessons.Lesson {
	title := lessons.Text{EN: "Faulty", ZH: "出错"}
	var worlds atomic.Int32 // that were opened: the first is the lesson's, others are searched
	return &lessons.Lesson{
		Name: "faulty", Number: 1, Title: title, Promise: title, Intro: title,
		Variants: []lessons.Variant{{
			Name: how, Title: title, Summary: title, Moral: title, File: "none.go",
			Scenario: func(p scenario.Params) *scenario.Scenario {
				return &scenario.Scenario{
					Lesson: "faulty", Variant: how, Params: p,
					World: world.Config{Engine: world.WAL, Schema: world.Schema{
						DDL:    []string{"CREATE TABLE t (n INTEGER)"},
						Tables: []world.Table{{Name: "t", Columns: []string{"n"}, Query: "SELECT n FROM t ORDER BY n"}},
					}},
					Actors: func(w *world.World) []scenario.Actor {
						worlds.Add(1)
						return []scenario.Actor{{Name: trace.Verbatim("first"), Node: "n1", Body: func(ctx context.Context) error {
							_, err := w.DB.ExecContext(ctx, "INSERT INTO t (n) VALUES (1)")
							return err
						}}, {Name: trace.Verbatim("second"), Node: "n1", Body: func(ctx context.Context) error {
							var n int
							if err := w.DB.QueryRowContext(ctx, "SELECT count(*) FROM t").Scan(&n); err != nil {
								return err
							}
							switch { // only if it comes first, or nobody could open the lesson
							case n == 0 && how == faultStall:
								select {}
							case n == 0 && how == faultCode:
								panic("the business code is broken")
							}
							_, err := w.DB.ExecContext(ctx, "INSERT INTO t (n) VALUES (2)")
							return err
						}}}
					},
					Lights: []scenario.Light{{
						Name: "light",
						Check: func(*scenario.View) (bool, error) {
							if worlds.Load() > 1 && how == faultSearch {
								panic("the search has hit a wall")
							}
							return true, nil
						},
						Detail: func() func(*scenario.View) trace.Phrase {
							looks := 0
							return func(*scenario.View) trace.Phrase {
								if looks++; looks > 3 && how == faultUpdate {
									panic("the light has gone out")
								}
								return trace.Verbatim("on")
							}
						}(),
					}},
				}
			},
		}},
	}
}

// faulty opens a terminal and starts this test binary in it as the program.
func faulty(t *testing.T, how string) *terminal {
	t.Helper()
	file, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	x := sit(t, 100, 30, faultVariable+"="+how)
	x.line("clear; stty -a >before; " + file)
	return x
}

// A panic restores the terminal and is told where it can be read, with its place.
func TestPanic(t *testing.T) {
	for how, text := range map[string]string{faultUpdate: "the light has gone out", faultSearch: "the search has hit a wall"} {
		t.Run(how, func(t *testing.T) {
			x := faulty(t, how)
			if how == faultUpdate {
				x.wait("Who steps next")
				x.press("a", "b", "b")
			}
			s := x.shell()
			if !strings.Contains(s, "internal fault: "+text) {
				t.Errorf("nobody can read what has happened:\n%s", s)
			}
			all := x.tmux("capture-pane", "-p", "-S", "-")
			if strings.Count(all, text) > 2 || !strings.Contains(all, "fault_test.go") || strings.Contains(all, "Caught") {
				t.Errorf("the place is missing, or it was told more than once:\n%s", all)
			}
			x.line("clear; echo code $? end")
			x.wait("code")
			x.sane()
			if left := worlds(t, x); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// The exit code of a panic is 70.
func TestPanicCode(t *testing.T) {
	x := faulty(t, faultSearch)
	x.ended(70)
}

// Code of a lesson that never comes back, or that panics, is told on the screen; the
// lab goes on.
func TestLessonFault(t *testing.T) {
	for how, text := range map[string]string{faultStall: "without an operation", faultCode: "the business code is broken"} {
		t.Run(how, func(t *testing.T) {
			x := faulty(t, how)
			x.wait("Who steps next")
			x.press("b")
			x.wait("Something is wrong")
			x.wait(text)
			x.press("Escape")
			x.gone("Something is wrong")
			x.press("C-r")
			x.wait("started again")
			x.press("a")
			x.wait("step 1")
			x.press("q", "q")
			x.ended(0)
			if left := worlds(t, x); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}
