package memredis

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

// encode spells a request the only way there is.
func encode(args ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "*%d\r\n", len(args))
	for _, a := range args {
		fmt.Fprintf(&b, "$%d\r\n%s\r\n", len(a), a)
	}
	return b.String()
}

// drain feeds b to p in pieces of size bytes, the first of cut bytes, and returns
// the requests and the error that ended them, if any.
func drain(p *parser, b []byte, cut, size int) (reqs [][]string, err error) {
	for len(b) > 0 {
		n := min(cut, len(b))
		p.feed(b[:n])
		b, cut = b[n:], size
		for {
			args, err := p.next()
			if err != nil {
				return reqs, err
			}
			if args == nil {
				break
			}
			reqs = append(reqs, args)
		}
	}
	return reqs, nil
}

func TestParseRequests(t *testing.T) {
	want := [][]string{
		{"PING"},
		{"set", "k", ""},
		{"SET", "bin", "a\r\n$1\r\n\x00\xff"},
		{"ECHO", strings.Repeat("long ", sharedText)},
		make([]string, 3000), // more arguments than are kept
		{"GET", "k"},
	}
	var stream []byte
	for _, r := range want {
		stream = append(stream, encode(r...)...)
	}
	for size := range 40 {
		got, err := drain(&parser{}, stream, size+1, size+1)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("pieces of %d bytes: wrong requests", size+1)
		}
	}
	got, err := drain(&parser{}, stream, len(stream), len(stream))
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("in one piece: wrong requests, error %v", err)
	}
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"GET k\r\n", "begins with '*', not 'G'"},
		{"\r\n", "begins with '*'"},
		{"+OK\r\n", "begins with '*'"},
		{"*0\r\n", "without a command"},
		{"*-1\r\n", "negative length after '*'"},
		{"*\r\n", "no length after '*'"},
		{"*+1\r\n", "'+' in a length"},
		{"* 1\r\n", "' ' in a length"},
		{"*01\r\n", "leading zero"},
		{"*1\n", "'\\n' in a length"},
		{"*1\rx", "no LF after a length"},
		{"*65537\r\n", "over 65536"},
		{"*99999999999999999999\r\n", "over 65536"},
		{"*1\r\n:1\r\n", "begins with '$', not ':'"},
		{"*1\r\n*1\r\n", "begins with '$', not '*'"},
		{"*1\r\n$-1\r\n", "negative length after '$'"},
		{"*1\r\n$67108865\r\n", "over 67108864"},
		{"*1\r\n$18446744073709551620\r\n", "over 67108864"},
		{"*1\r\n$4\r\nPINGGG", "no CRLF after an argument of 4 bytes"},
		{"*1\r\n$4\r\nPING\rG", "no CRLF after an argument of 4 bytes"},
		{encode("PING") + "PING\r\n", "begins with '*', not 'P'"},
	} {
		for size := 1; size <= len(c.in); size++ {
			p := &parser{}
			_, err := drain(p, []byte(c.in), size, size)
			if !errors.Is(err, ErrProtocol) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%q in pieces of %d: error %v, want one about %q", c.in, size, err, c.want)
			}
			p.feed([]byte(encode("PING")))
			if args, again := p.next(); args != nil || again != err {
				t.Errorf("%q: after the error %q, %v", c.in, args, again)
			}
		}
	}
}

// A request may not exceed its limit though each of its arguments is within its own.
func TestParseRequestLimit(t *testing.T) {
	if testing.Short() {
		t.Skip("needs 128 MiB")
	}
	arg := []byte("$" + strconv.Itoa(maxBulk) + "\r\n" + strings.Repeat("x", maxBulk) + "\r\n")
	p := &parser{}
	p.feed([]byte("*3\r\n"))
	for i := range 2 {
		p.feed(arg[:32])
		args, err := p.next()
		if i == 1 {
			if !errors.Is(err, ErrProtocol) {
				t.Fatalf("%d bytes announced: no error", 2*maxBulk)
			}
			return
		}
		if args != nil || err != nil {
			t.Fatal(args, err)
		}
		p.feed(arg[32:])
	}
}

