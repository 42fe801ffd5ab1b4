package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"flashlab/lessons/showdown"
	"flashlab/sim/live/livetest"
)

// small is a showdown that is over soon.
var small = []string{"showdown", "--requests", "60", "--concurrency", "4", "--stock", "1,20"}

func TestShowdown(t *testing.T) {
	r := flashlab(t, small...)
	r.wants(t, exitHolds)
	for _, part := range []string{"mislead", "It depends on", "synchronous", "optimistic", "script ", "behind a limiter", "curves"} {
		if !strings.Contains(r.out, part) {
			t.Errorf("%q is missing:\n%s", part, r.out)
		}
	}
	if strings.Contains(r.out, "✗") {
		t.Error(r.out)
	}
}

// In Chinese every sentence is Chinese; the document for programs is the same.
func TestShowdownChinese(t *testing.T) {
	r := flashlab(t, append(small, "--lang", "zh")...)
	r.wants(t, exitHolds)
	for _, part := range []string{showdown.Depends.ZH, showdown.Embedded.ZH, "加锁开事务", "条件更新", "脚本加 Stream", "前面有限流器", "✓ 成立"} {
		if !strings.Contains(strings.ReplaceAll(r.out, "\n", ""), part) {
			t.Errorf("%q is missing:\n%s", part, r.out)
		}
	}
	for _, part := range []string{"holds", "synchronous", "at once", "stock"} {
		if strings.Contains(r.out, part) {
			t.Errorf("%q is English:\n%s", part, r.out)
		}
	}
	r = flashlab(t, "showdown", "--claims", "--requests", "200", "--lang", "zh")
	r.wants(t, exitHolds)
	if strings.Count(r.out, "说法：") != 3 || strings.Contains(r.out, "Claim") || strings.Contains(r.out, "depends") {
		t.Error(r.out)
	}
	r = flashlab(t, append(small, "--lang", "zh", "--json")...)
	var doc showdown.Document
	if err := json.Unmarshal([]byte(r.out), &doc); err != nil || doc.Depends != showdown.Depends.EN {
		t.Errorf("%v\n%s", err, r.out)
	}
}

// On a server the figures are its own, and compared with what was saved.
func TestShowdownOnServer(t *testing.T) {
	srv := livetest.Start(t)
	rdb := srv.Client(t)
	foreign(t, rdb)
	before := dumps(t, rdb)
	file := filepath.Join(t.TempDir(), "before.json")
	args := append(append([]string{}, small...), "--redis", "redis://"+srv.Addr(), "--json")
	flashlab(t, append(args, "--save", file)...).wants(t, exitHolds)
	r := flashlab(t, append(args, "--compare", file)...)
	r.wants(t, exitHolds)
	var doc showdown.Document
	if err := json.Unmarshal([]byte(r.out), &doc); err != nil {
		t.Fatal(err)
	}
	if len(doc.Sales) != 12 || len(doc.Ratios) != 4 || len(doc.Compared) != 12 || doc.Server == nil || doc.Misleads != "" || doc.Ratios[0].Answered == nil {
		t.Errorf("%s", r.out)
	}
	for _, x := range doc.Sales {
		if x.Verdict != "holds" || x.Sold != x.Orders || x.Rate <= 0 {
			t.Errorf("%+v", x)
		}
	}
	now := dumps(t, rdb)
	if len(now) != len(before) {
		t.Errorf("%d keys before, %d after", len(before), len(now))
	}
	for k, v := range before {
		if now[k] != v {
			t.Errorf("%s was touched", k)
		}
	}
}

func TestShowdownClaims(t *testing.T) {
	r := flashlab(t, "showdown", "--claims", "--requests", "200", "--json")
	r.wants(t, exitHolds)
	var doc claimsJSON
	if err := json.Unmarshal([]byte(r.out), &doc); err != nil || len(doc.Claims) != 3 || doc.Misleads == "" {
		t.Errorf("%v\n%s", err, r.out)
	}
	text := flashlab(t, "showdown", "--claims", "--requests", "200")
	text.wants(t, exitHolds)
	if strings.Count(text.out, "Claim: ") != 3 || strings.Count(text.out, "It depends on") != 3 {
		t.Error(text.out)
	}
}

func TestShowdownRefuses(t *testing.T) {
	other := filepath.Join(t.TempDir(), "other.json")
	if err := os.WriteFile(other, []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args string
		code int
		want string
	}{
		{"--requests 0", exitUsage, "from 1 to"},
		{"--concurrency 4,999", exitUsage, "--concurrency 999"},
		{"--stock 1,1", exitUsage, "twice"},
		{"--stock 1,x", exitUsage, "--stock"},
		{"--claims --save x", exitUsage, "leave out"},
		{"--compare " + other, exitUsage, "--save"},
		{"--compare /nowhere", exitUsage, "--compare"},
		{"--lang de", exitUsage, "--lang"},
		{"--redis redis://127.0.0.1:1", exitService, "refuses"},
		{"--claims --redis redis://127.0.0.1:1", exitService, "refuses"},
		{"oversell", exitUsage, "oversell"},
	} {
		r := flashlab(t, append([]string{"showdown"}, strings.Fields(tt.args)...)...)
		if r.code != tt.code || !strings.Contains(r.err, tt.want) || strings.Count(r.err, "\n") != 1 {
			t.Errorf("%s: %+v", tt.args, r)
		}
	}
}

// A server that dies in the midst costs one sentence; what was measured is printed.
func TestShowdownLosesServer(t *testing.T) {
	file, err := program()
	if err != nil {
		t.Fatal(err)
	}
	srv := livetest.Start(t)
	cmd := exec.Command(file, "showdown", "--requests", "20000", "--concurrency", "4", "--stock", "100", "--redis", "redis://"+srv.Addr())
	var out, errOut strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errOut
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	rdb := srv.Client(t)
	for range 1000 {
		if n, err := rdb.DBSize(t.Context()).Result(); err == nil && n > 1 { // more than a heartbeat
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	srv.Kill()
	at := time.Now()
	cmd.Wait()
	if took := time.Since(at); took > 3*time.Second {
		t.Errorf("it took %v to end", took)
	}
	if code := cmd.ProcessState.ExitCode(); code != exitService || strings.Count(errOut.String(), "\n") != 1 || !strings.Contains(out.String(), "? not decided") {
		t.Errorf("exit code %d, %s\n%s", code, errOut.String(), out.String())
	}
}
