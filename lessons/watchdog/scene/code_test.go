package scene

import (
	"context"
	"strings"
	"testing"
	"time"

	"flashlab/lessons/lessontest"
	"flashlab/lessons/watchdog"
	"flashlab/lua"
	"flashlab/sim/proc"
	"flashlab/sim/scenario"
)

// Code that is not worth a variant, but that texts speak of.

// takeToken waits for a token lock.
func takeToken(ctx context.Context, s *watchdog.Shop, token string) error {
	for {
		ok, err := s.Redis.SetNX(ctx, key, token, watchdog.Lease).Result()
		if err != nil || ok {
			return err
		}
		if err := proc.Sleep(ctx, watchdog.Retry); err != nil {
			return err
		}
	}
}

// checkedRenewal is RenewalOutlives with a renewal that compares first.
func checkedRenewal(s *watchdog.Shop, ctx context.Context, _, _ int64) error {
	token := proc.Token(ctx)
	if err := takeToken(ctx, s, token); err != nil {
		return err
	}
	held, end := proc.WithCancel(ctx)
	defer end()
	proc.Go(held, "renewal", func(ctx context.Context) {
		for proc.Sleep(ctx, watchdog.Lease/3) == nil {
			lua.Renew(proc.WithoutCancel(ctx), s.Redis, key, token, watchdog.Lease)
		}
	})
	if err := proc.Sleep(held, s.Takes); err != nil {
		return err
	}
	_, err := lua.Unlock(ctx, s.Redis, key, token)
	return err
}

// TestCheckedRenewal: one that compares by script revives nothing, however late.
func TestCheckedRenewal(t *testing.T) {
	for _, sets := range []string{"buyers=1", "buyers=2"} {
		s := scene(t, checkedRenewal, params(2, 0, 10_000), sets)
		for i, l := range lessontest.Search(t, s).Lights {
			if l.Broken {
				t.Errorf("%s breaks %s: %v", sets, s.Lights[i].Name, l.Schedule)
			}
		}
	}
}

// nestedUnrenewed is NestedNonReentrant without its watchdog.
func nestedUnrenewed(s *watchdog.Shop, ctx context.Context, _, _ int64) error {
	for range 2 {
		token := proc.Token(ctx)
		if err := takeToken(ctx, s, token); err != nil {
			return err
		}
		defer func() { lua.Unlock(ctx, s.Redis, key, token) }()
	}
	return proc.Sleep(ctx, s.Takes)
}

// TestSavedByTheLease: without renewal the inner call gets in after 30 s.
func TestSavedByTheLease(t *testing.T) {
	s := scene(t, nestedUnrenewed, params(1, 0, 1000), "")
	res := lessontest.Search(t, s)
	if res.Lights[s.Light(scenario.ProgressLight)].Broken {
		t.Error("it waits for ever")
	}
	for _, f := range lessontest.Play(t, s, lessontest.First) {
		if e := f.Event; e != nil && strings.HasPrefix(e.Args, "SET") && strings.Contains(e.Args, "A2") && e.Reply == "OK" {
			if e.At != 30*time.Second {
				t.Errorf("the inner call is in after %v", e.At)
			}
			return
		}
	}
	t.Error("the inner call never gets in")
}

func scene(t *testing.T, f buy, decl []scenario.Param, sets string) *scenario.Scenario {
	t.Helper()
	p := scenario.NewParams(decl)
	if sets != "" {
		var err error
		if p, err = p.Set(sets); err != nil {
			t.Fatal(err)
		}
	}
	return orders("test", f, set{})(p)
}
