package progress

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	// The tests run this binary again as another lab.
	if path := os.Getenv("PROGRESS_TEST_LAB"); path != "" {
		otherLab(path, os.Getenv("PROGRESS_TEST_HOW"))
		return
	}
	goleak.VerifyTestMain(m)
}

// noon is when the tests begin.
var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// clock is a clock that moves by hand.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time { c.mu.Lock(); defer c.mu.Unlock(); return c.at }

func (c *clock) move(d time.Duration) { c.mu.Lock(); defer c.mu.Unlock(); c.at = c.at.Add(d) }

func open(t *testing.T, path string, options ...Option) *Store {
	t.Helper()
	s, notice, err := Open(t.Context(), path, options...)
	if err != nil {
		t.Fatal(err)
	}
	if notice.String() != "" {
		t.Fatalf("notice: %s", notice)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func memory(t *testing.T, options ...Option) *Store {
	t.Helper()
	s, err := Memory(t.Context(), options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func add(t *testing.T, s *Store, subject string, p Payload) Event {
	t.Helper()
	e, err := s.Add(t.Context(), subject, p)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func events(t *testing.T, s *Store) []Event {
	t.Helper()
	all, err := s.Events(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func newFile(t *testing.T) string { return filepath.Join(t.TempDir(), "flashlab", "progress.db") }

func TestLogIsKept(t *testing.T) {
	path := newFile(t)
	c := &clock{at: noon}
	s := open(t, path, WithClock(c.now))
	var want []Event
	for _, p := range []Payload{
		Placed{"plain", "run", "A3eB"}, Visited{"promise"}, Predicted{"oversell", "holds", 2, false, "breaks"},
		Broke{"oversell", "t", 4, 2, "stock", true, false}, Answered{"oversell", "script", "if a < b then\u2028\x00", false, "ttl", "No."},
		Explained{"oversell", "o", true, "Weil ich <es> weiß 库存"}, Hinted{"", 2}, Revealed{}, Recalled{"", Good}, Reset{},
	} {
		want = append(want, add(t, s, "x", p))
		c.move(-time.Second) // a clock that is set back does not change the order
	}
	want = append(want, add(t, s, want[9].ID, Undone{}))
	host := s.Host()
	s.Close()
	s = open(t, path)
	if diff := cmp.Diff(want, events(t, s)); diff != "" {
		t.Errorf("after opening again:\n%s", diff)
	}
	if s.Host() != host {
		t.Errorf("host %s became %s", host, s.Host())
	}
	for _, p := range []string{path, path + "-wal", filepath.Dir(path)} {
		info, err := os.Stat(p)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v", p, info.Mode())
		}
	}
}

func TestAddRefusesWhatMeansNothing(t *testing.T) {
	s := memory(t)
	for _, c := range []struct {
		subject string
		p       Payload
	}{
		{"", Revealed{}}, {"a\nb", Revealed{}}, {"\xff", Revealed{}}, {"x", Hinted{N: 5}}, {"x", Recalled{Grade: "so"}},
		{"x", Predicted{Option: "o", Confidence: 4}}, {"x", Undone{}}, {"x", Broke{Steps: 3}}, {"x", Visited{}},
		{"x", Answered{Form: "script", Answer: string(make([]byte, maxData))}},
	} {
		if _, err := s.Add(t.Context(), c.subject, c.p); err == nil {
			t.Errorf("%T of %q was taken", c.p, c.subject)
		} else {
			t.Log(err)
		}
	}
	if n := len(events(t, s)); n != 0 {
		t.Errorf("%d events", n)
	}
}

func TestWrongClockIsNotFollowed(t *testing.T) {
	c := &clock{at: noon.AddDate(50, 0, 0)}
	s := memory(t, WithClock(c.now))
	add(t, s, "card", Recalled{Grade: Easy})
	c.move(-time.Hour * 24 * 365 * 50)
	if e := add(t, s, "card", Recalled{Grade: Good}); !e.At.Equal(c.now()) {
		t.Errorf("dated %v at %v", e.At, c.now())
	}
	b, err := s.Book(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got := b.Cards["card"]; got.Box != 3 || !got.Due.Equal(c.now().Add(Interval(3))) {
		t.Errorf("card %+v", got)
	}
}

func TestStampCountsWithinAMillisecond(t *testing.T) {
	var last Event
	for range 5000 {
		var e Event
		e.At, e.ID = stamp(noon, last)
		if before(last, e) >= 0 {
			t.Fatalf("%s at %v does not come after %s at %v", e.ID, e.At, last.ID, last.At)
		}
		if problem := checkID(e.ID); problem != "" {
			t.Fatal(problem)
		}
		last = e
	}
	if d := last.At.Sub(noon); d != time.Millisecond {
		t.Errorf("5000 ids took %v", d)
	}
}

func TestTwoStoresOnOneFile(t *testing.T) {
	path := newFile(t)
	const stores, each = 3, 20
	var wg sync.WaitGroup
	for i := range stores {
		wg.Go(func() {
			s, notice, err := Open(context.Background(), path)
			if err != nil || notice.String() != "" {
				t.Error(notice, err)
				return
			}
			defer s.Close()
			for n := range each {
				if _, err := s.Add(context.Background(), fmt.Sprintf("x%d-%d", i, n), Revealed{}); err != nil {
					t.Error(err)
				}
				if _, err := s.Book(context.Background()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	s := open(t, path)
	if n := len(events(t, s)); n != stores*each {
		t.Errorf("%d events, want %d", n, stores*each)
	}
}

func TestDefaultPathFollowsTheEnvironment(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_STATE_HOME", dir)
	if path, err := DefaultPath(); err != nil || path != filepath.Join(dir, "flashlab", "progress.db") {
		t.Error(path, err)
	}
}

func TestMigrateToALaterSchema(t *testing.T) {
	path := newFile(t)
	s := open(t, path)
	add(t, s, "x", Revealed{})
	broken := append(migrations(), "ALTER TABLE event ADD COLUMN a TEXT; CREATE TABLE nonsense (")
	if err := migrate(t.Context(), s.db, broken); err == nil {
		t.Fatal("no error")
	}
	if _, err := s.db.Exec("SELECT a FROM event"); err == nil {
		t.Error("half a migration stayed")
	}
	if err := migrate(t.Context(), s.db, append(migrations(), "ALTER TABLE event ADD COLUMN a TEXT")); err != nil {
		t.Fatal(err)
	}
	if n := len(events(t, s)); n != 1 {
		t.Errorf("%d events after the migration", n)
	}
	// And a lab of schema 1 that was open goes on, but none starts.
	if err := migrate(t.Context(), s.db, migrations()); err == nil {
		t.Error("schema 2 was taken for schema 1")
	}
}
