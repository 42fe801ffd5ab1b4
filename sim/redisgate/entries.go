package redisgate

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/redis/go-redis/v9"
)

// entriesText renders the answers of stream commands, which go-redis takes apart:
// "1-0 id=101 userId=1". ok is false for other commands.
func entriesText(cmd redis.Cmder) (text string, ok bool) {
	switch c := cmd.(type) {
	case *redis.XStreamSliceCmd:
		var all []redis.XMessage
		for _, s := range c.Val() {
			all = append(all, s.Messages...)
		}
		return entryList(all), true
	case *redis.XMessageSliceCmd:
		return entryList(c.Val()), true
	case *redis.XAutoClaimCmd:
		claimed, _ := c.Val()
		return entryList(claimed), true
	case *redis.XPendingExtCmd:
		var parts []string
		for _, p := range c.Val() {
			parts = append(parts, fmt.Sprintf("%s %s idle=%s deliveries=%d", p.ID, p.Consumer, p.Idle, p.RetryCount))
		}
		return list(parts), true
	}
	return "", false
}

func entryList(entries []redis.XMessage) string {
	var parts []string
	for _, e := range entries {
		s := e.ID
		for _, field := range slices.Sorted(maps.Keys(e.Values)) {
			s += fmt.Sprintf(" %s=%v", field, e.Values[field])
		}
		parts = append(parts, s)
	}
	return list(parts)
}

// list joins what was found; redis-cli shows an empty list in the same words.
func list(parts []string) string {
	if len(parts) == 0 {
		return "(empty array)"
	}
	return strings.Join(parts, ", ")
}
