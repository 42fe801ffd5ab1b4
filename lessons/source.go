package lessons

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"slices"
	"strings"
)

// GoSource returns the lines of a Go file of the lesson. They are shared: callers
// must not change them. The error says which file is missing.
func (l *Lesson) GoSource(file string) ([]string, error) {
	return l.read("Go", l.Source, file)
}

// JavaSource returns the lines of a Java twin, shared like those of [Lesson.GoSource].
func (l *Lesson) JavaSource(file string) ([]string, error) {
	return l.read("Java", l.Java, file)
}

// sourceKey names a cached file: Go and Java files live in trees of their own.
type sourceKey struct{ language, file string }

// read returns a file as lines without their line ends. What was read once is
// kept, since screens ask for it at every frame.
func (l *Lesson) read(language string, fsys fs.FS, file string) ([]string, error) {
	key := sourceKey{language, file}
	if lines, ok := l.texts.Load(key); ok {
		return lines.([]string), nil
	}
	if fsys == nil {
		return nil, fmt.Errorf("lesson %s has no %s source", l.Name, language)
	}
	b, err := fs.ReadFile(fsys, file)
	if err != nil {
		return nil, fmt.Errorf("reading the %s source of lesson %s: %w", language, l.Name, err)
	}
	s := strings.TrimSuffix(strings.ReplaceAll(string(b), "\r\n", "\n"), "\n")
	lines := strings.Split(s, "\n")
	l.texts.Store(key, lines)
	return lines, nil
}

// StepAt returns the step that a line of Go source belongs to. file is a base
// name and line counts from 1, as in a trace. Lines of other files and lines
// without an operation belong to none.
func (v *Variant) StepAt(l *Lesson, file string, line int) (*Step, bool) {
	if file != v.File {
		return nil, false
	}
	lines, err := l.GoSource(file)
	if err != nil || line < 1 || line > len(lines) {
		return nil, false
	}
	for i := range v.Steps {
		if s := &v.Steps[i]; s.Go != "" && strings.Contains(lines[line-1], s.Go) {
			return s, true
		}
	}
	return nil, false
}

// GoLine returns the line of the variant's Go file that a step stands on, from 1.
func (v *Variant) GoLine(l *Lesson, s *Step) (int, bool) {
	if s == nil {
		return 0, false
	}
	lines, err := l.GoSource(v.File)
	return find(lines, err, s.Go)
}

// JavaLine returns the line of the variant's Java twin that does the same as a
// step, from 1.
func (v *Variant) JavaLine(l *Lesson, s *Step) (int, bool) {
	if s == nil {
		return 0, false
	}
	lines, err := l.JavaSource(v.JavaFile)
	return find(lines, err, s.Java)
}

// find returns the first line that contains part, from 1.
func find(lines []string, err error, part string) (int, bool) {
	if err != nil || part == "" {
		return 0, false
	}
	for i, line := range lines {
		if strings.Contains(line, part) {
			return i + 1, true
		}
	}
	return 0, false
}

// FuncSource returns the lines of the functions of a Go file, one after the other
// with an empty line between; funcs is as in [Variant.Func]. "" means the whole file.
// The lines are a copy.
func (l *Lesson) FuncSource(file, funcs string) ([]string, error) {
	all, err := l.GoSource(file)
	if err != nil {
		return nil, err
	}
	if funcs == "" {
		return slices.Clone(all), nil
	}
	key := sourceKey{"Go", file + ": " + funcs}
	if lines, ok := l.texts.Load(key); ok { // pages ask at every frame
		return slices.Clone(lines.([]string)), nil
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, strings.Join(all, "\n"), parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", file, err)
	}
	var out []string
	for _, name := range strings.Fields(funcs) {
		found := false
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Name.Name != name[strings.LastIndex(name, ".")+1:] {
				continue
			}
			found = true
			if len(out) > 0 {
				out = append(out, "")
			}
			from := fset.Position(fn.Pos()).Line
			if fn.Doc != nil {
				from = fset.Position(fn.Doc.Pos()).Line
			}
			out = append(out, all[from-1:fset.Position(fn.End()).Line]...)
		}
		if !found {
			return nil, fmt.Errorf("%s has no function %s", file, name)
		}
	}
	l.texts.Store(key, slices.Clone(out))
	return out, nil
}
