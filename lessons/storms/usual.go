package storms

import (
	"math/big"

	"flashlab/lessons"
	"flashlab/sim/scenario"
)

// What a storm is like unless somebody wants it otherwise. Where work takes seconds
// of the lesson, a second lasts 4 ms and the requests are fewer, for they wait for one
// another: that ends in seconds, and a lease of 30 s, renewed every 10 s, is still
// longer than a busy machine keeps anybody waiting.
const (
	Requests     = 2000
	SlowRequests = 50
	SlowPace     = 250
)

// Usual returns how many requests a storm of the variant has, and how many times as
// fast as real time that of the lesson goes.
func Usual(v *lessons.Variant) (requests, pace int) {
	if scenario.NewParams(v.Params).Has("worktime") { // and whoever finds the lock taken waits, too
		return SlowRequests, SlowPace
	}
	return Requests, 1
}

// Differ reports whether the share of storms that broke is another than that of the
// schedules that do.
func Differ(broke, storms int, violating, schedules *big.Int) bool {
	a := new(big.Int).Mul(schedules, big.NewInt(int64(broke)))
	return a.Cmp(new(big.Int).Mul(violating, big.NewInt(int64(storms)))) != 0
}
