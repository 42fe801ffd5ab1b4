package world

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
)

const pragmas = "&_pragma=busy_timeout(0)&_pragma=synchronous(OFF)"

var memoryNames atomic.Int64

// dsn names a fresh database. The directory, if any, is the caller's to remove.
func dsn(e Engine) (name, dir string, err error) {
	if e == Memory {
		return fmt.Sprintf("file:/flashlab-%d?vfs=memdb%s", memoryNames.Add(1), pragmas), "", nil
	}
	dir, err = tempDir()
	if err != nil {
		return "", "", err
	}
	// unix-excl keeps the WAL index in the heap: all connections are ours.
	return "file:" + filepath.Join(dir, "shop.db") + "?vfs=unix-excl" + pragmas + "&_pragma=journal_mode(WAL)", dir, nil
}

const tempPrefix = "flashlab-world-"

// tempDir makes a directory for files that live for one run.
func tempDir() (string, error) {
	return os.MkdirTemp(tempRoot(), tempPrefix+strconv.Itoa(os.Getpid())+"-")
}

// tempRoot prefers memory over disk for files that live for one run.
func tempRoot() string {
	const shm = "/dev/shm"
	if os.Getenv("TMPDIR") == "" {
		if f, err := os.CreateTemp(shm, tempPrefix); err == nil {
			f.Close()
			os.Remove(f.Name())
			return shm
		}
	}
	return os.TempDir()
}

func removeDir(dir string) error {
	if dir == "" {
		return nil
	}
	return os.RemoveAll(dir)
}

// RemoveStale deletes directories that a killed lab has left behind: those whose
// process is gone. It returns how many it removed.
func RemoveStale() int {
	n := 0
	list, _ := filepath.Glob(filepath.Join(tempRoot(), tempPrefix+"*"))
	for _, dir := range list {
		pid, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(dir), tempPrefix), "-")
		p, err := strconv.Atoi(pid)
		if err != nil || p <= 0 || p == os.Getpid() {
			continue
		}
		if syscall.Kill(p, 0) == syscall.ESRCH && os.RemoveAll(dir) == nil {
			n++
		}
	}
	return n
}
