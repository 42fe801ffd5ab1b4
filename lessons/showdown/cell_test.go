package showdown

import (
	"context"
	"testing"
	"time"

	"flashlab/sim/live"
	"flashlab/sim/live/livetest"
)

func targetOf(t testing.TB, s *livetest.Server) *live.Target {
	t.Helper()
	to, err := live.Parse(live.Flags{URL: "redis://" + s.Addr()}, func(string) string { return "" })
	if err != nil {
		t.Fatal(err)
	}
	return to
}

// Each path keeps every promise, with and without a limiter, on both engines, whatever
// the stock.
func TestMeasure(t *testing.T) {
	srv := livetest.Start(t)
	for name, to := range map[string]*live.Target{"embedded": nil, "live": targetOf(t, srv)} {
		for _, path := range Paths() {
			for _, limited := range []bool{false, true} {
				for _, stock := range []int{1, 40, 1000} {
					s := Setting{Path: path, Limited: limited, Requests: 120, Concurrency: 8, Stock: stock}
					c, err := Measure(context.Background(), to, s, 20*time.Second)
					if err != nil {
						t.Fatal(err)
					}
					if !c.Holds() || c.Rate <= 0 || c.P50 <= 0 || c.P99 < c.P50 || c.Sold != c.Orders {
						t.Errorf("%s %+v: %+v", name, s, c)
					}
					most := int64(min(stock, s.users()))
					if c.Sold > most || !limited && c.Sold < most-1 { // who clicks twice may get nothing
						t.Errorf("%s %+v: sold %d", name, s, c.Sold)
					}
					t.Logf("%s %-12s %v %d: %.0f/s p50 %d p99 %d sold %d drain %v %v", name, path, limited, stock, c.Rate, c.P50, c.P99, c.Sold, c.Drain, c.Refused)
				}
			}
		}
	}
}
