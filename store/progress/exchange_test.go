package progress

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const id1, id2 = "019ad4b1-0000-7000-8000-000000000001", "019ad4b1-0000-7001-8000-000000000002"

func document(events ...string) string {
	return `{"schema":1,"program":"flashlab","host":"here","exported":"2026-11-30T12:00:00Z","events":[` + strings.Join(events, ",") + `]}`
}

func event(id, kind, subject, data string) string {
	return fmt.Sprintf(`{"id":%q,"at":"2026-11-30T12:00:00.123Z","host":"there","kind":%q,"subject":%q,"data":%s}`, id, kind, subject, data)
}

func export(t *testing.T, s *Store) string {
	t.Helper()
	var b strings.Builder
	if err := s.Export(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestExportAndImport(t *testing.T) {
	c := &clock{at: noon}
	a, b := memory(t, WithClock(c.now)), memory(t, WithClock(c.now))
	// A newer version's kind and fields, and numbers no float holds.
	strange := event(id1, "dreamt", "sheep & <goats> 羊", `{"n":1e400,"deep":{"x":[1.50,"\u00e9é\u2028"]}}`)
	more := event(id2, "hinted", "x", `{"n":1,"why":null,"n2":12345678901234567890}`)
	if added, known, err := a.Import(t.Context(), strings.NewReader(document(strange, more, more))); err != nil || added != 2 || known != 1 {
		t.Fatal(added, known, err)
	}
	add(t, a, "x", Answered{Answer: "a < b && c > d", Form: "script"})
	add(t, b, "y", Revealed{})
	text := export(t, a)
	for _, e := range []string{strange, more} {
		if !strings.Contains(text, "\n"+e+",\n") {
			t.Errorf("changed on the way:\n%s\nin\n%s", e, text)
		}
	}
	if text != export(t, a) {
		t.Error("two exports differ")
	}
	if added, known, err := b.Import(t.Context(), strings.NewReader(text)); err != nil || added != 3 || known != 0 {
		t.Fatal(added, known, err)
	}
	if added, known, err := b.Import(t.Context(), strings.NewReader(text)); err != nil || added != 0 || known != 3 {
		t.Fatal(added, known, err)
	}
	if added, known, err := a.Import(t.Context(), strings.NewReader(export(t, b))); err != nil || added != 1 || known != 3 {
		t.Fatal(added, known, err)
	}
	if diff := cmp.Diff(events(t, a), events(t, b)); diff != "" {
		t.Errorf("the logs differ:\n%s", diff)
	}
}

func TestImportRefuses(t *testing.T) {
	s := memory(t)
	if _, _, err := s.Import(t.Context(), strings.NewReader(document(event(id1, "revealed", "x", "{}")))); err != nil {
		t.Fatal(err)
	}
	good := event(id2, "revealed", "y", "{}")
	with := func(old, new string) string { return document(good, strings.Replace(good, old, new, 1)) }
	for input, want := range map[string]string{
		"":                               "ends too early",
		"[]":                             "starts with [",
		document(good) + "x":             "more after its end",
		document(good)[:150]:             "ends too early",
		"\xff":                           "not UTF-8",
		`{"program":"flashlab"}`:         `"schema"`,
		`{"program":"other","schema":1}`: "not exported by flashlab",
		`{"program":"flashlab","schema":2,"more":1}`:                               "newer flashlab",
		strings.Replace(document(), `"host"`, `"Host"`, 1):                         `"Host"`,
		strings.Replace(document(), `"host"`, `"schema":1,"host"`, 1):              "twice",
		strings.Replace(document(), `[]`, `{}`, 1):                                 "must be a list",
		strings.Replace(document(), `2026`, `last year`, 1):                        `"exported"`,
		document(good, "null"):                                                     "events[1].event is not",
		with(`"kind"`, `"Kind"`):                                                   "events[1].Kind is not a field",
		with(`"data":{}`, `"data":[]`):                                             "events[1].data must be",
		with(`,"data":{}`, ``):                                                     "events[1].data is missing",
		with(id2, strings.ToUpper(id2)):                                            "events[1].id",
		with(id2, "019ad4b1-0000-4001-8000-000000000002"):                          "events[1].id",
		with(`.123Z`, `.1234Z`):                                                    "events[1].at",
		with(`2026`, `1926`):                                                       "events[1].at",
		with(`"there"`, `"over there"`):                                            "events[1].host",
		with(`"there"`, `7`):                                                       "events[1].host must be a string",
		with(`"revealed"`, `"Revealed!"`):                                          "events[1].kind",
		with(`"y"`, `""`):                                                          "events[1].subject",
		with(`"y"`, `"`+strings.Repeat("y", 201)+`"`):                              "events[1].subject has 201",
		document(event(id2, "hinted", "x", `{"n":"two"}`)):                         "events[0].data.n is a string",
		document(event(id2, "hinted", "x", `{"n":7}`)):                             "events[0].data.n is 7",
		document(event(id2, "undone", "x", `{}`)):                                  "events[0].subject",
		document(good, event(id1, "revealed", "z", "{}")):                          "two different events",
		document(good, event(id2, "revealed", "z", "{}")):                          "two different events",
		document(event(id2, "a", "x", `{"a":"`+strings.Repeat("a", maxData)+`"}`)): "events[0].data has",
		document(strings.Repeat("0,", MaxImportEvents) + "0"):                      "events[0]",
		strings.Repeat(" ", MaxImport) + document():                                "more than 64 MiB",
	} {
		added, known, err := s.Import(t.Context(), strings.NewReader(input))
		if err == nil || added+known != 0 || !strings.Contains(err.Error(), want) {
			t.Errorf("%.300s:\n%d, %d, %v; want %s", input, added, known, err, want)
		}
		if err != nil && strings.Contains(want, "newer") && !errors.Is(err, ErrNewer) {
			t.Error("not ErrNewer")
		}
	}
	if n := len(events(t, s)); n != 1 {
		t.Errorf("%d events after nothing was imported", n)
	}
	if _, _, err := s.Import(t.Context(), io.MultiReader(strings.NewReader("{"), broken{})); !errors.Is(err, io.ErrClosedPipe) {
		t.Error(err)
	}
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrClosedPipe }

// What is taken is exported again, and that is taken as known.
func FuzzImport(f *testing.F) {
	f.Add([]byte(document()))
	f.Add([]byte(document(event(id1, "hinted", "x", `{"n":1}`))))
	f.Add([]byte(document(event(id1, "dreamt", "x", `{"n":1e400}`), event(id2, "undone", id1, `{}`))))
	f.Add([]byte(document(event(id1, "predicted", "q", `{"option":"a","confidence":2,"right":true,"\ud800":"\ud800"}`))))
	f.Add([]byte(strings.Replace(document(), `"schema":1`, `"schema":2`, 1)))
	f.Add([]byte("{"))
	f.Fuzz(func(t *testing.T, input []byte) {
		s, err := Memory(t.Context(), WithClock((&clock{at: noon}).now))
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		added, known, err := s.Import(t.Context(), bytes.NewReader(input))
		log, logErr := s.Events(t.Context())
		if logErr != nil || len(log) != added {
			t.Fatalf("%d added, the log has %d: %v", added, len(log), logErr)
		}
		if err != nil {
			if added+known != 0 {
				t.Fatalf("%d, %d and %v", added, known, err)
			}
			return
		}
		Fold(log, noon)
		var out bytes.Buffer
		if err := s.Export(t.Context(), &out); err != nil {
			t.Fatal(err)
		}
		if again, twice, err := s.Import(t.Context(), bytes.NewReader(out.Bytes())); err != nil || again != 0 || twice != added {
			t.Fatalf("own export: %d added, %d known of %d, %v\n%s", again, twice, added, err, out.Bytes())
		}
	})
}
