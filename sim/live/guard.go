package live

import (
	"context"
	"net"
	"sync"

	"github.com/redis/go-redis/v9"

	"flashlab/sim/trace"
)

// Guard is a go-redis hook that notices what business code cannot be blamed for: the
// server has gone, or does not let the lab work any more. After the first such
// trouble nothing is sent, so nobody waits for a second one. It is safe for concurrent
// use.
type Guard struct {
	Target *Target
	// Lost is told once; may be nil.
	Lost func(*Trouble)

	mu      sync.Mutex
	trouble *Trouble
}

// Trouble returns what has happened, or nil.
func (g *Guard) Trouble() *Trouble {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.trouble
}

// look judges an error.
func (g *Guard) look(err error) {
	x := g.Target.Explain(err)
	if x == nil || redis.HasErrorPrefix(err, "CROSSSLOT") { // a lesson's answer in a cluster
		return
	}
	g.mu.Lock()
	first := g.trouble == nil
	if first {
		led := *x
		switch x.Kind {
		case "lost", "refused", "timeout", "address":
			led.Kind, led.Lead = "lost", trace.Say("trouble.lost", "the server was lost in mid-run: ")
		default:
			led.Lead = trace.Say("trouble.stopped", "the run cannot go on: ")
		}
		x = &led
		g.trouble = x
	}
	g.mu.Unlock()
	if first && g.Lost != nil {
		g.Lost(x)
	}
}

// DialHook passes through.
func (g *Guard) DialHook(next redis.DialHook) redis.DialHook {
	return func(ctx context.Context, network, addr string) (net.Conn, error) { return next(ctx, network, addr) }
}

// ProcessHook watches a command.
func (g *Guard) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		if x := g.Trouble(); x != nil {
			cmd.SetErr(x)
			return x
		}
		err := next(ctx, cmd)
		if g.look(err); err != nil && g.Trouble() != nil {
			err = g.Trouble() // whoever hands it on says it in one sentence
			cmd.SetErr(err)
		}
		return err
	}
}

// ProcessPipelineHook watches several.
func (g *Guard) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		if x := g.Trouble(); x != nil {
			for _, cmd := range cmds {
				cmd.SetErr(x)
			}
			return x
		}
		err := next(ctx, cmds)
		g.look(err)
		for _, cmd := range cmds {
			g.look(cmd.Err())
		}
		if x := g.Trouble(); x != nil {
			return x
		}
		return err
	}
}
