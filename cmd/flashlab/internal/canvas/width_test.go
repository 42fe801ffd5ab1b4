package canvas

import (
	"testing"

	"github.com/mattn/go-runewidth"
)

func TestWidth(t *testing.T) {
	// What a Chinese locale does to go-runewidth must not reach the grid.
	old := runewidth.DefaultCondition.EastAsianWidth
	runewidth.DefaultCondition.EastAsianWidth = true
	defer func() { runewidth.DefaultCondition.EastAsianWidth = old }()
	for s, want := range map[string]int{
		"":           0,
		"lock":       4,
		"锁":          2,
		"锁 a1":       5,
		"─│╭╮╰╯═║├┼": 10,
		"▶◀▲▼✗✓…▒█░●○◐→·": 15,
		"“”‘’×①—":         7,
		"，。":              4,
		"e\u0301":         1,
		"a\x1b\n":         3,
		"\xff":            1,
	} {
		if got := Width(s); got != want {
			t.Errorf("Width(%q) = %d, want %d", s, got, want)
		}
	}
}

func TestTruncate(t *testing.T) {
	for _, tt := range []struct {
		s     string
		cells int
		tail  string
		want  string
	}{
		{"lock", 4, "…", "lock"},
		{"locks", 4, "…", "loc…"},
		{"锁锁锁", 6, "…", "锁锁锁"},
		{"锁锁锁", 5, "…", "锁锁…"},
		{"锁锁锁", 4, "…", "锁…"},
		{"锁锁锁", 5, "", "锁锁"},
		{"lock", 1, "…", "…"},
		{"lock", 1, "...", "l"},
		{"lock", 0, "…", ""},
		{"lock", -4, "…", ""},
		{"loc\u0301", 3, "…", "loc\u0301"},
	} {
		if got := Truncate(tt.s, tt.cells, tt.tail); got != tt.want {
			t.Errorf("Truncate(%q, %d, %q) = %q, want %q", tt.s, tt.cells, tt.tail, got, tt.want)
		}
	}
}

func TestPadRight(t *testing.T) {
	for _, tt := range []struct {
		s     string
		cells int
		want  string
	}{
		{"ok", 4, "ok  "},
		{"okay", 2, "ok"},
		{"锁锁", 3, "锁 "},
		{"x", 0, ""},
	} {
		if got := PadRight(tt.s, tt.cells); got != tt.want {
			t.Errorf("PadRight(%q, %d) = %q, want %q", tt.s, tt.cells, got, tt.want)
		}
	}
}

func TestClean(t *testing.T) {
	in := "a\x1b]0;title\x07b\r\nc\u200bd\u00ade\u2028f\xc3"
	if got, want := Clean(in), "a·]0;title·b  cde f\ufffd"; got != want {
		t.Errorf("Clean = %q, want %q", got, want)
	}
}
