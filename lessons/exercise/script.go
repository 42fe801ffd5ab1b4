package exercise

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/redis/go-redis/v9"

	"flashlab/lessons"
	"flashlab/sim/memredis"
	"flashlab/sim/memredis/luabox"
	"flashlab/sim/proc"
)

// NextCall separates two scripts of one file: a learner who looks in one call and
// acts in the next writes this line between them. The second gets the answer of the
// first behind its arguments.
const NextCall = "-- next call"

// Parts splits a file at [NextCall] and compiles each part. The error is a
// [lessons.Miss] that names the line.
func Parts(text string) ([]string, error) {
	var parts []string
	var part []string
	for _, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), NextCall) {
			parts = append(parts, strings.Join(part, "\n"))
			// Lines keep their numbers: errors of the second part name those of the file.
			part = slices.Repeat([]string{""}, len(part)+1)
			continue
		}
		part = append(part, line)
	}
	parts = append(parts, strings.Join(part, "\n"))
	for _, src := range parts {
		if _, err := luabox.Compile(src); err != nil {
			line, what := position(err.Error())
			return nil, &lessons.Miss{Mistake: Syntax, Sentence: lessons.Text{
				EN: fmt.Sprintf("The script is not Lua%s: %s.", at(line), what),
				ZH: fmt.Sprintf("脚本有语法错误%s：%s。", atZH(line), what),
			}}
		}
	}
	return parts, nil
}

var lineOf = regexp.MustCompile(`user_script:(\d+): `)

// position takes the line out of an error of a script.
func position(text string) (line, rest string) {
	m := lineOf.FindStringSubmatchIndex(text)
	if m == nil {
		return "", text
	}
	return text[m[2]:m[3]], text[:m[0]] + text[m[1]:]
}

func at(line string) string {
	if line == "" {
		return ""
	}
	return ", line " + line
}

func atZH(line string) string {
	if line == "" {
		return ""
	}
	return "，在第 " + line + " 行"
}

// tail is what Redis appends to the error of a script.
var tail = regexp.MustCompile(` script: [0-9a-f]{40}, on @user_script(?::(\d+))?\.?$`)

// Failure reads the error that a script ended with: one sentence that names the
// line, and the misconception where the error shows one.
func Failure(err error) *lessons.Miss {
	text := strings.TrimPrefix(err.Error(), "ERR ")
	line := ""
	if m := tail.FindStringSubmatch(text); m != nil {
		line = m[1]
		text = strings.TrimSuffix(text, m[0])
	}
	if l, rest := position(text); l != "" {
		line, text = l, rest
	}
	say := func(mistake, en, zh string, args ...any) *lessons.Miss {
		return &lessons.Miss{Mistake: mistake, Sentence: lessons.Text{
			EN: fmt.Sprintf(en, append([]any{at(line)}, args...)...),
			ZH: fmt.Sprintf(zh, append([]any{atZH(line)}, args...)...),
		}}
	}
	switch {
	case strings.Contains(text, "over a limit: more than") && strings.Contains(text, "steps"),
		strings.Contains(text, "over a limit: longer than"):
		return say(Endless, "The script does not end%s: it was stopped. Does a loop never end?", "脚本停不下来%s，被强行中止了。是不是有死循环？")
	case strings.Contains(text, "over a limit"):
		return say(TooBig, "The script makes too much text or too large tables%s: it was stopped.", "脚本用的字符串或表太大%s，被强行中止了。")
	case strings.Contains(text, "stack overflow"), strings.Contains(text, "stack limit"):
		return say(TooDeep, "The script calls itself without end%s: it was stopped.", "脚本无限递归%s，被强行中止了。")
	case strings.Contains(text, "attempted to create global variable"):
		return say(Forbidden, "A script may not make a global variable%s: write local before it (%s).", "脚本不能建全局变量%s，前面要加 local（%s）。", text)
	case strings.Contains(text, "nonexistent global variable"), strings.Contains(text, "not allowed from script"),
		strings.Contains(text, "readonly table"):
		return say(Forbidden, "The script uses what Redis does not let a script use%s: %s.", "脚本用了 Redis 不允许的东西%s：%s。", text)
	case strings.Contains(text, "attempt to compare") && (strings.Contains(text, "boolean") || strings.Contains(text, "nil")):
		return say(MissingIsNil, "The script fails%s: %s. A missing key is false, and false cannot be compared with a number.", "脚本报错%s：%s。key 不存在返回的是 false，不能和数字比大小。", text)
	}
	return say(Fails, "The script ends with an error%s: %s.", "脚本报错%s：%s。", text)
}

