//go:build !race

package app

// raced says that the race detector watches.
const raced = false
