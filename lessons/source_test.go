package lessons

import (
	"errors"
	"io/fs"
	"sync"
	"testing"
	"testing/fstest"
)

func shownLesson() (*Lesson, *Variant) {
	l := &Lesson{
		Name:   "shown",
		Source: fstest.MapFS{"buy.go": {Data: []byte("package shown\n\nfunc buy() {\n\tdb.Exec(`UPDATE`)\n}\n")}},
		Java:   fstest.MapFS{"Buy.java": {Data: []byte("class Buy {\r\n  update();\r\n}\r\n")}},
		Variants: []Variant{{
			Name: "buy", File: "buy.go", JavaFile: "Buy.java",
			Steps: []Step{{Go: "", Java: ""}, {Go: "`UPDATE`", Java: "update()"}},
		}},
	}
	return l, &l.Variants[0]
}

func TestSource(t *testing.T) {
	l, v := shownLesson()
	lines, err := l.GoSource("buy.go")
	if err != nil || len(lines) != 5 || lines[3] != "\tdb.Exec(`UPDATE`)" {
		t.Errorf("Go: %q, %v", lines, err)
	}
	if lines, err := l.JavaSource("Buy.java"); err != nil || len(lines) != 3 || lines[1] != "  update();" {
		t.Errorf("Java: %q, %v", lines, err)
	}
	if again, _ := l.GoSource("buy.go"); &again[0] != &lines[0] {
		t.Error("the file was read twice")
	}
	if _, err := l.GoSource("Buy.java"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a Java file among the Go files: %v", err)
	}
	if _, err := (&Lesson{Name: "bare"}).JavaSource("x"); err == nil {
		t.Error("a lesson without Java has some")
	}

	s, ok := v.StepAt(l, "buy.go", 4)
	if !ok || s != &v.Steps[1] {
		t.Errorf("step at line 4: %v, %v", s, ok)
	}
	if n, ok := v.GoLine(l, s); !ok || n != 4 {
		t.Errorf("Go line %d, %v", n, ok)
	}
	if n, ok := v.JavaLine(l, s); !ok || n != 2 {
		t.Errorf("Java line %d, %v", n, ok)
	}
}

// TestSourceMisses: what cannot be found is not found, and nothing panics.
func TestSourceMisses(t *testing.T) {
	l, v := shownLesson()
	for _, c := range []struct {
		file string
		line int
	}{{"buy.go", 0}, {"buy.go", -3}, {"buy.go", 99}, {"buy.go", 1}, {"other.go", 4}, {"", 4}} {
		if s, ok := v.StepAt(l, c.file, c.line); ok {
			t.Errorf("%s:%d is step %v", c.file, c.line, s)
		}
	}
	if _, ok := v.JavaLine(l, nil); ok {
		t.Error("no step has a line")
	}
	if _, ok := v.JavaLine(l, &v.Steps[0]); ok {
		t.Error("an empty text has a line")
	}
	if _, ok := v.GoLine(&Lesson{}, &v.Steps[1]); ok {
		t.Error("a lesson without source has a line")
	}
	if _, ok := (&Variant{File: "gone.go"}).StepAt(l, "gone.go", 1); ok {
		t.Error("a missing file has a step")
	}
}

func TestSourceConcurrently(t *testing.T) {
	l, v := shownLesson()
	var wg sync.WaitGroup
	for range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if _, ok := v.StepAt(l, "buy.go", 4); !ok {
				t.Error("the step is not found")
			}
		}()
	}
	wg.Wait()
}
