// Package live talks to a Redis that somebody else operates: it finds the way there,
// keeps everything of one run under a prefix of its own, carries virtual time to a
// server that has real time, cleans up, and says in one sentence what does not work.
//
// The package must not know a lesson, and must not touch a key that is not below
// its prefix: no FLUSHALL, no CONFIG SET, no SCRIPT FLUSH, whatever happens.
package live

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"flashlab/sim/trace"
)

const (
	// answerWithin bounds each command and each dial. It is below the two seconds
	// after which the kernel takes an actor for one that computes without end.
	answerWithin = 1200 * time.Millisecond
	// Within bounds whatever a person waits for.
	Within = 2800 * time.Millisecond
)

// Mode is how the servers behind an address work together.
type Mode uint8

// The modes.
const (
	Single Mode = iota
	Sentinel
	Cluster
)

// String returns "single", "sentinel" or "cluster".
func (m Mode) String() string { return [...]string{"single", "sentinel", "cluster"}[m] }

// Flags are what a command line says about a server; all empty: none is wanted.
type Flags struct {
	URL      string // --redis: redis://, rediss:// or unix://
	Sentinel string // --redis-sentinel: name@host:port,...
	Cluster  string // --redis-cluster: host:port,...
}

// Given reports whether a server is wanted.
func (f Flags) Given() bool { return f.URL != "" || f.Sentinel != "" || f.Cluster != "" }

// Target is a server, or several that work as one.
type Target struct {
	Mode Mode
	// RootCAs, when set, are trusted instead of the system's for rediss://.
	RootCAs *x509.CertPool

	name trace.Phrase // for messages: no password in it
	flag string       // what it came from
	opt  redis.UniversalOptions
	url  *redis.Options // of a URL
}

// String names the target without its password.
func (t *Target) String() string { return t.name.String() }

// Parse reads the flags. User and password of a sentinel or a cluster come from
// FLASHLAB_REDIS_USERNAME and FLASHLAB_REDIS_PASSWORD, which getenv looks up; those
// of a URL stand in it or, so that they show in no list of processes, there too. An
// error is one sentence and holds no password.
func Parse(f Flags, getenv func(string) string) (*Target, error) {
	n := 0
	for _, s := range []string{f.URL, f.Sentinel, f.Cluster} {
		if s != "" {
			n++
		}
	}
	if n != 1 {
		return nil, errors.New("--redis, --redis-sentinel and --redis-cluster exclude each other: give one")
	}
	t := &Target{}
	var err error
	switch {
	case f.URL != "":
		err = t.parseURL(f.URL)
	case f.Sentinel != "":
		t.Mode, t.flag = Sentinel, "--redis-sentinel"
		name, list, ok := strings.Cut(f.Sentinel, "@")
		if !ok || name == "" {
			return nil, errors.New("--redis-sentinel names no master: write NAME@HOST:PORT,..., such as mymaster@10.0.0.1:26379")
		}
		t.opt.MasterName = name
		t.name = trace.Say("server.sentinel", "the master {name} of the sentinels at {list}", "name", name, "list", list)
		t.opt.Addrs, err = addresses(t.flag, list)
	default:
		t.Mode, t.flag = Cluster, "--redis-cluster"
		t.name = trace.Say("server.cluster", "the cluster at {list}", "list", f.Cluster)
		t.opt.Addrs, err = addresses(t.flag, f.Cluster)
	}
	if err != nil {
		return nil, err
	}
	user, password := getenv("FLASHLAB_REDIS_USERNAME"), getenv("FLASHLAB_REDIS_PASSWORD")
	t.opt.Username, t.opt.Password = user, password
	if t.url != nil && t.url.Password == "" {
		t.url.Password = password
		if t.url.Username == "" {
			t.url.Username = user
		}
	}
	return t, nil
}

func (t *Target) parseURL(text string) error {
	t.flag = "--redis"
	// The parser's own errors quote the URL, with the password.
	u, err := url.Parse(text)
	if err != nil {
		return errors.New("--redis is no URL: write redis://HOST:PORT, rediss://HOST:PORT or unix:///PATH, and special characters of a password as %XX")
	}
	switch u.Scheme {
	case "redis", "rediss", "unix":
	default:
		return fmt.Errorf("--redis %s is not possible: a URL begins with redis://, rediss:// or unix://", harmless(u))
	}
	opt, err := redis.ParseURL(text)
	if err != nil {
		return fmt.Errorf("--redis %s is not possible: %s; write redis://HOST:PORT/DB", harmless(u), strings.TrimPrefix(strings.ReplaceAll(err.Error(), text, "it"), "redis: "))
	}
	if u.Scheme == "unix" && opt.Addr == "" {
		return errors.New("--redis names no socket: write unix:///PATH")
	}
	t.url, t.name = opt, trace.Verbatim(harmless(u))
	return nil
}

