package live

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sort"
	"strconv"
	"strings"
	"sync"

	"github.com/redis/go-redis/v9"

	"flashlab/sim/redisgate"
)

// root begins every key and channel of the lab.
const root = "flashlab:"

// Namespace is a go-redis hook that keeps a client below a prefix: keys of commands
// and scripts and channels are sent with it, and replies that name keys come back
// without. A command whose keys are not known is refused, and so is any that
// concerns a whole server. It is safe for concurrent use and must be the last hook
// that is added, so that others see the names of business code.
type Namespace struct {
	prefix string

	mu    sync.Mutex
	names map[string]bool // every key that was named
}

var _ redis.Hook = (*Namespace)(nil)

// NewNamespace returns the namespace of a run. All its keys share a hash tag, and so
// a slot and a server. An untagged one leaves it to business code to tag its names:
// for lessons about slots.
func NewNamespace(run string, tagged bool) *Namespace {
	prefix := root + run + ":"
	if tagged {
		prefix = root + "{" + run + "}:"
	}
	return &Namespace{prefix: prefix, names: map[string]bool{}}
}

// Prefix is what stands before each key.
func (n *Namespace) Prefix() string { return n.prefix }

// Names returns the keys that commands have named so far, without the prefix,
// sorted. Not all of them exist.
func (n *Namespace) Names() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	out := make([]string, 0, len(n.names))
	for k := range n.names {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

// forget empties the list of names.
func (n *Namespace) forget() {
	n.mu.Lock()
	defer n.mu.Unlock()
	clear(n.names)
}

// Refused is the error of a command that the namespace does not let through. It is
// an answer as from a server, so that no client takes the connection for broken.
type Refused string

func (r Refused) Error() string { return string(r) }

// RedisError marks it as an answer.
func (r Refused) RedisError() {}

// answer is a server's error with the prefix taken out.
type answer struct {
	text string
	err  error
}

func (a answer) Error() string { return a.text }
func (a answer) Unwrap() error { return a.err }
func (a answer) RedisError()   {}

// DialHook passes through.
func (n *Namespace) DialHook(next redis.DialHook) redis.DialHook {
	return func(ctx context.Context, network, addr string) (net.Conn, error) { return next(ctx, network, addr) }
}

// ProcessHook sends one command below the prefix.
func (n *Namespace) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		back, err := n.enter(cmd)
		if err != nil {
			cmd.SetErr(err)
			return err
		}
		err = next(ctx, cmd)
		back()
		n.strip(cmd)
		return n.plain(cmd, err)
	}
}

// ProcessPipelineHook sends several. If one is refused, none is sent.
func (n *Namespace) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		var backs []func()
		undo := func() {
			for _, back := range backs {
				back()
			}
		}
		for _, cmd := range cmds {
			back, err := n.enter(cmd)
			if err != nil {
				undo()
				for _, c := range cmds {
					c.SetErr(err)
				}
				return err
			}
			backs = append(backs, back)
		}
		err := next(ctx, cmds)
		undo()
		for _, cmd := range cmds {
			n.strip(cmd)
			if e := cmd.Err(); e != nil {
				_ = n.plain(cmd, e) // it is in the command
			}
		}
		return n.plain(nil, err)
	}
}

// plain takes the prefix out of an error, which may quote a key.
func (n *Namespace) plain(cmd redis.Cmder, err error) error {
	var e redis.Error
	if err == nil || !errors.As(err, &e) || !strings.Contains(err.Error(), n.prefix) {
		return err
	}
	err = answer{strings.ReplaceAll(err.Error(), n.prefix, ""), err}
	if cmd != nil {
		cmd.SetErr(err)
	}
	return err
}

// enter puts the prefix into the arguments of a command. back takes it out again:
// others look at the command later, and read what business code has sent.
func (n *Namespace) enter(cmd redis.Cmder) (back func(), err error) {
	args := cmd.Args()
	at, err := n.places(args)
	if err != nil {
		return nil, err
	}
	old := make([]any, len(at))
	n.mu.Lock()
	for i, p := range at {
		old[i] = args[p]
		name := text(args[p])
		if p > 0 && !channels(args) {
			n.names[name] = true
		}
		args[p] = n.prefix + name
	}
	n.mu.Unlock()
	return func() {
		for i, p := range at {
			args[p] = old[i]
		}
	}, nil
}

