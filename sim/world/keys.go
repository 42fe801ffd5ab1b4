package world

import (
	"time"
)

// Exists reports whether a key is in Redis now.
func (w *World) Exists(key string) bool {
	if w.srv != nil {
		return w.srv.look()[key] != nil
	}
	if w.free != nil {
		return w.existsFree(key)
	}
	return w.mini != nil && w.mini.Exists(key)
}

// TTL is the remaining time of a key, 0 if it has none or does not exist.
func (w *World) TTL(key string) time.Duration {
	if w.srv != nil {
		return w.srv.left(w.srv.look()[key])
	}
	if w.free != nil {
		return w.ttlFree(key)
	}
	if w.mini == nil || !w.mini.Exists(key) {
		return 0
	}
	return w.mini.TTL(key)
}

// Expire ends the lease of a key now, as the environment does.
func (w *World) Expire(key string) {
	if w.srv != nil {
		w.srv.remove(key)
	} else {
		w.mini.Del(key)
	}
	w.touch([]string{key}, false, "expired")
}

// Expiries calls f with the virtual instant at which each key expires.
func (w *World) Expiries(f func(time.Duration)) {
	if w.srv != nil {
		for _, v := range w.srv.look() {
			if v.leased {
				f(v.expires)
			}
		}
	}
	if w.mini == nil {
		return
	}
	for _, k := range w.mini.Keys() {
		if ttl := w.mini.TTL(k); ttl > 0 {
			f(w.Kernel.Now + ttl)
		}
	}
}

// ScriptName returns the name of a script of the scenario by its SHA-1, or "".
func (w *World) ScriptName(sha string) string { return w.scripts[sha] }
