package live

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// Finding is one thing that was looked at on a server.
type Finding struct {
	Name   string
	Status string // "ok", "note" (works, but differently) or "fail"
	Text   string // one sentence
}

// examination is a look at one server.
type examination struct {
	t    *Target
	r    *Run
	out  []Finding
	info map[string]string // INFO, all of it
}

// Examine looks at everything about a server that decides what the lab can do there.
// It writes only below a prefix of its own, and removes that again. It ends early
// when the server cannot be used at all.
func Examine(ctx context.Context, t *Target) []Finding {
	e := &examination{t: t}
	r, err := Open(ctx, t, true)
	if err != nil {
		return append(e.out, Finding{"server", "fail", err.Error()})
	}
	e.r = r
	defer func() { _ = r.Close() }() // what stays is found by clean
	if err := e.readInfo(ctx); err != nil {
		return append(e.out, Finding{"server", "fail", err.Error()})
	}
	e.server()
	e.role()
	e.memory()
	e.latency(ctx)
	e.clock(ctx)
	if t.Mode == Cluster {
		e.slots(ctx)
	}
	e.features(ctx)
	return e.out
}

func (e *examination) add(name, status, format string, args ...any) {
	e.out = append(e.out, Finding{name, status, fmt.Sprintf(format, args...)})
}

func (e *examination) readInfo(ctx context.Context) error {
	text, err := e.r.one.Info(ctx).Result()
	if err != nil {
		return e.t.wrap(asking, err)
	}
	e.info = map[string]string{}
	for line := range strings.Lines(text) {
		if k, v, ok := strings.Cut(strings.TrimSpace(line), ":"); ok {
			e.info[k] = v
		}
	}
	return nil
}

func (e *examination) server() {
	name, version := "Redis", e.r.Version
	if v := e.info["valkey_version"]; v != "" {
		name, version = "Valkey", v
	}
	what := fmt.Sprintf("%s: %s %s, %s, reached as %s", e.t, name, version, e.info["redis_mode"], e.t.Mode)
	switch {
	case !e.r.atLeast(7, 0):
		e.add("server", "fail", "%s: stepping needs 7.0 or newer, and nothing else is promised", what)
	case e.info["redis_mode"] == "cluster" && e.t.Mode != Cluster:
		e.add("server", "note", "%s: it is a node of a cluster, --redis-cluster follows its slots", what)
	default:
		e.add("server", "ok", "%s", what)
	}
}

func (e *examination) role() {
	if e.info["role"] != "master" {
		e.add("role", "fail", "it is a read-only replica of %s:%s: give the address of the master", e.info["master_host"], e.info["master_port"])
		return
	}
	e.add("role", "ok", "master, %s replicas connected", e.info["connected_slaves"])
}

func (e *examination) memory() {
	limit, _ := strconv.ParseInt(e.info["maxmemory"], 10, 64)
	used, _ := strconv.ParseInt(e.info["used_memory"], 10, 64)
	policy := e.info["maxmemory_policy"]
	human := e.info["maxmemory_human"]
	switch {
	case limit == 0:
		e.add("memory", "ok", "no limit, %s in use", e.info["used_memory_human"])
	case policy != "noeviction":
		e.add("memory", "note", "maxmemory is %s with %s: under pressure the server throws keys away, and locks with them; noeviction is what a lock needs", human, policy)
	case used*10 > limit*9:
		e.add("memory", "note", "%s of %s in use: writes will soon be refused", e.info["used_memory_human"], human)
	default:
		e.add("memory", "ok", "%s of %s in use, %s", e.info["used_memory_human"], human, policy)
	}
}

// slow is a round trip that a person feels: a step takes several.
const slow = 20 * time.Millisecond