func channels(args []any) bool {
	switch strings.ToLower(text(args[0])) {
	case "publish", "spublish", "subscribe", "ssubscribe", "unsubscribe", "sunsubscribe", "keys", "scan":
		return true
	}
	return false
}

// places returns which arguments are names. It is the wall between the lab and
// whatever else is on the server.
func (n *Namespace) places(args []any) ([]int, error) {
	if len(args) == 0 {
		return nil, Refused("ERR an empty command")
	}
	name := strings.ToLower(text(args[0]))
	second := ""
	if len(args) > 1 {
		second = strings.ToLower(text(args[1]))
	}
	no := func(why string) ([]int, error) {
		return nil, Refused("ERR the lab does not send " + strings.ToUpper(name) + " to a server that is not its own: " + why)
	}
	switch name {
	case "publish", "spublish":
		if len(args) > 1 {
			return []int{1}, nil
		}
	case "subscribe", "ssubscribe", "unsubscribe", "sunsubscribe":
		at := make([]int, 0, len(args))
		for i := 1; i < len(args); i++ {
			at = append(at, i)
		}
		return at, nil
	case "keys":
		if len(args) == 2 {
			return []int{1}, nil
		}
	case "scan":
		for i := 2; i+1 < len(args); i += 2 {
			if strings.EqualFold(text(args[i]), "match") {
				return []int{i + 1}, nil
			}
		}
		return no("it would list what is not the lab's; give MATCH a pattern")
	case "script":
		switch second {
		case "load", "exists":
			return nil, nil
		}
		return no("the cache of scripts belongs to all its users")
	case "client":
		switch second {
		case "setname", "setinfo", "getname", "id", "maint_notifications":
			return nil, nil
		}
		return no("other clients are no business of the lab")
	case "dbsize", "info", "command":
		return no("it tells about what is not the lab's")
	}
	at, ok := redisgate.Positions(args)
	if !ok {
		return no("it is not known where its keys stand")
	}
	return at, nil
}

// strip takes the prefix from keys in a reply.
func (n *Namespace) strip(cmd redis.Cmder) {
	name := strings.ToLower(cmd.Name())
	switch c := cmd.(type) {
	case *redis.XStreamSliceCmd:
		for i := range c.Val() {
			c.Val()[i].Stream = n.cut(c.Val()[i].Stream)
		}
	case *redis.StringSliceCmd:
		switch v := c.Val(); name {
		case "keys":
			n.cutAll(v)
		case "blpop", "brpop":
			n.cutAll(v[:min(1, len(v))])
		}
	case *redis.ScanCmd:
		if keys, _ := c.Val(); name == "scan" {
			n.cutAll(keys)
		}
	case *redis.Cmd:
		c.SetVal(n.cutValue(name, c.Val()))
	}
}

// cutValue strips a reply that go-redis has not taken apart.
func (n *Namespace) cutValue(name string, v any) any {
	if s, ok := v.(string); ok && strings.HasPrefix(name, "eval") {
		return n.cut(s) // a script may hand on a key
	}
	list, ok := v.([]any)
	if !ok || len(list) == 0 {
		return v
	}
	first := func(l []any) {
		if s, ok := l[0].(string); ok {
			l[0] = n.cut(s)
		}
	}
	switch name {
	case "keys":
		for i := range list {
			first(list[i:])
		}
	case "scan":
		if keys, ok := list[len(list)-1].([]any); ok {
			for i := range keys {
				first(keys[i:])
			}
		}
	case "xread", "xreadgroup":
		for _, s := range list {
			if one, ok := s.([]any); ok && len(one) > 0 {
				first(one)
			}
		}
	case "blpop", "brpop":
		first(list)
	case "eval", "evalsha", "eval_ro", "evalsha_ro":
		for i := range list {
			list[i] = n.cutValue(name, list[i])
		}
	}
	return v
}

func (n *Namespace) cut(s string) string { return strings.TrimPrefix(s, n.prefix) }

func (n *Namespace) cutAll(list []string) {
	for i := range list {
		list[i] = n.cut(list[i])
	}
}

// text renders an argument as go-redis sends it, for what can be a name or a number.
func text(v any) string {
	switch x := v.(type) {
	case string:
		return x
	case []byte:
		return string(x)
	case int:
		return strconv.Itoa(x)
	case int64:
		return strconv.FormatInt(x, 10)
	case nil:
		return ""
	}
	return fmt.Sprint(v)
}
