package trace_test

import (
	"strconv"
	"time"

	"flashlab/sim/source"
	"flashlab/sim/trace"
)

// script builds hand-made logs: each call of step adds a frame whose world is
// the last one, altered.
type script struct {
	log   trace.Log
	world trace.State
}

func newScript(lesson, variant string, start trace.State) *script {
	s := &script{log: trace.Log{Lesson: lesson, Variant: variant}, world: start}
	for _, a := range start.Actors {
		s.log.Actors = append(s.log.Actors, trace.Actor{Letter: a.Letter, Name: a.Name, Node: a.Node})
	}
	s.log.Frames = []trace.Frame{{State: clone(start)}}
	return s
}

// clone copies what the scripts alter.
func clone(s trace.State) trace.State {
	s.Actors = append([]trace.Actor(nil), s.Actors...)
	s.Keys = append([]trace.Key(nil), s.Keys...)
	s.Lights = append([]trace.Light(nil), s.Lights...)
	tables := make([]trace.Table, len(s.Tables))
	for i, t := range s.Tables {
		t.Rows = append([][]string(nil), t.Rows...)
		tables[i] = t
	}
	s.Tables = tables
	return s
}

// step adds an event; next is what its actor stands before afterwards, "" when
// it has returned.
func (s *script) step(e trace.Event, next string, alter func(w *trace.State)) {
	e.Seq = len(s.log.Frames)
	e.At = s.world.Now
	s.world = clone(s.world)
	if a := s.world.Actor(e.Actor); a != nil {
		e.Node = a.Node
		e.Move = a.Letter
		a.Begun, a.Next = true, next
		if next == "" {
			a.Phase, a.Result, e.End = trace.Done, "ok", "returned"
		}
	}
	if alter != nil {
		alter(&s.world)
	}
	for _, name := range e.Broken {
		for i := range s.world.Lights {
			if l := &s.world.Lights[i]; l.Name == name {
				l.Status, l.Since = trace.Red, e.Seq
			}
		}
	}
	s.log.Frames = append(s.log.Frames, trace.Frame{Event: &e, State: clone(s.world)})
}

func at(line int) []source.Frame {
	return []source.Frame{{Package: "oversell", File: "lostupdate.go", Line: line, Func: "(*Shop).Buy"}}
}

func reads(r string) []trace.Access   { return []trace.Access{{Resource: r}} }
func written(r string) []trace.Access { return []trace.Access{{Resource: r, Write: true}} }

const (
	selectStock = "SELECT stock FROM voucher WHERE id = 1"
	updateStock = "UPDATE voucher SET stock = 0 WHERE id = 1"
	insertOrder = "INSERT INTO orders(user_id, voucher_id) VALUES(?, 1)"
)

// oversellLog is two buyers who both read a stock of one.
func oversellLog() trace.Log {
	s := newScript("oversell", "lost-update", trace.State{
		Actors: []trace.Actor{
			{Letter: "A", Name: trace.Verbatim("buyer"), Node: "n1", Next: selectStock, NextOp: "SELECT"},
			{Letter: "B", Name: trace.Verbatim("buyer"), Node: "n1", Next: selectStock, NextOp: "SELECT"},
		},
		Tables: []trace.Table{
			{Name: "voucher", Columns: []string{"id", "stock"}, Rows: [][]string{{"1", "1"}}},
			{Name: "orders", Columns: []string{"id", "user_id", "voucher_id"}},
		},
		Lights: []trace.Light{
			{Name: "no-oversell"}, {Name: "stock-not-negative"},
			{Name: "conservation", Status: trace.Grey},
		},
		Notes: []trace.Phrase{trace.Verbatim("UNIQUE(user, voucher): on")},
	})
	s.log.Verdict, s.log.Params = "breaks", "buyers=2 stock=1"
	s.log.Token = "oversell.lost-update@7k2:ABA2B2~q"
	read := func(who string) {
		s.step(trace.Event{Actor: who, Kind: "sql", Op: "SELECT", Args: selectStock, Reply: "stock=1",
			Stack: at(21), Access: reads("voucher")}, updateStock, nil)
	}
	write := func(who string) {
		s.step(trace.Event{Actor: who, Kind: "sql", Op: "UPDATE", Args: updateStock, Reply: "1 row",
			Stack: at(27), Access: written("voucher")}, insertOrder, func(w *trace.State) {
			w.Tables[0].Rows[0] = []string{"1", "0"}
		})
	}
	book := func(who, user string, broken ...string) {
		s.step(trace.Event{Actor: who, Kind: "sql", Op: "INSERT", Args: insertOrder, Reply: "1 row",
			Stack: at(31), Access: written("orders"), Broken: broken}, "", func(w *trace.State) {
			id := strconv.Itoa(len(w.Tables[1].Rows) + 1)
			w.Tables[1].Rows = append(w.Tables[1].Rows, []string{id, user, "1"})
			if len(broken) > 0 {
				w.Lights[0].Detail = trace.Verbatim("orders 2 > stock 1")
				w.Ended = true
			}
		})
	}
	read("A")
	read("B")
	write("A")
	book("A", "7")
	write("B")
	book("B", "8", "no-oversell")
	return s.log
}

