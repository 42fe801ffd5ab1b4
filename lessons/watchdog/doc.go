// Package watchdog is the sixth lesson: a lock that is kept alive while the
// work goes on, that its holder can take again, and what no lock can do.
//
// The lock is Redisson's: a hash with one field, the owner, and the number of
// its holds. The package is the shop window: business code as a shop would
// write it, one file a variant. It must not import anything
// of the lab but sim/proc.
package watchdog
