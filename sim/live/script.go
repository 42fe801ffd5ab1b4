package live

import (
	"context"
	_ "embed"
	"strings"

	"github.com/redis/go-redis/v9"
)

//go:embed shim.lua
var shim string

// unknownSHA names no script: what business code has not loaded itself it must not
// find, whoever else has.
const unknownSHA = "0000000000000000000000000000000000000000"

// behind returns a script behind the preamble that carries virtual time. Lines keep
// their numbers, for errors that name one.
func behind(source string) string {
	var b strings.Builder
	if strings.HasPrefix(source, "#!") {
		first, rest, _ := strings.Cut(source, "\n")
		b.WriteString(first + "\n")
		source = rest
	}
	for line := range strings.Lines(shim) {
		if !strings.HasPrefix(line, "--") {
			b.WriteString(strings.TrimSpace(line) + " ")
		}
	}
	b.WriteString(source)
	return b.String()
}

// changeScript puts the scripts that carry virtual time in the place of those that
// business code knows.
func (c *Clock) changeScript(ctx context.Context, cmd redis.Cmder, name string, args []any) (redis.Cmder, func()) {
	switch name {
	case "script":
		switch word(cmd, 1) {
		case "load":
			if len(args) != 3 {
				return cmd, nil
			}
			source := text(args[2])
			args[2] = behind(source)
			return cmd, func() {
				sha := c.learn(source)
				switch x := cmd.(type) {
				case *redis.StringCmd:
					x.SetVal(sha)
				case *redis.Cmd:
					x.SetVal(sha)
				}
			}
		case "exists":
			for i := 2; i < len(args); i++ {
				args[i] = c.known(text(args[i]))
			}
		}
	case "eval", "eval_ro", "evalsha", "evalsha_ro":
		if len(args) < 3 {
			return cmd, nil
		}
		n := append([]any(nil), args...)
		if strings.HasPrefix(name, "evalsha") {
			n[1] = c.known(text(args[1]))
		} else {
			// The server keeps it from now on, even if it fails.
			c.learn(text(args[1]))
			n[1] = behind(text(args[1]))
		}
		n = append(n, c.now(), c.base, c.Epoch.UnixMilli(), c.times, c.wide)
		send, answer := remake(ctx, cmd, n...)
		send.SetFirstKeyPos(3)
		return send, answer
	}
	return cmd, nil
}

// learn notes that business code has loaded a script and returns its SHA-1.
func (c *Clock) learn(source string) string {
	sha := redis.NewScript(source).Hash()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.scripts[sha] = redis.NewScript(behind(source)).Hash()
	return sha
}

func (c *Clock) known(sha string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if x := c.scripts[strings.ToLower(sha)]; x != "" {
		return x
	}
	return unknownSHA
}
