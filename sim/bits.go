package sim

import "math/bits"

// Bits is a set of lights, by their position in the scenario's list.
type Bits uint16

// MaxLights is how many lights a scenario can have.
const MaxLights = 16

// Has reports whether light i is in the set.
func (b Bits) Has(i int) bool { return b&(1<<i) != 0 }

// Len is the number of lights in the set.
func (b Bits) Len() int { return bits.OnesCount16(uint16(b)) }
