package scene

import (
	"flashlab/lessons"
	"flashlab/sim/scenario"
)

// again ends the lesson: one dial is turned.
func again() *lessons.Again {
	return &lessons.Again{
		Variant: "lua", Light: scenario.MutualExclusionLight,
		Say: lessons.Text{
			EN: "No release goes wrong any more. Look at the other light: the work still outlives its lease, and two are inside. A better release cannot mend that; the lock has to live as long as the work.",
			ZH: "解锁再也不会出错。看另一盏灯：业务还是比租期久，两个人同时在里面。解锁写得再好也没用，得让锁一直撑到业务做完。",
		},
	}
}
