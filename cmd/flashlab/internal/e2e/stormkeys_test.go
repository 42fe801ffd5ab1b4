package e2e

import (
	"bytes"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
)

// stormSize is how many requests a storm has here, the most that the page lets choose.
const stormSize = "20000"

// The rows of a storm's page: how far it is, and how many requests end in a second.
// Each request is at least one operation of Redis or SQL.
var (
	progressRow = regexp.MustCompile(`(\d+)/` + stormSize + `\b`)
	rateRow     = regexp.MustCompile(`(\d+)(?:/s|/秒)`)
	styles      = regexp.MustCompile("\x1b\\[[0-9;?]*[a-zA-Z]")
)

// frameEnd ends what the program writes at once.
const frameEnd = "\x1b[?2026l"

// watcher is somebody who types while a storm runs and looks at whole frames only.
type watcher struct {
	*silent
	b     *testing.B
	seen  int  // bytes of the output that have been looked at
	zh    bool // the language of the screen
	ended bool // no storm runs
	done  int  // requests of this storm that have ended
	rate  int  // of them, in a second
}

// whole returns the next whole frame without styles, if it has come, and otherwise a
// channel that is closed when there is more. A frame holds only rows that have changed.
func (x *watcher) whole() (frame string, ok bool, more <-chan struct{}) {
	x.mu.Lock()
	defer x.mu.Unlock()
	text := x.text[x.seen:]
	i := bytes.Index(text, []byte(frameEnd))
	if i < 0 {
		return "", false, x.more
	}
	x.seen += i + len(frameEnd)
	return styles.ReplaceAllString(string(text[:i]), ""), true, nil
}

// frame waits for the next whole frame.
func (x *watcher) frame() string {
	end := time.After(patience)
	for {
		f, ok, more := x.whole()
		if ok {
			x.look(f)
			return f
		}
		select {
		case <-more:
		case <-x.silent.done:
			x.b.Fatalf("the program ended: %q", x.text[x.seen:])
		case <-end:
			x.b.Fatalf("no frame came for %v", patience)
		}
	}
}

// pause waits a little, not in step with the frames of the storm, and looks at what
// has come until then.
func (x *watcher) pause() {
	time.Sleep(time.Duration(rand.IntN(40)) * time.Millisecond)
	for {
		f, ok, _ := x.whole()
		if !ok {
			return
		}
		x.look(f)
	}
}

// look takes the figures from a frame.
func (x *watcher) look(frame string) {
	if m := progressRow.FindStringSubmatch(frame); m != nil {
		x.done, _ = strconv.Atoi(m[1]) // digits
	}
	if m := rateRow.FindStringSubmatch(frame); m != nil {
		x.rate, _ = strconv.Atoi(m[1])
	}
	switch {
	case strings.Contains(frame, "storm again"), strings.Contains(frame, "再来一次"):
		x.ended = true
	case strings.Contains(frame, "a stop"), strings.Contains(frame, "a 停下"):
		x.ended = false
	}
}

// until looks at frames until one shows a text.
func (x *watcher) until(text string) {
	for !strings.Contains(x.frame(), text) {
	}
}

func (x *watcher) types(keys string) {
	if _, err := x.tty.Write([]byte(keys)); err != nil {
		x.b.Fatal(err)
	}
}

// switches presses the key that changes the language, which is every row of the screen,
// and returns the time until a frame has the row of latencies in the other one.
func (x *watcher) switches() time.Duration {
	x.zh = !x.zh
	row := "half within"
	if x.zh {
		row = "一半"
	}
	began := time.Now()
	x.types("L")
	x.until(row)
	return time.Since(began)
}

// storming starts a storm, types until it has ended, and adds how long the answers
// took. It returns how long the storm took by its own figures.
func (x *watcher) storming(took *[]time.Duration) time.Duration {
	x.types("a") // again
	for x.ended {
		x.frame()
	}
	for !x.ended {
		*took = append(*took, x.switches())
		x.pause()
	}
	if strconv.Itoa(x.done) != stormSize || x.rate == 0 {
		x.b.Fatalf("a storm of %s requests ended with %d, %d in a second", stormSize, x.done, x.rate)
	}
	return time.Duration(float64(x.done) / float64(x.rate) * float64(time.Second))
}

// openStorm starts the program with a storm of a variant, which has ended once and is
// set to its largest size, its nodes to processes if those are wanted.
func openStorm(b *testing.B, lesson, variant string, processes bool) *watcher {
	b.Helper()
	x := &watcher{silent: startSilent(b, "--lang", "en", "--lesson", lesson, "--variant", variant), b: b}
	if f, ok := x.tty.(*os.File); ok {
		if err := pty.Setsize(f, &pty.Winsize{Cols: 120, Rows: 40}); err != nil {
			b.Fatal(err)
		}
	}
	x.until("Who steps next")
	x.types("R")
	for !x.ended {
		x.frame()
	}
	x.types("b")
	x.until("c 2000 requests") // one size below the one chosen
	if processes {
		x.types("e")
		x.until("✓ each node a process")
	}
	return x
}

// report adds the figures of the answers, in milliseconds.
func report(b *testing.B, took []time.Duration) {
	slices.Sort(took)
	at := func(part float64) float64 {
		d := took[min(len(took)-1, int(part*float64(len(took))))]
		return float64(d.Microseconds()) / 1000
	}
	b.ReportMetric(at(0.5), "ms-median")
	b.ReportMetric(at(0.9), "ms-p90")
	b.ReportMetric(at(0.99), "ms-p99")
	b.ReportMetric(at(1), "ms-max")
	b.ReportMetric(float64(len(took)), "keys")
}

// BenchmarkKeysInStorm types while storms of 20,000 requests run, one after the other,
// and measures the time from writing a key to the frame that answers it. requests/s is
// how many requests of the storms ended in a second meanwhile. Without a storm is what
// the terminal and the program take alone.
func BenchmarkKeysInStorm(b *testing.B) {
	const keys = 200
	b.Run("no storm", func(b *testing.B) {
		x := openStorm(b, "stream-pipeline", "memory-queue", false)
		defer x.leave()
		var took []time.Duration
		for b.Loop() {
			for range keys {
				took = append(took, x.switches())
				x.pause()
			}
		}
		report(b, took)
	})
	for _, v := range []struct {
		name, lesson, variant string
		processes             bool
	}{
		{"Redis and queue", "stream-pipeline", "memory-queue", false},
		{"mutex and SQL", "synchronized", "mutex-one-node", false},
		{"processes", "stream-pipeline", "memory-queue", true},
	} {
		b.Run(v.name, func(b *testing.B) {
			x := openStorm(b, v.lesson, v.variant, v.processes)
			defer x.leave()
			var took []time.Duration
			var stormed time.Duration // by the storms' own clocks
			storms := 0
			for b.Loop() {
				for before := len(took); len(took) < before+keys; storms++ {
					stormed += x.storming(&took)
				}
			}
			report(b, took)
			n, _ := strconv.Atoi(stormSize) // digits
			b.ReportMetric(float64(storms*n)/stormed.Seconds(), "requests/s")
			b.ReportMetric(stormed.Seconds()/float64(storms), "s/storm")
		})
	}
}

// leave ends the program at once.
func (x *watcher) leave() {
	x.types("\x03")
	_ = x.cmd.Wait() // its exit code is that of an interrupt
	<-x.silent.done
	x.tty.Close()
}
