// Package shop is the shop as the lessons have built it so far: its invariants
// and the pieces that later lessons start from. It must not know how a lesson is
// shown.
package shop

import (
	"fmt"

	"flashlab/sim/scenario"
	"flashlab/sim/trace"
	"flashlab/sim/world"
	store "flashlab/store/shop"
)

// The names of the lights that are read from the database. They depend on no lock
// and are shown in every lesson.
const (
	NoOversell       = "no-oversell"
	StockNotNegative = "stock-not-negative"
	OnePerUser       = "one-per-user"
	Conservation     = "conservation"
)

// Schema is the shop's database with the given stock.
func Schema(stock int, unique bool) world.Schema {
	return world.Schema{
		DDL:  store.DDL(unique),
		Seed: store.Seed(stock),
		Tables: []world.Table{
			// Orders come first so that a reset deletes them before their voucher.
			{Name: "orders", Columns: []string{"user", "voucher"}, Query: store.SelectOrders},
			{Name: "voucher", Columns: []string{"id", "stock", "version"}, Query: store.SelectVouchers},
		},
	}
}

// UniqueIndex says on the screen whether the schema has its unique index.
func UniqueIndex(unique bool) trace.Phrase {
	if unique {
		return trace.Verbatim("UNIQUE(user, voucher)")
	}
	return trace.Say("note.no-unique", "no UNIQUE(user, voucher)")
}

// DatabaseLights are the invariants of a sale that started with the given stock.
func DatabaseLights(initial int) []scenario.Light {
	start := int64(initial)
	return []scenario.Light{
		{
			Name: NoOversell, When: scenario.EachStep,
			Check: func(v *scenario.View) (bool, error) {
				orders, err := v.Rows("orders")
				return int64(len(orders)) <= start, err
			},
			Detail: func(v *scenario.View) trace.Phrase {
				orders, _ := v.Rows("orders")
				return trace.Say("sale.orders", "orders {orders}, stock at start {start}", "orders", len(orders), "start", start)
			},
		},
		{
			Name: StockNotNegative, When: scenario.EachStep,
			Check: func(v *scenario.View) (bool, error) {
				n, err := stock(v)
				return n >= 0, err
			},
			Detail: func(v *scenario.View) trace.Phrase {
				n, _ := stock(v)
				return trace.Say("sale.stock", "stock {stock}", "stock", n)
			},
		},
		{
			Name: OnePerUser, When: scenario.EachStep,
			Check: func(v *scenario.View) (bool, error) {
				n, err := mostPerUser(v)
				return n <= 1, err
			},
			Detail: func(v *scenario.View) trace.Phrase {
				n, _ := mostPerUser(v)
				return trace.Say("sale.per-user", "most orders of one user {most}", "most", n)
			},
		},
		{
			Name: Conservation, When: scenario.Quiescent,
			Check: func(v *scenario.View) (bool, error) {
				n, err := stock(v)
				if err != nil {
					return false, err
				}
				orders, err := v.Rows("orders")
				return n+int64(len(orders)) == start, err
			},
			Detail: func(v *scenario.View) trace.Phrase {
				n, _ := stock(v)
				orders, _ := v.Rows("orders")
				return trace.Say("sale.account", "stock {stock} + orders {orders}, at start {start}",
					"stock", n, "orders", len(orders), "start", start)
			},
		},
	}
}

// stock is the committed stock of the voucher.
func stock(v *scenario.View) (int64, error) {
	rows, err := v.Rows("voucher")
	if err != nil {
		return 0, err
	}
	if len(rows) != 1 {
		return 0, fmt.Errorf("the voucher table has %d rows, not 1", len(rows))
	}
	return rows[0][1].(int64), nil
}

// mostPerUser is the largest number of orders that one user has for one voucher.
// The rows come sorted by user and voucher.
func mostPerUser(v *scenario.View) (int, error) {
	rows, err := v.Rows("orders")
	most, run := 0, 0
	for i, r := range rows {
		if i > 0 && r[0] == rows[i-1][0] && r[1] == rows[i-1][1] {
			run++
		} else {
			run = 1
		}
		most = max(most, run)
	}
	return most, err
}
