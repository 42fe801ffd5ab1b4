package pane

import (
	"testing"

	"flashlab/cmd/flashlab/internal/canvas"
	"flashlab/cmd/flashlab/internal/layout"
	"flashlab/lessons"
)

// BenchmarkLessonScreen paints all panes of a large screen, each time anew. The
// budget is 0.2 ms.
func BenchmarkLessonScreen(b *testing.B) {
	for _, name := range []string{"start", "broken", "blocked", "lease"} {
		b.Run(name, func(b *testing.B) {
			d, n := scenes()[name]()
			benchmark(b, d, n)
		})
	}
	b.Run("long", func(b *testing.B) {
		d, n := long()
		benchmark(b, d, n)
	})
	b.Run("long-zh", func(b *testing.B) {
		d, n := long()
		d.Lang = lessons.ZH
		benchmark(b, d, n)
	})
}

// long is a branch of eighty steps with sources at both sides and keys.
func long() (*Lesson, layout.Need) {
	d := lostUpdate()
	for len(d.Path) < 80 {
		d.Path = append(d.Path, d.Path[1:5]...)
	}
	for i := range d.Path {
		d.Path[i].State.Keys = lease().Path[1].State.Keys
	}
	d.Cursor, d.RunOut = 41, nil
	return d, layout.Need{Actors: 2, Redis: true}
}

func benchmark(b *testing.B, d *Lesson, n layout.Need) {
	c := canvas.New(200, 60)
	b.ReportAllocs()
	for b.Loop() {
		screen(c, d, n)
	}
}

func BenchmarkProveScreen(b *testing.B) {
	p := proofs()["prove-broken"]
	c := canvas.New(200, 60)
	b.ReportAllocs()
	for b.Loop() {
		proveScreen(c, p)
	}
}
