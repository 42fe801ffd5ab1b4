package live

import (
	"context"
	"sort"
	"strings"

	"github.com/redis/go-redis/v9"
)

// Left is what a run has on a server.
type Left struct {
	Run   string
	Keys  int
	Alive bool // it has a heartbeat: nothing was removed
}

// Clean removes the keys of runs without a heartbeat from every master and returns
// all runs that it found, by name. Keys that only look like the lab's, because no
// run can be read from their name, are left alone. Errors are [Trouble].
func Clean(ctx context.Context, t *Target) ([]Left, error) {
	all := t.universal()
	defer all.Close()
	if err := within(ctx, func(ctx context.Context) error { return all.Ping(ctx).Err() }); err != nil {
		return nil, t.wrap(looking, err)
	}
	c := &cleaner{all: all, alive: map[string]bool{}, found: map[string]*Left{}}
	// A large server takes its time; ctx ends it.
	err := masters(ctx, all, c.clean)
	var out []Left
	for _, l := range c.found {
		out = append(out, *l)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Run < out[j].Run })
	return out, t.wrap(cleaning, err)
}

type cleaner struct {
	all   redis.UniversalClient
	alive map[string]bool // by prefix
	found map[string]*Left
}

func (c *cleaner) clean(ctx context.Context, one *redis.Client) error {
	return scan(ctx, one, root+"*", func(keys []string) error {
		var dead []string
		for _, k := range keys {
			run, prefix, ok := owner(k)
			if !ok {
				continue
			}
			alive, known := c.alive[prefix]
			if !known {
				n, err := c.all.Exists(ctx, prefix+heartbeat).Result()
				if err != nil {
					return err
				}
				alive = n > 0
				c.alive[prefix] = alive
			}
			l := c.found[run]
			if l == nil {
				l = &Left{Run: run, Alive: alive}
				c.found[run] = l
			}
			l.Keys++
			if !alive {
				dead = append(dead, k)
			}
		}
		return unlink(ctx, one, dead)
	})
}

// owner reads from a key which run it belongs to: the names of runs are twelve
// hexadecimal digits, with or without the braces of a hash tag.
func owner(key string) (run, prefix string, ok bool) {
	rest := strings.TrimPrefix(key, root)
	tag, _, ok := strings.Cut(rest, ":")
	if !ok {
		return "", "", false
	}
	run = tag
	if strings.HasPrefix(tag, "{") && strings.HasSuffix(tag, "}") {
		run = tag[1 : len(tag)-1]
	}
	if len(run) != 12 || strings.Trim(run, "0123456789abcdef") != "" {
		return "", "", false
	}
	return run, root + tag + ":", true
}
