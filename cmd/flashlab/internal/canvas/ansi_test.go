package canvas

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

// testPalette leaves style 0 bare and gives each other style a colour.
func testPalette() *Palette {
	var p Palette
	for i := 1; i < len(p.SGR); i++ {
		p.SGR[i] = fmt.Sprintf("\x1b[38;5;%dm", i)
	}
	return &p
}

func TestANSI(t *testing.T) {
	c := New(6, 2)
	v := c.View(c.Bounds())
	v.Text(1, 0, "锁", 1)
	v.Text(3, 0, "▶", 2)
	v.Text(0, 1, "ab", 2)
	p := testPalette()
	got := string(c.ANSI([]byte(">"), p, Unicode))
	want := "> \x1b[38;5;1m锁\x1b[0m\x1b[38;5;2m▶\x1b[0m  \n\x1b[38;5;2mab\x1b[0m    "
	if got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if got, want := string(c.ANSI(nil, &Palette{}, ASCII)), " 锁>  \nab    "; got != want {
		t.Errorf("without colours: %q, want %q", got, want)
	}
}

func TestPlain(t *testing.T) {
	c := New(5, 3)
	c.View(c.Bounds()).Text(0, 1, "锁 ✗", 1)
	if got, want := c.Plain(Unicode), "     \n锁 ✗ \n     "; got != want {
		t.Errorf("Plain: %q, want %q", got, want)
	}
	if got, want := c.Trimmed(ASCII), "\n锁 x\n\n"; got != want {
		t.Errorf("Trimmed: %q, want %q", got, want)
	}
	c.Clear(200)
	if got, want := c.StyleMap(), "?????\n?????\n?????\n"; got != want {
		t.Errorf("StyleMap: %q, want %q", got, want)
	}
}

func TestASCIIStandIns(t *testing.T) {
	const from = "├┤┬┴┼─│╭╮╰╯╔╗╚╝═║▶◀▲▼✗✓…▒█░●○◐→←↑↓·"
	const want = "+++++-|++++++++=|><^vxv~:#.*.~><^v."
	var got strings.Builder
	for _, r := range from {
		a := ascii(r)
		if a >= utf8.RuneSelf {
			t.Errorf("%q has no stand-in", r)
		}
		got.WriteRune(a)
	}
	if got.String() != want {
		t.Errorf("got  %s\nwant %s", got.String(), want)
	}
	if r := ascii('锁'); r != '锁' {
		t.Errorf("an ideograph became %q", r)
	}
}

var sgr = regexp.MustCompile("\x1b\\[[0-9;]*m")

// check holds after any painting: the grid is sound, and what leaves it is an
// exact rectangle of clean text.
func check(t interface{ Fatalf(string, ...any) }, c *Canvas) {
	w, h := c.Size()
	for y := range h {
		for x, cell := range c.row(y) {
			switch cell.width {
			case 0:
				if x == 0 || c.row(y)[x-1].width != 2 || cell.r != 0 || cell.style != c.row(y)[x-1].style {
					t.Fatalf("stray right half at %d,%d", x, y)
				}
			case 2:
				if x+1 == w || c.row(y)[x+1].width != 0 {
					t.Fatalf("stray left half at %d,%d", x, y)
				}
			}
		}
	}
	out := string(c.ANSI(nil, testPalette(), Unicode))
	text := sgr.ReplaceAllString(out, "")
	if !utf8.ValidString(out) || strings.ContainsAny(text, "\x1b\u009b\r\t") {
		t.Fatalf("unclean output %q", text)
	}
	rows := strings.Split(text, "\n")
	if len(rows) != max(h, 1) {
		t.Fatalf("%d rows, want %d", len(rows), h)
	}
	for i, row := range rows {
		if got := Width(row); got != w && h > 0 {
			t.Fatalf("row %d is %d cells, want %d: %q", i, got, w, row)
		}
		// Bubble Tea cuts a row that this function finds too wide. Where the
		// environment makes it count lines twice, the lab draws them in ASCII.
		if got := ansi.StringWidth(row); got > w && h > 0 && ansi.StringWidth("│") == 1 {
			t.Fatalf("row %d is %d cells to the renderer, want at most %d: %q", i, got, w, row)
		}
	}
	if text != c.Plain(Unicode) {
		t.Fatalf("Plain differs from ANSI without its colours")
	}
}

