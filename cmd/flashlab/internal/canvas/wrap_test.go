package canvas

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

const sampleZh = "栅栏令牌（fencing token）会让第 07 步失败：SQLite 只接受更大的编号，旧的持有者写不进去。" +
	"“锁还在我手里”——这句话，A 说得太早了！Redis 在 t+5.0s 已经把锁给了 B。"

const sampleEn = "A never noticed that its lock expired at t+5.0s. Both clients wrote qty=9: " +
	"one sale is lost. Press n: a fencing token makes step 07 fail."

func TestWrapSamples(t *testing.T) {
	var b strings.Builder
	for _, cells := range []int{12, 20, 50} {
		for _, s := range []string{sampleEn, sampleZh} {
			b.WriteString("+" + strings.Repeat("-", cells) + "+\n")
			for _, line := range Wrap(s, cells) {
				b.WriteString("|" + PadRight(line, cells) + "|\n")
			}
		}
	}
	golden(t, "wrap.txt", b.String())
}

func TestWrap(t *testing.T) {
	for _, tt := range []struct {
		name  string
		s     string
		cells int
		want  string
	}{
		{"empty", "", 10, ""},
		{"no room", "lock", 0, ""},
		{"paragraphs", "one\n\ntwo\r\n", 10, "one||two"},
		{"spaces at a break", "aaa   bbb", 4, "aaa|bbb"},
		{"spaces inside", "aaa   bbb  ", 12, "aaa   bbb"},
		{"indent", "  a bb cc", 6, "  a bb|cc"},
		{"indent without room", "     abcd", 6, "abcd"},
		{"long word", "abcdefgh ij", 3, "abc|def|gh|ij"},
		{"long word after a short one", "a bcdefgh", 4, "a|bcde|fgh"},
		{"closing mark", "锁住，开", 4, "锁|住，|开"},
		{"opening mark", "锁（开）", 4, "锁|（|开）"},
		{"opening mark with room", "锁（开）", 6, "锁|（开）"},
		{"long with closing", "abcd，", 4, "abc|d，"},
		{"only closing marks", "！！！！！", 4, "！！|！！|！"},
		{"word and ideograph", "TTL到期", 5, "TTL到|期"},
		{"ASCII mark after an ideograph", "锁住,开", 4, "锁|住,|开"},
		{"apostrophe", "don’t stop", 7, "don’t|stop"},
		{"one cell becomes two", "锁ab", 1, "锁|ab"},
		{"control characters", "a\x1bb\tc", 3, "a·b|c"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := strings.Join(Wrap(tt.s, tt.cells), "|"); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// checkWrap holds for any text: lines are clean and fit, nothing but spaces gets
// lost, and no line begins with a closing mark where it could be helped.
func checkWrap(t interface{ Fatalf(string, ...any) }, s string, cells int) {
	lines := Wrap(s, cells)
	for _, line := range lines {
		if w := Width(line); w > max(cells, 2) {
			t.Fatalf("line %q is %d wide, limit %d", line, w, cells)
		}
		if line != Clean(line) || !utf8.ValidString(line) {
			t.Fatalf("line %q is not clean", line)
		}
	}
	bare := func(s string) string { return strings.ReplaceAll(Clean(s), " ", "") }
	if got, want := bare(strings.Join(lines, "")), bare(s); cells > 0 && got != want {
		t.Fatalf("text lost: %q, want %q", got, want)
	}
}

func TestWrapProperties(t *testing.T) {
	word := rapid.SampledFrom([]string{"锁", "开", "，", "。", "（", "）", "“", "”", "a", "lock", "7", " ", "  ", "\n", ",", "(", ")", "\u0301", "…"})
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOfN(word, 0, 40).Draw(t, "words"), "")
		cells := rapid.IntRange(0, 30).Draw(t, "cells")
		checkWrap(t, s, cells)
	})
}

func TestWrapGluesMarks(t *testing.T) {
	// With marks always next to a rune they can lean on and lines wide enough for
	// both, no line begins with a closing mark or ends with an opening one.
	piece := rapid.SampledFrom([]string{"锁", "住了，", "锁。", "（锁", "“开”", "lock ", "qty=9，", "步", "A", "7 "})
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOfN(piece, 1, 40).Draw(t, "pieces"), "")
		cells := rapid.IntRange(40, 60).Draw(t, "cells")
		for _, line := range Wrap(s, cells) {
			first, _ := utf8.DecodeRuneInString(line)
			last, _ := utf8.DecodeLastRuneInString(line)
			if isClosing(first) || isOpening(last) {
				t.Fatalf("line %q of %q", line, s)
			}
		}
	})
}

func FuzzWrap(f *testing.F) {
	f.Add(sampleZh, 20)
	f.Add(sampleEn, 7)
	f.Add("a\x1b[2J\xff\u202e锁\n\n", 2)
	f.Fuzz(func(t *testing.T, s string, cells int) {
		checkWrap(t, s, cells%200)
	})
}

func BenchmarkWrap(b *testing.B) {
	for b.Loop() {
		Wrap(sampleZh, 40)
	}
}
