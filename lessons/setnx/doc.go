// Package setnx is the third lesson: a lock that every node can see. It stands in
// Redis, it outlives the process that took it, and so it must be able to end by
// itself.
//
// The package is the shop window: business code as a shop would write it, one
// file a variant. It must not import anything of the lab but what stands in for
// time.Sleep, and the shop's scripts.
package setnx
