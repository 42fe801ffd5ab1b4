package screen

import "strings"

// bars are eighths of a cell, from low to high.
const bars = "▁▂▃▄▅▆▇█"

// Sparkline draws values as bars, scaled to the highest of them, in at most w cells:
// of more values the last ones are shown.
func Sparkline(values []float64, w int) string {
	return Bars(values[max(0, len(values)-w):])
}

// Bars draws each value as a bar, scaled to the highest of them.
func Bars(values []float64) string {
	most := 0.0
	for _, v := range values {
		most = max(most, v)
	}
	list := []rune(bars)
	var b strings.Builder
	for _, v := range values {
		i := 0
		if most > 0 {
			i = int(v / most * float64(len(list)-1))
		}
		b.WriteRune(list[max(0, min(i, len(list)-1))])
	}
	return b.String()
}

// Bar draws a part of the whole, from 0 to 1, in w cells.
func Bar(part float64, w int) string {
	n := int(max(0, min(part, 1)) * float64(w))
	return strings.Repeat("█", n) + strings.Repeat("░", w-n)
}
