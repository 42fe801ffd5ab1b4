package main

import (
	"strings"
	"testing"

	"flashlab/lessons"
)

var lessonsShape = parseShape(`
schema                       1
lessons[].name               string
lessons[].title              string
lessons[].title_zh           string
lessons[].promise            string
lessons[].variants[].name    string
lessons[].variants[].title   string
lessons[].variants[].params{} int
lessons[].variants[].lights{} string
lessons[].exercises[]        string
lessons[].staged[].name      string
lessons[].staged[].variant   string
lessons[].staged[].sets?     string
lessons[].staged[].breaks?   string
lessons[].staged[].step?     int
lessons[].staged[].title     string
`)

func TestLessonsJSON(t *testing.T) {
	r := flashlab(t, "lessons", "--json")
	r.wants(t, exitHolds)
	doc := decode(t, r.out, lessonsShape)
	list := doc["lessons"].([]any)
	if len(list) != len(lessons.All()) {
		t.Fatalf("%d lessons, want %d", len(list), len(lessons.All()))
	}
	first := list[0].(map[string]any)
	lostUpdate := first["variants"].([]any)[0].(map[string]any)
	lights := lostUpdate["lights"].(map[string]any)
	if first["name"] != "oversell" || lostUpdate["name"] != "lost-update" || lights["no-oversell"] != "breaks" || lights["one-per-user"] != "holds" {
		t.Errorf("the first lesson is %v", first)
	}
	if x := first["exercises"].([]any); len(x) == 0 || x[0] != "break-lost-update" {
		t.Errorf("its exercises are %v", x)
	}
	for _, l := range list {
		for _, v := range l.(map[string]any)["variants"].([]any) {
			for light, verdict := range v.(map[string]any)["lights"].(map[string]any) {
				if verdict != "holds" && verdict != "breaks" && verdict != "unknown" {
					t.Errorf("%s: verdict %v", light, verdict)
				}
			}
		}
	}
}

func TestLessonsText(t *testing.T) {
	r := flashlab(t, "lessons")
	r.wants(t, exitHolds)
	first, _, _ := strings.Cut(r.out, "\n2. ") // the others would be more of the same
	golden(t, "testdata/lessons.txt", first)
	for _, l := range lessons.All() {
		for _, v := range l.Variants {
			if !strings.Contains(r.out, v.Name) {
				t.Errorf("variant %s of %s is missing", v.Name, l.Name)
			}
		}
		for _, s := range l.Staged {
			if !strings.Contains(r.out, s.Name) {
				t.Errorf("staged schedule %s of %s is missing", s.Name, l.Name)
			}
		}
		for _, x := range l.Exercises {
			if !strings.Contains(r.out, "   "+x.Name+" ") {
				t.Errorf("exercise %s of %s is missing", x.Name, l.Name)
			}
		}
	}
}

// --json is short for --format json, everywhere.
func TestJSONIsAFormat(t *testing.T) {
	for _, args := range [][]string{{"lessons"}, {"version"}, {"run", "oversell"}} {
		short, long := flashlab(t, append(args, "--json")...), flashlab(t, append(args, "--format", "json")...)
		if short != long || short.out == "" {
			t.Errorf("%v: --json gives %+v, --format json %+v", args, short, long)
		}
	}
}
