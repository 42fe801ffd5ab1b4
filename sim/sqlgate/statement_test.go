package sqlgate

import (
	"database/sql/driver"
	"testing"
)

func TestClassify(t *testing.T) {
	names := map[verb]string{reads: "reads", writes: "writes", begins: "begins", beginsImmediate: "begins at once", commits: "commits", rollsBack: "rolls back"}
	for _, c := range []struct{ q, verb, name, table string }{
		{"SELECT stock FROM voucher WHERE id = ?", "reads", "SELECT", "voucher"},
		{"select count(*)\n\tfrom Orders", "reads", "SELECT", "orders"},
		{"SELECT 1", "reads", "SELECT", ""},
		{"VALUES (1)", "reads", "VALUES", ""},
		{"EXPLAIN QUERY PLAN SELECT v FROM n", "reads", "EXPLAIN", "n"},
		{"UPDATE voucher SET stock = stock - 1", "writes", "UPDATE", "voucher"},
		{"UPDATE OR IGNORE voucher SET stock = 1", "writes", "UPDATE", "voucher"},
		{"INSERT INTO orders(user_id) VALUES (?)", "writes", "INSERT", "orders"},
		{"INSERT OR IGNORE INTO orders (user_id) VALUES (?)", "writes", "INSERT", "orders"},
		{"REPLACE INTO orders VALUES (1)", "writes", "REPLACE", "orders"},
		{"DELETE FROM orders WHERE id = 1", "writes", "DELETE", "orders"},
		{"WITH x AS (SELECT 1) SELECT * FROM x, voucher", "reads", "SELECT", "x"},
		{"WITH x(n) AS (SELECT id FROM orders) UPDATE voucher SET stock = (SELECT n FROM x)", "writes", "UPDATE", "voucher"},
		{"with recursive n(i) as (values (1) union all select i+1 from n where i < 3) insert into orders select i from n", "writes", "INSERT", "orders"},
		{"BEGIN", "begins", "BEGIN", ""},
		{"BEGIN DEFERRED TRANSACTION", "begins", "BEGIN", ""},
		{"BEGIN IMMEDIATE", "begins at once", "BEGIN IMMEDIATE", ""},
		{"begin exclusive;", "begins at once", "BEGIN EXCLUSIVE", ""},
		{"COMMIT", "commits", "COMMIT", ""},
		{"END TRANSACTION", "commits", "END", ""},
		{"ROLLBACK", "rolls back", "ROLLBACK", ""},
		{"ROLLBACK TO SAVEPOINT a", "writes", "ROLLBACK", ""},
		{"SAVEPOINT a", "writes", "SAVEPOINT", ""},
		{"CREATE TABLE t (a)", "writes", "CREATE", ""},
		{"", "writes", "", ""},
	} {
		st := classify(c.q)
		if names[st.verb] != c.verb || st.name != c.name || st.table != c.table {
			t.Errorf("%q: %s, %q, table %q; want %s, %q, %q", c.q, names[st.verb], st.name, st.table, c.verb, c.name, c.table)
		}
	}
}

func TestCommand(t *testing.T) {
	for _, c := range []struct {
		q    string
		args []any
		want string
	}{
		{"SELECT stock\n\t FROM voucher WHERE id = ?", []any{int64(7)}, "SELECT stock FROM voucher WHERE id = 7"},
		{"INSERT INTO t VALUES (?, ?, ?)", []any{"it's", nil, []byte{1, 255}}, "INSERT INTO t VALUES ('it''s', NULL, x'01ff')"},
		{"SELECT '?' || ?", []any{1.5}, "SELECT '?' || 1.5"},
		{"SELECT ?, ?", []any{int64(1)}, "SELECT 1, ?"},
	} {
		x := &call{statement: classify(c.q)}
		for i, a := range c.args {
			x.args = append(x.args, driver.NamedValue{Ordinal: i + 1, Value: a})
		}
		if got := x.Command(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// TestValuesDiffer: different values have different forms, whatever stands beside
// them.
func TestValuesDiffer(t *testing.T) {
	seen := map[string]int{}
	for i, row := range [][]driver.Value{
		{nil}, {int64(1)}, {int64(11)}, {int64(1), int64(1)}, {"1"}, {""}, {"", ""}, {"a,b"}, {"a", "b"}, {[]byte("a")}, {1.5}, {true}, {"n"}, {nil, nil}, {"s1:a"},
	} {
		key := string(appendRows(nil, [][]driver.Value{row}))
		if j, ok := seen[key]; ok {
			t.Errorf("rows %d and %d look alike: %q", i, j, key)
		}
		seen[key] = i
	}
	if string(appendRows(nil, [][]driver.Value{{int64(1)}, {int64(2)}})) == string(appendRows(nil, [][]driver.Value{{int64(1), int64(2)}})) {
		t.Error("rows and columns look alike")
	}
}
