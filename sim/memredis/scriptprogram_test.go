package memredis

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"flashlab/sim/live/livetest"
	"flashlab/sim/memredis/luabox"
)

// program draws a Lua program that ends: loops have bounds, functions do not call
// themselves. It works on a few locals: numbers a, b, c, texts s, u, arrays t, w,
// functions f and g. What it leaves in them is its result.
type program struct {
	t     *rapid.T
	depth int
	loops int
	fresh int
}

func (p *program) pick(from ...string) string { return rapid.SampledFrom(from).Draw(p.t, "pick") }

func (p *program) number(depth int) string {
	if depth == 0 {
		return p.pick("a", "b", "c", "0", "1", "2", "-3", "0.5", "10", "#t", "#s")
	}
	x, y := p.number(depth-1), p.number(depth-1)
	switch p.pick("op", "op", "op", "leaf", "and", "or", "len", "sel", "call", "to", "neg", "idx") {
	case "op":
		// Never -0, which gopher-lua makes 0.
		return "(" + x + " " + p.pick("+", "-", "*") + " " + y + " + 0)"
	case "and":
		return "(" + p.condition(depth-1) + " and " + x + " or " + y + ")"
	case "or":
		return "(num(" + p.pick("nil", "false", x) + ") or " + y + ")"
	case "len":
		return "#(" + p.text(depth-1) + ")"
	case "sel":
		return "select('#', " + p.list(depth-1) + ")"
	case "call":
		return "num((" + p.pick("f", "g") + "(" + p.list(depth-1) + ")))"
	case "to":
		return "(tonumber(" + p.text(depth-1) + ") or " + x + ")"
	case "neg":
		return "(0 - " + x + ")"
	case "idx":
		return "num(" + p.pick("t", "w") + "[" + x + "])"
	}
	return p.number(0)
}

func (p *program) text(depth int) string {
	if depth == 0 {
		return p.pick("s", "u", "'x'", "''", "'12'", "'ab'", "tostring(a)", "tostring(s == u)")
	}
	x, y := p.text(depth-1), p.text(depth-1)
	switch p.pick("concat", "concat", "chain", "sub", "num", "rep", "and") {
	case "concat":
		return "(" + x + " .. " + y + ")"
	case "chain":
		return "(" + x + " .. " + p.number(0) + " .. " + y + " .. " + p.pick("1", "s", "'z'") + ")"
	case "sub":
		return "(" + x + "):sub(" + p.pick("1", "2", "-2") + ", " + p.pick("3", "-1", "1") + ")"
	case "num":
		return "tostring(" + p.number(depth-1) + ")"
	case "rep":
		return "(" + x + "):rep(" + p.pick("0", "1", "2") + ")"
	case "and":
		return "(" + p.condition(depth-1) + " and " + x + " or " + y + ")"
	}
	return x
}

func (p *program) condition(depth int) string {
	if depth <= 0 {
		return p.pick("true", "false", "a < b", "a == b", "s == u", "t[1] == nil", "0", "nil", "a >= 1")
	}
	switch p.pick("cmp", "not", "and", "or", "eq") {
	case "cmp":
		return p.number(depth-1) + " " + p.pick("<", "<=", ">", ">=", "==", "~=") + " " + p.number(depth-1)
	case "not":
		return "not (" + p.condition(depth-1) + ")"
	case "and":
		return "(" + p.condition(depth-1) + ") and (" + p.condition(depth-1) + ")"
	case "or":
		return "(" + p.condition(depth-1) + ") or (" + p.condition(depth-1) + ")"
	}
	return p.text(depth-1) + " " + p.pick("==", "~=", "<") + " " + p.text(depth-1)
}

// list draws arguments or values, the last of which may be several.
func (p *program) list(depth int) string {
	var out []string
	for range rapid.IntRange(0, 2).Draw(p.t, "n") {
		out = append(out, p.pick(p.number(depth), p.text(depth), "nil", "true"))
	}
	if p.pick("more", "no", "no") == "more" {
		out = append(out, p.pick("f(1, 2)", "g('x')", "unpack(t)", "(f(1, 2))"))
	}
	if len(out) == 0 {
		return "1"
	}
	return strings.Join(out, ", ")
}

func (p *program) constructor(depth int) string {
	var out []string
	for range rapid.IntRange(0, 3).Draw(p.t, "fields") {
		switch p.pick("item", "item", "name", "key") {
		case "item":
			out = append(out, p.number(depth))
		case "name":
			out = append(out, p.pick("x", "y")+" = "+p.pick(p.number(depth), "f(2, 3)"))
		case "key":
			out = append(out, "['k' .. "+p.number(0)+"] = "+p.number(depth))
		}
	}
	if p.pick("more", "no") == "more" {
		out = append(out, p.pick("f(1, 2)", "unpack(w)"))
	}
	return "{" + strings.Join(out, ", ") + "}"
}

func (p *program) block() string {
	p.depth++
	defer func() { p.depth-- }()
	var out []string
	for range rapid.IntRange(1, 4).Draw(p.t, "statements") {
		out = append(out, p.statement())
	}
	return strings.Join(out, "\n")
}

