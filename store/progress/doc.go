// Package progress keeps what a learner has done: one SQLite file that holds an
// append-only log of events. Nothing in it is ever changed or deleted. The present
// state, a Book, is a fold over the log, so that a reset can be undone, and two
// machines are merged by taking the union of their events.
//
// A Store may be used by several goroutines, and several processes may have the same
// file open. What Add returned without an error is on the disk.
//
// The package must not know lessons, the simulator or the screen: exercises,
// questions, cards and lessons are plain names to it, and whether an answer is right
// is decided elsewhere. It must not print, and it must not throw away a file: one
// that it cannot read is renamed, one of a newer flashlab is left as it is.
package progress
