package scene

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"flashlab/lessons/lessontest"
	"flashlab/lessons/shop"
	"flashlab/lessons/streampipeline"
	"flashlab/lua"
	"flashlab/sim/proc"
	"flashlab/sim/scenario"
)

// Code that is no variant of the lesson, in the lesson's scenes: the cures, and
// what the cards warn of.

// form is a seller put together from functions.
type form struct {
	buy     func(ctx context.Context, user, voucher, id int64) error
	consume func(ctx context.Context, name string) error
}

func (f form) Buy(ctx context.Context, user, voucher, id int64) error {
	return f.buy(ctx, user, voucher, id)
}
func (f form) Consume(ctx context.Context, name string) error { return f.consume(ctx, name) }

// sized makes a scene; sets may be empty.
func sized(t *testing.T, s setting, d sizes, sets string) *scenario.Scenario {
	t.Helper()
	p := scenario.NewParams(params(d))
	if sets != "" {
		var err error
		if p, err = p.Set(sets); err != nil {
			t.Fatal(err)
		}
	}
	return s.sale()(p)
}

// broken explores a scene and tells how many interleavings there are, and in how
// many of them each light breaks that does.
func broken(t *testing.T, s *scenario.Scenario) string {
	t.Helper()
	res := lessontest.Search(t, s)
	parts := []string{res.Interleavings.String()}
	for i, l := range res.Lights {
		if l.Broken {
			parts = append(parts, fmt.Sprintf("%s %s", s.Lights[i].Name, l.Violating))
		}
	}
	return strings.Join(parts, ", ")
}

func same(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %s, want %s", what, got, want)
	}
}

// crashed is the scene of pipeline: one buyer, two consumers, one crash.
var crashed = sizes{buyers: 1, users: 8, consumers: 2, crashes: 1}

func pipelineCode(s *streampipeline.Shop) seller { return &streampipeline.Pipeline{Shop: s} }

// TestEitherDies: it does not matter which of the consumers dies.
func TestEitherDies(t *testing.T) {
	s := sized(t, setting{variant: "either", ticks: 2, code: pipelineCode}, crashed, "")
	s.Faults.CrashNodes = []string{"n1", "n2"}
	same(t, "a crash of n1 or n2", broken(t, s), "22")
}

// TestBalance: in pipeline the account of Redis is right in every state, not only
// where all stand still, and the database's own account at every commit.
func TestBalance(t *testing.T) {
	for sets, want := range map[string]string{"": "12", "buyers=2": "1746", "ticks=1": "1690", "redeliveries=1": "412"} {
		s := sized(t, setting{variant: "balance", ticks: 2, code: pipelineCode}, crashed, sets)
		s.Lights[s.Light(shop.Conservation)].When = scenario.EachStep
		s.Lights = append(s.Lights, scenario.Light{Name: "database", Check: func(v *scenario.View) (bool, error) {
			vouchers, err := v.Rows("voucher")
			if err != nil {
				return false, err
			}
			orders, err := v.Rows("orders")
			return vouchers[0][1].(int64)+int64(len(orders)) == int64(s.Params.Get("stock")), err
		}})
		same(t, sets, broken(t, s), want)
	}
}

// TestSkippedIsAFailure is the cure of ack-though-skipped: what was not done is not
// acknowledged.
func TestSkippedIsAFailure(t *testing.T) {
	errBusy := errors.New("the user is being served")
	code := func(s *streampipeline.Shop) seller {
		locked := func(ctx context.Context) error {
			lock, token := "lock:order:1", proc.Token(ctx)
			got, err := s.Redis.SetNX(ctx, lock, token, streampipeline.Patience).Result()
			if err != nil {
				return err
			}
			if !got {
				return errBusy
			}
			defer func() { _, _ = lua.Unlock(ctx, s.Redis, lock, token) }()
			return shop.Book(ctx, s.DB, shop.Order{ID: 101, User: 1, Voucher: 1})
		}
		return &rivalled{&streampipeline.AckThoughSkipped{Shop: s}, form{
			buy: pipelineCode(s).Buy,
			consume: func(ctx context.Context, name string) error {
				for {
					entries, err := readOrClaim(ctx, s.Redis, name)
					if err != nil {
						return err
					}
					for _, m := range entries {
						err := locked(ctx)
						if err == nil {
							err = s.Redis.XAck(ctx, streampipeline.Stream, streampipeline.Group, m.ID).Err()
						}
						if err != nil && !errors.Is(err, errBusy) {
							return err
						}
					}
				}
			},
		}}
	}
	s := sized(t, setting{variant: "mended", rival: true, ticks: 2, code: code}, sizes{buyers: 1, users: 8, consumers: 1}, "")
	same(t, "not acknowledged when skipped", broken(t, s), "27")
}

// rivalled is a form with the other job of ack-though-skipped.
type rivalled struct {
	*streampipeline.AckThoughSkipped
	form
}

func (r *rivalled) Buy(ctx context.Context, user, voucher, id int64) error {
	return r.form.Buy(ctx, user, voucher, id)
}
func (r *rivalled) Consume(ctx context.Context, name string) error { return r.form.Consume(ctx, name) }