// Try is one call of a script on an engine of its own.
type Try struct {
	Parts []string // as [Parts] returns them
	Keys  []string
	Args  []any
	// Before prepares the server; nil: it is empty.
	Before func(ctx context.Context, rdb *redis.Client) error
}

// Outcome is what came of a [Try].
type Outcome struct {
	Call   string // the call, for people
	Reply  any    // int64, string, nil or []any
	Err    error  // the error that the script ended with
	Before map[string]string
	After  map[string]string // what the keys hold, with their time to live in ms
}

// Run calls the script. The error says what kept it from running; that the script
// itself failed is part of the outcome.
func (t Try) Run(ctx context.Context) (*Outcome, error) {
	m, err := memredis.Start(proc.Epoch())
	if err != nil {
		return nil, fmt.Errorf("trying the script: %w", err)
	}
	defer m.Close()
	if _, err := memredis.PoolScripts(m, luabox.Limits{}); err != nil {
		return nil, fmt.Errorf("trying the script: %w", err)
	}
	rdb := memredis.Client(m)
	defer rdb.Close()
	if t.Before != nil {
		if err := t.Before(ctx, rdb); err != nil {
			return nil, fmt.Errorf("trying the script: preparing: %w", err)
		}
	}
	o := &Outcome{Call: t.call()}
	if o.Before, err = dump(ctx, rdb); err != nil {
		return nil, err
	}
	args := slices.Clone(t.Args)
	for _, src := range t.Parts {
		o.Reply, o.Err = rdb.Eval(ctx, src, t.Keys, args...).Result()
		if errors.Is(o.Err, redis.Nil) {
			o.Err = nil
		}
		if o.Err != nil {
			break
		}
		answer := ""
		if o.Reply != nil {
			answer = fmt.Sprint(o.Reply)
		}
		args = append(args, answer)
	}
	o.After, err = dump(ctx, rdb)
	return o, err
}

func (t Try) call() string {
	var b strings.Builder
	b.WriteString("KEYS")
	for _, k := range t.Keys {
		b.WriteString(" " + k)
	}
	b.WriteString("  ARGV")
	for _, a := range t.Args {
		fmt.Fprintf(&b, " %v", a)
	}
	return b.String()
}

// dump reads all keys: "value" or "value, 5000 ms".
func dump(ctx context.Context, rdb *redis.Client) (map[string]string, error) {
	out := map[string]string{}
	keys, err := rdb.Keys(ctx, "*").Result()
	if err != nil {
		return nil, fmt.Errorf("reading the keys: %w", err)
	}
	for _, k := range keys {
		kind, err := rdb.Type(ctx, k).Result()
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", k, err)
		}
		v := ""
		switch kind {
		case "string":
			v = rdb.Get(ctx, k).Val()
		case "hash":
			v = fmt.Sprint(rdb.HGetAll(ctx, k).Val())
		case "set":
			members := rdb.SMembers(ctx, k).Val()
			slices.Sort(members)
			v = fmt.Sprint(members)
		case "zset":
			v = fmt.Sprint(rdb.ZRangeWithScores(ctx, k, 0, -1).Val())
		case "list":
			v = fmt.Sprint(rdb.LRange(ctx, k, 0, -1).Val())
		case "stream":
			var entries []string
			for _, x := range rdb.XRange(ctx, k, "-", "+").Val() {
				entries = append(entries, fmt.Sprint(x.Values))
			}
			v = fmt.Sprint(entries)
		}
		if ttl := rdb.PTTL(ctx, k).Val(); ttl > 0 {
			v += fmt.Sprintf(", %d ms", ttl.Milliseconds())
		}
		out[k] = v
	}
	return out, nil
}

// Changed lists the keys that the call has made, changed or removed, sorted.
func (o *Outcome) Changed() []string {
	var out []string
	for k, v := range o.After {
		if was, ok := o.Before[k]; !ok || was != v {
			out = append(out, k)
		}
	}
	for k := range o.Before {
		if _, ok := o.After[k]; !ok {
			out = append(out, k)
		}
	}
	slices.Sort(out)
	return out
}

// Shown describes the call and what came of it, line by line.
func (o *Outcome) Shown() []string {
	out := []string{o.Call}
	switch {
	case o.Err != nil:
		out = append(out, "-> (error) "+tail.ReplaceAllString(o.Err.Error(), ""))
	case o.Reply == nil:
		out = append(out, "-> (nil)")
	default:
		out = append(out, fmt.Sprintf("-> %v", o.Reply))
	}
	for _, k := range o.Changed() {
		out = append(out, fmt.Sprintf("%s: %s -> %s", k, orNone(o.Before, k), orNone(o.After, k)))
	}
	return out
}

func orNone(m map[string]string, k string) string {
	if v, ok := m[k]; ok {
		return v
	}
	return "(none)"
}
