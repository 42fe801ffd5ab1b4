package redisgate

import (
	"fmt"
	"strings"
	"testing"
)

func TestPositions(t *testing.T) {
	for line, want := range map[string]string{
		"GET k":               "[1]",
		"set k v ex 30 nx":    "[1]",
		"DEL a b c":           "[1 2 3]",
		"MSET a 1 b 2":        "[1 3]",
		"RENAME a b":          "[1 2]",
		"SMOVE a b m":         "[1 2]",
		"EVAL return 2 a b x": "[3 4]",
		"EVALSHA sha 0 x":     "[]",
		"XREADGROUP GROUP g c COUNT 1 BLOCK 0 STREAMS a b > >": "[9 10]",
		"XREAD STREAMS a 0":   "[2]",
		"XGROUP CREATE s g 0": "[2]",
		"XINFO GROUPS s":      "[2]",
		"OBJECT ENCODING k":   "[2]",
		"BLPOP a b 0":         "[1 2]",
		"PING":                "[]",
		"MULTI":               "[]",
		"FLUSHALL":            "unknown",
		"FLUSHDB":             "unknown",
		"CONFIG SET a b":      "unknown",
		"RANDOMKEY":           "unknown",
		"SORT k BY other_*":   "unknown",
		"MIGRATE h p k 0 1":   "unknown",
		"SHUTDOWN":            "unknown",
		"GET":                 "unknown",
		"EVAL return 3 a":     "unknown",
		"EVAL return x a":     "unknown",
		"XREAD STREAMS a b 0": "unknown",
		"NOSUCHCOMMAND k":     "unknown",
		"FCALL f 1 k":         "unknown",
	} {
		var args []any
		for _, w := range strings.Fields(line) {
			args = append(args, w)
		}
		at, ok := Positions(args)
		got := fmt.Sprint(at)
		if !ok {
			got = "unknown"
		}
		if got != want {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
	if _, ok := Positions(nil); ok {
		t.Error("no command has keys")
	}
}
