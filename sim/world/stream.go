package world

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"

	"flashlab/sim/redisgate"
	"flashlab/sim/trace"
)

// pendingLimit bounds how many pending entries are read for a key; lessons have a
// handful.
const pendingLimit = 1000

// streamGroup is a consumer group as it stands.
type streamGroup struct {
	name      string
	delivered string // last id handed out
	pending   []redis.XPendingExt
}

// groups reads the consumer groups of a stream in order of their names. The lag
// that the embedded engine reports is wrong and never used.
func (w *World) groups(stream string) ([]streamGroup, error) {
	ctx := context.Background()
	infos, err := w.direct.XInfoGroups(ctx, stream).Result()
	if err != nil {
		return nil, fmt.Errorf("reading the groups of %s: %w", stream, err)
	}
	var out []streamGroup
	for _, i := range infos {
		g := streamGroup{name: i.Name, delivered: i.LastDeliveredID}
		if i.Pending > 0 {
			g.pending, err = w.direct.XPendingExt(ctx, &redis.XPendingExtArgs{
				Stream: stream, Group: i.Name, Start: "-", End: "+", Count: pendingLimit,
			}).Result()
			if err != nil {
				return nil, fmt.Errorf("reading what is pending in %s: %w", stream, err)
			}
		}
		out = append(out, g)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].name < out[j].name })
	return out, nil
}

// appendStream appends entries in order with their ids, groups with the rank of the
// last id they handed out, and pending entries with owner, idle time and delivery
// count. Ids hold the time of their making, and whoever reads an entry sees it.
func (w *World) appendStream(b []byte, key string) ([]byte, error) {
	entries, err := w.mini.Stream(key)
	if err != nil {
		return b, fmt.Errorf("reading the stream %s: %w", key, err)
	}
	ids := idsOf(entries)
	rank := map[string]int{}
	for i, e := range entries {
		rank[e.ID] = i + 1
		b = appendString(b, e.ID)
		for _, v := range e.Values {
			b = appendString(b, v)
		}
		b = append(b, ';')
	}
	groups, err := w.groups(key)
	if err != nil {
		return b, err
	}
	for _, g := range groups {
		b = append(appendString(b, g.name), '#')
		b = strconv.AppendInt(b, int64(rankOf(ids, g.delivered)), 10)
		for _, p := range g.pending {
			b = strconv.AppendInt(append(b, '/'), int64(rank[p.ID]), 10)
			b = appendString(append(b, ' '), p.Consumer)
			b = strconv.AppendInt(b, p.Idle.Milliseconds(), 10)
			b = strconv.AppendInt(append(b, 'x'), p.RetryCount, 10)
		}
	}
	return append(b, ';'), nil
}

// idsOf returns the ids of entries.
func idsOf(entries []miniredis.StreamEntry) []string {
	ids := make([]string, len(entries))
	for i, e := range entries {
		ids[i] = e.ID
	}
	return ids
}

// rankOf is how many entries have an id up to the given one.
func rankOf(ids []string, id string) int {
	n := 0
	for _, x := range ids {
		if !idLess(id, x) {
			n++
		}
	}
	return n
}

// idLess compares two stream ids of the form "time-sequence".
func idLess(a, b string) bool {
	at, as := splitID(a)
	bt, bs := splitID(b)
	return at < bt || at == bt && as < bs
}

func splitID(id string) (t, seq uint64) {
	left, right, _ := strings.Cut(id, "-")
	t, _ = strconv.ParseUint(left, 10, 64)
	seq, _ = strconv.ParseUint(right, 10, 64)
	return t, seq
}

// ready reports whether a group has an entry that nobody has got. Without the
// group or the stream the engine is left to answer.
func (w *World) ready(stream, group string) bool {
	if w.srv != nil {
		return w.srv.ready(stream, group)
	}
	if !w.mini.Exists(stream) {
		return true
	}
	groups, err := w.direct.XInfoGroups(context.Background(), stream).Result()
	if err != nil {
		return true
	}
	entries, err := w.mini.Stream(stream)
	if err != nil {
		return true
	}
	for _, g := range groups {
		if g.Name == group {
			return len(entries) > 0 && idLess(g.LastDeliveredID, entries[len(entries)-1].ID)
		}
	}
	return true
}

// handed is an entry that a fault has taken from its consumer and put into the
// hands of another, who has not looked yet.
type handed struct {
	to    redisgate.Reader
	entry redis.XMessage
}

// Hand redelivers a pending entry: it is claimed for another consumer of the group,
// as XCLAIM does for anybody who asks, and that one's waiting read returns with it.
// Who had it before is not told.
func (w *World) Hand(to redisgate.Reader, id string) error {
	got, err := w.direct.XClaim(context.Background(), &redis.XClaimArgs{
		Stream: to.Stream, Group: to.Group, Consumer: to.Consumer, Messages: []string{id},
	}).Result()
	if err != nil {
		return fmt.Errorf("redelivering entry %s of %s: %w", id, to.Stream, err)
	}
	if len(got) != 1 {
		return fmt.Errorf("redelivering entry %s of %s: it is not pending in %s", id, to.Stream, to.Group)
	}
	w.handed = append(w.handed, handed{to, got[0]})
	w.touch([]string{to.Stream}, false, "redelivered")
	return nil
}

// appendHanded appends what has been redelivered and not been read yet.
func (w *World) appendHanded(b []byte) []byte {
	for _, h := range w.handed {
		for _, s := range []string{h.to.Stream, h.to.Group, h.to.Consumer, h.entry.ID} {
			b = appendString(b, s)
		}
	}
	return b
}

