package canvas

import (
	"strings"
	"testing"
)

func TestText(t *testing.T) {
	for _, tt := range []struct {
		name string
		x    int
		s    string
		used int
		want string // of a row of 8 cells
	}{
		{"plain", 1, "lock", 4, " lock   "},
		{"clipped right", 5, "lock", 3, "     loc"},
		{"clipped left", -2, "lock", 4, "ck      "},
		{"outside", 8, "lock", 0, "        "},
		{"wide", 1, "锁住", 4, " 锁住   "},
		{"wide that does not fit", 5, "锁住", 3, "     锁 "},
		{"wide cut at the left edge", -1, "锁a", 3, " a      "},
		{"escape", 0, "\x1b[31mx", 6, "·[31mx  "},
		{"one byte escape", 0, "a\u009bb", 3, "a·b     "},
		{"line break and tab", 0, "a\nb\tc", 5, "a b c   "},
		{"combining mark", 0, "cafe\u0301!", 5, "cafe!   "},
		{"joined emoji", 0, "👩\u200d🚀", 4, "👩🚀    "},
		{"emoji modifier", 0, "👍🏽.", 3, "👍.     "},
		{"flag", 0, "🇨🇳", 2, "CN      "},
		{"reversed direction", 0, "a\u202eb", 3, "a·b     "},
		{"bad UTF-8", 0, "a\xffb", 3, "a\ufffdb     "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := New(8, 1)
			if used := c.View(c.Bounds()).Text(tt.x, 0, tt.s, 1); used != tt.used {
				t.Errorf("used %d cells, want %d", used, tt.used)
			}
			if got := c.Plain(Unicode); got != tt.want {
				t.Errorf("row %q, want %q", got, tt.want)
			}
		})
	}
}

func TestHalfOfAWideRuneIsBlanked(t *testing.T) {
	for _, tt := range []struct {
		x          int
		over, want string
	}{
		{0, "x", "x 住 "},
		{1, "x", " x住 "},
		{1, "开", " 开  "},
		{2, "开", "锁开 "},
		{3, "x", "锁 x "},
	} {
		c := New(5, 1)
		v := c.View(c.Bounds())
		v.Text(0, 0, "锁住", 1)
		v.Text(tt.x, 0, tt.over, 2)
		if got := c.Plain(Unicode); got != tt.want {
			t.Errorf("%q at %d: %q, want %q", tt.over, tt.x, got, tt.want)
		}
	}
}

func TestFields(t *testing.T) {
	c := New(12, 6)
	v := c.View(c.Bounds())
	v.TextRight(1, 0, 6, "9", 1)
	v.TextRight(1, 1, 6, "123456789", 1)
	v.TextRight(1, 2, 0, "gone", 1)
	v.TextCenter(1, 3, 9, "buyer", 1)
	v.TextCenter(1, 4, 6, "买家甲", 1)
	v.TextCenter(1, 5, 5, "买家甲乙", 1)
	want := "      9\n 12345…\n\n   buyer\n 买家甲\n 买家…\n"
	if got := c.Trimmed(Unicode); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestSubViewsClip(t *testing.T) {
	c := New(10, 4)
	c.View(c.Bounds()).Fill(c.Bounds(), '.', 0)
	outer := c.View(Rect{2, 1, 6, 2})
	inner := outer.Sub(Rect{-1, 0, 4, 9})
	if w, h := inner.Size(); w != 4 || h != 9 {
		t.Errorf("size %dx%d, want 4x9 as asked for", w, h)
	}
	inner.Fill(inner.Bounds(), 'x', 1)
	inner.Text(0, 1, "ab", 2) // a falls outside of the outer view
	outer.Fill(Rect{4, -3, 90, 90}, '锁', 3)
	want := "..........\n..xxx.锁..\n..bxx.锁..\n..........\n"
	if got := c.Trimmed(Unicode); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestFillKeepsItsColumnsWhenClipped(t *testing.T) {
	c := New(7, 2)
	v := c.View(c.Bounds())
	v.Fill(Rect{0, 0, 7, 1}, '锁', 0)
	v.Fill(Rect{-3, 1, 8, 1}, '锁', 0)
	if got, want := c.Plain(Unicode), "锁锁锁 \n 锁锁  "; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	v.Fill(Rect{0, 0, 1, 1}, '\x1b', 0)
	v.Fill(Rect{1, 0, 1, 1}, '\u0301', 0)
	if got := c.Plain(Unicode); !strings.HasPrefix(got, "· 锁") {
		t.Errorf("filled with a control character and a mark: %q", got)
	}
}

func TestRestyle(t *testing.T) {
	c := New(8, 2)
	v := c.View(c.Bounds())
	v.Text(0, 0, "锁锁锁锁", 1)
	v.Restyle(Rect{1, 0, 4, 9}, 2)
	want := "aabbaaaa\n.bbbb\n"
	if got := c.StyleMap(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestEmptyAndZero(t *testing.T) {
	var zero View
	zero.Text(0, 0, "x", 0)
	zero.Fill(Rect{0, 0, 5, 5}, 'x', 0)
	zero.Restyle(Rect{0, 0, 5, 5}, 0)
	zero.HLine(0, 0, 5, 0)
	zero.Divider(0, 0, 5, 0)
	zero.Box(Rect{0, 0, 5, 5}, "t", true, 0, 0)

	c := New(-3, 7)
	if w, h := c.Size(); w != 0 || h != 7 {
		t.Errorf("size %dx%d, want 0x7", w, h)
	}
	if got := string(c.ANSI(nil, &Palette{}, Unicode)); got != strings.Repeat("\n", 6) {
		t.Errorf("seven empty rows: %q", got)
	}
	c.Resize(MaxWidth+1, -1)
	if w, h := c.Size(); w != MaxWidth || h != 0 {
		t.Errorf("size %dx%d, want %dx0", w, h, MaxWidth)
	}
}

func TestResizeBlanks(t *testing.T) {
	c := New(4, 2)
	c.View(c.Bounds()).Text(0, 0, "lock", 3)
	c.Resize(3, 2)
	if got := drawing(c); got != "\n\n---\n\n\n" {
		t.Errorf("left after Resize:\n%s", got)
	}
	c.Clear(2)
	if got := c.StyleMap(); got != "bbb\nbbb\n" {
		t.Errorf("styles after Clear:\n%s", got)
	}
}

func TestRect(t *testing.T) {
	r := Rect{2, 3, 4, 5}
	if got := r.Inset(1, 3); got != (Rect{3, 6, 2, 0}) || !got.Empty() {
		t.Errorf("Inset: %+v", got)
	}
	if !r.Contains(2, 3) || !r.Contains(5, 7) || r.Contains(6, 3) || r.Contains(2, 8) {
		t.Error("Contains is wrong at an edge")
	}
	if got := r.Intersect(Rect{4, 0, 9, 4}); got != (Rect{4, 3, 2, 1}) {
		t.Errorf("Intersect: %+v", got)
	}
	if got := r.Intersect(Rect{6, 3, 1, 1}); got != (Rect{}) {
		t.Errorf("Intersect of neighbours: %+v", got)
	}
}
