package pane

import (
	"math/big"
	"testing"
	"time"
)

func TestNumbers(t *testing.T) {
	huge, _ := new(big.Int).SetString("123456789012345678901", 10)
	for _, tt := range []struct{ got, want string }{
		{groupedInt(0), "0"},
		{groupedInt(702), "702"},
		{groupedInt(1234), "1,234"},
		{groupedInt(-123456), "-123,456"},
		{grouped(huge), "123,456,789,012,345,678,901"},
		{grouped(nil), "?"},
		{approx(big.NewInt(999_999_999_999)), "999,999,999,999"},
		{approx(huge), "~1.2e20"},
		{percent(big.NewInt(1), big.NewInt(3)), "33.3%"},
		{percent(big.NewInt(1), huge), "0.1%"},
		{percent(new(big.Int).Sub(huge, big.NewInt(1)), huge), "99.9%"},
		{percent(huge, huge), "100%"},
		{percent(new(big.Int), huge), "0%"},
		{percent(huge, new(big.Int)), "?"},
		{seconds(5180*time.Millisecond, 3), "5.180"},
		{left(3100 * time.Millisecond), "3.1s"},
		{left(250 * time.Millisecond), "250ms"},
		{elapsed(31 * time.Millisecond), "31 ms"},
		{elapsed(12 * time.Second), "12.0 s"},
	} {
		if tt.got != tt.want {
			t.Errorf("%q, want %q", tt.got, tt.want)
		}
	}
}

func TestScale(t *testing.T) {
	for _, tt := range []struct {
		part, all int64
		n, want   int
	}{{0, 4, 10, 0}, {1, 4, 10, 3}, {4, 4, 10, 10}, {9, 4, 10, 10}, {1, 0, 10, 0}, {1, 2, 0, 0}} {
		if got := scale(big.NewInt(tt.part), big.NewInt(tt.all), tt.n); got != tt.want {
			t.Errorf("%d of %d in %d: %d, want %d", tt.part, tt.all, tt.n, got, tt.want)
		}
	}
}
