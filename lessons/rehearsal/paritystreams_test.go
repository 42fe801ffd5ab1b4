package rehearsal_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// Streams under comparison. An entry is named by the wall clock of its server, so
// each side has ids of its own, and the n-th entry that a stream gets on one side is
// the n-th on the other.

// stream is a stream as it stands.
type stream struct {
	name    string
	entries []redis.XMessage // oldest first
	groups  []group          // by name
}

type group struct {
	name      string
	delivered string // id that was handed out last
	pending   []redis.XPendingExt
}

// streamsOf reads all streams of a Redis, by name. The lag of a group is not read:
// the embedded engine does not keep it.
func streamsOf(t *testing.T, rdb *redis.Client) []stream {
	t.Helper()
	ctx := context.Background()
	names, err := rdb.Keys(ctx, "*").Result()
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(names)
	var out []stream
	for _, name := range names {
		if rdb.Type(ctx, name).Val() != "stream" {
			continue
		}
		s := stream{name: name}
		entries, err1 := rdb.XRange(ctx, name, "-", "+").Result()
		infos, err2 := rdb.XInfoGroups(ctx, name).Result()
		if err := errors.Join(err1, err2); err != nil {
			t.Fatal(err)
		}
		s.entries = entries
		for _, i := range infos {
			g := group{name: i.Name, delivered: i.LastDeliveredID}
			if !strings.Contains(g.delivered, "-") {
				g.delivered += "-0" // the embedded engine keeps it as XGROUP CREATE has written it
			}
			g.pending, err = rdb.XPendingExt(ctx, &redis.XPendingExtArgs{Stream: name, Group: i.Name, Start: "-", End: "+", Count: 1000}).Result()
			if err != nil {
				t.Fatal(err)
			}
			s.groups = append(s.groups, g)
		}
		slices.SortFunc(s.groups, func(a, b group) int { return strings.Compare(a.name, b.name) })
		out = append(out, s)
	}
	return out
}

// names calls entries by what they are called on both sides.
type names map[string]string // id -> "<entry 1>"

var entryID = regexp.MustCompile(`\d+-\d+`)

// name replaces the ids in a text, if they are ids of entries.
func (n names) name(text string) string {
	return entryID.ReplaceAllStringFunc(text, func(id string) string {
		if known := n[id]; known != "" {
			return known
		}
		return id
	})
}

// entries are those that have been seen on either side.
type entries struct {
	embedded, server names
	twin             map[string]string // id on the embedded engine -> id on the server
	seen             map[string]bool   // "side stream id"
}

func newEntries() *entries {
	return &entries{names{}, names{}, map[string]string{}, map[string]bool{}}
}

// learn pairs the entries that have come since the last call.
func (e *entries) learn(t *testing.T, embedded, server []stream) {
	t.Helper()
	for _, s := range embedded {
		mine, its := e.fresh("embedded", s), []string(nil)
		for _, x := range server {
			if x.name == s.name {
				its = e.fresh("server", x)
			}
		}
		for i, id := range mine[:min(len(mine), len(its))] {
			if e.embedded[id] != "" || e.server[its[i]] != "" {
				t.Fatalf("%s is also the id of an entry in another stream: in an answer they would be one", id)
			}
			name := fmt.Sprintf("<entry %d>", len(e.twin)+1)
			e.embedded[id], e.server[its[i]], e.twin[id] = name, name, its[i]
		}
	}
}

// fresh returns the ids in a stream that are new to one side, in order.
func (e *entries) fresh(side string, s stream) (ids []string) {
	for _, x := range s.entries {
		if k := side + " " + s.name + " " + x.ID; !e.seen[k] {
			e.seen[k] = true
			ids = append(ids, x.ID)
		}
	}
	return ids
}

// address puts the ids of the server into a command for it.
func (e *entries) address(cmd redis.Cmder) {
	args := cmd.Args()
	for i, a := range args {
		if id, ok := a.(string); ok && e.twin[id] != "" {
			args[i] = e.twin[id]
		}
	}
}

// words returns the arguments of a command as text.
func words(cmd redis.Cmder) (out []string) {
	for _, a := range cmd.Args() {
		out = append(out, fmt.Sprint(a))
	}
	return out
}

// text renders a stream without its idle times, one line for the entries and one for
// each group.
func (s stream) text(n names) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:", s.name)
	for _, x := range s.entries {
		fmt.Fprintf(&b, " %s", x.ID)
		for _, f := range slices.Sorted(maps.Keys(x.Values)) {
			fmt.Fprintf(&b, " %s=%v", f, x.Values[f])
		}
	}
	for _, g := range s.groups {
		fmt.Fprintf(&b, "\n%s has handed out up to %s", g.name, g.delivered)
		for _, p := range g.pending {
			fmt.Fprintf(&b, ", %s to %s, %d times", p.ID, p.Consumer, p.RetryCount)
		}
	}
	return n.name(b.String())
}

// compareStreams compares entries, groups and what is pending.
func (c *comparison) compareStreams(t *testing.T, step int, want []stream) {
	t.Helper()
	got := streamsOf(t, c.live)
	// Since idle times were set the server's have run on, the virtual ones have not.
	drift := time.Since(c.idle) + time.Millisecond
	if len(got) != len(want) {
		return // the names of keys differ, which has been said
	}
	for i := range want {
		a, b := want[i].text(c.entries.embedded), got[i].text(c.entries.server)
		if a != b {
			t.Errorf("step %d: on the embedded engine\n%s\non the server\n%s", step, a, b)
			continue
		}
		for g := range want[i].groups {
			for p, x := range want[i].groups[g].pending {
				if d := got[i].groups[g].pending[p].Idle - x.Idle; d < 0 || d > drift {
					t.Errorf("step %d: %s is idle for %v on the embedded engine, %v more on the server", step, c.entries.embedded.name(x.ID), x.Idle, d)
				}
			}
		}
	}
}

// setIdle gives the pending entries of the server the idle times of the embedded
// engine. It is done after every step, so that at the next command no more than the
// moments in between have been added to them. JUSTID leaves the number of deliveries
// as it is.
func (c *comparison) setIdle(t *testing.T, want []stream) {
	t.Helper()
	c.idle = time.Now()
	for _, s := range want {
		for _, g := range s.groups {
			for _, p := range g.pending {
				id := c.entries.twin[p.ID]
				got, err := c.live.Do(context.Background(), "XCLAIM", s.name, g.name, p.Consumer, 0, id,
					"IDLE", p.Idle.Milliseconds(), "JUSTID").StringSlice()
				if err != nil || len(got) != 1 {
					t.Fatalf("setting the idle time of %s, pending in %s with %s: %v, %v", c.entries.embedded.name(p.ID), s.name, p.Consumer, got, err)
				}
			}
		}
	}
}
