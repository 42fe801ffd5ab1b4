package pane

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"flashlab/lessons"
	"flashlab/sim/source"
	"flashlab/sim/trace"
)

// TestChoicesOfMany holds the pane to its promise: every living actor shows its
// letter and its line, however little room there is.
func TestChoicesOfMany(t *testing.T) {
	s := trace.State{}
	for i := range 8 {
		letter := string(rune('A' + i))
		s.Actors = append(s.Actors, trace.Actor{
			Letter: letter, Name: trace.Verbatim("buyer"), Next: readStock, NextOp: "SELECT",
			Stack: []source.Frame{{File: "x.go", Line: 10 + i}},
		})
		s.Choices = append(s.Choices, trace.Choice{Move: letter, Actor: letter})
	}
	s.Choices = append(s.Choices, trace.Choice{Move: "xA", What: "A", Fault: true}, trace.Choice{Move: "xB", What: "B", Fault: true})
	d := &Lesson{Path: []trace.Frame{{State: s}}}
	for _, size := range [][2]int{{50, 9}, {50, 8}, {50, 4}, {50, 3}, {37, 4}, {92, 3}} {
		text := strings.Join(rowsOf(size[0], size[1], d.Choices), "\n")
		for i := range 8 {
			if want := fmt.Sprintf("%c L%d", 'A'+i, 10+i); !strings.Contains(text, want) {
				t.Errorf("%v: no %q in\n%s", size, want, text)
			}
		}
	}
}

func TestOdds(t *testing.T) {
	huge, _ := new(big.Int).SetString("123456789012345678901", 10)
	for _, tt := range []struct {
		bad, all *big.Int
		w        int
		want     string
	}{
		{big.NewInt(3), big.NewInt(4), 40, "! breaks in 3 of 4"},
		{big.NewInt(3), big.NewInt(4), 14, "! 75.0% break"},
		{big.NewInt(3), big.NewInt(4), 10, "! 3/4"},
		{big.NewInt(3), big.NewInt(4), 4, ""},
		{big.NewInt(4), big.NewInt(4), 40, "✗ breaks in 4 of 4"},
		{new(big.Int), big.NewInt(4), 40, "✓ breaks in 0 of 4"},
		{big.NewInt(1), huge, 40, "! 0.1% break"},
		{nil, huge, 40, ""}, {huge, nil, 40, ""}, {new(big.Int), new(big.Int), 40, ""},
	} {
		list := newChoiceList(&Lesson{}, 80, 3)
		if got, _ := list.odds(Worth{tt.all, tt.bad}, tt.w); got != tt.want {
			t.Errorf("%v of %v in %d cells: %q, want %q", tt.bad, tt.all, tt.w, got, tt.want)
		}
	}
}

func TestReasons(t *testing.T) {
	for _, tt := range []struct {
		why    trace.Reason
		en, zh string
	}{
		{trace.Reason{Kind: "write-lock", By: "A"}, "waits for the write lock held by A", "在等写锁（A 持有）"},
		{trace.Reason{Kind: "write-lock"}, "waits for the write lock", "在等写锁"},
		{trace.Reason{Kind: "mutex", Name: "mutex on n1", By: "B"}, "waits for the mutex on n1 held by B", "在等 n1 上的互斥锁（B 持有）"},
		{trace.Reason{Kind: "sleep", Left: 1500e6}, "sleeps, 1.5s left", "在休眠，还剩 1.5s"},
		{trace.Reason{Kind: "stream", Name: "orders"}, "waits for an entry in orders", "在等 orders 里的消息"},
		{trace.Reason{Kind: "pause", Name: "n1"}, "its node n1 stands still", "所在节点 n1 暂停了"},
		{trace.Reason{Kind: "hang"}, "hangs", "卡住了"},
		{trace.Reason{Kind: "channel", Name: "done"}, "waits for done", "在等 done"},
		{trace.Reason{}, "cannot step", "现在走不了"},
	} {
		if got := waiting((&Lesson{}).words(), tt.why); got != tt.en {
			t.Errorf("%+v: %q, want %q", tt.why, got, tt.en)
		}
		if got := waiting((&Lesson{Lang: lessons.ZH}).words(), tt.why); got != tt.zh {
			t.Errorf("%+v: %q, want %q", tt.why, got, tt.zh)
		}
	}
}
