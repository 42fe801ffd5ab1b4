package world

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strconv"

	"flashlab/sim"
	"flashlab/sim/redisgate"
	"flashlab/sim/trace"
)

// AppendKey appends the whole state: committed rows, open transactions, Redis
// and the kernel's actors. Equal keys mean equal futures.
func (w *World) AppendKey(b []byte) ([]byte, error) {
	if w.srv != nil {
		return b, errors.New("the state of a live server is not compared: explore on the embedded engine")
	}
	if err := w.load(); err != nil {
		return b, err
	}
	w.Store.Mark(w.rows.id)
	b = binary.LittleEndian.AppendUint32(b, w.rows.id)
	b = w.Store.AppendKey(b, w.Kernel.Actors)
	b = append(b, '/')
	if w.mini != nil {
		var err error
		if b, err = w.appendRedis(b); err != nil {
			return b, err
		}
		b = w.appendWatches(b)
		b = w.appendHanded(b)
		b = w.Topics.AppendKey(b)
		if w.recached {
			for _, sha := range w.pool.Loaded() {
				b = appendString(b, sha)
			}
			b = append(b, '/')
		}
		b = binary.LittleEndian.AppendUint32(b, uint32(w.drawn))
	}
	return w.Kernel.AppendKey(b), nil
}

// Loaded must be called after every step that is not followed by AppendKey, so
// that transactions know which rows their snapshot shows.
func (w *World) Loaded() error {
	if err := w.loadAhead(); err != nil || !w.Store.NeedsMark() {
		return err
	}
	if err := w.load(); err != nil {
		return err
	}
	w.Store.Mark(w.rows.id)
	return nil
}

// loadAhead reads the rows while that is possible: on the memory engine it is not
// once a transaction holds the write lock.
func (w *World) loadAhead() error {
	if w.cfg.Engine != Memory || !w.Store.Transactions() || w.Store.Writer() != nil {
		return nil
	}
	return w.load()
}

// appendRedis appends every key with type, value and remaining time to live.
func (w *World) appendRedis(b []byte) ([]byte, error) {
	for _, k := range w.mini.Keys() {
		b = appendString(b, k)
		b = strconv.AppendInt(b, w.mini.TTL(k).Milliseconds(), 10)
		var err error
		if b, err = w.appendRedisValue(b, k); err != nil {
			return b, err
		}
	}
	return append(b, '/'), nil
}

func (w *World) appendRedisValue(b []byte, k string) ([]byte, error) {
	switch typ := w.mini.Type(k); typ {
	case "string":
		v, _ := w.mini.Get(k)
		return appendString(append(b, 's'), v), nil
	case "hash":
		b = append(b, 'h')
		f, _ := w.mini.HKeys(k)
		sort.Strings(f)
		for _, x := range f {
			b = appendString(appendString(b, x), w.mini.HGet(k, x))
		}
		return append(b, ';'), nil
	case "set":
		b = append(b, 'm')
		m, _ := w.mini.SMembers(k)
		sort.Strings(m)
		for _, x := range m {
			b = appendString(b, x)
		}
		return append(b, ';'), nil
	case "list":
		b = append(b, 'l')
		l, _ := w.mini.List(k)
		for _, x := range l {
			b = appendString(b, x)
		}
		return append(b, ';'), nil
	case "zset":
		b = append(b, 'z')
		m, _ := w.mini.SortedSet(k)
		names := make([]string, 0, len(m))
		for x := range m {
			names = append(names, x)
		}
		sort.Strings(names)
		for _, x := range names {
			b = strconv.AppendFloat(appendString(b, x), m[x], 'g', -1, 64)
		}
		return append(b, ';'), nil
	case "stream":
		return w.appendStream(append(b, 'x'), k)
	default:
		return b, fmt.Errorf("the key %s holds a %s, which a state cannot be compared by yet", k, typ)
	}
}

// appendString appends s so that no two lists of strings look alike.
func appendString(b []byte, s string) []byte {
	b = append(strconv.AppendInt(b, int64(len(s)), 10), ':')
	return append(b, s...)
}

// watch is what an actor watches between WATCH and EXEC, with everything that has
// been done to those keys since. The engine's own dirty flag cannot be read; the
// history decides it.
type watch struct {
	actor *sim.Actor
	keys  []string
	since sim.HistoryID
}

// Observe keeps what the engine does not show in step with a finished operation:
// watches, scripts and the engine's random numbers. The scenario calls it for
// every operation.
func (w *World) Observe(a *sim.Actor, op *sim.Op, reply error) {
	if op.Kind != sim.KindRedis || !w.cfg.Redis {
		return
	}
	cmds := redisgate.Commands(op.Detail)
	if w.srv == nil {
		w.published(cmds)
	}
	for _, cmd := range cmds {
		switch name := cmd.Name(); name {
		case "watch":
			w.watches = append(w.watches, watch{actor: a, keys: redisgate.Keys(cmd)})
		case "exec":
			w.unwatch(a)
		case "eval", "script":
			w.recached = true // which scripts are known then, the engine tells
		case "spop", "srandmember", "hrandfield", "zrandmember", "randomkey":
			w.drawn, _ = w.Kernel.Histories.Append(w.drawn, []byte(cmd.String()))
		}
		if len(w.watches) > 0 {
			keys, all := redisgate.Writes(cmd)
			w.touch(keys, all, a.Letter()+op.Detail.Reply())
		}
	}
}

// touch notes that something may have happened to some keys, or to any.
func (w *World) touch(keys []string, all bool, what string) {
	for i := range w.watches {
		x := &w.watches[i]
		hit := all
		for _, k := range x.keys {
			hit = hit || slices.Contains(keys, k)
		}
		if hit {
			x.since, _ = w.Kernel.Histories.Append(x.since, []byte(what))
		}
	}
}

func (w *World) unwatch(a *sim.Actor) {
	for i := range w.watches {
		if w.watches[i].actor == a {
			w.watches = append(w.watches[:i], w.watches[i+1:]...)
			return
		}
	}
}

func (w *World) appendWatches(b []byte) []byte {
	sort.Slice(w.watches, func(i, j int) bool { return w.watches[i].actor.ID < w.watches[j].actor.ID })
	for _, x := range w.watches {
		if x.actor.State() == sim.Parked {
			b = binary.LittleEndian.AppendUint32(append(b, 'W', byte(x.actor.ID)), uint32(x.since))
		}
	}
	return b
}

// Keys renders Redis for the screen, sorted by name.
func (w *World) Keys() []trace.Key {
	if w.srv != nil {
		return w.srv.keys()
	}
	if w.mini == nil {
		return nil
	}
	var out []trace.Key
	for _, k := range w.mini.Keys() {
		ttl := w.mini.TTL(k)
		if ttl == 0 {
			ttl = -1
		}
		out = append(out, trace.Key{Name: k, Type: w.mini.Type(k), Value: w.valueText(k), TTL: ttl})
	}
	return out
}

func (w *World) valueText(k string) string {
	switch w.mini.Type(k) {
	case "string":
		v, _ := w.mini.Get(k)
		return v
	case "hash":
		f, _ := w.mini.HKeys(k)
		sort.Strings(f)
		s := ""
		for i, x := range f {
			if i > 0 {
				s += " "
			}
			s += x + "=" + w.mini.HGet(k, x)
		}
		return s
	case "set":
		m, _ := w.mini.SMembers(k)
		sort.Strings(m)
		s := "{"
		for i, x := range m {
			if i > 0 {
				s += " "
			}
			s += x
		}
		return s + "}"
	}
	return ""
}
