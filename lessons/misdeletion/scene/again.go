package scene

import (
	"flashlab/lessons"
	"flashlab/sim/scenario"
)

// again ends the lesson: one dial is turned.
func again() *lessons.Again {
	return &lessons.Again{
		Variant: "get-then-del", Light: scenario.NoMisdeletionLight,
		Say: lessons.Text{
			EN: "Look first, delete afterwards: two commands. Turn no dial at all, only wait between them: the lease runs out in the gap.",
			ZH: "先看是不是自己的，再删，是两条命令。什么都不用换，只在中间停一下：租期就在这个空当里到点。",
		},
	}
}
