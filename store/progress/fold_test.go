package progress

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// log makes events of payloads, a second apart from noon on.
type entry struct {
	subject string
	p       Payload
}

func logOf(entries ...entry) []Event {
	var all []Event
	var last Event
	for i, n := range entries {
		at, id := stamp(noon.Add(time.Duration(i)*time.Second), last)
		data, _ := json.Marshal(n.p)
		last = Event{ID: id, At: at, Host: "h", Kind: n.p.Kind(), Subject: n.subject, Data: data}
		all = append(all, last)
	}
	return all
}

func TestFold(t *testing.T) {
	at := func(s int) time.Time { return noon.Add(time.Duration(s) * time.Second) }
	now := at(1000)
	all := logOf(
		entry{"oversell", Visited{"promise"}},
		entry{"oversell", Visited{"run"}},
		entry{"oversell", Visited{"promise"}},
		entry{"oversell", Placed{"plain", "run", "A3"}}, // 3
		entry{"q1", Predicted{"oversell", "a", 3, false, "b"}},
		entry{"q1", Predicted{"oversell", "b", 3, true, "b"}}, // 5
		entry{"q2", Predicted{"oversell", "b", 3, true, "b"}},
		entry{"q3", Predicted{"oversell", "b", 1, true, "b"}},
		entry{"ex", Answered{"oversell", "choice", "x", false, "ttl", "No."}}, // 8
		entry{"ex", Broke{"oversell", "long", 9, 1, "stock", false, true}},
		entry{"ex", Broke{"oversell", "short", 5, 4, "stock", true, false}},
		entry{"ex", Broke{"oversell", "tie", 5, 1, "stock", false, false}},
		entry{"ex", Hinted{"", 2}}, // 12
		entry{"ex", Hinted{"", 1}},
		entry{"ex", Revealed{}},
		entry{"ex", Explained{"oversell", "o", true, "because"}}, // 15
		entry{"ex", Explained{"oversell", "o", false, "or not"}},
		entry{"c1", Recalled{"", Easy}}, // 17
		entry{"c1", Recalled{"", Good}},
		entry{"c1", Recalled{"", Hard}}, // 19
		entry{"c2", Recalled{"", Good}},
		entry{"c2", Recalled{"", Again}}, // 21
	)
	// What a newer version wrote does not count, and does no harm.
	all = append(all, Event{ID: newID(at(30), 0).String(), At: at(30), Kind: "dreamt", Subject: "ex", Data: json.RawMessage(`{}`)},
		Event{ID: newID(at(31), 0).String(), At: at(31), Kind: KindHinted, Subject: "ex", Data: json.RawMessage(`{"n":9}`)})
	want := Book{
		Current: "oversell",
		Lessons: map[string]Lesson{"oversell": {Seen: []string{"promise", "run"}, Place: Place{Placed{"plain", "run", "A3"}, at(3)}}},
		Questions: map[string]Question{
			"q1": {2, Guess{Predicted{"oversell", "a", 3, false, "b"}, at(4)}, Guess{Predicted{"oversell", "b", 3, true, "b"}, at(5)}},
			"q2": {1, Guess{Predicted{"oversell", "b", 3, true, "b"}, at(6)}, Guess{Predicted{"oversell", "b", 3, true, "b"}, at(6)}},
			"q3": {1, Guess{Predicted{"oversell", "b", 1, true, "b"}, at(7)}, Guess{Predicted{"oversell", "b", 1, true, "b"}, at(7)}},
		},
		Calibration: [3]Tally{{1, 1}, {}, {2, 1}},
		Exercises: map[string]Exercise{"ex": {
			Lesson: "oversell", Attempts: 4, Passed: true, PassedAt: at(9),
			Steps: Best{"short", 5, 4, "stock"}, Switches: Best{"long", 9, 1, "stock"}, Shortest: true, Fewest: true,
			Hints: 2, Revealed: true, Explained: true, Why: Why{Explained{"oversell", "o", false, "or not"}, at(16)},
			Last: Last{Answered{"oversell", "choice", "x", false, "ttl", "No."}, at(8)}, Mistakes: map[string]int{"ttl": 1},
		}},
		Cards: map[string]Card{
			"c1": {Box: 3, Due: at(19).Add(7 * 24 * time.Hour), Seen: 3, Last: Hard, At: at(19)},
			"c2": {Box: 0, Due: at(21).Add(time.Minute), Seen: 2, Lapses: 1, Last: Again, At: at(21)},
		},
		Due: []string{"c2"},
	}
	if diff := cmp.Diff(want, Fold(all, now)); diff != "" {
		t.Error(diff)
	}
}

