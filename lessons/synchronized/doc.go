// Package synchronized is the second lesson: one person, one order. "Count the
// user's orders, then insert one" is two steps again, and a lock around them has
// to be seen by everybody who counts.
//
// The package is the shop window: business code as a shop would write it, one
// file a variant. It must not import anything of the lab but what stands in for
// sync.Mutex.
package synchronized
