package scene

import (
	"flashlab/lessons"
	"flashlab/lessons/shop"
)

// again ends the lesson: one dial is turned.
func again() *lessons.Again {
	return &lessons.Again{
		Variant: "mutex-two-nodes", Light: shop.OnePerUser,
		Say: lessons.Text{
			EN: "The mutex did it, in one process. Turn one dial: the same code on two nodes. Each has a mutex of its own, and they know nothing of each other.",
			ZH: "锁管用了，但只在一个进程里。换一个条件：同样的代码跑在两个节点上，各有各的锁，谁也不知道谁。",
		},
	}
}
