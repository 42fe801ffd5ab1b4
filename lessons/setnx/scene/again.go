package scene

import (
	"flashlab/lessons"
	"flashlab/sim/scenario"
)

// again ends the lesson: one dial is turned.
func again() *lessons.Again {
	return &lessons.Again{
		Variant: "set-nx-px", Sets: "expiries=1", Light: scenario.NoMisdeletionLight,
		Say: lessons.Text{
			EN: "One command, one lease, and nobody is locked out for good. Turn one dial: the work takes longer than the lease (expiries=1). Whoever comes back late deletes a lock that is not his any more.",
			ZH: "一条命令加锁带过期，不会再有人永远进不来。换一个条件：活比租期还长（expiries=1）。干完回来晚了，删掉的已经不是自己的锁。",
		},
	}
}
