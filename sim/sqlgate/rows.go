package sqlgate

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// rows is a materialised result: no read lock may survive into the next gate.
type rows struct {
	cols []string
	data [][]driver.Value
	next int
}

func materialise(r driver.Rows) (*rows, error) {
	out := &rows{cols: r.Columns()}
	for {
		v := make([]driver.Value, len(out.cols))
		err := r.Next(v)
		if errors.Is(err, io.EOF) {
			return out, r.Close()
		}
		if err != nil {
			r.Close()
			return nil, err
		}
		for i, x := range v { // the driver may reuse its buffers
			if b, ok := x.([]byte); ok {
				v[i] = append([]byte(nil), b...)
			}
		}
		out.data = append(out.data, v)
	}
}

// Columns, Close and Next implement driver.Rows.
func (r *rows) Columns() []string { return r.cols }

// Close implements driver.Rows.
func (r *rows) Close() error { return nil }

// Next implements driver.Rows.
func (r *rows) Next(dest []driver.Value) error {
	if r.next >= len(r.data) {
		return io.EOF
	}
	copy(dest, r.data[r.next])
	r.next++
	return nil
}

// text is the result on one line: "stock=1, version=0" or "3 rows".
func (r *rows) text() string {
	switch len(r.data) {
	case 0:
		return "no row"
	case 1:
		parts := make([]string, len(r.cols))
		for i, c := range r.cols {
			parts[i] = c + "=" + fmt.Sprint(r.data[0][i])
		}
		return strings.Join(parts, ", ")
	}
	return fmt.Sprintf("%d rows", len(r.data))
}

// appendRows appends values so that different results differ.
func appendRows(b []byte, data [][]driver.Value) []byte {
	for _, row := range data {
		for _, v := range row {
			b = AppendValue(b, v)
		}
		b = append(b, '\n')
	}
	return b
}

// AppendValue appends one SQL value in a form that keeps types and lengths apart.
func AppendValue(b []byte, v driver.Value) []byte {
	switch x := v.(type) {
	case nil:
		return append(b, 'n')
	case int64:
		return append(strconv.AppendInt(append(b, 'i'), x, 10), ',')
	case string:
		b = append(strconv.AppendInt(append(b, 's'), int64(len(x)), 10), ':')
		return append(b, x...)
	case []byte:
		b = append(strconv.AppendInt(append(b, 'b'), int64(len(x)), 10), ':')
		return append(b, x...)
	}
	return fmt.Appendf(b, "%T%v,", v, v)
}

// Query reads committed rows over an ungated driver connection.
func Query(st driver.Stmt) ([][]driver.Value, error) {
	r, err := st.(driver.StmtQueryContext).QueryContext(context.Background(), nil)
	if err != nil {
		return nil, err
	}
	m, err := materialise(r)
	if err != nil {
		return nil, err
	}
	return m.data, nil
}
