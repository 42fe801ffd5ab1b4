// Package lessons holds the form of a lesson and the list of all of them. A lesson
// is data - texts, sizes, variants, staged schedules - and functions that make
// scenarios of real business code.
//
// The package must not know the screen, and lessons must not know each other.
package lessons

import (
	"io/fs"
	"sort"
	"sync"

	"flashlab/sim/scenario"
)

// Lesson is one lesson of the lab.
type Lesson struct {
	Name     string
	Number   int // position on the main line from 1; 0 for electives
	Title    Text
	Promise  Text // the invariant in one sentence
	Intro    Text // what the lesson is about, for the lesson map
	Source   fs.FS
	Java     fs.FS
	Variants []Variant
	Staged   []Staged
	Cards    []Card
	// Extra are variants that exercises run and the map does not show.
	Extra     []Variant
	Predict   []Question
	Exercises []Exercise
	Recall    []Recall
	Again     *Again // nil: nothing comes after
	Showdown  bool   // the lesson ends with the showdown of the three ways to sell

	texts sync.Map // source files already read: sourceKey -> []string
}

// Variant is one body of code of a lesson.
type Variant struct {
	Name    string
	Title   Text
	Summary Text // what the code does
	Moral   Text // what to take away, shown with the verdict
	Params  []scenario.Param
	// Lights declares every light that the variant shows, and its verdict at the
	// default sizes. Rehearsal compares them with what the explorer finds.
	Lights   []LightVerdict
	File     string // Go file in Source
	Func     string // the functions that actors run, such as "(*Shop).LostUpdate", with spaces between
	JavaFile string // twin in Java
	Steps    []Step
	// Scenario makes the scenario for given sizes.
	Scenario func(p scenario.Params) *scenario.Scenario
}

// LightVerdict is a light with its declared verdict.
type LightVerdict struct {
	Light   string
	Verdict scenario.Verdict
}

// Step links the places where an actor can stand: a line of the Go source, the
// line of the Java twin that does the same, and a sentence. Go and Java are texts
// that occur on exactly one line of their file (for Go: of the variant's file).
type Step struct {
	Go, Java string
	// Say tells what just happened: {actor} and {reply} are filled in.
	Say Text
}

// Card is a short digression: a fact worth knowing beside the lesson.
type Card struct {
	Name  string
	Title Text
	Body  Text
}

// Staged is a schedule with a name and a story, for demonstration.
type Staged struct {
	Name    string
	Order   int // place in the list, from 1; 0 comes last
	Variant string
	Sets    string // "k=v,k=v" or ""
	Steps   string // as in a token
	Light   string // the light that breaks, or "" if none does
	At      int    // the step at which it breaks; 0: in the run-out
	Title   Text
	Story   Text
	Log     string // what happens, one line a step, as [StagedLog] renders it
}

var registry = map[string]*Lesson{}

// Register adds a lesson; it is called from init functions of scenes.
func Register(l *Lesson) {
	if _, ok := registry[l.Name]; ok {
		panic("lessons: " + l.Name + " registered twice")
	}
	registry[l.Name] = l
}

// Must returns v. It is for what a lesson embeds: the author's work, which a test has
// read before, so that an error stops the program at its start.
func Must[T any](v T, err error) T {
	if err != nil {
		panic("lessons: " + err.Error())
	}
	return v
}

// All returns the lessons, main line first, electives by name.
func All() []*Lesson {
	var out []*Lesson
	for _, l := range registry {
		out = append(out, l)
	}
	sort.Slice(out, func(i, j int) bool {
		a, b := out[i], out[j]
		if (a.Number == 0) != (b.Number == 0) {
			return a.Number != 0
		}
		if a.Number != b.Number {
			return a.Number < b.Number
		}
		return a.Name < b.Name
	})
	return out
}

// Find returns the lesson with that name. The error suggests near ones.
func Find(name string) (*Lesson, error) {
	if l, ok := registry[name]; ok {
		return l, nil
	}
	var names []string
	for _, l := range All() {
		names = append(names, l.Name)
	}
	return nil, unknown("lesson", "there is no lesson {name}", name, names)
}

// Variant returns the variant with that name, the first for "". The error
// suggests near ones.
func (l *Lesson) Variant(name string) (*Variant, error) {
	if name == "" {
		return &l.Variants[0], nil
	}
	var names []string
	for i := range l.Variants {
		if l.Variants[i].Name == name {
			return &l.Variants[i], nil
		}
		names = append(names, l.Variants[i].Name)
	}
	for i := range l.Extra {
		if l.Extra[i].Name == name {
			return &l.Extra[i], nil
		}
	}
	return nil, unknown("variant", "lesson {lesson} has no variant {name}", name, names, "lesson", l.Name)
}

// StagedSchedule returns the staged schedule with that name.
func (l *Lesson) StagedSchedule(name string) (*Staged, error) {
	var names []string
	for i := range l.Staged {
		if l.Staged[i].Name == name {
			return &l.Staged[i], nil
		}
		names = append(names, l.Staged[i].Name)
	}
	return nil, unknown("staged", "lesson {lesson} has no staged schedule {name}", name, names, "lesson", l.Name)
}

// Declared returns the verdict declared for a light.
func (v *Variant) Declared(light string) (scenario.Verdict, bool) {
	for _, l := range v.Lights {
		if l.Light == light {
			return l.Verdict, true
		}
	}
	return 0, false
}
