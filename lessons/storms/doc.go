// Package storms lets the lessons run free and looks what becomes of their promises:
// in one process, on nodes that are processes, and where one is killed.
//
// It holds tests only, beside the lessons because a storm knows none. They must not
// rely on a race being lost in any one storm.
package storms
