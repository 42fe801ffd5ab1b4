package storm

import (
	"context"
	"errors"
	"sync"

	"flashlab/sim/live"
	"flashlab/sim/world"
)

// link is the way of one process to a live server; nil: the embedded Redis is used.
type link struct {
	run  *live.Run
	gone chan struct{} // closed when the server is lost

	mu   sync.Mutex
	lost *live.Trouble // why the server cannot be worked with any more
}

// openLink opens a run on a server, with a heartbeat; without a server it is nil.
func openLink(ctx context.Context, t *live.Target) (*link, error) {
	if t == nil {
		return nil, nil
	}
	run, err := live.Open(ctx, t, true)
	if err != nil {
		return nil, err
	}
	return &link{run: run, gone: make(chan struct{})}, nil
}

// joinLink takes part in the run of another process.
func joinLink(ctx context.Context, t *live.Target, id string) (*link, error) {
	run, err := live.Join(ctx, t, id, true)
	if err != nil {
		return nil, err
	}
	return &link{run: run, gone: make(chan struct{})}, nil
}

// lead adds the way to the options of a world.
func (l *link) lead(o world.FreeOptions) world.FreeOptions {
	if l != nil {
		o.Live, o.Lost = l.run, l.lose
	}
	return o
}

// lose notes that the server has gone.
func (l *link) lose(x *live.Trouble) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.lost == nil {
		l.lost = x
		close(l.gone)
	}
}

// blamed reports whether the server is lost; an error that says so may come before
// anybody else has noticed.
func (l *link) blamed(err error) bool {
	var x *live.Trouble
	if l != nil && errors.As(err, &x) {
		l.lose(x)
	}
	return l.trouble() != nil
}

// trouble is why the server was lost; nil while it is there.
func (l *link) trouble() *live.Trouble {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lost
}

// until returns a context that ends when the server is lost.
func (l *link) until(ctx context.Context) (context.Context, context.CancelFunc) {
	stop, end := context.WithCancel(ctx)
	if l != nil {
		go func() {
			select {
			case <-l.gone:
				end()
			case <-stop.Done():
			}
		}()
	}
	return stop, end
}

// name is what a server calls itself; "" for the embedded Redis.
func (l *link) name() string {
	if l == nil {
		return ""
	}
	return l.run.Target.String() + ", Redis " + l.run.Version
}

// close removes what the storm has left on the server. What it could not remove,
// flashlab clean finds later.
func (l *link) close() {
	if l != nil {
		_ = l.run.Close()
	}
}
