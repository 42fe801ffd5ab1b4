// Package unlockbench judges a release that a learner has written: a Lua script that
// is to delete a lock if it still holds the token. It runs in the place of the
// shop's own script unlock, in the scenes of a lesson that calls it, and is probed
// beforehand with the calls that tell one misconception from another.
//
// The package must not know a lesson: the variant is handed over.
package unlockbench

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"flashlab/lessons"
	"flashlab/lessons/exercise"
	"flashlab/sim/scenario"
)

const (
	key   = "lock:order:7"
	other = "lock:order:8" // somebody else's, which nothing must happen to
)

// Bench makes the bench for a script. It runs in the variant, whose script unlock it
// replaces, with two requests and with three. foreign is what it has to answer when
// somebody else has the lock; 1 is released, 0 is no lock. 0 is right there as well,
// as in the script that most know, and only remarked upon.
func Bench(text string, variant func() lessons.Variant, foreign int64) (*lessons.Bench, error) {
	parts, err := exercise.Parts(text)
	if err != nil {
		return nil, err
	}
	r := &release{text: text, parts: parts}
	scene := func(name lessons.Text, sets string) lessons.Stage {
		v := variant()
		v.Scenario = lessons.Changed(v.Scenario, func(s *scenario.Scenario) {
			s.World.Replace = map[string][]string{"unlock": parts}
		})
		return lessons.Stage{
			Name: name, Variant: v, Sets: sets, Explain: r.explain,
			Must: []string{scenario.NoMisdeletionLight, scenario.LockReleasedLight, scenario.ProgressLight},
		}
	}
	return &lessons.Bench{
		Probes: []lessons.Probe{
			r.probe("mine", 1, true),
			r.probe("theirs", foreign, false),
			r.probe("", 0, false),
		},
		Scenes: []lessons.Stage{scene(lessons.Text{EN: "two requests", ZH: "两个请求"}, ""), scene(lessons.Text{EN: "three requests", ZH: "三个请求"}, "buyers=3")},
	}, nil
}

// release is a script that a learner has written.
type release struct {
	text  string
	parts []string
}

// explain says why a light broke.
func (r *release) explain(light string) *lessons.Miss {
	switch {
	case light == scenario.NoMisdeletionLight && len(r.parts) > 1:
		return &lessons.Miss{Mistake: exercise.TwoCalls, Sentence: lessons.Text{
			EN: "Looking and deleting are two calls: between them the lease runs out, another takes the lock, and its lock is deleted.",
			ZH: "查和删分成了两次调用：中间租期到了，锁被别人拿走，删掉的是别人的锁。",
		}}
	case light == scenario.NoMisdeletionLight:
		return r.deletesAny()
	case light == scenario.LockReleasedLight:
		return &lessons.Miss{Mistake: exercise.NeverDeletes, Sentence: lessons.Text{
			EN: "The script leaves the holder's own lock behind: the next one waits for the whole lease.",
			ZH: "自己的锁也没删掉，后面的人要干等满整个租期。",
		}}
	}
	return nil
}

// deletesAny tells a script that does not even look from one that asks the wrong
// question.
func (r *release) deletesAny() *lessons.Miss {
	m := &lessons.Miss{Mistake: exercise.AlwaysDeletes, Sentence: lessons.Text{
		EN: "The script deletes the lock without asking whose it is.",
		ZH: "脚本不问锁是谁的，直接就删。",
	}}
	if looks.MatchString(r.text) {
		m.Sentence = lessons.Text{
			EN: "The script asks whether there is a lock, and not whose it is.",
			ZH: "脚本只看有没有锁，没看是谁的。",
		}
	}
	return m
}

// looks finds a command that looks at a key.
var looks = regexp.MustCompile(`(?i)['"](GET|EXISTS)['"]`)

// nilTest finds a comparison with nil, which a missing key never passes.
var nilTest = regexp.MustCompile(`[=~]=\s*nil\b`)

// probe releases once with the token mine: held is the token in the lock, "" for
// none.
func (r *release) probe(held string, answer int64, gone bool) lessons.Probe {
	return func(ctx context.Context) (*lessons.Miss, error) {
		o, err := exercise.Try{
			Parts: r.parts, Keys: []string{key}, Args: []any{"mine"},
			Before: func(ctx context.Context, rdb *redis.Client) error {
				if err := rdb.Set(ctx, other, "other", time.Minute).Err(); err != nil || held == "" {
					return err
				}
				return rdb.Set(ctx, key, held, 5*time.Second).Err()
			},
		}.Run(ctx)
		if err != nil {
			return nil, err
		}
		if o.Err != nil {
			m := exercise.Failure(o.Err)
			m.Shown = o.Shown()
			return m, nil
		}
		if m := r.look(ctx, o, held, answer, gone); m != nil {
			m.Shown = o.Shown()
			return m, nil
		}
		return nil, nil
	}
}

