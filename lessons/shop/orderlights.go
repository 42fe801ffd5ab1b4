package shop

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"flashlab/lua"
	"flashlab/sim/scenario"
	"flashlab/sim/trace"
)

// NoLostOrder is the light that follows every yes to its order.
const NoLostOrder = "no-lost-order"

// Flow is a sale that Redis decides and that is booked in the database later, as
// its lights see it. They read what is committed and what is on its way; they
// depend on nothing that the code under watch keeps for itself.
type Flow struct {
	Initial int          // units on sale at the start
	Keys    lua.SaleKeys // of the voucher
	Group   string       // the consumer group that books
	Dead    string       // the stream of dead letters, "" without one
	// Queued lists the users whose orders wait in the memory of a live node; nil
	// where there is no such queue.
	Queued func(v *scenario.View) []int64
}

// Accepted recognises the yes of a sale script, heard or not: a script whose name
// begins with "seckill", that answers 0 and gets the user as its first argument.
func Accepted(script string, cmd redis.Cmder) (user string, ok bool) {
	c, is := cmd.(*redis.Cmd)
	if !is || !strings.HasPrefix(script, "seckill") || c.Val() != int64(lua.Accepted) {
		return "", false
	}
	args := cmd.Args() // EVALSHA sha numkeys key... arg...
	keys, err := strconv.Atoi(fmt.Sprint(args[2]))
	if err != nil || len(args) <= 3+keys {
		return "", false
	}
	return fmt.Sprint(args[3+keys]), true
}

// InFlight counts what has been accepted and is not finished: entries of the
// stream that are unread or not acknowledged, orders in queues, and one more while
// somebody is still at work on an order that no list shows any longer.
func (f Flow) InFlight(v *scenario.View) (int, error) {
	entries, err := v.World().InFlight(f.Keys.Stream, f.Group)
	if err != nil {
		return 0, err
	}
	n := len(entries) + len(f.queued(v))
	if n == 0 && !v.Idle() {
		n = 1
	}
	return n, nil
}

func (f Flow) queued(v *scenario.View) []int64 {
	if f.Queued == nil {
		return nil
	}
	return f.Queued(v)
}

// Lights are the invariants of such a sale.
func (f Flow) Lights() []scenario.Light {
	lights := DatabaseLights(f.Initial)
	for i := range lights {
		switch lights[i].Name {
		case StockNotNegative:
			lights[i].Check, lights[i].Detail = f.notNegative, f.stocks
		case Conservation:
			lights[i].Check, lights[i].Detail = f.conserved, f.account
		}
	}
	return append(lights, scenario.Light{
		Name: NoLostOrder, When: scenario.AtEnd, Check: f.noneLost, Detail: f.answers,
	}, scenario.Progress())
}

// left is the stock in Redis, where the voucher is sold; without a key it is 0.
func (f Flow) left(v *scenario.View) (int64, error) {
	n, err := v.World().Direct().Get(context.Background(), f.Keys.Stock).Int64()
	if errors.Is(err, redis.Nil) {
		return 0, nil
	}
	return n, err
}

func (f Flow) notNegative(v *scenario.View) (bool, error) {
	booked, err := stock(v)
	if err != nil {
		return false, err
	}
	left, err := f.left(v)
	return booked >= 0 && left >= 0, err
}

func (f Flow) stocks(v *scenario.View) trace.Phrase {
	booked, _ := stock(v)
	left, _ := f.left(v)
	return trace.Say("flow.stocks", "stock in Redis {left}, in the database {booked}", "left", left, "booked", booked)
}

// onTheWay counts accepted orders that are neither booked nor lost: in the stream
// or in a queue, and not in the database.
func (f Flow) onTheWay(v *scenario.View) (int, error) {
	booked, err := ordersByUser(v)
	if err != nil {
		return 0, err
	}
	entries, err := v.World().InFlight(f.Keys.Stream, f.Group)
	if err != nil {
		return 0, err
	}
	n := 0
	for _, e := range entries {
		user, err := strconv.ParseInt(e.Fields["userId"], 10, 64)
		if err != nil || booked[user] == 0 {
			n++
		}
	}
	for _, user := range f.queued(v) {
		if booked[user] == 0 {
			n++
		}
	}
	return n, nil
}

func (f Flow) conserved(v *scenario.View) (bool, error) {
	left, err := f.left(v)
	if err != nil {
		return false, err
	}
	orders, err := v.Rows("orders")
	if err != nil {
		return false, err
	}
	n, err := f.onTheWay(v)
	return left+int64(len(orders)+n) == int64(f.Initial), err
}

func (f Flow) account(v *scenario.View) trace.Phrase {
	left, _ := f.left(v)
	orders, _ := v.Rows("orders")
	n, _ := f.onTheWay(v)
	return trace.Say("flow.account", "stock in Redis {left} + orders {orders} + on the way {way}, at start {start}",
		"left", left, "orders", len(orders), "way", n, "start", f.Initial)
}

// answered counts the requests that got a yes, and of those the ones with neither
// an order nor a dead letter to show for it.
func (f Flow) answered(v *scenario.View) (yes, lost int, err error) {
	booked, err := ordersByUser(v)
	if err != nil {
		return 0, 0, err
	}
	dead := map[string]int{}
	if f.Dead != "" {
		letters, err := v.World().Entries(f.Dead)
		if err != nil {
			return 0, 0, err
		}
		for _, l := range letters {
			dead[l["userId"]]++
		}
	}
	for user, n := range v.Accepted() {
		id, err := strconv.ParseInt(user, 10, 64)
		if err != nil {
			return 0, 0, fmt.Errorf("the sale has accepted user %q: %w", user, err)
		}
		yes += n
		lost += max(0, n-booked[id]-dead[user])
	}
	return yes, lost, nil
}

func (f Flow) noneLost(v *scenario.View) (bool, error) {
	_, lost, err := f.answered(v)
	return lost == 0, err
}

func (f Flow) answers(v *scenario.View) trace.Phrase {
	yes, lost, _ := f.answered(v)
	return trace.Say("flow.answers", "accepted {yes}, without an order {lost}", "yes", yes, "lost", lost)
}

// ordersByUser counts the committed orders of each user.
func ordersByUser(v *scenario.View) (map[int64]int, error) {
	rows, err := v.Rows("orders")
	out := map[int64]int{}
	for _, r := range rows {
		user, _ := r[0].(int64)
		out[user]++
	}
	return out, err
}
