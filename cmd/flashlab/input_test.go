package main

import (
	"strings"
	"testing"

	"flashlab/sim/token"
)

// goodToken is a token that fits; tests damage it.
func goodToken(t *testing.T) token.Token {
	t.Helper()
	tok, err := token.Parse(running(t, exitBreaks, "oversell", "--staged", "both-read-one").last.Schedule)
	if err != nil {
		t.Fatal(err)
	}
	return tok
}

// forged is a token that fits, with its parts changed and its check character made
// right again.
func forged(t *testing.T, change func(*token.Token)) string {
	t.Helper()
	tok := goodToken(t)
	change(&tok)
	return tok.String()
}

// steps is a token that fits, with other steps.
func steps(t *testing.T, text string) string {
	t.Helper()
	tok := goodToken(t)
	tok.Steps = nil
	head, _, _ := strings.Cut(tok.String(), "~")
	return sealed(head + text)
}

// Bad input ends with 2 and one line that says what, where and what to do.
func TestBadInput(t *testing.T) {
	good := goodToken(t).String()
	if r := flashlab(t, "run", "oversell", "--schedule", good); r.code != exitBreaks || r.err != "" {
		t.Fatalf("the token that is to be damaged does not run: %+v", r)
	}
	explore := func(args ...string) []string { return append([]string{"explore", "oversell"}, args...) }
	run := func(args ...string) []string { return append([]string{"run", "oversell"}, args...) }
	set := func(sets ...string) []string {
		args := explore()
		for _, s := range sets {
			args = append(args, "--set", s)
		}
		return args
	}
	schedule := func(tok string, args ...string) []string {
		return append(run("--schedule", tok), args...)
	}
	const buyers = "buyers takes a whole number from 1 to 8"
	tests := []struct {
		name string
		args []string
		want string // parts of the line, separated by |
	}{
		{"command", []string{"frobnicate"}, `no command "frobnicate"|flashlab --help`},
		{"command, nearly", []string{"explor"}, `no command "explor"|did you mean explore?`},
		{"command over two lines", []string{"run\nx"}, `no command "run\nx"|did you mean run?`},
		{"help for no command", []string{"help", "nope"}, `no command "nope"|flashlab --help`},
		{"help for too many", []string{"help", "run", "x"}, `flashlab run|"x"|leave it out`},
		{"manual of no command", []string{"man", "nope"}, `no command "nope"|flashlab --help`},
		{"manual of too many", []string{"man", "run", "x"}, `flashlab run|"x"|leave it out`},

		{"no lesson", []string{"explore"}, `flashlab explore needs the name of a lesson|flashlab lessons`},
		{"no lesson to run", []string{"run"}, `flashlab run needs the name of a lesson|flashlab lessons`},
		{"lesson", []string{"explore", "zzzzzzzz"}, `no lesson "zzzzzzzz"|use one of`},
		{"lesson, nearly", []string{"explore", "oversel"}, `no lesson "oversel"|did you mean oversell?`},
		{"lesson in capitals", []string{"run", "OVERSELL"}, `no lesson "OVERSELL"|did you mean oversell?`},
		{"empty lesson", []string{"run", ""}, `no lesson ""|use one of`},
		{"lesson over two lines", []string{"run", "a\nb"}, `no lesson "a\nb"|use one of`},
		{"two lessons", explore("setnx"), `takes one lesson|"setnx"|leave it out`},
		{"argument to lessons", []string{"lessons", "oversell"}, `flashlab lessons takes no argument|"oversell"|leave it out`},
		{"argument to doctor", []string{"doctor", "x"}, `flashlab doctor takes no argument|leave it out`},
		{"argument to version", []string{"version", "x"}, `flashlab version takes no argument|leave it out`},
		{"lesson to rehearse", []string{"rehearse", "oversel"}, `no lesson "oversel"|did you mean oversell?`},
		{"two lessons to rehearse", []string{"rehearse", "oversell", "setnx"}, `takes one lesson|"setnx"|leave it out`},
		{"no shell", []string{"completion"}, `flashlab completion needs the name of a shell|bash, zsh, fish`},
		{"unknown shell", []string{"completion", "csh"}, `knows no shell "csh"|use bash, zsh, fish`},
		{"argument to a shell", []string{"completion", "bash", "x"}, `takes no argument|"x"|leave it out`},

		{"variant", explore("--variant", "zzzzzzzzzzzzzzz"), `oversell has no variant "zzzzzzzzzzzzzzz"|use one of lost-update`},
		{"variant, nearly", explore("--variant", "lost-updat"), `no variant "lost-updat"|did you mean lost-update?`},
		{"flag", explore("--bogus"), `--bogus|see flashlab explore --help`},
		{"flag over two lines", explore("--bo\n\ngus"), `--bo gus|see flashlab explore --help`},
		{"letter", run("-z"), `-z|see flashlab run --help`},
		{"flag without its value", explore("--set"), `--set|see flashlab explore --help`},
		{"format", explore("--format", "xml"), `--format "xml" is not possible|text or json`},
		{"format that run has", explore("--format", "svg"), `--format "svg" is not possible|text or json`},
		{"empty format", run("--format", ""), `--format "" is not possible|text, json, mermaid`},
		{"two formats", explore("--json", "--format", "text"), `--json and --format text contradict|leave one out`},
		{"two formats to run", run("--json", "--format", "svg"), `--json and --format svg contradict|leave one out`},
		{"language", run("--lang", "fr"), `--lang "fr" is not possible|en or zh`},

		{"no server", []string{"storm", "setnx", "--redis", ""}, `--redis is empty|give an address`},
		{"no nodes", []string{"storm", "setnx", "--nodes", "0"}, `--nodes 0 is not possible|from 1 to 8`},
		{"no pace", []string{"storm", "watchdog", "--pace", "0"}, `--pace 0 is not possible|from 1 to 100000`},
		{"no requests", []string{"storm", "setnx", "--requests", "0"}, `--requests 0 is not possible|from 1`},
		{"killed too late", []string{"storm", "setnx", "--processes", "--requests", "50", "--kill-after", "50"}, `--kill-after 50 is not possible|50 requests`},
		{"history nowhere", []string{"storm", "setnx", "--history", "no/such/place/h.html"}, `no/such/place/h.html|there is no directory`},
		{"history in place of a directory", []string{"storm", "setnx", "--history", "."}, `is a directory|name a file`},
		{"saved nowhere", []string{"showdown", "--save", "no/such/place/s.json"}, `no/such/place/s.json|there is no directory`},
		{"no list of numbers", []string{"showdown", "--concurrency", "a,b"}, `--concurrency "a,b" is not possible|whole numbers with commas`},

		{"setting", set("lease=5"), `--set|no setting "lease"|use one of buyers, crashes, nodes, stock`},
		{"setting without a name", set("=3"), `--set|no setting ""|use one of`},
		{"setting without a value", set("buyers"), `--set|"buyers" is no setting|name=number`},
		{"empty setting", set(""), `--set|"" is no setting|name=number`},
		{"comma at the end", set("buyers=3,"), `--set|"" is no setting|name=number`},
		{"none", set("buyers=0"), `--set|buyers=0|` + buyers},
		{"too many", set("buyers=9"), `--set|buyers=9|` + buyers},
		{"far too many", set("buyers=1000000000"), `--set|buyers=1000000000|` + buyers},
		{"beyond 64 bits", set("buyers=99999999999999999999"), `--set|` + buyers},
		{"exponent", set("buyers=1e9"), `--set|buyers=1e9|` + buyers},
		{"negative", set("buyers=-1"), `--set|buyers=-1|` + buyers},
		{"leading zero", set("buyers=03"), `--set|buyers=03|` + buyers},
		{"sign", set("buyers=+3"), `--set|buyers=+3|` + buyers},
		{"hexadecimal", set("buyers=0x3"), `--set|` + buyers},
		{"no number", set("buyers="), `--set|buyers=|` + buyers},
		{"full-width digit", set("buyers=３"), `--set|` + buyers},
		{"stock", set("stock=100001"), `--set|stock=100001|from 0 to 100000`},
		{"budget", set("crashes=5"), `--set|crashes=5|from 0 to 4`},
		{"setting over two lines", set("buyers=2\n\nrm"), `--set|buyers=2 rm|` + buyers},
		{"twice", set("buyers=2", "buyers=3"), `--set|buyers is given twice|leave one out`},
		{"twice the same", set("buyers=3", "buyers=3"), `--set|buyers is given twice|leave one out`},
		{"twice in one", set("buyers=3,buyers=4"), `--set|buyers is given twice|leave one out`},
		{"no states", explore("--max-states", "0"), `--max-states 0 is not possible|at least 1`},
		{"states", explore("--max-states", "many"), `--max-states "many" is not possible|a whole number`},
		{"no time", explore("--max-time", "0s"), `--max-time 0s is not possible|such as 30s`},
		{"negative time", explore("--max-time", "-1s"), `--max-time -1s is not possible|such as 30s`},
		{"time", explore("--max-time", "soon"), `--max-time "soon" is not possible|such as 30s`},
		{"negative seed", run("--seed", "-1"), `--seed "-1" is not possible|a whole number from 0`},
		{"seed beyond 64 bits", run("--seed", "18446744073709551616"), `--seed|a whole number from 0`},
		{"yes or no", explore("--json=perhaps"), `--json "perhaps" is not possible|true or false`},

		{"no token", schedule(""), `--schedule|damaged token ""|copy it whole`},
		{"no token at all", schedule("ABABAB"), `--schedule|damaged token "ABABAB"|copy it whole`},
		{"cut off", schedule(good[:len(good)-1]), `--schedule|damaged token|copy it whole`},
		{"letter lost", schedule(strings.Replace(good, "ABABAB", "ABABA", 1)), `--schedule|check character|copy it whole`},
		{"case changed", schedule(strings.ToUpper(good)), `--schedule|damaged token|copy it whole`},
		{"two tokens", schedule(good + good), `--schedule|damaged token|copy it whole`},
		{"very long", schedule(strings.Repeat("A", 100_000)), `--schedule|damaged token|...|copy it whole`},
		{"control characters", schedule("\x1b[2J\n" + good), `--schedule|damaged token|copy it whole`},
		{"outdated", schedule(forged(t, func(x *token.Token) { x.Hash = "000" })), `--schedule|another version of oversell.lost-update|take a new one from flashlab explore`},
		{"other variant", schedule(good, "--variant", "guarded"), `--schedule|variant lost-update, not guarded|leave out --variant`},
		{"other variant inside", schedule(forged(t, func(x *token.Token) { x.Variant = "guarded" })), `--schedule|another version of oversell.guarded|take a new one`},
		{"unknown variant inside", schedule(forged(t, func(x *token.Token) { x.Variant = "zzzzzzzzzzzzzzz" })), `no variant "zzzzzzzzzzzzzzz"|use one of`},
		{"unknown lesson inside", schedule(forged(t, func(x *token.Token) { x.Lesson = "zzzzzzzz" })), `--schedule|no lesson "zzzzzzzz"|use one of`},
		{"unknown lesson both", []string{"run", "zzzzzzzz", "--schedule", good}, `no lesson "zzzzzzzz"|use one of`},
		{"sizes beside a token", schedule(good, "--set", "buyers=2"), `--schedule|its own sizes|leave out --set`},
		{"other sizes inside", schedule(forged(t, func(x *token.Token) { x.Sets = "buyers=3" })), `--schedule|another version|take a new one`},
		{"bad sizes inside", schedule(forged(t, func(x *token.Token) { x.Sets = "buyers=99" })), `--schedule|buyers=99|` + buyers},
		{"sizes twice inside", schedule(forged(t, func(x *token.Token) { x.Sets = "buyers=3,buyers=4" })), `--schedule|buyers is given twice|leave one out`},
		{"a step too many", schedule(forged(t, func(x *token.Token) { x.Steps = append(x.Steps, x.Steps[0]) })), `--schedule|does not fit oversell.lost-update|step 7 (A)|copy one`},
		{"nobody to step", schedule(forged(t, func(x *token.Token) { x.Steps[0].Arg = 25 })), `--schedule|does not fit|step 1 (Z)|copy one`},
		{"no lease to expire", schedule(steps(t, "ea")), `--schedule|does not fit|step 1 (ea)|copy one`},
		{"no crash in the budget", schedule(steps(t, "AxA")), `--schedule|does not fit|step 2 (xA)|copy one`},
		{"no such step", schedule(steps(t, "AqB")), `--schedule|damaged token|no step that begins with 'q'|copy it whole`},
		{"repeated for ever", schedule(steps(t, "A99999")), `--schedule|damaged token|repeat count 99999|copy it whole`},
		{"repeated once", schedule(steps(t, "A1")), `--schedule|damaged token|repeat count 1|copy it whole`},

		{"staged", run("--staged", "zzzzzzzzzzzzzzz"), `oversell has no staged schedule "zzzzzzzzzzzzzzz"|use one of all-fine`},
		{"staged, nearly", run("--staged", "both-read-on"), `no staged schedule "both-read-on"|did you mean both-read-one?`},
		{"no staged", run("--staged", ""), `no staged schedule ""|use one of all-fine`},
		{"staged and schedule", run("--staged", "all-fine", "--schedule", good), `--schedule, --staged and --seed exclude each other|give one`},
		{"staged and seed", run("--staged", "all-fine", "--seed", "1"), `exclude each other|give one`},
		{"schedule and seed", schedule(good, "--seed", "1"), `exclude each other|give one`},
		{"staged and sizes", run("--staged", "all-fine", "--set", "buyers=2"), `staged schedule all-fine brings its own|leave out --variant and --set`},
		{"staged and variant", run("--staged", "all-fine", "--variant", "guarded"), `staged schedule all-fine brings its own variant (lost-update)|leave out`},

		{"theme", []string{"--theme", "pink"}, `--theme|"pink"|dark, light`},
		{"language of the lab", []string{"--lang", "xx"}, `--lang "xx" is not possible|en or zh`},
		{"variant without a lesson", []string{"--variant", "guarded"}, `--variant needs --lesson|say which`},
		{"lesson of the lab", []string{"--plain", "--lesson", "zzzzzzzz"}, `no lesson "zzzzzzzz"|use one of`},
		{"variant of the lab", []string{"--plain", "--lesson", "oversell", "--variant", "zzzzzzzzzzzzzzz"}, `no variant "zzzzzzzzzzzzzzz"|use one of`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := flashlab(t, tt.args...)
			if r.code != exitUsage {
				t.Errorf("exit code %d, want %d", r.code, exitUsage)
			}
			if r.out != "" {
				t.Errorf("stdout %q, want nothing", r.out)
			}
			if !strings.HasPrefix(r.err, "flashlab: ") || strings.Count(r.err, "\n") != 1 || !strings.HasSuffix(r.err, "\n") {
				t.Errorf("stderr is not one line: %q", r.err)
			}
			if len(r.err) > 400 || strings.ContainsAny(r.err, "\x1b\t\r") || strings.Contains(r.err, "strconv") {
				t.Errorf("stderr is not fit to be read: %q", r.err)
			}
			for _, part := range strings.Split(tt.want, "|") {
				if !strings.Contains(r.err, part) {
					t.Errorf("stderr %q does not say %q", r.err, part)
				}
			}
		})
	}
}

