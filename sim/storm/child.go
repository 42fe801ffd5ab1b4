package storm

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"flashlab/sim/scenario"
)

// child is a node that is a process.
type child struct {
	node     int
	cmd      *exec.Cmd
	stdin    io.WriteCloser
	pid      int
	requests int64     // that are its own
	ended    int64     // of them, as far as it was heard
	dead     bool      // its output has ended
	killed   time.Time // when it was about to be; zero: it was not
	said     int64     // ns since 1970, of its last event of a lock
	over     bool      // it has no request left to run
	bye      bool
}

// message is what came from a child; without a report its output has ended.
type message struct {
	from   *child
	report *report
	err    error
}

func (x *fleet) config(node int) NodeConfig {
	cfg := NodeConfig{
		Lesson: x.o.Fleet.Lesson, Variant: x.o.Fleet.Variant, Sizes: x.o.Fleet.Sizes,
		Node: node, Nodes: x.o.Nodes, Concurrency: 1, Seed: x.o.Seed, Pace: x.o.Pace, Began: x.began.UnixNano(), DistanceNS: int64(x.o.Distance),
		LimitMS: x.o.Limit.Milliseconds(),
		File:    x.w.File(), Addr: x.w.Addr(), Password: x.password,
	}
	if x.c.way != nil {
		cfg.Run, cfg.Password = x.c.way.run.ID, ""
	}
	return cfg
}

// start starts a child and hands it its configuration.
func (x *fleet) start(cfg NodeConfig) (*child, error) {
	cmd := x.o.Fleet.Command()
	// A group of its own: what the terminal sends to the storm is not for its nodes.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrChild, err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrChild, err)
	}
	var complaint strings.Builder
	cmd.Stderr = &complaint
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrChild, err)
	}
	ch := &child{node: cfg.Node, cmd: cmd, stdin: in, pid: cmd.Process.Pid, over: cfg.DaemonsOnly}
	x.children = append(x.children, ch)
	x.c.fleet = append(x.c.fleet, Node{Name: fmt.Sprintf("n%d", cfg.Node+1), PID: ch.pid})
	go x.listen(ch, out)
	return ch, ch.tell(cfg)
}

func (ch *child) tell(v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if _, err = ch.stdin.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("telling node n%d: %w", ch.node+1, err)
	}
	return nil
}

// listen reads what a child reports until its output ends.
func (x *fleet) listen(ch *child, out io.Reader) {
	send := func(m message) bool {
		select {
		case x.inbox <- m:
			return true
		case <-x.quit:
			return false
		}
	}
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			send(message{from: ch})
			return
		}
		r := &report{}
		if err := json.Unmarshal(line, r); err != nil {
			send(message{from: ch, err: fmt.Errorf("node n%d said something else than a report: %w", ch.node+1, err)})
			return
		}
		if !send(message{from: ch, report: r}) {
			return
		}
	}
}

// hear follows one message. The error is one that ends the storm.
func (x *fleet) hear(m message) error {
	ch := m.from
	switch r := m.report; {
	case m.err != nil:
		return m.err
	case r == nil:
		ch.dead = true
	case r.Lock != nil:
		ch.said = r.Lock.At
		x.c.follow([]scenario.LockEvent{*r.Lock})
	case r.Lost != nil:
		x.c.way.lose(r.Lost)
	case r.Error != "" && x.c.way.trouble() != nil: // that is why
		ch.dead = true
	case r.Error != "":
		return fmt.Errorf("node n%d: %s", ch.node+1, r.Error)
	case r.Delta != nil:
		ch.ended += r.Delta.Done
		x.c.count(*r.Delta)
	case r.Finished:
		ch.over = true
		x.c.stuck += r.Stuck
		x.c.limited = x.c.limited || r.Limited
	case r.Ended:
		ch.bye = true
	}
	return nil
}

// goodbye ends the children and hears the last of them.
func (x *fleet) goodbye() error {
	for _, ch := range x.children {
		if !ch.dead {
			_ = ch.tell(order{End: true}) // one that is gone has left
		}
	}
	late := time.After(leaveWithin)
	if x.c.way.trouble() != nil {
		late = time.After(lastWords)
	}
	for {
		left := false
		for _, ch := range x.children {
			left = left || !ch.dead && !ch.bye
		}
		if !left {
			break
		}
		select {
		case m := <-x.inbox:
			if err := x.hear(m); err != nil {
				return err
			}
		case <-late:
			left = false
		}
		if !left {
			break
		}
	}
	for _, ch := range x.children {
		if !ch.killed.IsZero() {
			x.mourn(ch)
		}
		if ch.dead && !ch.over {
			x.c.died += ch.requests - ch.ended
		}
	}
	return nil
}

// endAll leaves no child behind, however the storm has ended.
func (x *fleet) endAll() {
	close(x.quit)
	for _, ch := range x.children {
		ch.stdin.Close()
		gone := time.AfterFunc(leaveWithin, func() { ch.cmd.Process.Kill() })
		if ch.dead || !ch.bye {
			ch.cmd.Process.Kill()
		}
		_ = ch.cmd.Wait() // it was told to end, or killed
		gone.Stop()
	}
}
