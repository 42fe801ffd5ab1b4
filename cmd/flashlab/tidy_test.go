package main

import (
	"os"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"flashlab/lessons"
)

// The rules of the house. Where a rule has exceptions they stand here by name, each
// with its reason; one that is not needed any more is a fault too.

const charm = "github.com/charmbracelet/"

// Only the program knows Bubble Tea, and the kernel knows neither lesson nor screen.
func TestTidyImports(t *testing.T) {
	for _, s := range treeOf(t).sources {
		for _, p := range s.imports() {
			bad := ""
			switch {
			case strings.HasPrefix(p, charm+"bubbletea") && !s.within("cmd/flashlab/internal/app"):
				bad = "only cmd/flashlab/internal/app knows bubbletea"
			case s.within("sim") && (under(p, "flashlab/lessons") || under(p, "flashlab/cmd") || strings.HasPrefix(p, charm)):
				bad = "sim knows no lesson and no screen"
			case s.within("lessons") && (under(p, "flashlab/cmd") || strings.HasPrefix(p, charm)):
				bad = "lessons know no screen"
			case s.within("store") && strings.HasPrefix(p, "flashlab/"):
				bad = "store knows nothing of the lab"
			case s.within("lua") && under(p, "flashlab/lessons"):
				bad = "scripts know no lesson"
			}
			if bad != "" {
				t.Errorf("%s imports %s: %s", s.name, p, bad)
			}
		}
	}
}

// under reports whether an import path is that package or one below it.
func under(p, pkg string) bool { return p == pkg || strings.HasPrefix(p, pkg+"/") }

// wallClock lists files and directories of sim that may look at the real clock.
var wallClock = map[string]string{
	"sim/proc/time.go":              "outside the lab, sleeping and the time are the real thing",
	"sim/proc/pace.go":              "a free run is one in real time, or as many times as fast",
	"sim/kernel.go":                 "notices an actor that computes without end",
	"sim/actor.go":                  "notices an actor that computes without end",
	"sim/explore/explore.go":        "a search has a time limit and says how long it took",
	"sim/explore/build.go":          "a search has a time limit and says how long it took",
	"sim/explore/deepen.go":         "a search has a time limit and says how long it took",
	"sim/memredis/luabox/budget.go": "a script that runs without end is stopped",
	"sim/storm":                     "a free run is one in real time",
	"sim/sqlgate/conn.go":           "a free run may have its database at a distance",
	"sim/world/freeclock.go":        "a free run is one in real time",
	"sim/scenario/free.go":          "a free run is one in real time",
	"sim/scenario/freewatch.go":     "a free run is one in real time",
	"sim/live":                      "a server of one's own has a clock of its own",
}

// Everything else in sim lives in virtual time.
func TestTidyWallClock(t *testing.T) {
	clock := []string{"Now", "Sleep", "After", "AfterFunc", "NewTimer", "NewTicker", "Tick", "Since", "Until"}
	used := map[string]bool{}
	for _, s := range treeOf(t).sources {
		if !s.within("sim") || s.test {
			continue
		}
		for _, place := range s.uses("time", clock...) {
			excused := false
			for name := range wallClock {
				if s.name == name || s.within(name) {
					used[name], excused = true, true
				}
			}
			if !excused {
				t.Errorf("%s: sim lives in virtual time", place)
			}
		}
	}
	for name := range wallClock {
		if !used[name] && exists(name) {
			t.Errorf("%s does not look at the clock any more: take it off the list", name)
		}
	}
}

func exists(name string) bool {
	_, err := os.Stat(path.Join(top, name))
	return err == nil
}

// Business code reads as a shop would write it, and nothing in it escapes the
// scheduler.
func TestTidyBusinessCode(t *testing.T) {
	allowed := []string{"flashlab/sim/proc", "flashlab/lua", "flashlab/lessons/shop"}
	tr := treeOf(t)
	business := tr.lessons()
	if len(business) == 0 {
		t.Fatal("no lesson found")
	}
	for _, s := range tr.sources {
		if s.test || !slices.Contains(business, s.dir) {
			continue
		}
		for _, p := range s.imports() {
			first, _, _ := strings.Cut(p, "/")
			standard := !strings.Contains(first, ".") && first != "flashlab"
			if !standard && !under(p, "github.com/redis/go-redis/v9") && !slices.Contains(allowed, p) {
				t.Errorf("%s imports %s: business code takes the standard library, go-redis, sim/proc, lua and lessons/shop", s.name, p)
			}
		}
		bad := s.concurrency()
		bad = append(bad, s.uses("time", "Now", "Sleep", "After", "AfterFunc", "NewTimer", "NewTicker", "Tick", "Since", "Until")...)
		bad = append(bad, s.uses("context", "WithTimeout", "WithTimeoutCause", "WithDeadline", "WithDeadlineCause", "AfterFunc")...)
		for _, p := range []string{"crypto/rand", "math/rand", "math/rand/v2"} {
			bad = append(bad, s.uses(p)...)
		}
		for _, place := range bad {
			t.Errorf("%s: business code takes this from sim/proc, so that the scheduler sees it", place)
		}
	}
}

