// Package oversell is the first lesson: check, then act. "Read the stock,
// decide, write" is three steps, and somebody else can come in between.
//
// The package is the shop window: business code as a shop would write it, one
// file a variant. It must not import anything of the lab.
package oversell
