package live

import (
	"context"
	"testing"

	"flashlab/sim/live/livetest"
)

// Who joins a run works in its namespace and leaves its keys to who has opened it.
func TestJoin(t *testing.T) {
	srv := livetest.Start(t)
	to, err := Parse(Flags{URL: "redis://" + srv.Addr()}, func(string) string { return "" })
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	first, err := Open(ctx, to, true)
	if err != nil {
		t.Fatal(err)
	}
	second, err := Join(ctx, to, first.ID, true)
	if err != nil {
		t.Fatal(err)
	}
	c := second.Many(2)
	c.AddHook(second.Space)
	if err := c.Set(ctx, "k", "v", 0).Err(); err != nil {
		t.Error(err)
	}
	c.Close()
	if err := second.Close(); err != nil {
		t.Error(err)
	}
	own := first.Client()
	if v := own.Get(ctx, "k").Val(); v != "v" {
		t.Errorf("got %q", v)
	}
	own.Close()
	if err := first.Close(); err != nil {
		t.Error(err)
	}
	if n := srv.Client(t).DBSize(ctx).Val(); n != 0 {
		t.Errorf("%d keys are left", n)
	}
	if _, err := Join(ctx, to, "nobody", true); err == nil {
		t.Error("a name that is none was joined")
	}
}
