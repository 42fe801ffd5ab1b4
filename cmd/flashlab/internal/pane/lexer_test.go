package pane

import (
	"strings"
	"testing"
)

// marks draws the classes of a file under its lines: k keyword, s string, c comment.
func marks(lang syntax, text string) string {
	lex := lexer{lang: lang}
	var b strings.Builder
	for _, line := range strings.Split(text, "\n") {
		row := []byte(strings.Repeat(" ", len(line)))
		at := 0
		for _, t := range lex.line(line, nil) {
			if t.from != at {
				return "a gap before " + line[t.from:]
			}
			at = t.to
			for i := t.from; i < t.to; i++ {
				row[i] = ".ksc"[t.class]
			}
		}
		if at != len(line) {
			return "the end is missing: " + line[at:]
		}
		b.WriteString(line + "\n" + string(row) + "\n")
	}
	return b.String()
}

func TestLexer(t *testing.T) {
	for _, tt := range []struct {
		name string
		lang syntax
		want string
	}{
		{"Go raw string", golang, "row := db.Query(ctx, `SELECT\n.....................sssssss\n  WHERE id = ?`, 1) // why\nsssssssssssssss.....cccccc\n"},
		{"Go keywords", golang, "return nil, \"a\\\"b\" + 'c'\nkkkkkk.kkk..ssssss...sss\n"},
		{"Go comment over lines", golang, "x /* if\n..ccccc\nfor */ if\ncccccc.kk\n"},
		{"open quote", golang, "a \"b\n..ss\nif\nkk\n"},
		{"not a keyword", golang, "ifs iff _if if2\n...............\n"},
		{"Java", java, "final var s = \"\"\"\nkkkkk.kkk.....sss\n if \"\"\"; // x\nsssssss..cccc\n"},
		{"Java back quote", java, "a ` if\n....kk\n"},
		{"Lua", lua, "if a == 'b' then -- end\nkk......sss.kkkk.cccccc\n"},
		{"Lua long", lua, "x = [[ if\n....sssss\n]] end --[[ a\nss.kkk.cccccc\nb ]] end\ncccc.kkk\n"},
		{"plain", plainText, "if `\n....\n"},
	} {
		lines := strings.Split(tt.want, "\n")
		text := ""
		for i := 0; i+1 < len(lines); i += 2 {
			text += "\n" + lines[i]
		}
		if got := marks(tt.lang, text[1:]); got != tt.want {
			t.Errorf("%s:\n%swant:\n%s", tt.name, got, tt.want)
		}
	}
}

// TestLexerSkips holds the short way over lines out of sight to the long one.
func TestLexerSkips(t *testing.T) {
	lines := strings.Split(lostUpdateGo+"\n/* a\n b\n*/ x := `\n\"\n` // `\ny", "\n")
	for from := range lines {
		slow, fast := lexer{lang: golang}, lexer{lang: golang}
		for _, l := range lines[:from] {
			slow.line(l, nil)
			fast.skip(l)
		}
		if slow != fast {
			t.Fatalf("before line %d: %+v, skipped %+v", from+1, slow, fast)
		}
	}
}
