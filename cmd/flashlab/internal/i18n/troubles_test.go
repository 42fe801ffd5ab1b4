package i18n

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"flashlab/sim/live"
)

// spoken are the packages that say something about servers and storms.
var spoken = []string{"live", "scenario", "storm", "storm/linear"}

// ours is how keys about servers and storms begin.
var ours = regexp.MustCompile(`^(trouble|server|free|history)\.[a-z-]+$`)

// TestTroubles: each sentence about a server or a storm that stands in the source has
// Chinese words with the same blanks, and there are none that nobody says.
func TestTroubles(t *testing.T) {
	found := map[string]string{}
	for _, dir := range spoken {
		files, err := filepath.Glob("../../../../sim/" + dir + "/*.go")
		if err != nil || len(files) == 0 {
			t.Fatalf("no source in %s: %v", dir, err)
		}
		for _, file := range files {
			if !strings.HasSuffix(file, "_test.go") {
				sentences(t, file, found)
			}
		}
	}
	blanks := func(s string) []string {
		list := blank.FindAllString(s, -1)
		slices.Sort(list)
		return list
	}
	for key, text := range found {
		if own, ok := phrasesZH[key]; !ok {
			t.Errorf("%s (%s) has no Chinese", key, text)
		} else if !slices.Equal(blanks(own), blanks(text)) {
			t.Errorf("%s has other blanks in Chinese: %q, %q", key, text, own)
		}
	}
	for key := range phrasesZH {
		if ours.MatchString(key) && found[key] == "" {
			t.Errorf("nobody says %s", key)
		}
	}
}

// sentences collects keys and English of a file: a key is followed by its English, in a
// call or in a value. Among those of live a call of say has a kind before the rest of a
// key.
func sentences(t *testing.T, file string, found map[string]string) {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := parser.ParseFile(token.NewFileSet(), file, src, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		var list []ast.Expr
		prefix := ""
		switch n := n.(type) {
		case *ast.CallExpr:
			list = n.Args
			if f, ok := n.Fun.(*ast.Ident); ok && f.Name == "say" && len(list) >= 3 {
				prefix, list = "trouble.", list[1:3]
			}
		case *ast.CompositeLit:
			list = n.Elts
		}
		for i := 0; i+1 < len(list); i++ {
			if key := prefix + words(list[i]); ours.MatchString(key) {
				found[key] = words(list[i+1])
			}
		}
		return true
	})
}

// words is the text of a string, as far as it stands in one place; a constant behind it
// says how the server answers.
func words(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.BasicLit:
		if s, err := strconv.Unquote(x.Value); err == nil {
			return s
		}
	case *ast.BinaryExpr:
		return words(x.X) + words(x.Y)
	case *ast.Ident:
		if x.Name == "refuses" {
			return "{answer}"
		}
	}
	return ""
}

// refused is an answer of a server.
type refused string

func (r refused) Error() string { return string(r) }
func (refused) RedisError()     {}

// Trouble is told whole in Chinese: what it means for the run, whose it is, and what
// can be done. What a server says itself stays as it is.
func TestTroubleInChinese(t *testing.T) {
	none := func(string) string { return "" }
	one, err := live.Parse(live.Flags{URL: "redis://u:secret@h:1"}, none)
	if err != nil {
		t.Fatal(err)
	}
	group, err := live.Parse(live.Flags{Sentinel: "main@a:1,b:2"}, none)
	if err != nil {
		t.Fatal(err)
	}
	many, err := live.Parse(live.Flags{Cluster: "a:1,b:2"}, none)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		target *live.Target
		err    error
		want   string
	}{
		{one, syscall.ECONNREFUSED, "redis://u@h:1 拒绝连接：启动服务器，或者检查 --redis 的主机和端口"},
		{one, refused("NOPERM no permissions to run 'eval'"), "no permissions to run 'eval'），用 ACL SETUSER"},
		{group, errors.New("redis: all sentinels specified in configuration are unreachable"), "哨兵 a:1,b:2 上的主节点 main：没有哨兵认识"},
		{many, refused("CLUSTERDOWN The cluster is down"), "集群 a:1,b:2：集群不可用"},
	} {
		x := tt.target.Explain(tt.err)
		if x == nil {
			t.Errorf("%v is no trouble", tt.err)
			continue
		}
		if got := x.In(chinese.Say); !strings.Contains(got, tt.want) || strings.Contains(got, "secret") {
			t.Errorf("%s, want %s", got, tt.want)
		}
	}
}
