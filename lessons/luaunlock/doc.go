// Package luaunlock is the fifth lesson, lua-unlock: a release that compares and
// deletes in one step. It ends misdeletion. What it cannot do is protect work that
// takes longer than its lease.
//
// The package is the shop window: business code as a shop would write it, one
// file a variant. Of the lab it may import sim/proc and nothing else.
package luaunlock
