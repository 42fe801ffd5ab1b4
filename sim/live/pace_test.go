package live

import (
	"errors"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"flashlab/sim/live/livetest"
	"flashlab/sim/proc"
)

// TestPaced: a lease is as many times shorter on the server as the pace says, never
// shorter than that, and is told in the lesson's time, by commands and by scripts, with
// any number of clocks.
func TestPaced(t *testing.T) {
	const times = 100
	s := livetest.Start(t)
	r := open(t, target(t, "redis://"+s.Addr()))
	pace := proc.NewPace(time.Now(), times)
	ctx := t.Context()
	var clients []*redis.Client
	for range 2 {
		clock, err := r.Paced(pace)
		if err != nil {
			t.Fatal(err)
		}
		c := r.Client(clock)
		defer c.Close()
		clients = append(clients, c)
	}
	raw := r.Client()
	defer raw.Close()
	const lease = 30 * time.Second
	for name, set := range map[string]func(c *redis.Client) error{
		"SET PX": func(c *redis.Client) error { return c.Set(ctx, "k", "v", lease).Err() },
		"SETEX":  func(c *redis.Client) error { return c.Do(ctx, "SETEX", "k", 30, "v").Err() },
		"EXPIRE": func(c *redis.Client) error {
			return errors.Join(c.Set(ctx, "k", "v", 0).Err(), c.Expire(ctx, "k", lease).Err())
		},
		"script": func(c *redis.Client) error {
			return c.Eval(ctx, "return redis.call('SET', KEYS[1], 'v', 'PX', ARGV[1])", []string{"k"}, lease.Milliseconds()).Err()
		},
	} {
		for i, c := range clients {
			before := time.Now()
			if err := set(c); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			real := raw.PTTL(ctx, "k").Val()
			took := time.Since(before)
			// Both clocks round up, by less than 2 ms each.
			if real > lease/times+4*time.Millisecond || real < lease/times-took-time.Millisecond {
				t.Errorf("%s, clock %d: %v on the server, after %v", name, i, real, took)
			}
			for j, other := range clients {
				told := other.PTTL(ctx, "k").Val()
				byScript, err := other.Eval(ctx, "return redis.call('PTTL', KEYS[1])", []string{"k"}).Int64()
				took := time.Since(before)
				low, high := lease-(took+2*time.Millisecond)*times, lease+4*time.Millisecond*times
				for _, d := range []time.Duration{told, time.Duration(byScript) * time.Millisecond} {
					if err != nil || d < low || d > high {
						t.Errorf("%s, clocks %d and %d: %v left after %v (%v)", name, i, j, d, took, err)
					}
				}
			}
		}
	}
	// What is there has time left, however little: whoever waits for it must not be told
	// that it has none, or a negative one.
	if err := clients[0].Set(ctx, "short", "v", 200*time.Millisecond).Err(); err != nil {
		t.Fatal(err)
	}
	for range 200 {
		n, err := clients[1].Eval(ctx, "if redis.call('EXISTS', KEYS[1]) == 0 then return -9 end return redis.call('PTTL', KEYS[1])", []string{"short"}).Int64()
		if err != nil {
			t.Fatal(err)
		}
		if n == -9 {
			return
		}
		if n < 1 {
			t.Fatalf("the key is there, and %d ms are left", n)
		}
	}
	t.Error("a lease of 2 ms does not end")
}
