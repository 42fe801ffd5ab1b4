package live

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"syscall"

	"github.com/redis/go-redis/v9"

	"flashlab/sim/trace"
)

// Trouble is something about a server that the lab cannot work with: one sentence
// that says what, where, and what to do.
type Trouble struct {
	// Kind is a word for programs: refused, timeout, lost, auth, rights, readonly,
	// memory, eviction, version, cluster, loading, tls, address, server.
	Kind string
	// Lead is what it means for a run that was under way; empty: there was none.
	Lead   trace.Phrase
	Server trace.Phrase // whose trouble it is; fills {server} of What
	What   trace.Phrase
	err    error
}

// Error is the trouble in English.
func (t *Trouble) Error() string { return t.In(trace.Phrase.String) }

// Unwrap returns the error behind it; nil if another process has told of it.
func (t *Trouble) Unwrap() error { return t.err }

// In is the trouble in the words of a language, which say puts phrases into.
func (t *Trouble) In(say func(trace.Phrase) string) string {
	what := t.What
	what.Values = append([]string{"server", say(t.Server)}, what.Values...)
	return say(t.Lead) + say(what)
}

// trouble makes trouble of a kind with the server; pairs are those of [trace.Say].
func (t *Target) trouble(err error, kind, key, english string, pairs ...any) *Trouble {
	return &Trouble{Kind: kind, Server: t.name, What: trace.Say(key, english, pairs...), err: err}
}

// Explain returns the trouble behind an error, or nil when the error is an answer
// that business code may get anywhere: a wrong type, a missing script, no such key.
func (t *Target) Explain(err error) *Trouble {
	if err == nil || errors.Is(err, redis.Nil) || errors.Is(err, redis.TxFailedErr) || errors.Is(err, context.Canceled) {
		return nil
	}
	var known *Trouble
	if errors.As(err, &known) {
		return known
	}
	say := func(kind, key, english string, pairs ...any) *Trouble {
		return t.trouble(err, kind, "trouble."+key, english, pairs...)
	}
	var answer redis.Error
	if errors.As(err, &answer) {
		return t.explainAnswer(answer.Error(), say)
	}
	text := err.Error()
	var op *net.OpError
	var dns *net.DNSError
	switch {
	case strings.Contains(text, "unexpected keys are overlapping"):
		return nil
	case strings.Contains(text, "x509:") || strings.Contains(text, "tls:"):
		return say("tls", "tls", "{server}: the encrypted connection fails ({why}): use redis:// if it does not speak TLS, or name its certificate authority in SSL_CERT_FILE", "why", last(text))
	case errors.As(err, &dns):
		return say("address", "name", "{server}: the name {name} is not known: check the address in {flag}", "name", dns.Name, "flag", t.flag)
	case errors.Is(err, syscall.ECONNREFUSED):
		return say("refused", "refused", "{server} refuses the connection: start the server, or check host and port in {flag}", "flag", t.flag)
	case errors.Is(err, syscall.ENOENT):
		return say("refused", "no-socket", "{server}: there is no such socket: start the server, or check the path in {flag}", "flag", t.flag)
	case errors.Is(err, syscall.EACCES):
		return say("rights", "socket-rights", "{server}: the socket may not be opened: ask for the right to read and write it")
	case strings.Contains(text, "all sentinels"), strings.Contains(text, "specified configuration"):
		return say("refused", "no-master", "{server}: no sentinel knows that master: check name and addresses in {flag}", "flag", t.flag)
	case t.url != nil && t.url.TLSConfig != nil && isTimeout(err):
		return say("tls", "tls-silent", "{server} does not answer to TLS in time: use redis:// if it does not speak it, or check that it runs")
	case errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, context.DeadlineExceeded), isTimeout(err):
		return say("timeout", "silent", "{server} does not answer in time: check that it runs and that no firewall stands between")
	case strings.Contains(text, "cannot load slots"), strings.Contains(text, "cluster has no nodes"):
		return say("refused", "no-slots", "{server}: no node gives its slots: start the cluster, or check the addresses in {flag}", "flag", t.flag)
	case errors.Is(err, io.EOF), errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE), errors.Is(err, io.ErrUnexpectedEOF):
		return say("lost", "closed", "{server} has closed the connection: see whether the server still runs, whether it wants TLS (rediss://), and what its log says")
	case errors.As(err, &op):
		return say("refused", "unreachable", "{server} cannot be reached ({why}): check the address in {flag}", "why", last(text), "flag", t.flag)
	case strings.HasPrefix(text, "redis: can't parse"), strings.HasPrefix(text, "redis: invalid"):
		return say("server", "no-redis", "{server} does not speak the protocol of Redis: check host and port in {flag}", "flag", t.flag)
	}
	return nil
}

func isTimeout(err error) bool {
	var n net.Error
	return errors.As(err, &n) && n.Timeout()
}

// last is what an error says behind its last colon.
func last(text string) string {
	if i := strings.LastIndex(text, ": "); i >= 0 {
		return text[i+2:]
	}
	return text
}

