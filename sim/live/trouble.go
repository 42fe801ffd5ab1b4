package live

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"syscall"

	"github.com/redis/go-redis/v9"
)

// Trouble is something about a server that the lab cannot work with: one sentence
// that says what, where, and what to do.
type Trouble struct {
	// Kind is a word for programs: refused, timeout, lost, auth, rights, readonly,
	// memory, eviction, version, cluster, loading, tls, address, server.
	Kind string
	text string
	err  error
}

func (t *Trouble) Error() string { return t.text }
func (t *Trouble) Unwrap() error { return t.err }

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
	say := func(kind, format string, args ...any) *Trouble {
		return &Trouble{kind, fmt.Sprintf(format, args...), err}
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
		return say("tls", "%s: the encrypted connection fails (%s): use redis:// if it does not speak TLS, or name its certificate authority in SSL_CERT_FILE", t, last(text))
	case errors.As(err, &dns):
		return say("address", "%s: the name %s is not known: check the address in %s", t, dns.Name, t.flag)
	case errors.Is(err, syscall.ECONNREFUSED):
		return say("refused", "%s refuses the connection: start the server, or check host and port in %s", t, t.flag)
	case errors.Is(err, syscall.ENOENT):
		return say("refused", "%s: there is no such socket: start the server, or check the path in %s", t, t.flag)
	case errors.Is(err, syscall.EACCES):
		return say("rights", "%s: the socket may not be opened: ask for the right to read and write it", t)
	case strings.Contains(text, "all sentinels"), strings.Contains(text, "specified configuration"):
		return say("refused", "%s: no sentinel knows that master: check name and addresses in %s", t, t.flag)
	case t.url != nil && t.url.TLSConfig != nil && isTimeout(err):
		return say("tls", "%s does not answer to TLS in time: use redis:// if it does not speak it, or check that it runs", t)
	case errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, context.DeadlineExceeded), isTimeout(err):
		return say("timeout", "%s does not answer in time: check that it runs and that no firewall stands between", t)
	case strings.Contains(text, "cannot load slots"), strings.Contains(text, "cluster has no nodes"):
		return say("refused", "%s: no node gives its slots: start the cluster, or check the addresses in %s", t, t.flag)
	case errors.Is(err, io.EOF), errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE), errors.Is(err, io.ErrUnexpectedEOF):
		return say("lost", "%s has closed the connection: see whether the server still runs, whether it wants TLS (rediss://), and what its log says", t)
	case errors.As(err, &op):
		return say("refused", "%s cannot be reached (%s): check the address in %s", t, last(text), t.flag)
	case strings.HasPrefix(text, "redis: can't parse"), strings.HasPrefix(text, "redis: invalid"):
		return say("server", "%s does not speak the protocol of Redis: check host and port in %s", t, t.flag)
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
func (t *Target) explainAnswer(text string, say func(kind, format string, args ...any) *Trouble) *Trouble {
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
		return say("auth", "%s wants a password: put it into the URL (redis://:PASSWORD@HOST) or into FLASHLAB_REDIS_PASSWORD", t)
	case "WRONGPASS":
		return say("auth", "%s does not accept this user or password: check both, and whether the user is switched on", t)
	case "NOPERM":
		return say("rights", "%s: the user may not do what the lab needs (%s): grant it with ACL SETUSER NAME ~flashlab:* &flashlab:* +@all -@dangerous +info", t, after(text, "NOPERM"))
	case "READONLY":
		return say("readonly", "%s is a read-only replica: give the address of its master, or of a sentinel (--redis-sentinel)", t)
	case "OOM":
		return say("memory", "%s has reached its maxmemory and takes no more writes: free some memory or raise the limit", t)
	case "MISCONF":
		return say("server", "%s takes no writes because it cannot save to its disk: see its log", t)
	case "NOREPLICAS":
		return say("server", "%s takes no writes because too few replicas are connected (min-replicas-to-write)", t)
	case "LOADING":
		return say("loading", "%s is still loading its data: try again in a moment", t)
	case "MASTERDOWN":
		return say("readonly", "%s is a replica that has lost its master: give the address of a master", t)
	case "CLUSTERDOWN":
		return say("cluster", "%s: the cluster is down, some slots have no server: repair it first (redis-cli --cluster check)", t)
	case "MOVED", "ASK":
		return say("cluster", "%s is a node of a cluster: use --redis-cluster HOST:PORT,... instead of --redis", t)
	case "CROSSSLOT":
		return say("cluster", "%s: one command names keys of different slots: a cluster needs them to share a {hash tag}", t)
	case "BUSY":
		return say("server", "%s is busy with a script of somebody else: wait for it, or let its operator stop it", t)
	}
	switch {
	case strings.HasPrefix(text, "AUTH") || strings.Contains(text, "invalid username-password") || strings.Contains(text, "without any password configured"):
		return say("auth", "%s has no password, but one was given: leave it out", t)
	case strings.Contains(text, "max number of clients"):
		return say("server", "%s takes no more connections (maxclients): close some", t)
	case strings.HasPrefix(text, "unknown command 'sentinel'"), strings.HasPrefix(text, "unknown command 'SENTINEL'"):
		return say("address", "%s: there is no sentinel but an ordinary server: use --redis instead of --redis-sentinel", t)
	case strings.HasPrefix(text, "unknown command"):
		return say("version", "%s does not know a command (%s): it needs a newer Redis, DELEX for instance 8.4", t, short(text))
	case strings.Contains(text, "DB index is out of range"):
		return say("address", "%s has no database of that number: leave it out of the URL", t)
	case strings.Contains(text, "cluster support disabled"):
		return say("cluster", "%s is no cluster: use --redis instead of --redis-cluster", t)
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

// wrap makes trouble of an error, whatever it is.
func (t *Target) wrap(doing string, err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	if x := t.Explain(err); x != nil {
		return x
	}
	return &Trouble{"server", fmt.Sprintf("%s: %s fails (%s): see what its operator allows", t, doing, short(err.Error())), err}
}
