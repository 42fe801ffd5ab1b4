package scene

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"flashlab/lessons/streampipeline"
	"flashlab/sim/explore"
	"flashlab/sim/scenario"
	"flashlab/sim/token"
)

var codes = map[string]setting{
	"memory-queue":         {memory: true, code: func(s *streampipeline.Shop) seller { return &streampipeline.MemoryQueue{Shop: s} }},
	"ack-before-commit":    {code: func(s *streampipeline.Shop) seller { return &streampipeline.AckBeforeCommit{Shop: s} }},
	"not-idempotent":       {repeats: true, code: func(s *streampipeline.Shop) seller { return &streampipeline.NotIdempotent{Shop: s} }},
	"pipeline":             {code: func(s *streampipeline.Shop) seller { return &streampipeline.Pipeline{Shop: s} }},
	"no-reclaim":           {code: func(s *streampipeline.Shop) seller { return &streampipeline.NoReclaim{Shop: s} }},
	"poison":               {poisoned: true, code: func(s *streampipeline.Shop) seller { return &streampipeline.Poison{Shop: s} }},
	"dead-letter":          {poisoned: true, code: func(s *streampipeline.Shop) seller { return &streampipeline.DeadLetter{Shop: s} }},
	"half-done-script":     {code: func(s *streampipeline.Shop) seller { return &streampipeline.HalfDoneScript{Shop: s} }},
	"duplicate-check-last": {code: func(s *streampipeline.Shop) seller { return &streampipeline.DuplicateCheckLast{Shop: s} }},
	"ack-though-skipped":   {rival: true, code: func(s *streampipeline.Shop) seller { return &streampipeline.AckThoughSkipped{Shop: s} }},
	"wrong-ack-key":        {code: func(s *streampipeline.Shop) seller { return &streampipeline.WrongAckKey{Shop: s} }},
}

func TestScratch(t *testing.T) {
	for _, line := range strings.Split(os.Getenv("SCENES"), ";") {
		f := strings.Fields(line)
		if len(f) == 0 {
			continue
		}
		st := codes[f[0]]
		st.variant = f[0]
		st.ticks = 2
		if len(f) > 2 {
			fmt.Sscan(f[2], &st.ticks)
		}
		p := scenario.NewParams(params(sizes{1, 8, 2, 1}))
		if len(f) > 1 && f[1] != "-" {
			var err error
			if p, err = p.Set(f[1]); err != nil {
				t.Fatal(err)
			}
		}
		s := st.sale()(p)
		r, err := scenario.Open(s)
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		res, err := explore.Run(context.Background(), r, len(s.Lights), explore.Limits{Duration: 5 * time.Minute}, nil)
		if err != nil {
			t.Fatal(line, err)
		}
		fmt.Printf("%-22s %-34s t=%d: %v inter, %d states, %v, complete %v\n", f[0], p, st.ticks, res.Interleavings, res.States, time.Since(start).Round(time.Millisecond), res.Complete)
		for i, l := range res.Lights {
			if l.Broken {
				fmt.Printf("      %-20s %v, len %d (%v) runout %v  %s\n", s.Lights[i].Name, l.Violating, l.Shortest, l.Ties, l.InRunOut, token.Steps(l.Schedule))
			}
		}
		r.Close()
	}
}
