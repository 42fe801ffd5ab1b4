package redisgate

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"
)

// appendReply appends the canonical answer of a command. Two answers that the
// caller can tell apart must differ here; errors are added by the kernel.
func appendReply(b []byte, cmd redis.Cmder) []byte {
	switch c := cmd.(type) {
	case *redis.StringCmd:
		return append(b, c.Val()...)
	case *redis.StatusCmd:
		return append(b, c.Val()...)
	case *redis.IntCmd:
		return strconv.AppendInt(b, c.Val(), 10)
	case *redis.BoolCmd:
		return strconv.AppendBool(b, c.Val())
	case *redis.DurationCmd:
		return strconv.AppendInt(b, int64(c.Val()), 10)
	case *redis.Cmd:
		return appendValue(b, c.Val())
	case *redis.SliceCmd:
		return appendValue(b, c.Val())
	case *redis.StringSliceCmd:
		for _, s := range c.Val() {
			b = appendText(b, s)
		}
		return b
	case *redis.MapStringStringCmd:
		m := c.Val()
		for _, k := range slices.Sorted(maps.Keys(m)) {
			b = appendText(appendText(b, k), m[k])
		}
		return b
	}
	if err := cmd.Err(); err != nil {
		return append(b, err.Error()...)
	}
	// Rendered with its arguments: longer than needed, but exact for every type.
	return append(b, cmd.String()...)
}

func appendValue(b []byte, v any) []byte {
	switch x := v.(type) {
	case nil:
		return append(b, '_')
	case string:
		return appendText(append(b, '$'), x)
	case int64:
		return strconv.AppendInt(append(b, ':'), x, 10)
	case []any:
		b = append(strconv.AppendInt(append(b, '*'), int64(len(x)), 10), ':')
		for _, e := range x {
			b = appendValue(b, e)
		}
		return b
	}
	return fmt.Appendf(b, "%T%v", v, v)
}

// appendText appends s with its length, so that no two lists of texts look alike.
func appendText(b []byte, s string) []byte {
	b = append(strconv.AppendInt(b, int64(len(s)), 10), ':')
	return append(b, s...)
}

// replyText renders an answer the way redis-cli users know it.
func replyText(cmd redis.Cmder) string {
	if err := cmd.Err(); err != nil {
		if errors.Is(err, redis.Nil) {
			return "(nil)"
		}
		return err.Error()
	}
	switch c := cmd.(type) {
	case *redis.StringCmd:
		return c.Val()
	case *redis.StatusCmd:
		return c.Val()
	case *redis.IntCmd:
		return strconv.FormatInt(c.Val(), 10)
	case *redis.BoolCmd:
		// SET NX answers OK or nil; go-redis makes a boolean of it.
		if cmd.Name() == "set" {
			if c.Val() {
				return "OK"
			}
			return "(nil)"
		}
		if c.Val() {
			return "1"
		}
		return "0"
	case *redis.DurationCmd:
		return c.Val().String()
	case *redis.Cmd:
		return valueText(c.Val())
	case *redis.SliceCmd:
		return valueText(c.Val())
	case *redis.StringSliceCmd:
		return "[" + strings.Join(c.Val(), " ") + "]"
	}
	if text, ok := entriesText(cmd); ok {
		return text
	}
	// The generic form is "args...: value".
	s := cmd.String()
	if i := strings.LastIndex(s, ": "); i >= 0 {
		return s[i+2:]
	}
	return s
}

func valueText(v any) string {
	switch x := v.(type) {
	case nil:
		return "(nil)"
	case []any:
		parts := make([]string, len(x))
		for i, e := range x {
			parts[i] = valueText(e)
		}
		return "[" + strings.Join(parts, " ") + "]"
	}
	return fmt.Sprint(v)
}
