package scene_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2/server"

	"flashlab/lessons/luaunlock"
)

// TestPickUnlock: which release a server gets, by what it says of itself.
func TestPickUnlock(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct{ name, version, want string }{
		{"redis", "8.4.0", "DELEX"},
		{"redis", "8.6.1", "DELEX"},
		{"redis", "9.0.0", "DELEX"},
		{"redis", "10.0.0", "DELEX"},
		{"redis", "8.2.3", "EVALSHA"},
		{"redis", "7.4.7", "EVALSHA"},
		{"redis", "6.0.16", "EVALSHA"},
		{"valkey", "8.1.4", "EVALSHA"},
		{"valkey", "9.0.1", "EVALSHA"},
		{"redis", "", "EVALSHA"},
		{"redis", "unstable", "EVALSHA"},
		{"", "", "EVALSHA"}, // does not know HELLO
	} {
		m, rdb := engine(t)
		var got string
		m.Server().SetPreHook(func(p *server.Peer, cmd string, args ...string) bool {
			switch cmd = strings.ToUpper(cmd); {
			case cmd != "HELLO":
				if cmd == "DELEX" || cmd == "EVALSHA" {
					got = cmd
				}
				return false
			case c.name == "":
				p.WriteError("ERR unknown command 'HELLO'")
			default:
				p.WriteMapLen(2)
				for _, s := range []string{"server", c.name, "version", c.version} {
					p.WriteBulk(s)
				}
			}
			return true
		})
		unlock := luaunlock.PickUnlock(ctx, rdb)
		rdb.Set(ctx, lock, "A1", time.Minute)
		if err := unlock(ctx, rdb, lock, "A1"); err != nil || got != c.want {
			t.Errorf("%s %s releases with %s, want %s: %v", c.name, c.version, got, c.want, err)
		}
		if n := rdb.Exists(ctx, lock).Val(); n != 0 {
			t.Errorf("%s %s: the lock is still there", c.name, c.version)
		}
	}
}
