package shop_test

import (
	"bytes"
	"context"
	"errors"
	"net"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"flashlab/lessons/shop"
)

// The lock on a machine that has no time for it, and on a server that takes requests
// and does not answer.

// silent is a connection on which subscriptions come to nothing.
type silent struct {
	net.Conn
	fail *atomic.Bool // the next one cannot be sent; otherwise it is sent nowhere
}

func (c silent) Write(b []byte) (int, error) {
	if !bytes.Contains(bytes.ToLower(b), []byte("subscribe")) {
		return c.Conn.Write(b)
	}
	if c.fail.Swap(false) {
		return 0, os.ErrDeadlineExceeded
	}
	return len(b), nil
}

// TestNoConfirmation: nobody confirms the subscription of a waiter. It goes away when
// its patience is over, or its request, and gets in all the same when the lock is
// free: without messages it asks again after the lease that it was told of.
func TestNoConfirmation(t *testing.T) {
	for _, c := range []struct {
		what   string
		fails  bool
		wait   time.Duration
		cancel time.Duration // 0: never
		want   error         // nil: it is in
		within time.Duration
	}{
		// go-redis repeats nothing that it could not send.
		{"not sent", true, 50 * time.Millisecond, 0, shop.ErrBusy, 10 * time.Second},
		{"not answered", false, 50 * time.Millisecond, 0, shop.ErrBusy, 10 * time.Second},
		{"cancelled", false, shop.Forever, 100 * time.Millisecond, context.Canceled, 2 * time.Second},
		{"patient", false, shop.Forever, 0, nil, 20 * time.Second},
	} {
		t.Run(c.what, func(t *testing.T) {
			t.Parallel()
			m, rdb := embedded(t)
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			a := mustLock(t, locks(rdb, "n1"), ctx, shop.Options{Lease: time.Minute})
			if c.want == nil {
				// What the waiter is told to sleep for. The clock stands still, so it is
				// the release that lets it in, though nothing tells it of that.
				m.SetTTL(lockName, time.Second)
				defer time.AfterFunc(3500*time.Millisecond, func() { a.Unlock(ctx) }).Stop()
			}
			var fail atomic.Bool
			fail.Store(c.fails)
			deaf := redis.NewClient(&redis.Options{Dialer: func(context.Context, string, string) (net.Conn, error) {
				conn, err := m.Dial()
				return silent{conn, &fail}, err
			}})
			defer deaf.Close()
			if c.cancel > 0 {
				time.AfterFunc(c.cancel, cancel)
			}
			got := make(chan error, 1)
			go func() {
				_, err := locks(deaf, "n2").Lock(ctx, lockName, shop.Options{Wait: c.wait})
				got <- err
			}()
			select {
			case err := <-got:
				if !errors.Is(err, c.want) {
					t.Errorf("it gets %v, not %v", err, c.want)
				}
			case <-time.After(c.within):
				t.Fatal("it waits for ever")
			}
		})
	}
}