// streams answers the gate's questions about readers that wait.
type streams struct{ w *World }

// Ready implements redisgate.Streams.
func (s streams) Ready(r redisgate.Reader) bool { return s.w.ready(r.Stream, r.Group) }

// Handed implements redisgate.Streams.
func (s streams) Handed(r redisgate.Reader) bool {
	return slices.ContainsFunc(s.w.handed, func(h handed) bool { return h.to == r })
}

// Take implements redisgate.Streams.
func (s streams) Take(r redisgate.Reader) (redis.XMessage, bool) {
	i := slices.IndexFunc(s.w.handed, func(h handed) bool { return h.to == r })
	if i < 0 {
		return redis.XMessage{}, false
	}
	m := s.w.handed[i].entry
	s.w.handed = slices.Delete(s.w.handed, i, i+1)
	return m, true
}

// streamNames lists the keys that hold streams, by name.
func (w *World) streamNames() (out []string) {
	if w.srv != nil {
		for _, k := range w.srv.sorted() {
			if w.srv.stream(k) != nil {
				out = append(out, k)
			}
		}
		return out
	}
	if w.mini == nil {
		return nil
	}
	for _, k := range w.mini.Keys() {
		if w.mini.Type(k) == "stream" {
			out = append(out, k)
		}
	}
	return out
}

// readStream returns the entries of a stream, oldest first, and its groups; nothing
// if there is no such key.
func (w *World) readStream(key string) ([]miniredis.StreamEntry, []streamGroup, error) {
	if w.srv != nil {
		if v := w.srv.stream(key); v != nil {
			return v.entries, v.groups, nil
		}
		return nil, nil, nil
	}
	entries, err := w.readEntries(key)
	if err != nil || entries == nil && (w.mini == nil || !w.mini.Exists(key)) {
		return nil, nil, err
	}
	groups, err := w.groups(key)
	return entries, groups, err
}

// readEntries returns the entries of a stream, oldest first.
func (w *World) readEntries(key string) ([]miniredis.StreamEntry, error) {
	if w.srv != nil {
		if v := w.srv.stream(key); v != nil {
			return v.entries, nil
		}
		return nil, nil
	}
	if w.mini == nil || !w.mini.Exists(key) {
		return nil, nil
	}
	return w.mini.Stream(key)
}

// Entry is a stream entry that has not been dealt with: unread, or read by
// somebody and not acknowledged.
type Entry struct {
	ID       string
	Fields   map[string]string
	Consumer string        // who has it; "" if unread
	Idle     time.Duration // since it was handed out
	Count    int64         // how often it was handed out
}

// InFlight returns the entries of a stream that are unread or pending in a group,
// in order.
func (w *World) InFlight(stream, group string) ([]Entry, error) {
	if w.free != nil {
		return w.inFlightFree(stream, group)
	}
	entries, groups, err := w.readStream(stream)
	if err != nil {
		return nil, err
	}
	pending := map[string]redis.XPendingExt{}
	delivered := ""
	for _, g := range groups {
		if g.name == group {
			delivered = g.delivered
			for _, p := range g.pending {
				pending[p.ID] = p
			}
		}
	}
	var out []Entry
	for _, e := range entries {
		x := Entry{ID: e.ID, Fields: map[string]string{}}
		for i := 0; i+1 < len(e.Values); i += 2 {
			x.Fields[e.Values[i]] = e.Values[i+1]
		}
		if p, ok := pending[e.ID]; ok {
			x.Consumer, x.Idle, x.Count = p.Consumer, p.Idle, p.RetryCount
			out = append(out, x)
		} else if delivered == "" || idLess(delivered, e.ID) {
			out = append(out, x)
		}
	}
	return out, nil
}

// Entries returns all entries of a stream, oldest first, as field maps.
func (w *World) Entries(stream string) ([]map[string]string, error) {
	if w.free != nil {
		return w.entriesFree(stream)
	}
	entries, err := w.readEntries(stream)
	if err != nil {
		return nil, err
	}
	var out []map[string]string
	for _, e := range entries {
		m := map[string]string{}
		for i := 0; i+1 < len(e.Values); i += 2 {
			m[e.Values[i]] = e.Values[i+1]
		}
		out = append(out, m)
	}
	return out, nil
}

// Streams renders the streams with groups and pending entries for the screen.
func (w *World) Streams() ([]trace.Stream, error) {
	if w.srv != nil {
		w.srv.look()
		if w.srv.failed != nil { // whatever a picture would show is not so
			return nil, w.srv.failed
		}
	}
	var out []trace.Stream
	for _, k := range w.streamNames() {
		entries, groups, err := w.readStream(k)
		if err != nil {
			return nil, err
		}
		s := trace.Stream{Name: k}
		ids := idsOf(entries)
		for i, e := range entries {
			x := trace.Entry{Rank: i + 1, Fields: strings.Join(pairs(e.Values), " ")}
			for _, g := range groups {
				for _, p := range g.pending {
					if p.ID == e.ID {
						x.Group, x.Consumer, x.Idle, x.Count = g.name, p.Consumer, p.Idle, p.RetryCount
					}
				}
				x.Delivered = x.Delivered || !idLess(g.delivered, e.ID)
			}
			s.Entries = append(s.Entries, x)
		}
		for _, g := range groups {
			s.Groups = append(s.Groups, trace.Group{Name: g.name, Delivered: rankOf(ids, g.delivered), Pending: len(g.pending)})
		}
		out = append(out, s)
	}
	return out, nil
}

func pairs(values []string) []string {
	var out []string
	for i := 0; i+1 < len(values); i += 2 {
		out = append(out, values[i]+"="+values[i+1])
	}
	return out
}