// sealed puts the right check character behind anything that looks like a token.
func sealed(body string) string {
	for _, c := range "0123456789abcdefghjkmnpqrstvwxyz" {
		tok := body + "~" + string(c)
		if _, err := token.Parse(tok); err == nil || !strings.Contains(err.Error(), "check character") {
			return tok
		}
	}
	return body
}

// What is merely unusual is no mistake.
func TestUnusualInput(t *testing.T) {
	good := goodToken(t).String()
	for _, args := range [][]string{
		{"explore", "oversell", "--set", "buyers=1"},
		{"explore", "oversell", "--set", " buyers=2 , stock=1 "},
		{"explore", "oversell", "--set", "stock=100000", "--set", "nodes=8"},
		{"explore", "--set", "buyers=2", "--json", "oversell"},
		{"explore", "oversell", "--json", "--format", "json"},
		{"run", "oversell", "--schedule", good, "--variant", "lost-update"},
		{"run", "oversell", "--staged", "all-fine", "--variant", "lost-update"},
		{"run", "oversell", "--lang", "zh_CN.UTF-8"},
		{"--help"}, {"help"}, {"help", "run"}, {"run", "--help"}, {"run", "nope", "--help"}, {"help", "completion", "bash"},
	} {
		if r := flashlab(t, args...); r.code == exitUsage || r.code == exitFault || r.err != "" || r.out == "" {
			t.Errorf("%q: %+v", args, r)
		}
	}
}
