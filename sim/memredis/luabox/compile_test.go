package luabox

import (
	"strings"
	"testing"
)

func TestCompileErrors(t *testing.T) {
	for source, want := range map[string]string{
		"return (":                       "user_script:1: syntax error near '<eof>'",
		"local a = 1\nlocal b = = 2":     "user_script:2: syntax error near '='",
		"x = 'abc":                       "user_script:1:",
		"goto done ::done::":             "user_script:1: goto is not part of Lua 5.1",
		"local a\n::here::":              "user_script:2: goto is not part of Lua 5.1",
		"break":                          "user_script:1:",
		"local a <const> = 1":            "user_script:1: syntax error near '<'",
		"#!js\nreturn 1":                 "unexpected engine in script shebang: js",
		"#!":                             "invalid script shebang",
		"#!\nreturn 1":                   "unexpected engine in script shebang: ",
		"#!lua flags=fast\nreturn 1":     "unexpected flag in script shebang: fast",
		"#!lua fast\nreturn 1":           "unknown lua shebang option: fast",
		"#!lua\nreturn (\n":              "user_script:2: syntax error near '<eof>'",
		"#!lua\n\nreturn = 1":            "user_script:3: syntax error near '='",
		strings.Repeat("-", maxSource+1): "user_script: a script of 131073 bytes, more than 131072",
		"return " + strings.Repeat("- ", 50_000) + "1":                              "too many syntax levels",
		strings.Repeat("do ", 18_000) + strings.Repeat("end ", 18_000):              "too many syntax levels",
		"return " + strings.Repeat("{", 60_000) + strings.Repeat("}", 60_000):       "too many syntax levels",
		strings.Repeat("return function() ", 5_000) + strings.Repeat("end ", 5_000): "too many syntax levels",
		"local x if x then " + strings.Repeat("elseif x then ", 9_000) + "end":      "too many syntax levels",
		"return 1" + strings.Repeat(" + 1", 30_000):                                 "too many syntax levels",
		"return x" + strings.Repeat(".y", 60_000):                                   "too many syntax levels",
		"return x" + strings.Repeat("()", 60_000):                                   "too many syntax levels",
		"return " + strings.Repeat("x and ", 20_000) + "x":                          "too many syntax levels",
		"local " + strings.Repeat("a, ", 300) + "a = 1":                             "user_script",
		"return " + strings.Repeat("f(", 20_000) + strings.Repeat(")", 20_000):      "too many syntax levels",
	} {
		s, err := Compile(source)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.60q (%d bytes): %v, %v; want %q", source, len(source), s, err, want)
		}
	}
}

// What is long but not deep compiles.
func TestCompileLongScripts(t *testing.T) {
	for _, source := range []string{
		strings.Repeat("do local a = 1 end\n", 5_000),
		"return '" + strings.Repeat("x", 100_000) + "'",
		"return {" + strings.Repeat("1, ", 20_000) + "}",
		"local t = {} " + strings.Repeat("t[#t+1] = 'x'\n", 5_000),
		"local x = '1' " + strings.Repeat("x = x .. '1' .. '2'\n", 3_000),
		"if x then " + strings.Repeat("elseif x then ", 200) + "end",
		"return 1" + strings.Repeat(" + 1", 500),
		"",
		"-- nothing",
		";",
	} {
		if source == ";" {
			// Lua 5.1 has no empty statement; gopher-lua's parser may differ.
			continue
		}
		if _, err := Compile(source); err != nil {
			t.Errorf("%.40q: %v", source, err)
		}
	}
}

func TestShebang(t *testing.T) {
	for source, readOnly := range map[string]bool{
		"return 1":                             false,
		"#!lua\nreturn 1":                      false,
		"#!lua flags=no-writes\nreturn 1":      true,
		"#!lua flags=allow-oom,no-writes\n":    true,
		"#!lua flags=allow-stale,no-cluster\n": false,
	} {
		s, err := Compile(source)
		if err != nil || s.ReadOnly != readOnly || s.Source != source || s.SHA != SHA(source) {
			t.Errorf("%q: %+v, %v", source, s, err)
		}
	}
	if sha := SHA("return 1"); sha != "e0e1f9fabfc9d4800c877a703b823ac0578ff8db" {
		t.Errorf("SHA %s", sha)
	}
}

func FuzzCompileAndRun(f *testing.F) {
	for _, s := range []string{
		"return 1", "local a, b = 1 a, b = b, a return {a, b}", "for i = 1, 3 do if i > 1 then break end end", "return ('x'):rep(3) .. 1",
		"local t = {1, 2, x = 3, [4] = 5} return #t", "return pcall(error, {err = 'x'})", "local function f(...) return ... end return f(1, 2)",
		"repeat local x = 1 until x", "while false do end", "return function() end", "return cjson.encode({1})", "#!lua\nreturn 1", "return 1 --", "return '\\65\\n'",
	} {
		f.Add(s)
	}
	b := New(Limits{Steps: 10_000, Bytes: 1 << 20})
	f.Fuzz(func(t *testing.T, source string) {
		s, err := Compile(source)
		if err != nil {
			if strings.ContainsAny(err.Error(), "\r\n") {
				t.Errorf("an error of several lines: %q", err)
			}
			return
		}
		do := func(args []string, resp3 bool) []byte { return []byte("+OK\r\n") }
		first := string(b.Run(s, &Call{Do: do}, nil))
		if again := string(b.Run(s, &Call{Do: do}, nil)); again != first {
			t.Errorf("%q: %q, then %q", source, first, again)
		}
		if !strings.HasSuffix(first, "\r\n") {
			t.Errorf("%q: the reply %q", source, first)
		}
	})
}
