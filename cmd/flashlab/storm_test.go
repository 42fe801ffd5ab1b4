package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestStormGuarded(t *testing.T) {
	r := flashlab(t, "storm", "oversell", "--variant", "guarded", "--requests", "300", "--repeat", "2")
	r.wants(t, exitHolds)
	for _, part := range []string{"oversell.guarded", "300 requests", "in one process", "✓ no-oversell", "orders 75", "of 2 storms", "0 of 2 break it"} {
		if !strings.Contains(r.out, part) {
			t.Errorf("%q is missing:\n%s", part, r.out)
		}
	}
}

func TestStormOversells(t *testing.T) {
	r := flashlab(t, "storm", "oversell", "--variant", "ignored-rowcount", "--requests", "200", "--concurrency", "4", "--json",
		"--history", filepath.Join(t.TempDir(), "h.html"))
	r.wants(t, exitBreaks)
	var doc stormJSON
	if err := json.Unmarshal([]byte(r.out), &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Verdict != "breaks" || doc.Failed != 1 || len(doc.Storms) != 1 || doc.Storms[0].Rows["orders"] != 200 || doc.Share == nil || doc.Share.Interleavings == "0" {
		t.Errorf("%s", r.out)
	}
}

func TestStormHistoryFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "h.html")
	flashlab(t, "storm", "oversell", "--variant", "ignored-rowcount", "--requests", "200", "--concurrency", "4", "--history", file).wants(t, exitBreaks)
	if b, err := os.ReadFile(file); err != nil || !strings.Contains(string(b), "<html") {
		t.Errorf("%v, %d bytes", err, len(b))
	}
}

func TestStormUndecided(t *testing.T) {
	flashlab(t, "storm", "watchdog", "--variant", "renewed", "--requests", "4", "--max-time", "200ms").wants(t, exitUnknown)
}

func TestStormRefuses(t *testing.T) {
	for _, tt := range []struct{ args, want string }{
		{"oversell --requests 0", "--requests 0"},
		{"oversell --requests 200001", "to 200000"},
		{"oversell --concurrency 999", "to 256"},
		{"oversell --nodes 9", "to 8"},
		{"oversell --kill-after 1s", "--processes"},
		{"oversell --processes --kill-after soon", "200ms"},
		{"oversell --set buyers=3", "--requests"},
		{"oversell --set nodes=2 --nodes 3", "contradict"},
		{"oversold", "oversell"},
	} {
		r := flashlab(t, append([]string{"storm"}, strings.Fields(tt.args)...)...)
		if r.code != exitUsage || !strings.Contains(r.err, tt.want) || strings.Count(r.err, "\n") != 1 {
			t.Errorf("%s: %+v", tt.args, r)
		}
	}
}

func TestNodeIsForStorms(t *testing.T) {
	r := flashlab(t, "node")
	if r.code != exitUsage || !strings.Contains(r.err, "started by a storm") {
		t.Errorf("%+v", r)
	}
}

// pids are the processes of nodes below a storm.
func pids(t *testing.T, parent int) []int {
	t.Helper()
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", parent, parent))
	if err != nil {
		t.Skip("this system does not tell children: ", err)
	}
	var out []int
	tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", parent))
	for _, file := range tasks {
		b, _ = os.ReadFile(file)
		for _, f := range strings.Fields(string(b)) {
			n, _ := strconv.Atoi(f)
			out = append(out, n)
		}
	}
	return out
}

// However a storm of processes ends, none of them stays.
func TestStormLeavesNoChild(t *testing.T) {
	file, err := program()
	if err != nil {
		t.Fatal(err)
	}
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGKILL} {
		cmd := exec.Command(file, "storm", "watchdog", "--variant", "renewed", "--processes", "--nodes", "2", "--requests", "8")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		var children []int
		for range 200 {
			if children = pids(t, cmd.Process.Pid); len(children) == 2 {
				break
			}
			time.Sleep(20 * time.Millisecond)
		}
		if len(children) != 2 {
			cmd.Process.Kill()
			cmd.Wait()
			t.Fatalf("%d children", len(children))
		}
		time.Sleep(200 * time.Millisecond) // in the midst of it
		cmd.Process.Signal(sig)
		cmd.Wait()
		if code := cmd.ProcessState.ExitCode(); sig != syscall.SIGKILL && code != 128+int(sig) {
			t.Errorf("%v: exit code %d", sig, code)
		}
		for _, pid := range children {
			left := true
			for range 300 {
				if left = syscall.Kill(pid, 0) == nil && !zombie(pid); !left {
					break
				}
				time.Sleep(20 * time.Millisecond)
			}
			if left {
				t.Errorf("%v: process %d is still there", sig, pid)
				syscall.Kill(pid, syscall.SIGKILL)
			}
		}
	}
}

// zombie reports whether a process has ended and nobody has asked how.
func zombie(pid int) bool {
	b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, rest, _ := strings.Cut(string(b), ") ")
	return strings.HasPrefix(rest, "Z")
}
