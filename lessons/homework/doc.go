// Package homework ties exercises to progress: how far a learner has come with one,
// what is kept of an answer, reports that hold a learner's answers, and the check of
// such reports, in which nothing has to be believed.
//
// The package must not open the progress file by itself, know the screen, or print.
package homework