func TestPaintingProperties(t *testing.T) {
	text := rapid.OneOf(rapid.String(), rapid.StringOf(rapid.SampledFrom([]rune("锁住ab ，─│▶é\u0301\x1b\n👍🏽🇨🇳"))))
	rapid.Check(t, func(t *rapid.T) {
		n := func(from, to int) int { return rapid.IntRange(from, to).Draw(t, "n") }
		rect := func() Rect { return Rect{n(-5, 25), n(-3, 9), n(-2, 25), n(-2, 9)} }
		c := New(n(0, 20), n(0, 6))
		for range n(1, 12) {
			v := c.View(rect()).Sub(rect())
			if n(0, 3) == 0 {
				v = c.View(c.Bounds())
			}
			style := Style(n(0, 255))
			switch n(0, 9) {
			case 0, 1, 2:
				s := text.Draw(t, "s")
				x := n(-5, 20)
				w, _ := v.Size()
				if used, limit := v.Text(x, n(-1, 6), s, style), max(w-x, 0); used != min(Width(s), limit) {
					t.Fatalf("Text used %d of %d cells", used, limit)
				}
			case 3:
				v.TextRight(n(-5, 20), n(-1, 6), n(-1, 20), text.Draw(t, "s"), style)
			case 4:
				v.TextCenter(n(-5, 20), n(-1, 6), n(-1, 20), text.Draw(t, "s"), style)
			case 5:
				v.Fill(rect(), rapid.Rune().Draw(t, "r"), style)
			case 6:
				v.Restyle(rect(), style)
			case 7:
				v.Box(rect(), text.Draw(t, "s"), n(0, 1) == 0, style, style+1)
			case 8:
				v.Rule(rect(), text.Draw(t, "s"), n(0, 1) == 0, style, style+1)
			case 9:
				v.HLine(n(-5, 20), n(-1, 6), n(-1, 20), style)
				v.VLine(n(-5, 20), n(-1, 6), n(-1, 20), style)
				v.Divider(n(-5, 20), n(-1, 6), n(-1, 20), style)
			}
			check(t, c)
		}
	})
}

func TestViewsPaintInsideOnly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := func(from, to int) int { return rapid.IntRange(from, to).Draw(t, "n") }
		c := New(16, 5)
		c.Clear(9)
		clip := Rect{n(-3, 18), n(-2, 6), n(0, 12), n(0, 5)}
		v := c.View(clip)
		v.Text(n(-4, 12), n(-2, 5), rapid.SampledFrom([]string{"锁住了锁", "locks", "a锁b"}).Draw(t, "s"), 1)
		v.Fill(Rect{n(-4, 9), n(-3, 6), n(0, 9), n(0, 9)}, rapid.SampledFrom([]rune("x锁")).Draw(t, "r"), 2)
		v.Box(Rect{n(-4, 9), n(-3, 6), n(0, 9), n(0, 9)}, "锁", true, 3, 4)
		v.HLine(n(-4, 9), n(-3, 6), n(0, 9), 5)
		v.Restyle(Rect{n(-4, 9), n(-3, 6), n(0, 9), n(0, 9)}, 6)
		for y := range 5 {
			for x, cell := range c.row(y) {
				if !clip.Contains(x, y) && (cell.style != 9 || cell.r != ' ') {
					t.Fatalf("painted at %d,%d outside of %+v", x, y, clip)
				}
			}
		}
	})
}

func FuzzText(f *testing.F) {
	f.Add("锁 \x1b[31m\x9b2J\u202e👩\u200d🚀", -1)
	f.Add("line\r\nbreak\u2028and\u0085more", 3)
	f.Fuzz(func(t *testing.T, s string, x int) {
		c := New(17, 3)
		v := c.View(c.Bounds())
		v.Fill(c.Bounds(), '锁', 1)
		x %= 40
		if got, want := v.Text(x, 1, s, 2), min(Width(s), max(17-x, 0)); got != want {
			t.Fatalf("used %d cells, want %d", got, want)
		}
		v.TextRight(0, 2, 17, s, 3)
		check(t, c)
		if Width(s) != Width(Clean(s)) {
			t.Fatalf("Clean changes the width of %q", s)
		}
	})
}

// painted returns a 200x60 canvas with frames, text in two scripts and many runs.
func painted() *Canvas {
	c := New(200, 60)
	v := c.View(c.Bounds())
	for y := range 60 {
		for x := 0; x < 200; x += 20 {
			v.Text(x, y, "lock:order:7  ├──▶ 锁", Style(1+(x/20+y)%30))
		}
	}
	v.Box(c.Bounds(), "1 Timeline", true, 1, 2)
	return c
}

func TestANSIAllocatesNothing(t *testing.T) {
	c, p := painted(), testPalette()
	buf := c.ANSI(nil, p, Unicode)
	if n := testing.AllocsPerRun(20, func() { buf = c.ANSI(buf[:0], p, Unicode) }); n != 0 {
		t.Errorf("%v allocations for a frame, want none", n)
	}
}

func BenchmarkANSI(b *testing.B) {
	for _, g := range []struct {
		name   string
		glyphs Glyphs
	}{{"unicode", Unicode}, {"ascii", ASCII}} {
		b.Run(g.name, func(b *testing.B) {
			c, p := painted(), testPalette()
			buf := c.ANSI(nil, p, g.glyphs)
			b.SetBytes(int64(len(buf)))
			b.ReportAllocs()
			for b.Loop() {
				buf = c.ANSI(buf[:0], p, g.glyphs)
			}
		})
	}
}

func BenchmarkPaint(b *testing.B) {
	c := New(200, 60)
	v := c.View(c.Bounds())
	b.ReportAllocs()
	for b.Loop() {
		c.Clear(0)
		for y := range 60 {
			for x := 0; x < 200; x += 20 {
				v.Text(x, y, "lock:order:7  ├──▶ 锁", 1)
			}
		}
	}
}
