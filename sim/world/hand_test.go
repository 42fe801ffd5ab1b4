package world

import (
	"context"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"flashlab/sim/redisgate"
)

// TestHand: an entry that is pending with one reader is handed to another one, who
// gets it at its waiting read and once; until then it is part of the state. What is
// not pending cannot be handed out.
func TestHand(t *testing.T) {
	w, err := Open(Config{Redis: true})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := w.Reset(); err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	if err := w.Direct().XGroupCreateMkStream(ctx, "s", "g", "0").Err(); err != nil {
		t.Fatal(err)
	}
	id, err := w.Direct().XAdd(ctx, &redis.XAddArgs{Stream: "s", Values: []string{"user", "1"}}).Result()
	if err != nil {
		t.Fatal(err)
	}
	to := redisgate.Reader{Stream: "s", Group: "g", Consumer: "c2"}
	if err := w.Hand(to, id); err == nil {
		t.Error("an entry that nobody has read was handed out")
	}
	if err := w.Direct().XReadGroup(ctx, &redis.XReadGroupArgs{Group: "g", Consumer: "c1", Streams: []string{"s", ">"}}).Err(); err != nil {
		t.Fatal(err)
	}
	key := func() string {
		b, err := w.AppendKey(nil)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	if err := w.Hand(to, id); err != nil {
		t.Fatal(err)
	}
	waiting := key()

	gate := streams{w}
	if gate.Handed(redisgate.Reader{Stream: "s", Group: "g", Consumer: "c1"}) || !gate.Handed(to) {
		t.Error("the entry is in the wrong hands")
	}
	if m, ok := gate.Take(to); !ok || m.ID != id || m.Values["user"] != "1" {
		t.Errorf("c2 gets %v, %v", m, ok)
	}
	if _, ok := gate.Take(to); ok || gate.Handed(to) {
		t.Error("c2 gets it twice")
	}
	if key() == waiting {
		t.Error("whether c2 has looked is not part of the state")
	}
	list, err := w.InFlight("s", "g")
	if err != nil || len(list) != 1 || list[0].Consumer != "c2" || list[0].Count != 2 {
		t.Errorf("in flight: %v, %v", list, err)
	}
}

// TestStreamIDs: an id tells when its entry was made, and whoever reads it sees
// that: the same order queued at another time is another state.
func TestStreamIDs(t *testing.T) {
	w, err := Open(Config{Redis: true})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	var keys []string
	for _, at := range []time.Duration{0, time.Second} {
		if err := w.Reset(); err != nil {
			t.Fatal(err)
		}
		w.Advance(at)
		if err := w.Direct().XAdd(context.Background(), &redis.XAddArgs{Stream: "s", Values: []string{"user", "1"}}).Err(); err != nil {
			t.Fatal(err)
		}
		w.Advance(time.Minute)
		b, err := w.AppendKey(nil)
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, string(b))
	}
	if keys[0] == keys[1] {
		t.Error("the time of an entry is not part of the state")
	}
}
