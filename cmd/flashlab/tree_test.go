package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// source is one Go file of the tree. Names are seen from the top, with slashes.
type source struct {
	name  string
	dir   string
	test  bool
	lines int
	fset  *token.FileSet
	file  *ast.File
}

// tree is the source as it stands on disk: Go files parsed, other text files by
// name.
type tree struct {
	sources []source
	texts   map[string]int // lines of other text files, by name
}

var theTree = sync.OnceValues(readTree)

// treeOf returns the tree, which is read once.
func treeOf(t *testing.T) *tree {
	t.Helper()
	tr, err := theTree()
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

func readTree() (*tree, error) {
	tr := &tree{texts: map[string]int{}}
	err := filepath.WalkDir(top, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(top, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			if rel == ".git" || d.Name() == "testdata" {
				return fs.SkipDir
			}
			return nil
		}
		return tr.add(name, rel)
	})
	return tr, err
}

// textFiles are the endings of files that people read.
var textFiles = []string{".md", ".yml", ".java", ".lua", ".txt", ".sql", ".mod"}

func (tr *tree) add(name, rel string) error {
	ending := path.Ext(rel)
	if ending != ".go" && !slices.Contains(textFiles, ending) {
		return nil
	}
	b, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	lines := strings.Count(string(b), "\n")
	if ending != ".go" {
		tr.texts[rel] = lines
		return nil
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, rel, b, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	tr.sources = append(tr.sources, source{rel, path.Dir(rel), strings.HasSuffix(rel, "_test.go"), lines, fset, f})
	return nil
}

// packages returns the directories that hold Go files other than tests.
func (tr *tree) packages() []string {
	var out []string
	for _, s := range tr.sources {
		if !s.test && !slices.Contains(out, s.dir) {
			out = append(out, s.dir)
		}
	}
	slices.Sort(out)
	return out
}

// imports lists what a package imports, tests aside.
func (tr *tree) imports(dir string) []string {
	var out []string
	for _, s := range tr.sources {
		if s.dir == dir && !s.test {
			out = append(out, s.imports()...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// lessons lists the directories of lessons: those that have a scene.
func (tr *tree) lessons() []string {
	var out []string
	for _, dir := range tr.packages() {
		if rest, ok := strings.CutPrefix(dir, "lessons/"); ok && path.Base(rest) == "scene" {
			out = append(out, path.Dir(dir))
		}
	}
	return out
}

func (s *source) imports() []string {
	var out []string
	for _, i := range s.file.Imports {
		p, _ := strconv.Unquote(i.Path.Value) // the parser has read it
		out = append(out, p)
	}
	return out
}

// generated reports whether a tool has written the file.
func (s *source) generated() bool { return ast.IsGenerated(s.file) }

// within reports whether the file lies in a directory or below it.
func (s *source) within(dir string) bool { return s.dir == dir || strings.HasPrefix(s.dir, dir+"/") }

// at names a place in the file.
func (s *source) at(n ast.Node) string { return s.fset.Position(n.Pos()).String() }

// uses returns the places where names of an imported package are used; without
// names, where the package is imported.
func (s *source) uses(importPath string, names ...string) []string {
	var out []string
	for _, i := range s.file.Imports {
		if p, _ := strconv.Unquote(i.Path.Value); p != importPath {
			continue
		}
		if len(names) == 0 || i.Name != nil && i.Name.Name == "." {
			out = append(out, s.at(i)+": import of "+importPath)
			continue
		}
		local := path.Base(importPath)
		if i.Name != nil {
			local = i.Name.Name
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			if x, ok := n.(*ast.SelectorExpr); ok {
				if id, ok := x.X.(*ast.Ident); ok && id.Name == local && slices.Contains(names, x.Sel.Name) {
					out = append(out, fmt.Sprintf("%s: %s.%s", s.at(x), local, x.Sel.Name))
				}
			}
			return true
		})
	}
	return out
}

// concurrency returns the places where the file starts goroutines or uses channels.
func (s *source) concurrency() []string {
	var out []string
	ast.Inspect(s.file, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.GoStmt:
			out = append(out, s.at(x)+": go statement")
		case *ast.ChanType:
			out = append(out, s.at(x)+": channel")
		case *ast.SendStmt:
			out = append(out, s.at(x)+": send on a channel")
		case *ast.SelectStmt:
			out = append(out, s.at(x)+": select")
		case *ast.UnaryExpr:
			if x.Op == token.ARROW {
				out = append(out, s.at(x)+": receive from a channel")
			}
		}
		return true
	})
	return out
}

// The rules below only count if they would notice.
func TestTreeNotices(t *testing.T) {
	const text = `package x
import (
	clock "time"
	"crypto/rand"
)
func f(c chan int) {
	go f(c)
	c <- 1
	<-c
	select {}
	clock.Sleep(clock.Second)
	_ = rand.Reader
}
`
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "x.go", text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	s := source{name: "x.go", dir: "lessons/x", fset: fset, file: f}
	if got := s.concurrency(); len(got) != 5 {
		t.Errorf("concurrency: %q, want five places", got)
	}
	if got := s.uses("time", "Sleep", "Now"); len(got) != 1 || got[0] != "x.go:11:2: clock.Sleep" {
		t.Errorf("uses of time: %q", got)
	}
	if got := s.uses("crypto/rand"); len(got) != 1 {
		t.Errorf("uses of crypto/rand: %q", got)
	}
	if s.within("lessons/xy") || !s.within("lessons") || !s.within("lessons/x") {
		t.Error("within is wrong")
	}
}

// jsonField is a field of a JSON document; one that may be missing is omitted when
// it is empty.
type jsonField struct {
	name    string
	missing bool
}

// jsonStructs returns the fields of every struct that is written as JSON, by the
// name of its type.
func jsonStructs(t *testing.T) map[string][]jsonField {
	t.Helper()
	out := map[string][]jsonField{}
	for _, s := range treeOf(t).sources {
		if s.test || s.dir != "cmd/flashlab" && !slices.Contains([]string{"sim/trace/jsonl.go", "lessons/homework/report.go", "lessons/showdown/document.go"}, s.name) {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			def, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			if x, ok := def.Type.(*ast.StructType); ok {
				for _, f := range x.Fields.List {
					if f.Tag == nil {
						continue
					}
					tag, _ := strconv.Unquote(f.Tag.Value) // the parser has read it
					if v, ok := reflect.StructTag(tag).Lookup("json"); ok {
						name, options, _ := strings.Cut(v, ",")
						out[def.Name.Name] = append(out[def.Name.Name], jsonField{name, strings.Contains(options, "omitempty")})
					}
				}
			}
			return true
		})
	}
	return out
}
