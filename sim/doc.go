// Package sim is the controlled scheduler: actors run real business code, each
// in a goroutine of its own, and park before every operation that others can
// see. Whoever drives the [Kernel] decides which actor takes the next step.
//
// An actor travels in its context. Gates (sim/redisgate, sim/sqlgate, sim/proc)
// ask [From] for it; without one they pass straight through, so the same code
// also runs free.
//
// The package must not import an engine, a lesson or the screen, and must not
// read the wall clock except to notice an actor that computes without end.
package sim
