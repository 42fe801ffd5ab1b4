// Package streampipeline is the seventh lesson: decide in Redis, book in the
// database. A script takes the unit, marks the user and queues the order in one
// step; consumers of a stream book the orders afterwards, at their own pace.
// Between the yes and the row lies a road on which orders get lost, stuck or
// booked twice.
//
// The package is the shop window: business code as a shop would write it, one
// file a variant; what several do alike stands in buy.go, stream.go, book.go
// and so on. It must not import anything of the lab but what stands in for a queue
// in memory, for sleeping and for random tokens.
package streampipeline