func TestResetAndUndone(t *testing.T) {
	base := []entry{
		{"oversell", Visited{"run"}}, {"ex", Answered{Lesson: "oversell", Form: "f", Passed: true}}, {"ex", Hinted{"oversell", 1}},
		{"other", Answered{Lesson: "setnx", Form: "f"}}, {"card", Recalled{"", Good}},
	}
	count := func(b Book) string {
		return fmt.Sprintf("%d lessons, %d attempts, %d others, %d cards, %d resets",
			len(b.Lessons), b.Exercises["ex"].Attempts, b.Exercises["other"].Attempts, len(b.Cards), len(b.Resets))
	}
	for subject, want := range map[string]string{
		"ex":       "1 lessons, 0 attempts, 1 others, 1 cards, 1 resets",
		"oversell": "0 lessons, 0 attempts, 1 others, 1 cards, 1 resets",
		"card":     "1 lessons, 1 attempts, 1 others, 0 cards, 1 resets",
		"*":        "0 lessons, 0 attempts, 0 others, 0 cards, 1 resets",
	} {
		all := logOf(append(base, entry{subject, Reset{}})...)
		if got := count(Fold(all, noon)); got != want {
			t.Errorf("reset %s: %s, want %s", subject, got, want)
		}
		reset := all[len(all)-1].ID
		all = append(all, logOf(entry{reset, Undone{}})...)
		if got, want := count(Fold(all, noon)), count(Fold(logOf(base...), noon)); got != want {
			t.Errorf("reset %s undone: %s, want %s", subject, got, want)
		}
	}
	again := logOf(append(base, entry{"ex", Reset{}}, entry{"ex", Answered{Form: "f"}})...)
	if x := Fold(again, noon).Exercises["ex"]; x.Attempts != 1 || x.Passed {
		t.Errorf("after a reset: %+v", x)
	}
}

var subjects = []string{"oversell", "setnx", "ex1", "ex2", "card", "*"}

// aLog draws a log. Its ids are drawn from few, with the event of an id always the
// same, so that two logs share events; times are close, and some are far off.
func aLog(t *rapid.T, name string, world map[string]Event) []Event {
	n := rapid.IntRange(0, 30).Draw(t, name)
	var all []Event
	for range n {
		k := rapid.IntRange(0, 39).Draw(t, "event")
		key := fmt.Sprint(k)
		e, ok := world[key]
		if !ok {
			at := noon.Add(time.Duration(rapid.IntRange(-3, 3).Draw(t, "second")) * time.Second)
			if rapid.IntRange(0, 9).Draw(t, "wrong clock") == 0 {
				at = at.AddDate(30, 0, 0)
			}
			p := aPayload(t)
			subject := rapid.SampledFrom(subjects).Draw(t, "subject")
			id := newID(at, uint16(k))
			id[9] = byte(k)
			if _, undo := p.(Undone); undo {
				subject = id.String()
				for _, other := range world {
					if other.Kind == KindReset {
						subject = other.ID
						break
					}
				}
			}
			data, _ := json.Marshal(p)
			e = Event{ID: id.String(), At: at, Host: "h", Kind: p.Kind(), Subject: subject, Data: data}
			world[key] = e
		}
		all = append(all, e)
	}
	return all
}

func aPayload(t *rapid.T) Payload {
	lesson := rapid.SampledFrom([]string{"", "oversell", "setnx"}).Draw(t, "lesson")
	few := rapid.IntRange(1, 3).Draw(t, "few")
	yes := rapid.Bool().Draw(t, "yes")
	name := fmt.Sprint("n", few)
	return rapid.SampledFrom([]Payload{
		Placed{name, name, ""}, Visited{name}, Predicted{lesson, name, few, yes, name}, Broke{lesson, name, few, few, name, yes, yes},
		Answered{lesson, "f", name, yes, name, ""}, Explained{lesson, name, yes, name}, Hinted{lesson, few}, Revealed{lesson},
		Recalled{lesson, []Grade{Again, Good, Easy}[few-1]}, Reset{}, Undone{},
	}).Draw(t, "payload")
}

func TestMergeProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		world := map[string]Event{}
		a, b, c := aLog(t, "a", world), aLog(t, "b", world), aLog(t, "c", world)
		merge := func(x, y []Event) []Event {
			m, err := Merge(x, y)
			if err != nil {
				t.Fatal(err)
			}
			return m
		}
		same := func(what string, x, y []Event) {
			if diff := cmp.Diff(x, y, cmpopts.EquateEmpty()); diff != "" {
				t.Fatalf("merge is not %s:\n%s", what, diff)
			}
			if diff := cmp.Diff(Fold(x, noon), Fold(y, noon)); diff != "" {
				t.Fatalf("fold of merge is not %s:\n%s", what, diff)
			}
		}
		ab := merge(a, b)
		same("commutative", ab, merge(b, a))
		same("associative", merge(ab, c), merge(a, merge(b, c)))
		same("idempotent", ab, merge(ab, ab))
		same("absorbing", ab, merge(ab, a))
		// Fold needs no order and no Merge.
		mixed := rapid.Permutation(append(append([]Event{}, a...), b...)).Draw(t, "mixed")
		if diff := cmp.Diff(Fold(ab, noon), Fold(mixed, noon)); diff != "" {
			t.Fatalf("fold depends on the order:\n%s", diff)
		}
	})
}

// Undoing every reset gives the book of the log without resets.
func TestUndoneProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := aLog(t, "log", map[string]Event{})
		var bare, undone []Event
		for _, e := range all {
			if e.Kind == KindReset {
				undone = append(undone, logOf(entry{e.ID, Undone{}})...)
			} else {
				bare = append(bare, e)
			}
		}
		if diff := cmp.Diff(Fold(bare, noon), Fold(append(undone, all...), noon)); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestMergeRefusesTwoEventsOfOneID(t *testing.T) {
	a := logOf(entry{"x", Hinted{"l", 1}})
	b := []Event{a[0]}
	b[0].Data = json.RawMessage(`{"n":1,"lesson":"\u006c"}`)
	if _, err := Merge(a, b); err != nil {
		t.Error("another spelling:", err)
	}
	b[0].Data = json.RawMessage(`{"n":2,"lesson":"l"}`)
	if _, err := Merge(a, b); !errors.Is(err, ErrConflict) {
		t.Error(err)
	}
}
