package scene

import (
	"flashlab/lessons"
	"flashlab/lessons/shop"
)

// again ends the lesson: one dial is turned.
func again() *lessons.Again {
	return &lessons.Again{
		Lesson: "synchronized", Variant: "no-lock", Light: shop.OnePerUser,
		Say: lessons.Text{
			EN: "The stock is safe now. Turn one dial: the two requests come from the same person, who clicks twice, and there are two units. Nothing in this lesson asks whether somebody has bought before.",
			ZH: "库存守住了。换一个条件：两个请求是同一个人点了两下，库存有两件。这一课的写法，没有一种问过这个人买没买过。",
		},
	}
}
