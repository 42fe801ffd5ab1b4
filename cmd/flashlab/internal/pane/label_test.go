package pane

import "testing"

func TestLabels(t *testing.T) {
	for _, tt := range []struct{ op, text, long, short string }{
		{"SELECT", "SELECT stock FROM voucher WHERE id = 1", "SELECT stock", ""},
		{"SELECT", "SELECT stock, version FROM voucher WHERE id = 1", "SELECT stock, version", ""},
		{"SELECT", "SELECT COUNT(*) FROM orders WHERE user_id = 7 AND voucher_id = 1", "SELECT COUNT(*) orders", ""},
		{"SELECT", "SELECT * FROM orders ORDER BY id", "SELECT * orders", ""},
		{"SELECT", "SELECT 1 FROM orders WHERE state = 'a AND b' LIMIT 1", "SELECT 1 orders WHERE state='a AND b'", "SELECT 1 orders …"},
		{"SELECT", "SELECT 1", "SELECT 1", ""},
		{"UPDATE", "UPDATE voucher SET stock = 0 WHERE id = 1", "UPDATE stock=0", ""},
		{"UPDATE", "UPDATE voucher SET stock = stock - 1 WHERE id = 1 AND stock > 0", "UPDATE stock=stock-1 WHERE stock>0", "UPDATE stock=stock-1 …"},
		{"UPDATE", "UPDATE voucher SET stock = stock - 1, version = version + 1 WHERE id = 1 AND version = 3", "UPDATE stock=stock-1, version=version+1 WHERE version=3", "UPDATE stock=stock-1, version=version+1 …"},
		{"UPDATE", "UPDATE voucher SET stock = -1", "UPDATE stock=-1", ""},
		{"UPDATE", "UPDATE", "UPDATE", ""},
		{"INSERT", "INSERT INTO orders (user_id, voucher_id) VALUES (2, 1)", "INSERT orders user=2 voucher=1", "INSERT orders u2 v1"},
		{"INSERT", "INSERT INTO orders(user_id, note) VALUES(2, 'x')", "INSERT orders user=2 note='x'", "INSERT orders u2 'x'"},
		{"INSERT", "INSERT INTO orders VALUES (2, 1)", "INSERT orders 2 1", "INSERT orders 2 1"},
		{"INSERT", "INSERT INTO orders DEFAULT VALUES", "INSERT INTO orders DEFAULT VALUES", ""},
		{"DELETE", "DELETE FROM orders WHERE user_id = 7 AND state = 1", "DELETE orders WHERE state=1", "DELETE orders …"},
		{"DELETE", "DELETE FROM orders", "DELETE orders", ""},
		{"BEGIN IMMEDIATE", "BEGIN IMMEDIATE", "BEGIN IMMEDIATE", ""},
		{"SET", "SET lock:order:7 A1 NX PX 5000", "SET lock:order:7 A1 NX PX 5000", ""},
		{"lock", "", "lock", ""},
	} {
		got := labelOf(tt.op, tt.text)
		if got != (label{tt.long, tt.short}) {
			t.Errorf("%s:\n got %q\nwant %q", tt.text, got, label{tt.long, tt.short})
		}
	}
}

func TestLabelIn(t *testing.T) {
	l := label{"UPDATE stock=stock-1 WHERE stock>0", "UPDATE stock=stock-1 …"}
	for _, tt := range []struct {
		w    int
		want string
	}{{40, l.long}, {34, l.long}, {33, l.short}, {22, l.short}, {21, "UPDATE stock=stock-1…"}, {1, "…"}, {0, ""}, {-1, ""}} {
		if got := l.in(tt.w); got != tt.want {
			t.Errorf("in %d cells: %q, want %q", tt.w, got, tt.want)
		}
	}
}
