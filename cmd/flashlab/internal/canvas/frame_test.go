package canvas

import "testing"

func TestFrames(t *testing.T) {
	c := New(44, 17)
	v := c.View(c.Bounds())
	in := v.Box(Rect{0, 0, 22, 4}, "1 Timeline", true, 1, 2)
	in.Text(0, 0, "the inside has 20 cells", 3)
	in.Text(0, 2, "not shown", 3)
	v.Box(Rect{22, 0, 22, 4}, "2 源码 · 客户端甲乙丙丁", false, 1, 2).Text(0, 1, "第二行", 3)
	v.Box(Rect{0, 4, 7, 2}, "3 Redis", false, 1, 2)
	v.Box(Rect{8, 4, 4, 2}, "4", true, 1, 2)
	v.Box(Rect{13, 4, 2, 2}, "5", true, 1, 2)
	v.Box(Rect{16, 4, 1, 2}, "6", true, 1, 2)

	// Panes that share lines, the second focused, and the divider painted last.
	v.Rule(Rect{0, 7, 21, 4}, "1 Timeline", false, 1, 2).Text(1, 0, "rows", 3)
	v.Rule(Rect{22, 7, 22, 2}, "3 Redis", true, 1, 2)
	v.Rule(Rect{22, 9, 22, 2}, "4 SQLite", false, 1, 2)
	v.Rule(Rect{0, 10, 21, 2}, "8 Who steps next", false, 1, 2)
	v.Rule(Rect{0, 12, 44, 2}, "6 What happens", false, 1, 2)
	v.Divider(21, 7, 6, 1)

	// A title that reaches the divider keeps its letters.
	v.Rule(Rect{0, 14, 44, 1}, "7 a title which is longer than half", false, 1, 2)
	v.Divider(21, 13, 2, 1)
	golden(t, "frames.txt", drawing(c))
}

func TestLinesJoin(t *testing.T) {
	c := New(24, 6)
	v := c.View(c.Bounds())
	for x := 2; x <= 14; x += 4 {
		v.VLine(x, 0, 5, 1)
	}
	v.HLine(2, 1, 12, 2) // from the first lane across two others
	v.Text(13, 1, "▶", 2)
	v.HLine(6, 2, 9, 2) // from lane to lane
	v.HLine(0, 4, 15, 2)
	v.HLine(17, 0, 1, 1)
	v.VLine(19, 0, 1, 1)
	v.HLine(17, 2, 4, 1)
	v.HLine(-4, 5, 8, 1) // clipped, so both ends that show are middles
	golden(t, "joins.txt", drawing(c))
}
