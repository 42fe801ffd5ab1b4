package pane

import (
	"math/big"
	"strconv"
	"time"
)

// grouped writes a number with a comma every three digits, "?" for nil.
func grouped(n *big.Int) string {
	if n == nil {
		return "?"
	}
	return group(n.String())
}

// groupedInt is grouped for small numbers.
func groupedInt(n int) string { return group(strconv.Itoa(n)) }

func group(digits string) string {
	sign := ""
	if digits != "" && digits[0] == '-' {
		sign, digits = "-", digits[1:]
	}
	if len(digits) <= 3 {
		return sign + digits
	}
	b := make([]byte, 0, len(digits)+len(digits)/3)
	for i := range len(digits) {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b = append(b, ',')
		}
		b = append(b, digits[i])
	}
	return sign + string(b)
}

// approx writes a number in a few cells, such as "~1.2e20", once it has more than
// twelve digits.
func approx(n *big.Int) string {
	if n == nil {
		return "?"
	}
	digits := n.String()
	if len(digits) <= 12 || digits[0] == '-' {
		return group(digits)
	}
	return "~" + digits[:1] + "." + digits[1:2] + "e" + strconv.Itoa(len(digits)-1)
}

// elapsed writes a duration of real time: "31 ms", "12.0 s".
func elapsed(d time.Duration) string {
	if d > 0 && d < time.Second {
		return strconv.FormatInt(d.Milliseconds(), 10) + " ms"
	}
	return seconds(d, 1) + " s"
}

// percent is the share of part in all with one decimal, such as "71.2%". It says
// 0% and 100% only where that is exact.
func percent(part, all *big.Int) string {
	if all == nil || part == nil || all.Sign() <= 0 {
		return "?"
	}
	switch {
	case part.Sign() <= 0:
		return "0%"
	case part.Cmp(all) >= 0:
		return "100%"
	}
	n := min(max(scale(part, all, 1000), 1), 999)
	return strconv.Itoa(n/10) + "." + strconv.Itoa(n%10) + "%"
}

// scale is part/all in units of 1/n, rounded to the nearest. It is exact for numbers
// of any length.
func scale(part, all *big.Int, n int) int {
	if part == nil || all == nil || all.Sign() <= 0 || part.Sign() <= 0 || n <= 0 {
		return 0
	}
	x := new(big.Int).Mul(part, big.NewInt(int64(2*n)))
	x.Add(x, all)
	x.Quo(x, new(big.Int).Lsh(all, 1))
	if !x.IsInt64() || x.Int64() > int64(n) {
		return n
	}
	return int(x.Int64())
}

// seconds writes a time with as many decimals, in seconds.
func seconds(d time.Duration, decimals int) string {
	var buf [24]byte
	return string(strconv.AppendFloat(buf[:0], d.Seconds(), 'f', decimals, 64))
}

// left writes a time that runs down: "3.1s", and "250ms" below a second.
func left(d time.Duration) string {
	if d < time.Second {
		return strconv.FormatInt(d.Milliseconds(), 10) + "ms"
	}
	return seconds(d, 1) + "s"
}

// instant writes a point of virtual time as the lessons do: "t+5.2s".
func instant(d time.Duration) string { return "t+" + d.String() }
