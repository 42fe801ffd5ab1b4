// Package source maps program counters to lines of lesson source.
//
// Frames are matched by function name, not by path, so that -trimpath, inlining
// and stripped binaries give the same answer. The package knows neither actors
// nor lessons: it is told which function prefixes are of interest. It must not
// read files; whoever shows a line holds the embedded text.
package source

import (
	"path"
	"runtime"
	"strings"
	"sync"
)

// Frame is one position in lesson source.
type Frame struct {
	Package string // last element of the import path, such as "oversell"
	File    string // base name, such as "lostupdate.go"
	Line    int    // 1-based
	Func    string // name without its package path, such as "(*Shop).LostUpdate"
}

// Resolver turns program counters into frames of the packages below Prefix.
// It is safe for concurrent use.
type Resolver struct {
	// Prefix selects functions by their full name, such as "flashlab/lessons/".
	Prefix string
	// Exclude drops packages whose import path ends so, such as "/scene".
	Exclude []string

	mu    sync.RWMutex
	cache map[uintptr][]Frame
}

// NewResolver returns a resolver for functions whose full name starts with prefix.
func NewResolver(prefix string, exclude ...string) *Resolver {
	return &Resolver{Prefix: prefix, Exclude: exclude, cache: map[uintptr][]Frame{}}
}

// Stack returns the matching frames of pcs, innermost first. pcs come from
// runtime.Callers.
func (r *Resolver) Stack(pcs []uintptr) []Frame {
	var out []Frame
	for _, pc := range pcs {
		out = append(out, r.at(pc)...)
	}
	return out
}

// at resolves a single counter. One counter can stand for several frames when
// functions were inlined, hence the slice.
func (r *Resolver) at(pc uintptr) []Frame {
	r.mu.RLock()
	f, ok := r.cache[pc]
	r.mu.RUnlock()
	if ok {
		return f
	}
	it := runtime.CallersFrames([]uintptr{pc})
	for {
		fr, more := it.Next()
		if pkg, fn, ok := r.match(fr.Function); ok {
			f = append(f, Frame{Package: path.Base(pkg), File: path.Base(fr.File), Line: fr.Line, Func: fn})
		}
		if !more {
			break
		}
	}
	r.mu.Lock()
	r.cache[pc] = f
	r.mu.Unlock()
	return f
}

// match splits "flashlab/lessons/oversell.(*Shop).Buy" into package and function.
func (r *Resolver) match(full string) (pkg, fn string, ok bool) {
	if !strings.HasPrefix(full, r.Prefix) {
		return "", "", false
	}
	slash := strings.LastIndexByte(full, '/')
	dot := strings.IndexByte(full[slash+1:], '.')
	if dot < 0 {
		return "", "", false
	}
	pkg, fn = full[:slash+1+dot], full[slash+2+dot:]
	for _, x := range r.Exclude {
		if strings.HasSuffix(pkg, x) {
			return "", "", false
		}
	}
	return pkg, fn, true
}
