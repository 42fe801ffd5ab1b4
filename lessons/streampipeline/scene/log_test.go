package scene

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"flashlab/lessons"
	"flashlab/sim/scenario"
	"flashlab/sim/token"
	"flashlab/sim/trace"
)

func TestLog(t *testing.T) {
	for _, line := range strings.Split(os.Getenv("LOGS"), ";") {
		f := strings.Fields(line)
		if len(f) == 0 {
			continue
		}
		st := codes[f[0]]
		st.variant = f[0]
		st.ticks = 4
		p := scenario.NewParams(params(sizes{1, 8, 2, 1}))
		if len(f) > 1 && f[1] != "-" {
			p, _ = p.Set(f[1])
		}
		r, err := scenario.Open(st.sale()(p))
		if err != nil {
			t.Fatal(err)
		}
		r.Record(true)
		fr, err := r.Start()
		if err != nil {
			t.Fatal(err)
		}
		frames := []trace.Frame{fr}
		ms, err := token.ParseSteps(f[2])
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range ms {
			if fr, err = r.Play(m, fr.State.Lights); err != nil {
				fmt.Println(err)
				break
			}
			frames = append(frames, fr)
		}
		fmt.Println(line)
		fmt.Print(lessons.StagedLog(frames))
		last := frames[len(frames)-1].State
		for _, c := range last.Choices {
			fmt.Println("   choice", c.Move, c.Label)
		}
		for _, l := range last.Lights {
			fmt.Println("   light", l.Name, l.Status, l.Detail)
		}
		for _, s := range last.Streams {
			fmt.Printf("   %+v\n", s)
		}
		for _, a := range last.Actors {
			fmt.Printf("   %s %s %s %v %v %v\n", a.Letter, a.Name, a.Node, a.Phase, a.Why, a.Stack)
		}
		r.Close()
	}
}
