package canvas

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

func svgPalette() *SVGPalette {
	p := &SVGPalette{Fg: "#e6edf3", Bg: "#0f141a", Border: "#8fa3b8"}
	p.Styles[1] = SVGStyle{Fg: "#58a6ff", Bold: true}
	p.Styles[2] = SVGStyle{Fg: "#ffffff", Bg: "#a40e26"}
	p.Styles[3] = SVGStyle{Underline: true}
	return p
}

func TestSVG(t *testing.T) {
	c := New(34, 8)
	v := c.View(c.Bounds())
	in := v.Box(Rect{0, 0, 17, 5}, "1 时间线", true, 0, 1)
	in.Text(1, 0, "├──▶│ SET <a&b>", 0)
	in.Text(1, 1, "锁 '已' 过期 ✗", 2)
	in.Text(1, 2, "underlined  ", 3)
	v.Box(Rect{17, 0, 17, 5}, "2 Redis", false, 0, 0).Text(1, 1, "█▓▒░ ▁▂▃▄▅▆▇█", 1)
	v.Rule(Rect{0, 5, 34, 1}, "3", false, 0, 0)
	v.Text(0, 6, "a\x1b]\"b\"", 0)
	var b strings.Builder
	if err := c.SVG(&b, svgPalette(), "lock <outlives> its \"TTL\" & more"); err != nil {
		t.Fatal(err)
	}
	d := xml.NewDecoder(strings.NewReader(b.String()))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("not well-formed: %v", err)
		}
	}
	golden(t, "window.svg", b.String())
}

type fullDisk struct{}

var errFull = errors.New("disk is full")

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

func TestSVGReportsWriteErrors(t *testing.T) {
	if err := New(80, 24).SVG(fullDisk{}, svgPalette(), "t"); !errors.Is(err, errFull) {
		t.Errorf("error %v, want %v", err, errFull)
	}
}
