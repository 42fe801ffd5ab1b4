package luaunlock

import (
	"context"
	"fmt"

	"github.com/redis/go-redis/v9"

	"flashlab/lua"
)

// Unlock deletes the key of a lock if it holds the token, in one step. The error
// is nil only if it did.
type Unlock func(
	ctx context.Context, rdb *redis.Client, key, token string,
) error

// PickUnlock asks a server, once and at the start, who it is: DELEX came with
// Redis 8.4. Whoever cannot say gets the script, which every server knows.
func PickUnlock(ctx context.Context, rdb *redis.Client) Unlock {
	conn := rdb.Conn()
	defer conn.Close()
	hello, err := conn.Hello(ctx, rdb.Options().Protocol, "", "", "").Result()
	if err != nil || !knowsDELEX(hello) {
		return byScript
	}
	return byCommand
}

func knowsDELEX(hello map[string]any) bool {
	var major, minor int
	version, _ := hello["version"].(string)
	if _, err := fmt.Sscanf(version, "%d.%d", &major, &minor); err != nil {
		return false
	}
	// Valkey counts versions of its own.
	return hello["server"] != "valkey" && (major > 8 || major == 8 && minor >= 4)
}

func byCommand(
	ctx context.Context, rdb *redis.Client, key, token string,
) error {
	is := redis.DelExArgs{Mode: "IFEQ", MatchValue: token}
	n, err := rdb.DelExArgs(ctx, key, is).Result()
	if err != nil {
		return fmt.Errorf("releasing lock %s: %w", key, err)
	}
	if n == 0 {
		return ErrLost // expired or taken: DELEX does not say which
	}
	return nil
}

func byScript(
	ctx context.Context, rdb *redis.Client, key, token string,
) error {
	return released(lua.Unlock(ctx, rdb, key, token))
}

// released tells the outcomes of a release apart.
func released(outcome lua.Outcome, err error) error {
	switch {
	case err != nil:
		return err
	case outcome == lua.Expired:
		return ErrExpired
	case outcome == lua.Foreign:
		return ErrTaken
	}
	return nil
}
