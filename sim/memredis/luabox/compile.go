package luabox

import (
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/parse"
)

// Script is a compiled script. It holds no state and may be used by any number of
// boxes.
type Script struct {
	Source   string
	SHA      string // 40 lower-case hexadecimal digits of its SHA-1
	ReadOnly bool   // its first line is a shebang with the flag no-writes

	proto  *lua.FunctionProto
	writes bool // some function assigns to a global
}

// scriptName is what Redis calls a script in the position of an error.
const scriptName = "user_script"

// SHA returns the name of a script by its source, as SCRIPT LOAD answers it.
func SHA(source string) string {
	sum := sha1.Sum([]byte(source))
	return hex.EncodeToString(sum[:])
}

// Compile compiles a script. Its error is one line that names the line of the
// script where there is one: "user_script:3: syntax error near 'end'".
func Compile(source string) (*Script, error) {
	s := &Script{Source: source, SHA: SHA(source)}
	body, err := s.shebang()
	if err != nil {
		return nil, err
	}
	if s.proto, s.writes, err = compile(body, scriptName); err != nil {
		return nil, err
	}
	return s, nil
}

// shebang reads the first line of a script as Redis 7 does ("#!lua
// flags=no-writes") and returns the script without it, lines numbered as before.
// Flags other than no-writes concern memory and clusters and change nothing here.
func (s *Script) shebang() (string, error) {
	if !strings.HasPrefix(s.Source, "#!") {
		return s.Source, nil
	}
	line, rest, found := strings.Cut(s.Source, "\n")
	if !found {
		return "", errors.New("invalid script shebang")
	}
	words := strings.Fields(line[2:])
	if len(words) == 0 || words[0] != "lua" {
		return "", fmt.Errorf("unexpected engine in script shebang: %s", strings.Join(words[:min(1, len(words))], ""))
	}
	for _, w := range words[1:] {
		list, ok := strings.CutPrefix(w, "flags=")
		if !ok {
			return "", fmt.Errorf("unknown lua shebang option: %s", w)
		}
		for flag := range strings.SplitSeq(list, ",") {
			switch flag {
			case "no-writes":
				s.ReadOnly = true
			case "", "allow-oom", "allow-stale", "no-cluster", "allow-cross-slot-keys":
			default:
				return "", fmt.Errorf("unexpected flag in script shebang: %s", flag)
			}
		}
	}
	return "\n" + rest, nil
}

// compile turns source into a function prototype and tells whether it assigns to
// a global anywhere.
func compile(source, name string) (proto *lua.FunctionProto, writes bool, err error) {
	if len(source) > maxSource {
		return nil, false, fmt.Errorf("%s: a script of %d bytes, more than %d", name, len(source), maxSource)
	}
	defer func() {
		// gopher-lua panics where a function needs more registers or constants than
		// an instruction can name.
		if r := recover(); r != nil {
			proto, writes, err = nil, false, fmt.Errorf("%s: %v", name, r)
		}
	}()
	chunk, err := parse.Parse(strings.NewReader(source), name)
	if err != nil {
		return nil, false, syntaxError(source, name, err)
	}
	if chunk, err = rewrite(chunk, name); err != nil {
		return nil, false, err
	}
	if proto, err = lua.Compile(chunk, name); err != nil {
		return nil, false, syntaxError(source, name, err)
	}
	// Lua 5.1 makes no table arg for a chunk, only for its functions; it would cost
	// half of a short run.
	proto.IsVarArg &^= lua.VarArgNeedsArg
	return proto, assignsGlobal(proto), nil
}

// syntaxError puts an error of gopher-lua into the form of Lua.
func syntaxError(source, name string, err error) error {
	var p *parse.Error
	if !errors.As(err, &p) {
		var c *lua.CompileError
		if errors.As(err, &c) {
			return fmt.Errorf("%s:%d: %s", name, c.Line, c.Message)
		}
		return fmt.Errorf("%s: %s", name, oneLine(err.Error()))
	}
	if p.Pos.Line == parse.EOF {
		last := 1 + strings.Count(strings.TrimRight(source, " \t\r\n"), "\n")
		return fmt.Errorf("%s:%d: %s near '<eof>'", name, last, oneLine(p.Message))
	}
	return fmt.Errorf("%s:%d: %s near '%s'", name, p.Pos.Line, oneLine(p.Message), oneLine(p.Token))
}

// opcodeShift is where an instruction of gopher-lua keeps its code.
const opcodeShift = 26

func assignsGlobal(p *lua.FunctionProto) bool {
	for _, inst := range p.Code {
		if int(inst>>opcodeShift) == lua.OP_SETGLOBAL {
			return true
		}
	}
	for _, f := range p.FunctionPrototypes {
		if assignsGlobal(f) {
			return true
		}
	}
	return false
}

var lineBreaks = strings.NewReplacer("\r", " ", "\n", " ")

// oneLine makes one line of a text, as a Redis error must be.
func oneLine(s string) string {
	if !strings.ContainsAny(s, "\r\n") {
		return s
	}
	return strings.TrimRight(lineBreaks.Replace(s), " ")
}