// Arguments must survive whatever the parser does next: miniredis keeps them.
func TestParsedArgumentsAreFresh(t *testing.T) {
	p := &parser{}
	var kept [][]string
	for i := range 100 {
		p.feed([]byte(encode("SET", fmt.Sprint("key", i), strings.Repeat("v", i*20))))
		args, err := p.next()
		if err != nil {
			t.Fatal(err)
		}
		kept = append(kept, args)
	}
	for i, args := range kept {
		if args[1] != fmt.Sprint("key", i) || args[2] != strings.Repeat("v", i*20) {
			t.Fatalf("request %d changed to %q", i, args)
		}
	}
}

func TestParserGivesMemoryBack(t *testing.T) {
	p := &parser{}
	p.feed([]byte(encode(append(make([]string, 5000), strings.Repeat("x", 1<<20))...)))
	if args, err := p.next(); len(args) != 5001 || err != nil {
		t.Fatal(len(args), err)
	}
	if cap(p.buf) > keepBuffer || cap(p.spans) > keepSpans {
		t.Errorf("kept %d bytes and %d spans", cap(p.buf), cap(p.spans))
	}
}

func TestParseAllocations(t *testing.T) {
	p := &parser{}
	req := []byte(encode("set", "lock:order:7", "token", "px", "30000", "nx"))
	n := testing.AllocsPerRun(100, func() {
		p.feed(req)
		if args, err := p.next(); len(args) != 6 || err != nil {
			t.Fatal(args, err)
		}
	})
	if n > 2 {
		t.Errorf("%v allocations for a request, want 2", n)
	}
}

// FuzzParse: any bytes, in one piece, cut in two, and in small pieces, give the
// same requests and the same error. Since a request has one spelling, writing the
// requests again must give the very bytes they were read from.
func FuzzParse(f *testing.F) {
	seeds := []string{
		encode("PING"),
		encode("SET", "k", "v", "PX", "30000", "NX") + encode("GET", "k"),
		encode("ECHO", "a\r\nb", "", "\x00"),
		encode("ECHO", strings.Repeat("x", 2*sharedText)),
		"*1\r\n$4\r\nPI", "*1\r\n$-1\r\n", "*-1\r\n", "*0\r\n", "GET k\r\n", "*1\r\n$4\r\nPINGxx",
		"*99999999999999999999\r\n", "*2\r\n$67108864\r\nabc", "*65536\r\n$1\r\na\r\n", "*1\r", "*01\r\n",
	}
	for i, s := range seeds {
		f.Add([]byte(s), uint16(i), uint8(i))
	}
	f.Fuzz(func(t *testing.T, b []byte, cut uint16, size uint8) {
		p := &parser{}
		whole, err := drain(p, b, len(b), 1)

		var again []byte
		for _, r := range whole {
			again = append(again, encode(r...)...)
		}
		if !bytes.HasPrefix(b, again) {
			t.Fatalf("%q was read as %q", b, whole)
		}
		if err == nil && len(p.buf)-p.start != len(b)-len(again) {
			t.Fatalf("%q: %d bytes wait, want %d", b, len(p.buf)-p.start, len(b)-len(again))
		}
		if err != nil && !errors.Is(err, ErrProtocol) {
			t.Fatal(err)
		}

		for _, s := range [][2]int{{int(cut), len(b)}, {int(size) + 1, int(size) + 1}, {1, 1}} {
			if s[1] == 0 {
				continue
			}
			got, gotErr := drain(&parser{}, b, max(s[0], 1), s[1])
			if !reflect.DeepEqual(got, whole) || fmt.Sprint(gotErr) != fmt.Sprint(err) {
				t.Fatalf("%q in pieces of %d, %d, ...: %q, %v; in one piece: %q, %v", b, s[0], s[1], got, gotErr, whole, err)
			}
		}
	})
}
