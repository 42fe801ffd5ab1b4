package lessontest

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"flashlab/lessons"
)

var update = flag.Bool("update", false, "rewrite the logs of the staged schedules")

// Staged plays every staged schedule for real: its log must be the one in the
// file, byte for byte, and what it promises must come true. With -update the logs
// in the directory staged of the test's package are rewritten.
func Staged(t *testing.T, l *lessons.Lesson) {
	if len(l.Staged) == 0 {
		t.Errorf("%s has no staged schedules", l.Name)
	}
	order := map[int]string{}
	for i := range l.Staged {
		st := &l.Staged[i]
		if other := order[st.Order]; st.Order > 0 && other != "" {
			t.Errorf("%s and %s both come as number %d", other, st.Name, st.Order)
		}
		order[st.Order] = st.Name
		t.Run(st.Name, func(t *testing.T) {
			frames, err := st.Run(l)
			if err != nil {
				t.Fatal(err)
			}
			if err := st.Check(frames); err != nil {
				t.Error(err)
			}
			log := lessons.StagedLog(frames)
			if log == st.Log {
				return
			}
			if !*update {
				t.Fatalf("the log differs (go test -update rewrites it)\nis:\n%s\nin the file:\n%s", log, st.Log)
			}
			if err := rewrite(filepath.Join("staged", st.Name+".txt"), log); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func rewrite(name, log string) error {
	b, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	head, _, _ := strings.Cut(string(b), "\n---\n")
	return os.WriteFile(name, []byte(head+"\n---\n"+log), 0o644)
}

// Tour checks that the staged schedules are those, in the order in which the story
// is told; names are separated by spaces.
func Tour(t testing.TB, l *lessons.Lesson, names string) {
	t.Helper()
	var got []string
	for _, st := range l.Staged {
		got = append(got, st.Name)
	}
	if s := strings.Join(got, " "); s != names {
		t.Errorf("staged schedules are\n%s, want\n%s", s, names)
	}
}
