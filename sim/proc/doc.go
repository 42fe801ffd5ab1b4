// Package proc is all that business code imports of the lab: the few things that
// cannot be had through go-redis and database/sql, namely an in-process mutex,
// sleeping, starting a task, the time and fresh tokens.
//
// Under the lab each of them is a step in virtual time; without an actor in the
// context they are the real thing. The package must not grow: anything a shop
// would take from the standard library does not belong here.
package proc
