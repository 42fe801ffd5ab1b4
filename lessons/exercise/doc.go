// Package exercise judges what learners do: schedules that are to break a light,
// and code - picked, put together, filled in or written - that is to hold under all
// of them. It also proves that exercises are sound: what is shipped fails, the
// solution passes, what many write first fails.
//
// A verdict is always computed by running the real engine. The package must not
// know a single lesson, keep progress, or print.
package exercise
