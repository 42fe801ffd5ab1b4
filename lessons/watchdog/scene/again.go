package scene

import (
	"flashlab/lessons"
	"flashlab/sim/scenario"
)

// again ends the lesson: one dial is turned.
func again() *lessons.Again {
	return &lessons.Again{
		Variant: "pause", Light: scenario.MutualExclusionLight,
		Say: lessons.Text{
			EN: "The renewal keeps the lock alive, as long as the process is. Turn one dial: the whole process stands still for 40 s, renewal and all. The lock is gone, and the code that wakes up does not know. No lock can mend this; what stands behind it must.",
			ZH: "续期能让锁一直不过期，前提是进程还在跑。换一个条件：整个进程停顿 40 秒，续期也停了。锁没了，醒过来的代码还不知道。再好的锁也补不了，得靠后面那一层。",
		},
	}
}
