// Package shop is the database of the shop that the lessons work on: vouchers
// with a stock and the orders for them. It holds statements and nothing that
// decides anything.
package shop

import "fmt"

// Voucher is the id of the one voucher on sale.
const Voucher = 1

const vouchers = `CREATE TABLE voucher (
	id      INTEGER PRIMARY KEY,
	stock   INTEGER NOT NULL,
	version INTEGER NOT NULL DEFAULT 0
)`

const orders = `CREATE TABLE orders (
	id         INTEGER PRIMARY KEY,
	user_id    INTEGER NOT NULL,
	voucher_id INTEGER NOT NULL REFERENCES voucher (id)
)`

// OneOrderPerUser is the index that refuses a second order of the same user, the
// last line of defence.
const OneOrderPerUser = `CREATE UNIQUE INDEX one_order_per_user ON orders (user_id, voucher_id)`

// DDL returns the statements that make the schema, with or without the unique
// index.
func DDL(unique bool) []string {
	ddl := []string{vouchers, orders}
	if unique {
		ddl = append(ddl, OneOrderPerUser)
	}
	return ddl
}

// Seed returns the statements that fill an empty schema: one voucher with the
// given stock.
func Seed(stock int) []string {
	return []string{fmt.Sprintf("INSERT INTO voucher (id, stock) VALUES (%d, %d)", Voucher, stock)}
}

// Queries that read the tables in canonical order. Order ids are left out: they
// depend on who came first and mean nothing.
const (
	SelectVouchers = "SELECT id, stock, version FROM voucher ORDER BY id"
	SelectOrders   = "SELECT user_id, voucher_id FROM orders ORDER BY user_id, voucher_id"
)
