package progress

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// ruined is how many events ruin writes: enough for some pages.
const ruined = 60

// ruin makes a progress file at path and changes its bytes.
func ruin(t *testing.T, path string, change func([]byte) []byte) {
	t.Helper()
	s := open(t, path, WithClock((&clock{at: noon}).now))
	for n := range ruined {
		add(t, s, fmt.Sprintf("exercise-%d", n), Answered{Lesson: "oversell", Form: "choice", Answer: "no, for " + strings.Repeat("stock ", 10)})
	}
	if err := s.Close(); err != nil { // moves the -wal into the file
		t.Fatal(err)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, change(bytes.Clone(raw)), 0o600); err != nil {
		t.Fatal(err)
	}
}

func asides(t *testing.T, path string) []string {
	t.Helper()
	found, err := filepath.Glob(asideStem(path) + "*.db")
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestDamagedFileIsSetAside(t *testing.T) {
	zero := func(raw []byte, from, to int) []byte { clear(raw[from:to]); return raw }
	for name, c := range map[string]struct {
		change func([]byte) []byte
		least  int // events that must be rescued
	}{
		"not SQLite":       {func([]byte) []byte { return []byte("Dear diary") }, 0},
		"no header":        {func(raw []byte) []byte { return zero(raw, 0, 100) }, ruined},
		"first page gone":  {func(raw []byte) []byte { return raw[4096:] }, ruined},
		"cut in the page":  {func(raw []byte) []byte { return raw[:len(raw)-5000] }, ruined - 40},
		"cut at half":      {func(raw []byte) []byte { return raw[:len(raw)/2] }, 5},
		"short":            {func(raw []byte) []byte { return raw[:50] }, 0},
		"a page of zeroes": {func(raw []byte) []byte { return zero(raw, len(raw)-4096, len(raw)) }, ruined - 20},
		"one letter of one row": {func(raw []byte) []byte {
			return bytes.Replace(raw, []byte("exercise-7"), []byte("exercise-X"), -1)
		}, ruined - 1},
	} {
		t.Run(name, func(t *testing.T) {
			path := newFile(t)
			ruin(t, path, c.change)
			bad, _ := os.ReadFile(path)
			s, notice, err := Open(t.Context(), path, WithClock((&clock{at: noon}).now))
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			t.Log(notice)
			if want := filepath.Join(filepath.Dir(path), "progress.damaged-2026-11-30T120000Z.db"); notice.Aside != want {
				t.Errorf("set aside as %s, want %s", notice.Aside, want)
			}
			if kept, _ := os.ReadFile(notice.Aside); !bytes.Equal(kept, bad) {
				t.Error("the file set aside was changed")
			}
			if n := len(events(t, s)); n != notice.Rescued || n < c.least {
				t.Errorf("%d events, the notice says %d, want at least %d", n, notice.Rescued, c.least)
			}
			add(t, s, "x", Revealed{})
			s.Close()
			open(t, path) // and says nothing
		})
	}
}

// What was only in the -wal of the damaged file, of a lab that was killed.
func TestRescueFromTheWAL(t *testing.T) {
	path := newFile(t)
	s := open(t, path)
	e := add(t, s, "only in the wal", Revealed{})
	crashed := filepath.Join(t.TempDir(), "progress.db")
	for _, part := range []string{"", "-wal"} {
		raw, err := os.ReadFile(path + part)
		if err != nil {
			t.Fatal(err)
		}
		if part == "-wal" {
			copy(raw, "garbage")
		} else {
			raw = []byte("nothing of use")
		}
		os.WriteFile(crashed+part, raw, 0o600)
	}
	got, notice, err := Open(t.Context(), crashed)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Close()
	if all := events(t, got); len(all) != 1 || !all[0].Equal(e) {
		t.Errorf("%v\n%s", all, notice)
	}
}

// A page is missing: SQLite still finds the host, and a row of several pages.
func TestRescueFromAShortFile(t *testing.T) {
	path := newFile(t)
	s := open(t, path)
	host := s.Host()
	long := add(t, s, "long", Answered{Form: "script", Answer: strings.Repeat("redis.call ", 3000)})
	s.Close()
	ruin(t, path, func(raw []byte) []byte { return raw[:len(raw)-4096] }) // of the same host
	s, _, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if s.Host() != host {
		t.Errorf("host %s became %s", host, s.Host())
	}
	if all := events(t, s); !slices.ContainsFunc(all, long.Equal) {
		t.Errorf("the long event is not among the %d rescued", len(all))
	}
}

// A lab that died after it had set a file aside is made up for by the next.
func TestAsideIsReadByTheNextLab(t *testing.T) {
	path := newFile(t)
	ruin(t, path, func(raw []byte) []byte { return raw[4096:] })
	if err := os.Rename(path, asideStem(path)+"2026-01-01T000000Z.db"); err != nil {
		t.Fatal(err)
	}
	s, notice, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if notice.Rescued != ruined || notice.Reason != "" || notice.String() == "" {
		t.Errorf("%+v", notice)
	}
}

// A lab is told when its file was set aside while it was running.
func TestFileSetAsideUnderARunningLab(t *testing.T) {
	path := newFile(t)
	s := open(t, path)
	add(t, s, "x", Revealed{})
	if err := os.Rename(path, path+".elsewhere"); err != nil {
		t.Skip(err)
	}
	if _, err := s.Add(t.Context(), "x", Revealed{}); !errors.Is(err, ErrMoved) {
		t.Error(err)
	}
	open(t, path)
	if _, err := s.Add(t.Context(), "x", Revealed{}); err == nil {
		t.Error("written into a file without a name")
	}
}

func TestNewerFileIsLeftUntouched(t *testing.T) {
	path := newFile(t)
	s := open(t, path)
	add(t, s, "x", Revealed{})
	if _, err := s.db.Exec("PRAGMA user_version = 2"); err != nil {
		t.Fatal(err)
	}
	// Once with the number only in the -wal, as after a kill, and once in the file.
	killed := filepath.Join(t.TempDir(), "progress.db")
	for _, part := range []string{"", "-wal"} {
		raw, _ := os.ReadFile(path + part)
		os.WriteFile(killed+part, raw, 0o600)
	}
	s.Close()
	for _, path := range []string{path, killed} {
		before, _ := os.ReadFile(path)
		wal, _ := os.ReadFile(path + "-wal")
		_, _, err := Open(t.Context(), path)
		if !errors.Is(err, ErrNewer) {
			t.Fatal(err)
		}
		t.Log(err)
		after, _ := os.ReadFile(path)
		walAfter, _ := os.ReadFile(path + "-wal")
		if !bytes.Equal(before, after) || !bytes.Equal(wal, walAfter) {
			t.Error("it was touched")
		}
		if len(asides(t, path)) != 0 {
			t.Error("it was set aside")
		}
	}
}

func TestForeignDatabaseIsLeftAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bookmarks.db")
	db, err := sql.Open("sqlite", path)
	if err == nil {
		_, err = db.Exec("CREATE TABLE bookmark (url TEXT)")
		db.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := Open(t.Context(), path); !errors.Is(err, ErrForeign) {
		t.Error(err)
	} else {
		t.Log(err)
	}
}

func TestNoPlaceToWrite(t *testing.T) {
	dir := t.TempDir()
	os.WriteFile(filepath.Join(dir, "file"), nil, 0o600)
	for _, path := range []string{filepath.Join(dir, "file", "progress.db"), dir} {
		if _, _, err := Open(t.Context(), path); err == nil || !strings.Contains(err.Error(), path) {
			t.Error(err)
		} else {
			t.Log(err)
		}
	}
	if os.Geteuid() == 0 {
		t.Skip("root may write everywhere")
	}
	closed := filepath.Join(dir, "closed")
	os.Mkdir(closed, 0o500)
	sealed := newFile(t)
	open(t, sealed).Close()
	os.Chmod(sealed, 0o400)
	openFile := newFile(t)
	open(t, openFile).Close()
	os.Chmod(filepath.Dir(openFile), 0o500)
	defer os.Chmod(filepath.Dir(openFile), 0o700)
	for _, path := range []string{filepath.Join(closed, "progress.db"), filepath.Join(closed, "below", "progress.db"), openFile, sealed} {
		if _, _, err := Open(t.Context(), path); !errors.Is(err, ErrReadOnly) {
			t.Error(path, err)
		} else {
			t.Log(err)
		}
	}
}

func TestFullDisk(t *testing.T) {
	s := open(t, newFile(t))
	if _, err := s.db.Exec("PRAGMA max_page_count = 1"); err != nil {
		t.Fatal(err)
	}
	var err error
	for n := 0; n < 200 && err == nil; n++ {
		_, err = s.Add(t.Context(), "x", Explained{Line: strings.Repeat("so ", 300)})
	}
	if !errors.Is(err, ErrFull) {
		t.Fatal(err)
	}
	t.Log(err)
	events(t, s)
}
