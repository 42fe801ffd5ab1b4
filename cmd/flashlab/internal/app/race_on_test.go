//go:build race

package app

// raced says that the race detector watches, which makes everything ten times slower.
const raced = true