const (
	lockKey = "lock:order:7"
	getLock = "GET lock:order:7"
	delLock = "DEL lock:order:7"
)

// misdeletionLog is a holder that checks its lock, loses it by expiry and then
// deletes the next holder's.
func misdeletionLog() trace.Log {
	setA, setB := "SET lock:order:7 a1 NX PX 5000", "SET lock:order:7 b1 NX PX 5000"
	s := newScript("misdeletion", "get-then-del", trace.State{
		Actors: []trace.Actor{
			{Letter: "A", Name: trace.Verbatim("buyer"), Node: "n1", Next: setA, NextOp: "SET"},
			{Letter: "B", Name: trace.Verbatim("buyer"), Node: "n2", Next: setB, NextOp: "SET"},
		},
		Tables: []trace.Table{{Name: "voucher", Columns: []string{"id", "stock"}, Rows: [][]string{{"1", "1"}}}},
		Lights: []trace.Light{{Name: "mutual-exclusion"}, {Name: "no-misdeletion"}},
	})
	s.log.Verdict, s.log.Params = "breaks", "expiries=1 work=1"
	s.log.Token = "misdeletion.get-then-del@4m0:A3eaBA~c"
	grant := func(who, value string) func(w *trace.State) {
		return func(w *trace.State) {
			w.Keys = []trace.Key{{Name: lockKey, Type: "string", Value: value, TTL: 5 * time.Second, Owner: who}}
		}
	}
	gone := func(w *trace.State) { w.Keys = nil }
	s.step(trace.Event{Actor: "A", Kind: "redis", Op: "SET", Args: setA, Reply: "OK", Stack: at(14),
		Access: written(lockKey)}, selectStock, grant("A", "a1"))
	s.step(trace.Event{Actor: "A", Kind: "sql", Op: "SELECT", Args: selectStock, Reply: "stock=1", Stack: at(19),
		Access: reads("voucher")}, getLock, nil)
	s.step(trace.Event{Actor: "A", Kind: "redis", Op: "GET", Args: getLock, Reply: "a1", Stack: at(23),
		Access: reads(lockKey)}, delLock, nil)
	s.step(trace.Event{Move: "ea", Kind: "env", Op: "expire", Args: lockKey, Access: written(lockKey)}, "", gone)
	s.step(trace.Event{Actor: "B", Kind: "redis", Op: "SET", Args: setB, Reply: "OK", Stack: at(14),
		Access: written(lockKey)}, selectStock, grant("B", "b1"))
	s.step(trace.Event{Actor: "A", Kind: "redis", Op: "DEL", Args: delLock, Reply: "1", Stack: at(25),
		Access: written(lockKey), Broken: []string{"no-misdeletion"}}, "", func(w *trace.State) {
		gone(w)
		w.Lights[1].Detail = trace.Verbatim("A deleted the lock of B")
	})
	return s.log
}

