package world

import (
	"encoding/binary"
	"sort"
	"strconv"

	"flashlab/sim"
	"flashlab/sim/redisgate"
	"flashlab/sim/trace"
)

// AppendKey appends the whole state: committed rows, open transactions, Redis
// and the kernel's actors. Equal keys mean equal futures.
func (w *World) AppendKey(b []byte) ([]byte, error) {
	if err := w.load(); err != nil {
		return b, err
	}
	w.Store.Mark(w.rows.id)
	b = binary.LittleEndian.AppendUint32(b, w.rows.id)
	b = w.Store.AppendKey(b, w.Kernel.Actors, w.rows.id)
	b = append(b, '/')
	if w.mini != nil {
		b = w.appendRedis(b)
		b = w.appendWatches(b)
	}
	return w.Kernel.AppendKey(b), nil
}

// Loaded must be called after every step that is not followed by AppendKey, so
// that transactions know which rows their snapshot shows.
func (w *World) Loaded() error {
	if !w.Store.NeedsMark() {
		return nil
	}
	if err := w.load(); err != nil {
		return err
	}
	w.Store.Mark(w.rows.id)
	return nil
}

// appendRedis appends every key with type, value and remaining time to live.
func (w *World) appendRedis(b []byte) []byte {
	for _, k := range w.mini.Keys() {
		b = appendString(b, k)
		b = strconv.AppendInt(b, w.mini.TTL(k).Milliseconds(), 10)
		b = w.appendRedisValue(b, k)
	}
	return b
}

func (w *World) appendRedisValue(b []byte, k string) []byte {
	switch typ := w.mini.Type(k); typ {
	case "string":
		v, _ := w.mini.Get(k)
		return appendString(append(b, 's'), v)
	case "hash":
		b = append(b, 'h')
		f, _ := w.mini.HKeys(k)
		sort.Strings(f)
		for _, x := range f {
			b = appendString(appendString(b, x), w.mini.HGet(k, x))
		}
		return append(b, ';')
	case "set":
		b = append(b, 'm')
		m, _ := w.mini.SMembers(k)
		sort.Strings(m)
		for _, x := range m {
			b = appendString(b, x)
		}
		return append(b, ';')
	case "list":
		b = append(b, 'l')
		l, _ := w.mini.List(k)
		for _, x := range l {
			b = appendString(b, x)
		}
		return append(b, ';')
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
		return append(b, ';')
	default:
		return appendString(append(b, '?'), typ)
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

// Observe keeps the watches in step with a finished operation. The scenario calls
// it for every operation.
func (w *World) Observe(a *sim.Actor, op *sim.Op, reply error) {
	if op.Kind != sim.KindRedis || w.mini == nil {
		return
	}
	cmds := redisgate.Commands(op.Detail)
	for _, cmd := range cmds {
		switch cmd.Name() {
		case "watch":
			w.watches = append(w.watches, watch{actor: a, keys: redisgate.Keys(cmd)})
		case "exec":
			w.unwatch(a)
		}
	}
	if len(w.watches) == 0 {
		return
	}
	for _, acc := range op.Detail.Accesses() {
		if acc.Write {
			w.touch(acc.Resource, a.Letter()+op.Detail.Reply())
		}
	}
}

// touch notes that something happened to a key.
func (w *World) touch(key, what string) {
	for i := range w.watches {
		for _, k := range w.watches[i].keys {
			if k == key {
				w.watches[i].since = w.Kernel.Histories.Append(w.watches[i].since, []byte(what))
			}
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