// look says what is wrong with an outcome.
func (r *release) look(ctx context.Context, o *exercise.Outcome, held string, answer int64, gone bool) *lessons.Miss {
	say := func(mistake, en, zh string) *lessons.Miss {
		return &lessons.Miss{Mistake: mistake, Sentence: lessons.Text{EN: en, ZH: zh}}
	}
	_, there := o.After[key]
	switch {
	case o.After[other] != o.Before[other] || len(o.Changed()) > 1:
		return say(exercise.WrongKey, "The script changes a key that it was not given.", "脚本动了没有交给它的 key。")
	case gone && there && r.swapped(ctx):
		return say(exercise.SwappedArgs, "The script compares the token with the name of the key: KEYS and ARGV are swapped.", "脚本把唯一值和 key 的名字比：KEYS 和 ARGV 用反了。")
	case gone && there && o.Reply == int64(1):
		return say(exercise.NeverDeletes, "The script answers that it has deleted the lock, and the lock is still there.", "脚本说删掉了，可锁还在。")
	case gone && there && len(r.parts) == 1 && strings.Contains(r.text, "ARGV[2]"):
		return say(exercise.NeverDeletes, "ARGV[2] is what a first call has answered, and there is only one: the comparison never holds.", "ARGV[2] 是前一次调用的返回值，可这里只有一次调用，比较永远不成立。")
	case gone && there:
		return say(exercise.NeverDeletes, "The script does not delete the holder's own lock.", "锁是自己的，脚本却没有删。")
	case held == "theirs" && !there:
		return r.deletesAny()
	case held == "theirs" && o.After[key] != o.Before[key]:
		return say(exercise.WrongKey, "The lock is somebody else's, and the script changes it.", "锁是别人的，脚本却动了它。")
	case held == "" && there:
		return say(exercise.Revives, "There was no lock, and now there is one.", "本来没有锁，执行完却有了。")
	case held == "" && o.Reply != answer && nilTest.MatchString(r.text):
		return say(exercise.MissingIsNil,
			fmt.Sprintf("There is no lock, and the answer is %s: the test for nil never holds, because a missing key is false.", reply(o)),
			fmt.Sprintf("锁已经没了，却返回%s：判断 nil 永远不成立，因为 key 不存在返回的是 false。", replyZH(o)))
	case held == "theirs" && o.Reply == int64(0) && answer != 0:
		m := say("", "It passes; it cannot tell expired from taken: -1 for somebody else's lock would.", "通过。只是它分不清锁是过期了还是被别人拿走了：锁是别人的时候返回 -1 就能分清。")
		m.Remark = true
		return m
	case o.Reply != answer:
		mistake := exercise.WrongAnswer
		if len(r.parts) > 1 {
			mistake = "" // the scenes have worse to say of two calls
		}
		return say(mistake,
			fmt.Sprintf("The script did right %s, but it answers %s where %d is expected.", when(held), reply(o), answer),
			fmt.Sprintf("%s做得没错，但应该返回 %d，却返回了%s。", whenZH(held), answer, replyZH(o)))
	}
	return nil
}

func when(held string) string {
	return map[string]string{"mine": "with its own lock", "theirs": "with somebody else's lock", "": "without a lock"}[held]
}

func whenZH(held string) string {
	return map[string]string{"mine": "锁是自己的时候", "theirs": "锁是别人的时候", "": "锁已经没了的时候"}[held]
}

func reply(o *exercise.Outcome) string {
	if o.Reply == nil {
		return "nothing"
	}
	return fmt.Sprint(o.Reply)
}

func replyZH(o *exercise.Outcome) string {
	if o.Reply == nil {
		return "空值"
	}
	return fmt.Sprintf(" %v", o.Reply) // Chinese and digits stand apart
}

// swapped reports whether the script deletes once lock and token change places.
func (r *release) swapped(ctx context.Context) bool {
	o, err := exercise.Try{
		Parts: r.parts, Keys: []string{"mine"}, Args: []any{key},
		Before: func(ctx context.Context, rdb *redis.Client) error {
			return rdb.Set(ctx, key, "mine", 5*time.Second).Err()
		},
	}.Run(ctx)
	if err != nil || o.Err != nil {
		return false
	}
	_, there := o.After[key]
	return !there
}
