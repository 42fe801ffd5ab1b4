package memredis

import (
	"bytes"
	"strconv"
	"strings"
)

// notFromScripts are the commands that Redis 7 marks noscript, as far as miniredis
// has them.
var notFromScripts = map[string]bool{
	"AUTH": true, "BLMOVE": true, "BLPOP": true, "BRPOP": true, "BRPOPLPUSH": true, "BZPOPMAX": true, "BZPOPMIN": true,
	"CLIENT": true, "DISCARD": true, "EVAL": true, "EVALSHA": true, "EVALSHA_RO": true, "EVAL_RO": true, "EXEC": true,
	"HELLO": true, "MULTI": true, "PSUBSCRIBE": true, "PUNSUBSCRIBE": true, "QUIT": true, "RESET": true, "SCRIPT": true,
	"SUBSCRIBE": true, "UNSUBSCRIBE": true, "UNWATCH": true, "WAIT": true, "WATCH": true,
}

// do executes a command of the running script under the lock of m.
func (s *Scripts) do(args []string, resp3 bool) []byte {
	name := strings.ToUpper(args[0])
	if refusal := s.refuse(name, args); refusal != "" {
		return []byte("-" + refusal + "\r\n")
	}
	if name == "SELECT" {
		s.run.selected = true
	}
	reply := s.dispatch(args, resp3)
	if bytes.HasPrefix(reply, []byte("-ERR unknown command")) {
		return []byte("-ERR Unknown Redis command called from script\r\n")
	}
	return reply
}

// dispatch hands a command to miniredis in the context of the script's client.
func (s *Scripts) dispatch(args []string, resp3 bool) []byte {
	s.buf.Reset()
	s.inner.Resp3 = resp3
	s.srv.Dispatch(s.inner, args)
	s.inner.Flush()
	return s.buf.Bytes()
}

// refuse returns the error for a command that this script may not execute, or "".
func (s *Scripts) refuse(name string, args []string) string {
	switch {
	case notFromScripts[name]:
		return "ERR This Redis command is not allowed from script"
	case name == redeem:
		return "ERR Unknown Redis command called from script"
	case s.run.readOnly && s.srv.IsRegisteredCommand(name) && !s.srv.IsReadOnlyCommand(name):
		return "ERR Write commands are not allowed from read-only scripts."
	case (name == "XREAD" || name == "XREADGROUP") && blocks(args):
		return "ERR " + strings.ToLower(name) + " command is not allowed with BLOCK option from scripts"
	}
	if n := s.growth(name, args); n > 0 && !s.box.Charge(n) {
		return "ERR the command needs more memory than the script has left"
	}
	return ""
}

// blocks tells an XREAD or XREADGROUP with the option BLOCK.
func blocks(args []string) bool {
	for _, a := range args[1:] {
		switch strings.ToUpper(a) {
		case "BLOCK":
			return true
		case "STREAMS":
			return false
		}
	}
	return false
}

// fewKeys is how many values a command may name before their sizes are looked up:
// with less, a reply is not many times what the server holds already.
const fewKeys = 8

// growth returns how many bytes a command makes the server hold or answer beyond
// its arguments, for the few commands where that can be out of all proportion.
func (s *Scripts) growth(name string, args []string) (bytes int) {
	whole := func(i int) int {
		if i >= len(args) {
			return 0
		}
		n, _ := strconv.Atoi(args[i])
		return n
	}
	from := func(i int) []string { return args[min(i, len(args)):] }
	first := from(1)[:min(1, len(from(1)))]
	switch name {
	case "APPEND":
		// Miniredis copies the value each time.
		return s.number("STRLEN", first...)
	case "SETRANGE":
		return whole(2)
	case "SETBIT":
		return whole(2) / 8
	case "SRANDMEMBER", "HRANDFIELD", "ZRANDMEMBER":
		// A negative count asks for so many, repeated ones among them.
		return -64 * max(whole(2), -1<<40)
	case "MGET":
		for _, k := range from(fewKeys) {
			bytes += s.number("STRLEN", k)
		}
	case "HMGET":
		for _, f := range from(fewKeys) {
			bytes += s.number("HSTRLEN", args[1], f)
		}
	case "COPY":
		return s.usage(first)
	case "BITOP":
		return s.usage(from(3))
	case "SUNIONSTORE", "SINTERSTORE", "SDIFFSTORE", "PFMERGE":
		return s.usage(from(2))
	case "ZUNIONSTORE", "ZINTERSTORE":
		keys := from(3)
		return s.usage(keys[:max(0, min(whole(2), len(keys)))])
	case "XREAD", "XREADGROUP":
		for i, a := range args {
			if strings.EqualFold(a, "STREAMS") {
				keys := args[i+1:]
				return s.usage(keys[:len(keys)/2])
			}
		}
	}
	return bytes
}

// usage returns about how many bytes some keys hold.
func (s *Scripts) usage(keys []string) (bytes int) {
	for _, k := range keys {
		bytes += s.number("MEMORY", "USAGE", k)
	}
	return bytes
}

// number executes a command that answers an integer; any other answer is 0.
func (s *Scripts) number(name string, args ...string) int {
	args = append([]string{name}, args...)
	line, ok := strings.CutPrefix(string(s.dispatch(args, false)), ":")
	if !ok {
		return 0
	}
	n, _ := strconv.Atoi(strings.TrimSpace(line))
	return n
}
