package explore_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"flashlab/sim/explore"
)

// figures are what independent model checkers have counted for one scene.
type figures struct {
	Interleavings int            `json:"interleavings"`
	ByPreemptions map[string]int `json:"interleavings_by_preemptions"`
	Properties    map[string]struct {
		Bad           int  `json:"bad"`
		Shortest      *int `json:"shortest"`
		ShortestCount *int `json:"shortest_count"`
		MinPreempt    *int `json:"min_preempt"`
	} `json:"properties"`
}

func oracle(t *testing.T) map[string]figures {
	t.Helper()
	b, err := os.ReadFile("testdata/oracle.json")
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]figures
	if err := json.Unmarshal(b, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// The shapes of the oracle as real code, on each engine on which they exist.
var (
	redisShapes = map[string]buy{
		"NAIVE_SET": redisSet, "NAIVE_DECR": redisDecr, "LUA": redisScript, "DECR_CHECK": redisDecrCheck, "CAS": redisCAS,
	}
	sqlShapes = map[string]buy{
		"NAIVE_SET": sqlSet, "NAIVE_DECR": sqlDecr, "LUA": sqlGuarded, "DECR_CHECK": sqlDecrCheck, "CAS": sqlCAS,
	}
)

// TestOracle reproduces every figure of the sale by real code: in Redis with the
// order in the database, and in the database alone.
func TestOracle(t *testing.T) {
	scenes := 0
	for name, want := range oracle(t) {
		var buyers, stock int
		var shape string
		if n, _ := fmt.Sscanf(name, "oversell N=%d S=%d %s", &buyers, &stock, &shape); n != 3 {
			continue // another family
		}
		scenes++
		for engine, shapes := range map[string]map[string]buy{"redis": redisShapes, "sqlite": sqlShapes} {
			code := shapes[shape]
			if code == nil {
				t.Errorf("%s: there is no code for it on %s", name, engine)
				continue
			}
			x := sale{name: shape, buy: code, buyers: buyers, stock: stock, redis: engine == "redis"}
			t.Run(name+" "+engine, func(t *testing.T) {
				r, err := explore.Run(t.Context(), x.open(t), saleLights, explore.Limits{}, nil)
				if err != nil {
					t.Fatal(err)
				}
				compare(t, want, r)
			})
		}
	}
	if scenes < 11 {
		t.Errorf("the oracle has %d scenes of this family: some are missing", scenes)
	}
}

func compare(t *testing.T, want figures, r *explore.Result) {
	t.Helper()
	if !r.Complete {
		t.Fatalf("the search is not complete: %s", r.Bound)
	}
	check := func(what string, got, want int) {
		t.Helper()
		if got != want {
			t.Errorf("%s = %d, want %d", what, got, want)
		}
	}
	check("interleavings", int(r.Interleavings.Int64()), want.Interleavings)
	check("kinds of preemption counts", len(r.ByPreemptions), len(want.ByPreemptions))
	for k, n := range r.ByPreemptions {
		check(fmt.Sprintf("interleavings with %d preemptions", k), int(n.Int64()), want.ByPreemptions[fmt.Sprint(k)])
	}
	p, ok := want.Properties["OVERSELL"]
	if !ok {
		t.Fatal("the oracle says nothing of OVERSELL")
	}
	l := r.Lights[oversell]
	check("violating", int(l.Violating.Int64()), p.Bad)
	if l.Broken != (p.Shortest != nil) {
		t.Fatalf("broken = %v", l.Broken)
	}
	if l.Broken {
		check("shortest", l.Shortest, *p.Shortest)
		check("schedules that short", int(l.Ties.Int64()), *p.ShortestCount)
		check("fewest preemptions", l.Preemptions, *p.MinPreempt)
	}
}

// TestMultinomial: where there is stock for all nobody turns back, and the number
// of interleavings is known from the lengths alone.
func TestMultinomial(t *testing.T) {
	factorial := func(n int) int {
		f := 1
		for ; n > 1; n-- {
			f *= n
		}
		return f
	}
	for _, buyers := range []int{2, 3} {
		const steps = 3
		want := factorial(buyers * steps)
		for range buyers {
			want /= factorial(steps)
		}
		for shape, code := range map[string]buy{"redis": redisSet, "sqlite": sqlSet} {
			x := sale{name: shape, buy: code, buyers: buyers, stock: 100, redis: shape == "redis"}
			r, err := explore.Run(t.Context(), x.open(t), saleLights, explore.Limits{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := int(r.Interleavings.Int64()); got != want {
				t.Errorf("%s: %d interleavings, want %d", x, got, want)
			}
			if r.Lights[oversell].Broken {
				t.Errorf("%s oversells", x)
			}
		}
	}
}

// TestShapes keeps the table of shapes in step with the oracle's words.
func TestShapes(t *testing.T) {
	for name := range redisShapes {
		if strings.ToUpper(name) != name || sqlShapes[name] == nil {
			t.Errorf("shape %s is not on both engines", name)
		}
	}
}
