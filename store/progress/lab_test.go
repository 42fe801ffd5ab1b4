package progress

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// otherLab is what this binary does as another lab: it adds events to the file at path
// and prints the ID of each when Add has returned. How is the number of events.
func otherLab(path, how string) {
	s, _, err := Open(context.Background(), path)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	var n int
	fmt.Sscan(how, &n)
	for range n {
		e, err := s.Add(context.Background(), "x", Revealed{})
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println(e.ID)
	}
	s.Close()
}

func startLab(t *testing.T, path string, n int) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "PROGRESS_TEST_LAB="+path, fmt.Sprintf("PROGRESS_TEST_HOW=%d", n))
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	return cmd, bufio.NewScanner(out)
}

func TestKilledLabLosesNothing(t *testing.T) {
	path := newFile(t)
	said := map[string]bool{}
	for round := range 5 {
		cmd, lines := startLab(t, path, 1_000_000)
		for range 1 + 3*round {
			if !lines.Scan() {
				t.Fatal("the lab ended")
			}
			said[lines.Text()] = true
		}
		cmd.Process.Kill() // SIGKILL
		for lines.Scan() { // what it said before it died
			if id := lines.Text(); checkID(id) == "" {
				said[id] = true
			}
		}
		cmd.Wait()
	}
	s := open(t, path)
	all := events(t, s)
	for _, e := range all {
		delete(said, e.ID)
	}
	if len(said) != 0 {
		t.Errorf("%d events of %d are lost: %v", len(said), len(all), said)
	}
}

func TestTwoLabsAtOnce(t *testing.T) {
	path := newFile(t)
	const each = 25
	var cmds []*exec.Cmd
	var outs []*bufio.Scanner
	for range 2 { // both make the file
		cmd, lines := startLab(t, path, each)
		cmds, outs = append(cmds, cmd), append(outs, lines)
	}
	for i, cmd := range cmds {
		var said []string
		for outs[i].Scan() {
			said = append(said, outs[i].Text())
		}
		if err := cmd.Wait(); err != nil {
			t.Fatalf("%v\n%s", err, strings.Join(said, "\n"))
		}
	}
	if n := len(events(t, open(t, path))); n != 2*each {
		t.Errorf("%d events, want %d", n, 2*each)
	}
}

// Two labs that find the same damaged file set it aside once.
func TestTwoLabsFindDamage(t *testing.T) {
	path := newFile(t)
	ruin(t, path, func(raw []byte) []byte { return raw[4096:] })
	const each = 5
	cmd1, out1 := startLab(t, path, each)
	cmd2, out2 := startLab(t, path, each)
	var said []string
	for _, out := range []*bufio.Scanner{out1, out2} {
		for out.Scan() {
			said = append(said, out.Text())
		}
	}
	if err1, err2 := cmd1.Wait(), cmd2.Wait(); err1 != nil || err2 != nil {
		t.Fatalf("%v, %v\n%s", err1, err2, strings.Join(said, "\n"))
	}
	if n := len(events(t, open(t, path))); n != 2*each+ruined {
		t.Errorf("%d events, want %d", n, 2*each+ruined)
	}
	if n := len(asides(t, path)); n != 1 {
		t.Errorf("set aside %d times", n)
	}
}
