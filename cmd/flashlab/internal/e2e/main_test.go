package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// scratch is a directory for the whole run: the program, sockets and the like. Its
// path is short, since a socket's must be.
var scratch string

func TestMain(m *testing.M) {
	if name := os.Getenv(faultVariable); name != "" {
		os.Exit(runFault(name)) // this process is the program of a test
	}
	os.Exit(withScratch(m.Run))
}

func withScratch(tests func() int) int {
	var err error
	if scratch, err = os.MkdirTemp("", "fl"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(scratch)
	os.Setenv("XDG_STATE_HOME", filepath.Join(scratch, "state")) // not that of whoever runs the tests
	return tests()
}

// program builds flashlab once and returns its file.
var program = sync.OnceValues(func() (string, error) {
	file := filepath.Join(scratch, "flashlab")
	out, err := exec.Command("go", "build", "-o", file, "flashlab/cmd/flashlab").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("building flashlab: %w\n%s", err, out)
	}
	return file, nil
})

// binary is program for a test.
func binary(t testing.TB) string {
	t.Helper()
	file, err := program()
	if err != nil {
		t.Fatal(err)
	}
	return file
}
