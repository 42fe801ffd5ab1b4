package scene

import (
	"context"
	"testing"

	"flashlab/sim/explore"
	"flashlab/sim/scenario"
	"flashlab/sim/trace"
	"flashlab/sim/world"
)

// TestFlushBeside searches the release beside somebody who empties the cache of
// scripts: EVALSHA may find no script, and the text is sent then.
func TestFlushBeside(t *testing.T) {
	s := script().Scenario(scenario.NewParams(params(0)))
	whole := s.Actors
	s.Actors = func(w *world.World) []scenario.Actor {
		return append(whole(w), scenario.Actor{
			Name: trace.Verbatim("operator"), Node: "n9",
			Body: func(ctx context.Context) error { return w.Redis.ScriptFlush(ctx).Err() },
		})
	}
	run, err := scenario.Open(s)
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	res, err := explore.Run(context.Background(), run, len(s.Lights), explore.Limits{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !res.Complete || res.Lights[s.Light(scenario.NoMisdeletionLight)].Broken {
		t.Errorf("complete %v, %+v", res.Complete, res.Lights[s.Light(scenario.NoMisdeletionLight)])
	}
	t.Logf("%s interleavings", res.Interleavings)
}
