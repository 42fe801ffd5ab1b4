// Package lua holds the Lua scripts of the shop and a typed Go function for each:
// locks with a token (Unlock, Renew), the re-entrant lock of Redisson
// (AcquireReentrant, ReleaseReentrant, RenewReentrant), the sale (Sell), the end of
// an order that cannot be booked (Bury) and a limit in front of it all (Permit).
//
// Each call is one EVALSHA where the script is loaded, and a second command, EVAL,
// where it is not (Redis documentation, "Scripting with Lua"): load them in setup,
// with [Load]. In a pipeline nothing sends the second one; a pipeline after SCRIPT
// FLUSH fails with NOSCRIPT.
//
// The package must not decide anything that a script has to decide, keep state, wait
// or retry; and no script may write before everything that can fail has been looked
// at, because Redis does not take back what a failed script has written.
package lua

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

//go:embed *.lua
var files embed.FS

// Sources returns the source of every script by its name: "unlock", "seckill", ...
func Sources() map[string]string {
	names, err := fs.Glob(files, "*.lua")
	if err != nil {
		panic(err) // the pattern is bad
	}
	sources := make(map[string]string, len(names))
	for _, name := range names {
		sources[strings.TrimSuffix(name, ".lua")] = source(name)
	}
	return sources
}

func source(file string) string {
	b, err := files.ReadFile(file)
	if err != nil {
		panic(err) // embedded at build time
	}
	return string(b)
}

func script(name string) *redis.Script { return redis.NewScript(source(name + ".lua")) }

// Load loads every script, in the order of their names. A cluster client loads them
// on every shard.
func Load(ctx context.Context, c redis.Scripter) error {
	sources := Sources()
	names := make([]string, 0, len(sources))
	for name := range sources {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if err := c.ScriptLoad(ctx, sources[name]).Err(); err != nil {
			return fmt.Errorf("loading the script %s: %w", name, err)
		}
	}
	return nil
}

// ErrLease says that a lease is shorter than Redis can measure. A lease of 0 ms
// would not be short: PEXPIRE deletes the lock.
var ErrLease = errors.New("a lease must be at least 1 ms")

// ErrAnswer says that a script has answered what it never answers: the server runs
// another script under this SHA, or a proxy has changed the reply.
var ErrAnswer = errors.New("unexpected answer")

// milliseconds returns a lease as Redis wants it, fractions of a millisecond cut off.
func milliseconds(lease time.Duration) (int64, error) {
	if lease < time.Millisecond {
		return 0, fmt.Errorf("%w, not %v", ErrLease, lease)
	}
	return lease.Milliseconds(), nil
}
