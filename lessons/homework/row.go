package homework

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"flashlab/lessons"
	"flashlab/lessons/exercise"
)

// Verdict says what a claim is worth.
type Verdict string

// The verdicts.
const (
	True    Verdict = "true"
	False   Verdict = "false"
	Unknown Verdict = "unknown" // it could not be checked here and now
	Told    Verdict = "told"    // no engine can know it: hints, cards
)

// Mark is the glyph of a verdict.
func (v Verdict) Mark() string {
	switch v {
	case True:
		return "✓"
	case False:
		return "✗"
	}
	return "?"
}

// Problem names what keeps a claim from being true; the names stand in reports.
type Problem string

// The problems. The first group makes a claim false.
const (
	WrongSteps    Problem = "steps"          // it takes another number of steps
	WrongSwitches Problem = "switches"       // it has another number of switches
	WrongShortest Problem = "shortest"       // a shorter one exists, or none does
	WrongFewest   Problem = "fewest"         // fewer switches do, or do not
	WrongLight    Problem = "light"          // another light than that of the exercise
	Holds         Problem = "holds"          // the schedule breaks nothing
	DamagedToken  Problem = "damaged-token"  // no token
	OtherExercise Problem = "other-exercise" // a token of something else
	NotPossible   Problem = "not-possible"   // a schedule nobody can play
	WrongPassed   Problem = "passed"         // it fails, or it does pass
	WrongMistake  Problem = "mistake"        // another misconception
	WrongForm     Problem = "form"           // not how the exercise is answered
	WrongOption   Problem = "option"         // there is no such option
	WrongRight    Problem = "right"          // the engine says otherwise
	WrongCount    Problem = "count"          // a number that cannot be
	WrongLesson   Problem = "lesson"         // it belongs to another lesson
	NoSuchTask    Problem = "no-such-task"   // the exercise asks for something else
	Twice         Problem = "twice"          // the same is claimed twice

	OtherVersion Problem = "other-version" // a token of another version of the scene
	NotHere      Problem = "not-here"      // this program knows no such exercise
	TimeIsUp     Problem = "time"          // it took too long
	Undecided    Problem = "undecided"     // the search came to its bound
	EngineFault  Problem = "fault"         // the engine could not judge it
)

// Row is a claim and what came of it.
type Row struct {
	Claim   Claim
	Says    lessons.Text // the claim in a few words
	Verdict Verdict
	Problem Problem      // "" where there is none
	Detail  lessons.Text // one sentence; empty where there is nothing to say
}

func (r *Row) is(v Verdict, p Problem, en, zh string, args ...any) {
	r.Verdict, r.Problem = v, p
	r.Detail = lessons.Text{EN: fmt.Sprintf(en, args...), ZH: fmt.Sprintf(zh, args...)}
}

func (r *Row) say(v Verdict, p Problem, detail lessons.Text) {
	r.Verdict, r.Problem, r.Detail = v, p, detail
}

// says puts a claim in a few words.
func (c *Claim) says() lessons.Text {
	pick := func(b bool, en, zh string) lessons.Text {
		if b {
			return lessons.Text{EN: en, ZH: zh}
		}
		return lessons.Text{}
	}
	join := func(parts ...lessons.Text) lessons.Text {
		var en, zh []string
		for _, p := range parts {
			if p.EN != "" {
				en, zh = append(en, p.EN), append(zh, p.ZH)
			}
		}
		return lessons.Text{EN: strings.Join(en, ", "), ZH: strings.Join(zh, "，")}
	}
	count := func(n int, one, many, zh string) lessons.Text {
		if n == 1 {
			many = one
		}
		return lessons.Text{EN: fmt.Sprintf("%d %s", n, many), ZH: fmt.Sprintf("%d %s", n, zh)}
	}
	same := func(s string) lessons.Text { return lessons.Text{EN: short(s), ZH: short(s)} }
	right := pick(true, "wrong", "错")
	if c.Right {
		right = pick(true, "right", "对")
	}
	switch c.Kind {
	case Schedule:
		return join(count(c.Steps, "step", "steps", "步"), count(c.Switches, "switch", "switches", "次切换"),
			pick(c.Shortest, "shortest", "最短"), pick(c.Fewest, "fewest", "切换最少"))
	case Answer:
		if c.Passed {
			return join(same(c.Form), pick(true, "passes", "通过"))
		}
		t := exercise.MistakeTitle(c.Mistake)
		return join(same(c.Form), pick(true, "fails", "不通过"), pick(c.Mistake != "", short(t.EN), short(t.ZH)))
	case Explanation:
		return join(same(c.Option), right)
	case Prediction:
		return join(same(c.Option), right, lessons.Text{EN: fmt.Sprintf("confidence %d", c.Confidence), ZH: fmt.Sprintf("把握 %d", c.Confidence)})
	case Help:
		return join(count(c.Hints, "hint", "hints", "条提示"), pick(c.Revealed, "solution shown", "看过答案"))
	case Mistakes:
		return count(len(c.Mistakes), "misconception", "misconceptions", "种误解")
	case Recall:
		return join(count(c.Cards, "card", "cards", "张卡片"), lessons.Text{
			EN: fmt.Sprintf("turned %d times, %d not known", c.Seen, c.Lapses), ZH: fmt.Sprintf("翻了 %d 次，%d 次没想起来", c.Seen, c.Lapses)})
	}
	return lessons.Text{}
}

// short keeps text from outside from filling a row.
func short(s string) string {
	const most = 40 // characters
	if utf8.RuneCountInString(s) > most {
		return string([]rune(s)[:most]) + "…"
	}
	return s
}
