package app

import (
	"testing"

	"flashlab/lessons"
)

// TestStormInChinese: why a storm does not judge a light is said in Chinese.
func TestStormInChinese(t *testing.T) {
	o := english()
	o.Lang, o.Lesson, o.Variant = lessons.ZH, "setnx", "limited"
	p := play(t, o, 120, 40)
	p.press("R")
	p.settle()
	p.must("? within-limit  要看同一时刻所有人在做什么，只有调度器才知道")
	p.mustNot("only the scheduler knows")
}
