package world

import (
	"time"
)

// Exists reports whether a key is in the embedded Redis now.
func (w *World) Exists(key string) bool { return w.mini != nil && w.mini.Exists(key) }

// TTL is the remaining time of a key, 0 if it has none or does not exist.
func (w *World) TTL(key string) time.Duration {
	if w.mini == nil || !w.mini.Exists(key) {
		return 0
	}
	return w.mini.TTL(key)
}

// Expire ends the lease of a key now, as the environment does.
func (w *World) Expire(key string) {
	w.mini.Del(key)
	w.touch([]string{key}, false, "expired")
}

// Expiries calls f with the virtual instant at which each key expires.
func (w *World) Expiries(f func(time.Duration)) {
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
