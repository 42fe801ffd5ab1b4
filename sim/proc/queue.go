package proc

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"sync"

	"flashlab/sim"
	"flashlab/sim/trace"
)

// Queue is a first-in, first-out queue inside one process, as a buffered channel
// is. Under the lab every node has its own copy, and what is in it dies with the
// node. The zero value is empty; it has no limit.
type Queue[T any] struct {
	mu    sync.Mutex
	more  *sync.Cond
	items []T
}

// lane is the content of a queue on one node.
type lane[T any] struct {
	node  string
	items []T
	// name is the history of whoever put the first of the items. It tells lanes
	// apart: nobody puts into two of them with the same history.
	name sim.HistoryID
}

// Abandon implements sim.Object; a queue is nobody's in particular.
func (l *lane[T]) Abandon() {}

// AppendKey appends the items in order; an empty lane is as good as none.
func (l *lane[T]) AppendKey(b []byte) []byte {
	if len(l.items) == 0 {
		return b
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(l.name))
	for _, x := range l.items {
		b = fmt.Appendf(b, "%v;", x)
	}
	return b
}

// NodeDied drops what was in the memory of a node.
func (l *lane[T]) NodeDied(node string) {
	if node == l.node {
		l.items = nil
	}
}

func (q *Queue[T]) on(k *sim.Kernel, node string) *lane[T] {
	return k.Local(q, node, func() sim.Object {
		l := &lane[T]{node: node}
		k.Share(l, nil)
		return l
	}).(*lane[T])
}

// Waiting returns what is in the queue on a node of the lab, for checks; without a
// kernel, what is in that of this process.
func (q *Queue[T]) Waiting(k *sim.Kernel, node string) []T {
	if k == nil {
		q.lock()
		defer q.mu.Unlock()
		return slices.Clone(q.items)
	}
	return slices.Clone(q.on(k, node).items)
}

// Put appends an item.
func (q *Queue[T]) Put(ctx context.Context, item T) error {
	a := sim.From(ctx)
	if a == nil {
		q.lock()
		q.items = append(q.items, item)
		q.more.Signal()
		q.mu.Unlock()
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	l := q.on(a.Kernel(), a.Node)
	op, err := a.Prepare(sim.KindQueue, "put")
	if err != nil {
		return err
	}
	op.Detail = &queueCall[T]{name: "put", item: item}
	if err := a.Park(); err != nil {
		return err
	}
	if len(l.items) == 0 {
		l.name = a.History
	}
	l.items = append(l.items, item)
	a.Did(nil, nil)
	return nil
}

// Take waits for an item and removes it.
func (q *Queue[T]) Take(ctx context.Context) (item T, err error) {
	a := sim.From(ctx)
	if a == nil {
		q.lock()
		defer q.mu.Unlock()
		stop := context.AfterFunc(ctx, func() {
			q.lock()
			q.more.Broadcast()
			q.mu.Unlock()
		})
		defer stop()
		for len(q.items) == 0 {
			if err := ctx.Err(); err != nil {
				return item, err
			}
			q.more.Wait()
		}
		item, q.items = q.items[0], q.items[1:]
		return item, nil
	}
	l := q.on(a.Kernel(), a.Node)
	op, err := a.Prepare(sim.KindQueue, "take")
	if err != nil {
		return item, err
	}
	call := &queueCall[T]{name: "take"}
	op.Detail = call
	op.Blocked = func() (trace.Reason, bool) {
		if len(l.items) > 0 || ctx.Err() != nil {
			return trace.Reason{}, false
		}
		return trace.Reason{Kind: "stream", Name: "queue on " + a.Node}, true
	}
	if err := a.Park(); err != nil {
		return item, err
	}
	if err := ctx.Err(); err != nil {
		a.Did(nil, err)
		return item, err
	}
	item, l.items = l.items[0], l.items[1:]
	call.item, call.done = item, true
	a.Did(fmt.Appendf(nil, "%v", item), nil)
	return item, nil
}

func (q *Queue[T]) lock() {
	q.mu.Lock()
	if q.more == nil {
		q.more = sync.NewCond(&q.mu)
	}
}

// queueCall is the detail of a queue operation.
type queueCall[T any] struct {
	name string
	item T
	done bool
}

func (c *queueCall[T]) Command() string {
	if c.name == "put" {
		return fmt.Sprintf("queue.put(%v)", c.item)
	}
	return "queue.take()"
}

func (c *queueCall[T]) Reply() string {
	if c.done {
		return fmt.Sprint(c.item)
	}
	return ""
}

func (c *queueCall[T]) Accesses() []trace.Access {
	return []trace.Access{{Resource: "queue", Write: true}}
}
