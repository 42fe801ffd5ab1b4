// Package misdeletion is the fourth lesson: deleting somebody else's lock. The
// work takes longer than the lease, the lock changes hands meanwhile, and the
// first holder releases what is no longer its own.
//
// The package is the shop window: business code as a shop would write it, one
// file a variant. It must not import anything of the lab but sim/proc.
package misdeletion