func (p *program) statement() string {
	kinds := []string{"number", "number", "text", "push", "several", "swap", "table", "index", "local", "call"}
	if p.depth < 4 {
		kinds = append(kinds, "if", "for", "while", "ipairs", "pairs", "do", "func", "pcall", "closure", "repeat")
	}
	switch p.pick(kinds...) {
	case "number":
		return p.pick("a", "b", "c") + " = " + p.number(2)
	case "text":
		return p.pick("s", "u") + " = short(" + p.text(2) + ")"
	case "push":
		return p.pick("t[#t+1] = "+p.number(1), "table.insert(t, "+p.number(1)+")", "table.insert(w, 1, "+p.number(1)+")", "table.remove(t)", "table.remove(w, 1)")
	case "several":
		return p.pick("a, b", "b, c", "a, b, c") + " = " + p.pick("num2(f(1, 2))", "b, a", "num2("+p.list(1)+")", p.number(1)+", "+p.number(1)+", 7")
	case "swap":
		return p.pick("if #t > 1 then t[1], t[2] = t[2], t[1] end", "a, t[1] = "+p.number(0)+", a", "w[1], w = 5, w", "t[1], t[2], t[3] = num2(f(3, 4))", "t.x, a, t.y = a, b, c, f(1)", "t[1], b = "+p.number(1)+", "+p.number(1))
	case "table":
		return p.pick("t", "w") + " = " + p.constructor(1)
	case "index":
		return "if #t > 0 then t[" + p.pick("1", "#t", "(a > 0 and 1 or #t)") + "] = " + p.number(1) + " end"
	case "local":
		return "local " + p.pick("a = "+p.number(1), "b = "+p.number(1), "a, b = num2("+p.list(1)+")", "b, c = "+p.number(1)+", "+p.number(1)+", f(1)")
	case "call":
		return p.pick("f", "g") + "(" + p.list(1) + ")"
	case "if":
		return "if " + p.condition(2) + " then\n" + p.block() + p.pick("", "\nelse\n"+p.block(), "\nelseif "+p.condition(1)+" then\n"+p.block()+"\nelse\n"+p.block()) + "\nend"
	case "for":
		p.fresh++
		v := fmt.Sprintf("i%d", p.fresh)
		return "for " + v + " = " + p.pick("1, 3", "3, 1, -1", "1, 0", "0, 1, 0.5", "1, 2") + " do\na = a + " + v + "\n" + p.block() + p.pick("", "\nif a > 5 then break end") + "\nend"
	case "while":
		p.loops++
		return fmt.Sprintf("do local n%[1]d = 0 while n%[1]d < 3 and (%[2]s) do n%[1]d = n%[1]d + 1\n%[3]s\nend end", p.loops, p.condition(1), p.block())
	case "repeat":
		p.loops++
		return fmt.Sprintf("do local n%[1]d = 0 repeat n%[1]d = n%[1]d + 1 local done = n%[1]d >= 2\n%[2]s\nuntil done or (%[3]s) end", p.loops, p.block(), p.condition(1))
	case "ipairs":
		return "for i, v in ipairs(" + p.pick("t", "w", "{a, b, c}") + ") do\nif i > 3 then break end\nb = b + v\n" + p.block() + "\nend"
	case "pairs":
		return "local sum = 0 for k, v in pairs(" + p.pick("t", "w", "{x = a, y = b, z = 1}") + ") do sum = sum + num(v) end c = sum"
	case "do":
		return "do\n" + p.block() + "\nend"
	case "func":
		return p.pick("f", "g") + " = function(...)\nlocal p, q = ...\nlocal f, g = base, base\n" + p.block() + "\nreturn " + p.pick("p, q", "...", "q", "a, ...", "select('#', ...), p", "short(s)") + "\nend"
	case "pcall":
		return "do local ok, e = pcall(function()\n" + p.block() + "\n" + p.pick("", "error('E', 0)", "local x = nil + 1", "error()", "local x = ('x')()", "t.a.b = 1") + "\nend) if not ok then u = 'caught' end end"
	case "closure":
		return "do local k = a local function up() k = k + 1 return k end local h = up\npcall(function() h() error('x', 0) end)\na = up() + k end"
	}
	return "a = a"
}

func (p *program) source() string {
	return `local function num(v) v = tonumber(v) or 0 if v ~= v or v > 1e6 or v < -1e6 then return 0 end return v end
local function num2(x, y, z) return num(x), num(y), num(z) end
local function short(v) return tostring(v):sub(1, 20) end
local base = function(...) return select('#', ...), ... end
local a, b, c, s, u, t, w, f, g = 1, 2, 3, 'abc', '7', {1, 2, 3}, {4, 5}, base, base
local function run()
` + p.block() + `
end
local ok, e = pcall(run)
local o = {tostring(ok), tostring(num(a)), tostring(num(b)), tostring(num(c)), short(s), short(u), #t, #w}
for i = 1, math.min(#t, 5) do o[#o+1] = tostring(t[i]) end
for i = 1, math.min(#w, 5) do o[#o+1] = tostring(w[i]) end
for _, k in ipairs({'x', 'y'}) do o[#o+1] = tostring(t[k]) end
return o`
}

// Whole programs, so that faults of the virtual machine or of the rewriting come to
// light where several features meet.
func TestProgramsAgree(t *testing.T) {
	_, pool := pooled(t, luabox.Limits{})
	real := livetest.Start(t).Client(t)
	rapid.Check(t, func(rt *rapid.T) {
		source := (&program{t: rt}).source()
		got, err1 := pool.Eval(ctx, source, nil).Result()
		want, err2 := real.Eval(ctx, source, nil).Result()
		if a, b := answer(got, err1), answer(want, err2); a != b {
			rt.Fatalf("%s\npooled: %s %v\nRedis:  %s %v", source, a, err1, b, err2)
		}
	})
}
