// Package livetest starts real Redis servers for tests, each in a directory of its
// own on a free port of the loopback interface, and stops them again.
//
// It starts what it finds as redis-server in PATH: another version, or Valkey, is tried
// by standing there under that name. Where there is none a test is skipped, except
// under CI=true, where a test that did not run must not pass for one that did. The
// package must not touch a server that it has not started, and must not be imported
// outside tests.
package livetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

const (
	startWithin = 10 * time.Second // until the first PONG
	stopWithin  = 5 * time.Second  // after SIGTERM, before SIGKILL
	attempts    = 5                // another process may take the port first
)

// Server is a running redis-server.
type Server struct {
	Port int
	Dir  string // its working directory, with redis.log in it

	password string
	bus      int // port of a cluster's bus
	cmd      *exec.Cmd
	exited   chan struct{} // closed when the process has ended
}

// Need skips the test where no redis-server is installed, or fails it under
// CI=true. [Start] calls it.
func Need(t testing.TB) string {
	t.Helper()
	path, err := exec.LookPath("redis-server")
	if err == nil {
		return path
	}
	if os.Getenv("CI") == "true" {
		t.Fatal("redis-server is not installed; under CI=true no live test may be skipped")
	}
	t.Skip("redis-server is not installed: skipping what needs a real server")
	return ""
}

// Start starts an empty server without persistence and waits until it answers. More
// arguments are those of redis-server and come after its own, so that they win:
// Start(t, "--maxmemory", "1mb"). At the end of the test the server is stopped and
// its directory removed; when the test has failed the log is kept and its place
// reported.
func Start(t testing.TB, args ...string) *Server {
	t.Helper()
	path := Need(t)
	var err error
	for range attempts {
		var s *Server
		if s, err = start(path, args); err == nil {
			t.Cleanup(func() { s.end(t) })
			return s
		}
	}
	t.Fatalf("starting a Redis server: %v", err)
	return nil
}

func start(path string, args []string) (*Server, error) {
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "flashlab-redis-")
	if err != nil {
		return nil, err
	}
	return launch(path, port, dir, args, append([]string{
		"--port", strconv.Itoa(port), "--bind", "127.0.0.1",
		"--dir", dir, "--logfile", filepath.Join(dir, "redis.log"),
		"--save", "", "--appendonly", "no", "--daemonize", "no", "--repl-diskless-sync-delay", "0",
	}, args...))
}

// launch runs a server in its directory until it answers. given are the arguments of
// the caller, line is the whole command line.
func launch(path string, port int, dir string, given, line []string) (*Server, error) {
	s := &Server{Port: port, Dir: dir, exited: make(chan struct{})}
	for i := 0; i+1 < len(given); i++ {
		if given[i] == "--requirepass" {
			s.password = given[i+1]
		}
	}
	s.cmd = exec.Command(path, line...)
	var output bytes.Buffer
	s.cmd.Stdout, s.cmd.Stderr = &output, &output
	if err := s.cmd.Start(); err != nil {
		os.RemoveAll(dir)
		return nil, err
	}
	go func() {
		_ = s.cmd.Wait()
		close(s.exited)
	}()
	if err := s.wait(); err != nil {
		s.Stop()
		log, _ := os.ReadFile(s.log())
		os.RemoveAll(dir)
		return nil, fmt.Errorf("%w\n%s%s", err, output.Bytes(), log)
	}
	return s, nil
}

// freePort returns a port that nobody listened on a moment ago.
func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// wait returns when the server answers. The process id tells it from a foreign
// server that has taken the port.
func (s *Server) wait() error {
	rdb := redis.NewClient(s.Options())
	defer rdb.Close()
	ctx, cancel := context.WithTimeout(context.Background(), startWithin)
	defer cancel()
	want := fmt.Sprintf("process_id:%d\r\n", s.cmd.Process.Pid)
	for {
		info, err := rdb.Info(ctx, "server").Result()
		if err == nil {
			if !bytes.Contains([]byte(info), []byte(want)) {
				return fmt.Errorf("port %d belongs to another server", s.Port)
			}
			return nil
		}
		select {
		case <-s.exited:
			return errors.New("it ended at once")
		case <-ctx.Done():
			return fmt.Errorf("no answer within %v: %w", startWithin, err)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// Addr returns "127.0.0.1:port".
func (s *Server) Addr() string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(s.Port)) }

// Options returns options for a client that sends each command once, in RESP2.
func (s *Server) Options() *redis.Options {
	return &redis.Options{Addr: s.Addr(), Password: s.password, Protocol: 2, MaxRetries: -1, DisableIdentity: true}
}

// Client returns a client that is closed at the end of the test.
func (s *Server) Client(t testing.TB) *redis.Client {
	t.Helper()
	rdb := redis.NewClient(s.Options())
	t.Cleanup(func() { rdb.Close() })
	return rdb
}

// Reset removes all keys and scripts.
func (s *Server) Reset(t testing.TB) {
	t.Helper()
	rdb := redis.NewClient(s.Options())
	defer rdb.Close()
	ctx := context.Background()
	if err := errors.Join(rdb.FlushAll(ctx).Err(), rdb.ScriptFlush(ctx).Err()); err != nil {
		t.Fatalf("emptying the Redis server at %s: %v", s.Addr(), err)
	}
}

// Stop ends the server: by SIGTERM, or by SIGKILL when that takes too long. Ending
// it again does nothing.
func (s *Server) Stop() {
	_ = s.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-s.exited:
		return
	case <-time.After(stopWithin):
	}
	s.Kill()
}

// Kill ends the server at once, as a crash would.
func (s *Server) Kill() {
	_ = s.cmd.Process.Kill()
	<-s.exited
}

// Pause stops the server without ending it, as a machine that hangs; Resume lets it go
// on. At the end of the test it goes on by itself.
func (s *Server) Pause() { _ = s.cmd.Process.Signal(syscall.SIGSTOP) }

// Resume ends a Pause.
func (s *Server) Resume() { _ = s.cmd.Process.Signal(syscall.SIGCONT) }

// end stops the server and removes its directory, or keeps the log.
func (s *Server) end(t testing.TB) {
	s.Resume()
	s.Stop()
	if t.Failed() {
		t.Logf("log of the Redis server: %s", s.log())
		return
	}
	if err := os.RemoveAll(s.Dir); err != nil {
		t.Logf("removing the directory of a Redis server: %v", err)
	}
}

func (s *Server) log() string { return filepath.Join(s.Dir, "redis.log") }
