// Package showdown holds the same sale three ways against each other, on one machine
// and with one stock: a lock and a transaction for each request, a guarded update, and
// a script with a stream behind it. What the field claims of them it measures, and says
// what each figure depends on.
//
// A path that breaks a promise of the sale does not count, however fast it is. The
// package must not print, and must not call a figure of the embedded Redis one of a
// server.
package showdown