// harmless renders a URL without what is secret in it.
func harmless(u *url.URL) string {
	c := *u
	c.User, c.RawQuery, c.Fragment = nil, "", ""
	if u.User != nil && u.User.Username() != "" {
		c.User = url.User(u.User.Username())
	}
	return c.String()
}

func addresses(flag, list string) ([]string, error) {
	var out []string
	for _, a := range strings.Split(list, ",") {
		host, port, err := net.SplitHostPort(strings.TrimSpace(a))
		if err != nil || host == "" || port == "" {
			if strings.Contains(a, "@") {
				return nil, fmt.Errorf("%s holds an address with @: write HOST:PORT,..., and put a password into FLASHLAB_REDIS_PASSWORD", flag)
			}
			return nil, fmt.Errorf("%s: %q is no address: write HOST:PORT, several with commas", flag, a)
		}
		out = append(out, net.JoinHostPort(host, port))
	}
	return out, nil
}

// options are those of every client: each command is sent once, in RESP2, and a
// server that is silent is not waited for.
func (t *Target) options() *redis.UniversalOptions {
	o := t.opt
	if t.url != nil {
		o.Addrs, o.DB = []string{t.url.Addr}, t.url.DB
		o.Username, o.Password, o.TLSConfig = t.url.Username, t.url.Password, t.url.TLSConfig
	}
	if o.TLSConfig != nil && t.RootCAs != nil {
		o.TLSConfig = o.TLSConfig.Clone()
		o.TLSConfig.RootCAs = t.RootCAs
	}
	o.Protocol, o.MaxRetries, o.DialerRetries, o.DisableIdentity = 2, -1, 1, true
	o.DialTimeout, o.ReadTimeout, o.WriteTimeout = answerWithin, answerWithin, answerWithin
	o.PoolTimeout, o.MaxRedirects = answerWithin, 3
	o.PipelinePoolSize, o.PoolSize = -1, 64
	o.IsClusterMode = t.Mode == Cluster
	return &o
}

var quiet sync.Once

// nothing swallows go-redis' own log lines: what matters arrives as an error.
type nothing struct{}

func (nothing) Printf(context.Context, string, ...any) {}

// universal returns a client for everything that is not one run's: all masters.
func (t *Target) universal() redis.UniversalClient {
	quiet.Do(func() { redis.SetLogger(nothing{}) })
	o := t.options()
	if t.Mode == Single && t.url.Network == "unix" {
		return redis.NewClient(t.simple(o))
	}
	return redis.NewUniversalClient(o)
}

func (t *Target) simple(o *redis.UniversalOptions) *redis.Options {
	s := o.Simple()
	if t.url != nil {
		s.Network, s.Addr = t.url.Network, t.url.Addr
	}
	return s
}

// client returns a client for the server that owns a key. A run's keys share a hash
// tag and so a server, which an ordinary client can talk to; after a failover its
// next connection goes to the new owner.
func (t *Target) client(all redis.UniversalClient, key string) *redis.Client {
	return t.clientOf(all, key, t.options())
}

func (t *Target) clientOf(all redis.UniversalClient, key string, o *redis.UniversalOptions) *redis.Client {
	switch t.Mode {
	case Sentinel:
		return redis.NewFailoverClient(o.Failover())
	case Cluster:
		s := o.Simple()
		dial := redis.NewDialer(s)
		cluster, ok := all.(*redis.ClusterClient)
		if ok {
			s.Dialer = func(ctx context.Context, network, _ string) (net.Conn, error) {
				owner, err := cluster.MasterForKey(ctx, key)
				if err != nil {
					return nil, err
				}
				return dial(ctx, network, owner.Options().Addr)
			}
		}
		return redis.NewClient(s)
	}
	return redis.NewClient(t.simple(o))
}

// masters calls f for each server that holds keys, one after the other.
func masters(ctx context.Context, all redis.UniversalClient, f func(ctx context.Context, c *redis.Client) error) error {
	switch c := all.(type) {
	case *redis.ClusterClient:
		var mu sync.Mutex
		return c.ForEachMaster(ctx, func(ctx context.Context, c *redis.Client) error {
			mu.Lock()
			defer mu.Unlock()
			return f(ctx, c)
		})
	case *redis.Client:
		return f(ctx, c)
	}
	return fmt.Errorf("a client of an unknown kind: %T", all)
}

// within runs f and waits for it no longer than Within, even if it does not look at
// its context.
func within(ctx context.Context, f func(ctx context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, Within)
	done := make(chan error, 1)
	go func() {
		defer func() {
			if r := recover(); r != nil {
				done <- fmt.Errorf("live: %v", r)
			}
		}()
		done <- f(ctx)
	}()
	defer cancel()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return fmt.Errorf("no answer within %v: %w", Within, os.ErrDeadlineExceeded)
	}
}