func (e *examination) latency(ctx context.Context) {
	var took []time.Duration
	end := time.Now().Add(Within)
	for len(took) < 100 && time.Now().Before(end) {
		began := time.Now()
		if err := e.r.one.Ping(ctx).Err(); err != nil {
			e.add("latency", "fail", "%v", e.t.wrap(pinging, err))
			return
		}
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	median := took[len(took)/2]
	status := "ok"
	if median > slow {
		status = "note"
	}
	e.add("latency", status, "%v, the median of %d round trips; the slowest took %v", median.Round(time.Microsecond), len(took), took[len(took)-1].Round(time.Microsecond))
}

func (e *examination) clock(ctx context.Context) {
	began := time.Now()
	there, err := e.r.one.Time(ctx).Result()
	half := time.Since(began) / 2
	if err != nil {
		e.add("clock", "fail", "%v", e.t.wrap(timing, err))
		return
	}
	skew := there.Sub(began.Add(half))
	if skew.Abs() > time.Second+half {
		e.add("clock", "note", "the server's clock is %v off this machine's: figures of time from both must not be compared", skew.Round(time.Millisecond))
		return
	}
	e.add("clock", "ok", "%v off this machine's", skew.Round(100*time.Microsecond))
}

func (e *examination) slots(ctx context.Context) {
	info, err := e.r.all.ClusterInfo(ctx).Result()
	if err != nil {
		e.add("cluster", "fail", "%v", e.t.wrap(mapping, err))
		return
	}
	ok, size, state := field(info, "cluster_slots_ok"), field(info, "cluster_size"), field(info, "cluster_state")
	status := "ok"
	if state != "ok" || ok != "16384" {
		status = "fail"
	}
	e.add("cluster", status, "state %s, %s of 16384 slots served by %s masters; a run keeps to one slot", state, ok, size)
}

// feature is something that lessons do, tried in a namespace.
type feature struct {
	name, uses string
	// must: without it nothing goes.
	must bool
	try  func(ctx context.Context, c *redis.Client) error
}

var features = []feature{
	{"keys", "locks and stock", true, func(ctx context.Context, c *redis.Client) error {
		_, err := c.Pipelined(ctx, func(p redis.Pipeliner) error {
			p.SetNX(ctx, "k", "v", time.Minute)
			p.Get(ctx, "k")
			p.Incr(ctx, "n")
			p.SAdd(ctx, "s", 1)
			p.HIncrBy(ctx, "h", "f", 1)
			p.PTTL(ctx, "k")
			p.Expire(ctx, "k", time.Hour)
			p.Del(ctx, "k")
			return nil
		})
		return err
	}},
	{"transactions", "WATCH and MULTI", true, func(ctx context.Context, c *redis.Client) error {
		return c.Watch(ctx, func(tx *redis.Tx) error {
			_, err := tx.TxPipelined(ctx, func(p redis.Pipeliner) error { p.Incr(ctx, "n"); return nil })
			return err
		}, "n")
	}},
	{"scripts", "atomic unlock and the sale", true, func(ctx context.Context, c *redis.Client) error {
		sha, err := c.ScriptLoad(ctx, "return redis.call('INCR', KEYS[1])").Result()
		if err != nil {
			return err
		}
		return c.EvalSha(ctx, sha, []string{"n"}).Err()
	}},
	{"streams", "queued orders", true, func(ctx context.Context, c *redis.Client) error {
		if err := c.XGroupCreateMkStream(ctx, "x", "g", "0").Err(); err != nil {
			return err
		}
		id, err := c.XAdd(ctx, &redis.XAddArgs{Stream: "x", Values: []string{"a", "b"}}).Result()
		if err != nil {
			return err
		}
		if err := c.XReadGroup(ctx, &redis.XReadGroupArgs{Group: "g", Consumer: "c", Streams: []string{"x", ">"}}).Err(); err != nil {
			return err
		}
		if err := c.XInfoGroups(ctx, "x").Err(); err != nil {
			return err
		}
		if err := c.XPendingExt(ctx, &redis.XPendingExtArgs{Stream: "x", Group: "g", Start: "-", End: "+", Count: 1}).Err(); err != nil {
			return err
		}
		if err := c.XClaim(ctx, &redis.XClaimArgs{Stream: "x", Group: "g", Consumer: "d", Messages: []string{id}}).Err(); err != nil {
			return err
		}
		return c.XAck(ctx, "x", "g", id).Err()
	}},
	{"cleaning up", "removing the run's own keys", true, func(ctx context.Context, c *redis.Client) error {
		if err := c.Unlink(ctx, "n").Err(); err != nil {
			return err
		}
		return c.Scan(ctx, 0, "*", 1).Err()
	}},
}

// features tries what lessons use.
func (e *examination) features(ctx context.Context) {
	c := e.r.Client()
	defer c.Close()
	for _, f := range features {
		if err := f.try(ctx, c); err != nil {
			e.add(f.name, "fail", "%s (%s) will not work: %v", f.name, f.uses, e.t.wrap(trying, err))
			continue
		}
		e.add(f.name, "ok", "%s will work", f.uses)
	}
	e.pubsub(ctx, c)
	e.delex(ctx, c)
}

func (e *examination) pubsub(ctx context.Context, c *redis.Client) {
	ear := c.Subscribe(ctx, e.r.Space.Prefix()+"c")
	defer ear.Close()
	_, err := ear.ReceiveTimeout(ctx, answerWithin)
	if err == nil {
		err = c.Publish(ctx, "c", "hello").Err()
	}
	if err == nil {
		_, err = ear.ReceiveTimeout(ctx, answerWithin)
	}
	if err != nil {
		e.add("pub/sub", "note", "waiting for a lock by a message will not work: %v; grant the channels &flashlab:*", e.t.wrap(trying, err))
		return
	}
	e.add("pub/sub", "ok", "waiting for a lock by a message will work")
}

func (e *examination) delex(ctx context.Context, c *redis.Client) {
	err := c.Do(ctx, "DELEX", "k", "IFEQ", "v").Err()
	if err != nil {
		e.add("DELEX", "note", "unlocking in one command needs Redis 8.4: there the lab uses the script instead")
		return
	}
	e.add("DELEX", "ok", "unlocking in one command will work")
}