// explainAnswer sorts what a server has said.
func (t *Target) explainAnswer(text string, say func(kind, key, english string, pairs ...any) *Trouble) *Trouble {
	text = strings.TrimPrefix(text, "ERR ")
	// A script hands on what stopped a command of it.
	for _, code := range []string{"READONLY", "OOM", "NOPERM", "MISCONF", "NOREPLICAS"} {
		if strings.Contains(text, "-"+code+" ") || strings.HasPrefix(text, code+" ") {
			text = code + " " + text
			break
		}
	}
	word, _, _ := strings.Cut(text, " ")
	switch word {
	case "NOAUTH":
		return say("auth", "password-wanted", "{server} wants a password: put it into the URL (redis://:PASSWORD@HOST) or into FLASHLAB_REDIS_PASSWORD")
	case "WRONGPASS":
		return say("auth", "password-wrong", "{server} does not accept this user or password: check both, and whether the user is switched on")
	case "NOPERM":
		return say("rights", "rights", "{server}: the user may not do what the lab needs ({answer}): grant it with ACL SETUSER NAME ~flashlab:* &flashlab:* +@all -@dangerous +info", "answer", after(text, "NOPERM"))
	case "READONLY":
		return say("readonly", "replica", "{server} is a read-only replica: give the address of its master, or of a sentinel (--redis-sentinel)")
	case "OOM":
		return say("memory", "memory", "{server} has reached its maxmemory and takes no more writes: free some memory or raise the limit")
	case "MISCONF":
		return say("server", "disk", "{server} takes no writes because it cannot save to its disk: see its log")
	case "NOREPLICAS":
		return say("server", "few-replicas", "{server} takes no writes because too few replicas are connected (min-replicas-to-write)")
	case "LOADING":
		return say("loading", "loading", "{server} is still loading its data: try again in a moment")
	case "MASTERDOWN":
		return say("readonly", "orphan", "{server} is a replica that has lost its master: give the address of a master")
	case "CLUSTERDOWN":
		return say("cluster", "cluster-down", "{server}: the cluster is down, some slots have no server: repair it first (redis-cli --cluster check)")
	case "MOVED", "ASK":
		return say("cluster", "cluster-node", "{server} is a node of a cluster: use --redis-cluster HOST:PORT,... instead of --redis")
	case "CROSSSLOT":
		return say("cluster", "slots", "{server}: one command names keys of different slots: a cluster needs them to share a {hash tag}")
	case "BUSY":
		return say("server", "busy", "{server} is busy with a script of somebody else: wait for it, or let its operator stop it")
	}
	switch {
	case strings.HasPrefix(text, "AUTH") || strings.Contains(text, "invalid username-password") || strings.Contains(text, "without any password configured"):
		return say("auth", "no-password", "{server} has no password, but one was given: leave it out")
	case strings.Contains(text, "max number of clients"):
		return say("server", "clients", "{server} takes no more connections (maxclients): close some")
	case strings.HasPrefix(text, "unknown command 'sentinel'"), strings.HasPrefix(text, "unknown command 'SENTINEL'"):
		return say("address", "no-sentinel", "{server}: there is no sentinel but an ordinary server: use --redis instead of --redis-sentinel")
	case strings.HasPrefix(text, "unknown command"):
		return say("version", "old", "{server} does not know a command ({answer}): it needs a newer Redis, DELEX for instance 8.4", "answer", short(text))
	case strings.Contains(text, "DB index is out of range"):
		return say("address", "database", "{server} has no database of that number: leave it out of the URL")
	case strings.Contains(text, "cluster support disabled"):
		return say("cluster", "no-cluster", "{server} is no cluster: use --redis instead of --redis-cluster")
	}
	return nil
}

// after is the text behind a word, without the closing full stop.
func after(text, word string) string {
	i := strings.LastIndex(text, word)
	return short(strings.TrimSpace(text[i+len(word):]))
}

// short cuts a server's words to a line; arguments of a command may follow them.
func short(text string) string {
	text, _, _ = strings.Cut(text, ", with args")
	text, _, _ = strings.Cut(text, " script: ")
	if r := []rune(text); len(r) > 120 {
		text = string(r[:120]) + "..."
	}
	return strings.TrimSuffix(strings.TrimSpace(text), ".")
}

// doing is what failed for a reason that has no sentence of its own. It has a key, and
// ends a sentence that begins with the server.
type doing struct{ key, english string }

const refuses = " fails ({answer}): see what its operator allows"

// What the package does on a server besides the commands of business code.
var (
	looking  = doing{"trouble.looking", "{server}: a first look at it" + refuses}
	joining  = doing{"trouble.joining", "{server}: joining a run" + refuses}
	removing = doing{"trouble.removing", "{server}: removing the run's own keys" + refuses}
	cleaning = doing{"trouble.cleaning", "{server}: removing what was left" + refuses}
	asking   = doing{"trouble.asking", "{server}: reading its state (INFO)" + refuses}
	timing   = doing{"trouble.timing", "{server}: reading its clock" + refuses}
	pinging  = doing{"trouble.pinging", "{server}: PING" + refuses}
	mapping  = doing{"trouble.mapping", "{server}: CLUSTER INFO" + refuses}
	trying   = doing{"trouble.trying", "{server}: trying it" + refuses}
)

// wrap makes trouble of an error, whatever it is.
func (t *Target) wrap(d doing, err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	if x := t.Explain(err); x != nil {
		return x
	}
	return t.trouble(err, "server", d.key, d.english, "answer", short(err.Error()))
}
