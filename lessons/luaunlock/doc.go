// Package luaunlock is the fifth lesson, lua-unlock: a release that compares and
// deletes in one step. It ends misdeletion. What it cannot do is protect work that
// takes longer than its lease.
//
// The package is the shop window: business code as a shop would write it, one
// file a variant. It must not import anything of the lab but sim/proc.
package luaunlock