// fourLog is a busy one: four actors, a mutex, a blocked actor, a crash, a clock
// that moves, a renewal and a run-out that breaks a light.
func fourLog() trace.Log {
	s := newScript("watchdog", "renewed", trace.State{
		Actors: []trace.Actor{
			{Letter: "A", Name: trace.Verbatim("buyer"), Node: "n1"}, {Letter: "B", Name: trace.Verbatim("buyer"), Node: "n2"},
			{Letter: "C", Name: trace.Verbatim("buyer"), Node: "n2"}, {Letter: "D", Name: trace.Verbatim("watchdog"), Node: "n1", Daemon: true},
		},
		Lights: []trace.Light{{Name: "progress"}, {Name: "lock-released"}},
	})
	s.log.Verdict, s.log.Params = "breaks", "buyers=3"
	set := "SET lock:order:7 3f0c9a52-7b1e-4d43 NX PX 5000"
	ttl := func(d time.Duration) func(w *trace.State) {
		return func(w *trace.State) {
			w.Keys = []trace.Key{{Name: lockKey, Type: "string", Value: "3f0c9a52-7b1e-4d43", TTL: d, Owner: "A"}}
		}
	}
	s.step(trace.Event{Actor: "A", Kind: "redis", Op: "SET", Args: set, Reply: "OK", Access: written(lockKey)},
		"UPDATE voucher SET stock = stock - 1", ttl(5*time.Second))
	s.step(trace.Event{Actor: "B", Kind: "mutex", Op: "lock", Args: "lock user:7", Access: written("user:7")},
		set, func(w *trace.State) {
			c := w.Actor("C")
			c.Begun, c.Phase, c.Next = true, trace.Blocked, "lock user:7"
			c.Why = trace.Reason{Kind: "mutex", Name: "user:7", By: "B"}
		})
	s.step(trace.Event{Actor: "B", Kind: "redis", Op: "SET", Args: set, Reply: "(nil)", Access: reads(lockKey)},
		"sleep 100ms", func(w *trace.State) {
			b := w.Actor("B")
			b.Phase, b.Why = trace.Blocked, trace.Reason{Kind: "sleep", Left: 100 * time.Millisecond}
		})
	s.step(trace.Event{Move: "t", Kind: "env", Op: "clock"}, "", func(w *trace.State) {
		w.Now = 2 * time.Second
		ttl(3 * time.Second)(w)
		w.Actor("B").Phase = trace.Ready
	})
	s.log.Frames[4].Event.At = 2 * time.Second
	s.step(trace.Event{Actor: "D", Kind: "redis", Op: "PEXPIRE", Args: "PEXPIRE lock:order:7 5000", Reply: "1",
		Access: written(lockKey)}, "sleep 2s", ttl(5*time.Second))
	s.step(trace.Event{Move: "xA", Kind: "env", Op: "crash", Args: "crash A"}, "", func(w *trace.State) {
		w.Actor("A").Phase = trace.Dead
	})
	s.step(trace.Event{Actor: "B", Kind: "mutex", Op: "unlock", Args: "unlock user:7", Access: written("user:7")},
		"", func(w *trace.State) {
			w.Actor("B").Result = "error: busy, try again"
			w.Actor("C").Phase = trace.Ready
		})
	s.step(trace.Event{Actor: "C", Kind: "mutex", Op: "lock", Args: "lock user:7", Access: written("user:7")},
		set, nil)
	s.step(trace.Event{Actor: "C", Kind: "redis", Op: "SET", Args: set, Reply: "(nil)", Access: reads(lockKey),
		RunOut: true, Broken: []string{"progress"}}, set, func(w *trace.State) {
		c := w.Actor("C")
		c.Phase, c.Why = trace.Blocked, trace.Reason{Kind: "sleep", Left: 100 * time.Millisecond}
		w.Lights[0].Detail = trace.Verbatim("C still waits after 50s")
		w.Lights[1].Status = trace.Grey
		w.Deadlock = true
	})
	last := &s.log.Frames[len(s.log.Frames)-1]
	last.Event.Seq = 0
	last.State.Lights[0].Since = 0
	// What can be judged only when all is over comes in a frame without an event.
	end := clone(last.State)
	end.Lights[1] = trace.Light{Name: "lock-released", Status: trace.Red, Detail: trace.Verbatim("lock:order:7 is nobody's")}
	s.log.Frames = append(s.log.Frames, trace.Frame{State: end})
	return s.log
}