// A lesson stands alone; what several share is the shop.
func TestTidyLessonsApart(t *testing.T) {
	tr := treeOf(t)
	for _, s := range tr.sources {
		for _, own := range tr.lessons() {
			if !s.within(own) {
				continue
			}
			for _, p := range s.imports() {
				for _, other := range tr.lessons() {
					if other != own && under(p, "flashlab/"+other) {
						t.Errorf("%s imports %s: lessons do not know each other", s.name, p)
					}
				}
			}
		}
	}
	for _, dir := range tr.lessons() {
		if !slices.Contains(tr.imports("lessons/all"), "flashlab/"+dir+"/scene") {
			t.Errorf("lessons/all does not import %s/scene", dir)
		}
	}
}

// unbounded lists packages whose comment does not say yet what they must not do.
var unbounded = map[string]string{}

// A package says what it is for and, inside the house, what it must not do.
func TestTidyPackageComments(t *testing.T) {
	comments := map[string]string{}
	tr := treeOf(t)
	for _, s := range tr.sources {
		if !s.test && s.file.Doc != nil {
			comments[s.dir] += s.file.Doc.Text()
		}
	}
	for _, dir := range tr.packages() {
		text := strings.Join(strings.Fields(comments[dir]), " ")
		name := path.Base(dir)
		if !strings.HasPrefix(text, "Package "+name+" ") && !strings.HasPrefix(text, "Command "+name+" ") {
			t.Errorf("%s has no package comment that begins with its name", dir)
			continue
		}
		if !under(dir, "sim") && !under(dir, "lessons") && !under(dir, "cmd/flashlab/internal") {
			continue
		}
		bounded := strings.Contains(text, "must not") || strings.Contains(text, "must import nothing")
		switch known := unbounded[dir] != ""; {
		case !bounded && !known:
			t.Errorf("the comment of %s does not say what the package must not do", dir)
		case bounded && known:
			t.Errorf("%s says what it must not do: take it off the list", dir)
		}
	}
}

// Files are read on a projector: one noun each, and not too long.
func TestTidyFiles(t *testing.T) {
	const longest = 600
	tr := treeOf(t)
	check := func(name string, lines int) {
		base := strings.TrimSuffix(strings.TrimSuffix(path.Base(name), path.Ext(name)), "_test")
		switch base {
		case "helper", "helpers", "util", "utils", "common", "misc":
			t.Errorf("%s: name the file after what is in it", name)
		}
		if lines > longest {
			t.Errorf("%s has %d lines, at most %d", name, lines, longest)
		}
	}
	for _, s := range tr.sources {
		if !s.generated() {
			check(s.name, s.lines)
		}
	}
	for name, lines := range tr.texts {
		check(name, lines)
	}
}

// The top of the tree is what a newcomer sees first.
func TestTidyTop(t *testing.T) {
	allowed := []string{"README.md", "assets", "cmd", "go.mod", "go.sum", "lessons", "lua", "sim", "store"}
	list, err := os.ReadDir(top)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		built := e.Name() == "flashlab" && !e.IsDir() // what go build leaves; git ignores it
		if !strings.HasPrefix(e.Name(), ".") && !slices.Contains(allowed, e.Name()) && !built {
			t.Errorf("%s does not belong at the top", e.Name())
		}
	}
}

// Versions are exact, and nothing is replaced: go install must work from afar.
func TestTidyModule(t *testing.T) {
	version := regexp.MustCompile(`^v\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+incompatible)?$`)
	for line := range strings.Lines(slurp(t, "go.mod")) {
		text, _, _ := strings.Cut(line, "//")
		f := strings.Fields(strings.TrimPrefix(strings.TrimSpace(text), "require "))
		switch {
		case len(f) == 0 || f[0] == "module" || f[0] == "go" || f[0] == "(" || f[0] == ")":
		case f[0] == "replace" || f[0] == "exclude" || strings.Contains(text, "=>"):
			t.Errorf("go.mod: %s", strings.TrimSpace(line))
		case len(f) != 2 || !version.MatchString(f[1]):
			t.Errorf("go.mod: %q is no exact version", strings.TrimSpace(line))
		}
	}
}

// Every text of every lesson is there in both languages.
func TestTidyLanguages(t *testing.T) {
	for _, l := range lessons.All() {
		eachText(reflect.ValueOf(l).Elem(), l.Name, func(where string, x lessons.Text) {
			if strings.TrimSpace(x.EN) == "" || strings.TrimSpace(x.ZH) == "" {
				t.Errorf("%s: a language is missing: %+v", where, x)
			}
			if strings.ContainsFunc(x.EN, han) || !strings.ContainsFunc(x.ZH, han) {
				t.Errorf("%s: the languages are mixed up: %+v", where, x)
			}
		})
	}
}

func han(r rune) bool { return unicode.Is(unicode.Han, r) }

// eachText finds every lessons.Text in a value.
func eachText(v reflect.Value, where string, f func(string, lessons.Text)) {
	if v.Type() == reflect.TypeFor[lessons.Text]() {
		f(where, v.Interface().(lessons.Text))
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if field := v.Type().Field(i); field.IsExported() {
				eachText(v.Field(i), where+"."+field.Name, f)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			e := v.Index(i)
			name := where
			if e.Kind() == reflect.Struct {
				if n := e.FieldByName("Name"); n.IsValid() {
					name += " " + n.String()
				}
			}
			eachText(e, name, f)
		}
	}
}
