// Package storms is what storms of all lessons have in common: how a node finds its
// scenario, and what the outcome of a request means. The storms themselves are tested
// here, because package storm must not know a lesson.
//
// The package must not run anything, or know the screen.
package storms

import (
	"flashlab/lessons"
	"flashlab/sim/scenario"
	"flashlab/sim/storm"
	"flashlab/sim/storm/linear"
)

// Scenario makes the scenario that a storm has told a node.
func Scenario(cfg storm.NodeConfig) (*scenario.Scenario, error) {
	l, err := lessons.Find(cfg.Lesson)
	if err != nil {
		return nil, err
	}
	v, err := l.Variant(cfg.Variant)
	if err != nil {
		return nil, err
	}
	p := scenario.NewParams(v.Params)
	for name, n := range cfg.Sizes {
		p = p.Storm(name, n)
	}
	return v.Scenario(p), nil
}

// Answer reads the answer of a request: shops of all lessons say it in the same words.
func Answer(err error) linear.Answer {
	if err == nil {
		return linear.Got
	}
	switch err.Error() {
	case "sold out":
		return linear.SoldOut
	case "only one per person":
		return linear.Duplicate
	case "somebody else was faster":
		return linear.Nothing
	}
	return linear.Unclear
}