// readOrClaim is one turn of Pipeline's loop.
func readOrClaim(ctx context.Context, c *redis.Client, name string) ([]redis.XMessage, error) {
	got, err := c.XReadGroup(ctx, &redis.XReadGroupArgs{
		Group: streampipeline.Group, Consumer: name, Streams: []string{streampipeline.Stream, ">"}, Count: 1, Block: streampipeline.Patience,
	}).Result()
	if err == nil {
		return got[0].Messages, nil
	}
	if !errors.Is(err, redis.Nil) {
		return nil, err
	}
	entries, _, err := c.XAutoClaim(ctx, &redis.XAutoClaimArgs{
		Stream: streampipeline.Stream, Group: streampipeline.Group, Consumer: name, MinIdle: streampipeline.Patience, Start: "0", Count: 10,
	}).Result()
	return entries, err
}

// TestGivenUpOnce: asking for the number of deliveries and giving up in a MULTI are
// two steps. Two consumers that both hold the entry return two units; the script,
// which asks whether the entry is still pending, returns one.
func TestGivenUpOnce(t *testing.T) {
	multi := func(s *streampipeline.Shop) seller {
		giveUp := func(ctx context.Context, m redis.XMessage) error {
			p, err := s.Redis.XPendingExt(ctx, &redis.XPendingExtArgs{
				Stream: streampipeline.Stream, Group: streampipeline.Group, Start: m.ID, End: m.ID, Count: 1,
			}).Result()
			if err != nil || len(p) == 0 || p[0].RetryCount < 2 {
				return err
			}
			keys, user := lua.KeysOf(1), m.Values["userId"].(string)
			_, err = s.Redis.TxPipelined(ctx, func(p redis.Pipeliner) error {
				p.XAdd(ctx, &redis.XAddArgs{Stream: streampipeline.Dead, Values: []string{"userId", user}})
				p.Incr(ctx, keys.Stock)
				p.SRem(ctx, keys.Users, user)
				p.XAck(ctx, streampipeline.Stream, streampipeline.Group, m.ID)
				return nil
			})
			return err
		}
		return bookOr(s, giveUp)
	}
	script := func(s *streampipeline.Shop) seller {
		return bookOr(s, func(ctx context.Context, m redis.XMessage) error {
			_, _, err := lua.Bury(ctx, s.Redis, lua.Letter{
				Keys: lua.KeysOf(1), Dead: streampipeline.Dead, Group: streampipeline.Group, ID: m.ID, Deliveries: 1,
			})
			return err
		})
	}
	const one, two = "redeliveries=0", "redeliveries=1"
	d := sizes{buyers: 1, users: 8, consumers: 2}
	for _, c := range []struct {
		name string
		code func(*streampipeline.Shop) seller
		sets string
		want string
	}{
		{"multi", multi, one, "48"},
		{"multi", multi, two, "386, conservation 172"},
		{"script", script, one, "28"},
		{"script", script, two, "102"},
	} {
		s := sized(t, setting{variant: c.name, poisoned: true, ticks: 4, code: c.code}, d, c.sets)
		same(t, c.name+" "+c.sets, broken(t, s), c.want)
	}
}

// bookOr is a consumer of orders that cannot be booked, with what it does then.
func bookOr(s *streampipeline.Shop, giveUp func(context.Context, redis.XMessage) error) seller {
	return form{
		buy: pipelineCode(s).Buy,
		consume: func(ctx context.Context, name string) error {
			for {
				entries, err := readOrClaim(ctx, s.Redis, name)
				if err != nil {
					return err
				}
				for _, m := range entries {
					if err := giveUp(ctx, m); err != nil {
						return err
					}
				}
			}
		},
	}
}

// TestFourCommands: the same decision as four commands of the client. Two buyers
// for one unit both see it; with the script the second is refused.
func TestFourCommands(t *testing.T) {
	apart := func(s *streampipeline.Shop) seller {
		f := form{consume: pipelineCode(s).Consume}
		f.buy = func(ctx context.Context, user, _, id int64) error {
			keys := lua.KeysOf(1)
			left, err := s.Redis.Get(ctx, keys.Stock).Int()
			if err != nil || left <= 0 {
				return err
			}
			bought, err := s.Redis.SIsMember(ctx, keys.Users, user).Result()
			if err != nil || bought {
				return err
			}
			if err := s.Redis.Decr(ctx, keys.Stock).Err(); err != nil {
				return err
			}
			if err := s.Redis.SAdd(ctx, keys.Users, user).Err(); err != nil {
				return err
			}
			return s.Redis.XAdd(ctx, &redis.XAddArgs{Stream: keys.Stream, Values: []any{"userId", user, "voucherId", 1, "id", id}}).Err()
		}
		return f
	}
	for _, c := range []struct{ sets, light string }{
		{"stock=1", shop.StockNotNegative},             // two users, one unit
		{"stock=2,users=1", shop.Conservation},         // one user, two clicks
		{"stock=2,users=1,crashes=0", shop.OnePerUser}, // the index is the last line
	} {
		s := sized(t, setting{variant: "apart", ticks: 2, code: apart}, sizes{buyers: 2, users: 2, consumers: 1}, c.sets)
		res := lessontest.Search(t, s)
		if got, want := res.Lights[s.Light(c.light)].Broken, c.light != shop.OnePerUser; got != want {
			t.Errorf("four commands, %s: %s broken %v", c.sets, c.light, got)
		}
	}
	s := sized(t, setting{variant: "script", ticks: 2, code: pipelineCode}, sizes{buyers: 2, users: 2, consumers: 1}, "stock=1")
	if got := broken(t, s); strings.Contains(got, ",") {
		t.Errorf("one script: %s", got)
	}
}
