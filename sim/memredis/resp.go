package memredis

import (
	"errors"
	"fmt"
)

// Limits of one request. Redis' own are 1,048,576 arguments of up to 512 MiB
// (proto-max-bulk-len); a lab needs neither, and a length that slipped through
// must not ask for memory nobody has.
const (
	maxArgs    = 65_536    // arguments in a request
	maxBulk    = 64 << 20  // bytes in an argument
	maxRequest = 128 << 20 // bytes in a request, marks and lengths included
)

// What is worth keeping between two requests.
const (
	keepBuffer = 64 << 10 // bytes of an emptied buffer
	keepSpans  = 1024     // argument positions
	sharedText = 512      // a request up to so many bytes is one string cut in pieces
)

// ErrProtocol says that the bytes written are no request. The reason follows in
// the error that wraps it. Everything written to that connection afterwards
// fails alike: where the next request would begin is not known.
var ErrProtocol = errors.New("memredis: protocol error")

// parser cuts a stream of bytes into requests as a client writes them: arrays
// of bulk strings, "*2\r\n$3\r\nGET\r\n$1\r\nk\r\n". Lengths are plain decimal
// numbers, so every request has exactly one spelling. Nil strings, empty arrays
// and inline commands ("GET k\r\n") are errors: go-redis writes none of them.
//
// Bytes come in with feed and requests go out with next, which looks at each
// byte once however the stream was split. The zero value is ready.
type parser struct {
	buf   []byte // bytes fed; the request under way begins at start
	start int
	err   error // what made the stream unreadable, for good

	// The request under way. Positions count from start.
	pos    int    // first byte not yet understood
	argc   int    // arguments announced, 0: header not read yet
	spans  []span // arguments complete so far
	inBulk bool   // the header of the next argument has been read...
	bulk   int    // ...and announced so many bytes
}

// span is the place of an argument in its request.
type span struct{ from, to int }

// feed appends a copy of b.
func (p *parser) feed(b []byte) {
	if p.err != nil {
		return
	}
	if p.start > 0 {
		p.buf = p.buf[:copy(p.buf, p.buf[p.start:])]
		p.start = 0
	}
	p.buf = append(p.buf, b...)
}

// next returns the oldest complete request, or nil when more bytes are needed.
// The strings and the slice belong to the caller for good: miniredis keeps both
// in the commands it queues after MULTI.
func (p *parser) next() ([]string, error) {
	if p.err != nil {
		return nil, p.err
	}
	complete, err := p.scan()
	if err != nil {
		p.err = fmt.Errorf("%w: %w", ErrProtocol, err)
		p.buf, p.spans = nil, nil
		return nil, p.err
	}
	if !complete {
		return nil, nil
	}
	args := p.cut()
	p.forget()
	return args, nil
}

// scan goes on from where it stopped and reports whether the request is
// complete. It judges every byte as soon as it has arrived or, for all splits
// alike, later: so the outcome depends on the bytes alone.
func (p *parser) scan() (complete bool, err error) {
	b := p.buf[p.start:]
	if p.argc == 0 {
		n, ok, err := p.length(b, '*', maxArgs)
		if !ok || err != nil {
			return false, err
		}
		if n == 0 {
			return false, errors.New("a request without a command")
		}
		p.argc = n
	}
	for len(p.spans) < p.argc {
		if !p.inBulk {
			n, ok, err := p.length(b, '$', maxBulk)
			if !ok || err != nil {
				return false, err
			}
			if p.pos+n > maxRequest {
				return false, fmt.Errorf("a request of more than %d bytes", maxRequest)
			}
			p.inBulk, p.bulk = true, n
		}
		end := p.pos + p.bulk
		if len(b) < end+2 {
			return false, nil
		}
		if b[end] != '\r' || b[end+1] != '\n' {
			return false, fmt.Errorf("no CRLF after an argument of %d bytes", p.bulk)
		}
		p.spans = append(p.spans, span{p.pos, end})
		p.pos = end + 2
		p.inBulk = false
	}
	return true, nil
}

// length reads mark, a decimal number of at most limit, and CRLF.
func (p *parser) length(b []byte, mark byte, limit int) (n int, ok bool, err error) {
	b = b[p.pos:]
	if len(b) == 0 {
		return 0, false, nil
	}
	if b[0] != mark {
		if mark == '*' {
			return 0, false, fmt.Errorf("a request begins with '*', not %q (inline commands are not understood)", b[0])
		}
		return 0, false, fmt.Errorf("an argument begins with '$', not %q", b[0])
	}
	i := 1
	for ; i < len(b) && b[i] != '\r'; i++ {
		switch c := b[i]; {
		case c == '-' && i == 1:
			return 0, false, fmt.Errorf("a negative length after '%c'", mark)
		case c < '0' || c > '9':
			return 0, false, fmt.Errorf("%q in a length after '%c'", c, mark)
		case i == 2 && n == 0:
			return 0, false, fmt.Errorf("a length with a leading zero after '%c'", mark)
		default:
			n = 10*n + int(c-'0')
		}
		if n > limit {
			return 0, false, fmt.Errorf("a length over %d after '%c'", limit, mark)
		}
	}
	if i+1 >= len(b) {
		return 0, false, nil
	}
	if i == 1 {
		return 0, false, fmt.Errorf("no length after '%c'", mark)
	}
	if b[i+1] != '\n' {
		return 0, false, fmt.Errorf("no LF after a length, but %q", b[i+1])
	}
	p.pos += i + 2
	return n, true, nil
}

// cut makes the strings of a complete request. A short one becomes a single
// string, which all arguments share: two allocations for any command. A long one
// gets a string each, lest a short key keep a long value in memory.
func (p *parser) cut() []string {
	args := make([]string, len(p.spans))
	req := p.buf[p.start : p.start+p.pos]
	if len(req) > sharedText {
		for i, s := range p.spans {
			args[i] = string(req[s.from:s.to])
		}
		return args
	}
	text := string(req)
	for i, s := range p.spans {
		args[i] = text[s.from:s.to]
	}
	return args
}

// forget drops the request just cut and gives back what a large one needed.
func (p *parser) forget() {
	p.start += p.pos
	p.pos, p.argc = 0, 0
	p.spans = p.spans[:0]
	if cap(p.spans) > keepSpans {
		p.spans = nil
	}
	if p.start == len(p.buf) {
		p.start = 0
		p.buf = p.buf[:0]
		if cap(p.buf) > keepBuffer {
			p.buf = nil
		}
	}
}
