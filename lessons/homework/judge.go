package homework

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"flashlab/lessons"
	"flashlab/lessons/exercise"
	"flashlab/sim/token"
)

// mostCount is the highest number of anything that a learner comes to.
const mostCount = 1_000_000

// judge finds out what a claim is worth.
func (c *Checker) judge(ctx context.Context, r *Row) {
	switch r.Claim.Kind {
	case Prediction:
		c.prediction(r)
		return
	case Recall:
		r.recall()
		return
	case Schedule, Answer, Explanation, Help, Mistakes:
	default:
		r.is(Unknown, NotHere, "this program knows no claim of the kind %q", "这个程序不认识 %q 这种条目", short(r.Claim.Kind))
		return
	}
	l, x, err := lessons.FindExercise(r.Claim.Subject)
	if err != nil {
		r.is(Unknown, NotHere, "this program has no exercise %q", "这个程序里没有练习 %q", short(r.Claim.Subject))
		return
	}
	if !r.belongs(l) {
		return
	}
	switch r.Claim.Kind {
	case Schedule:
		c.schedule(r, l, x)
	case Answer:
		c.answer(ctx, r, l, x)
	case Explanation:
		if x.Cause == nil {
			r.is(False, NoSuchTask, "%s asks for no cause", "%s 没有问原因", x.Name)
			return
		}
		c.option(r, l, x.Cause)
	case Help:
		r.help()
	case Mistakes:
		r.mistakes()
	}
}

// belongs looks whether a claim names the right lesson.
func (r *Row) belongs(l *lessons.Lesson) bool {
	if r.Claim.Lesson == l.Name {
		return true
	}
	r.is(False, WrongLesson, "it belongs to the lesson %s, not %q", "它属于 %s 课，不是 %q", l.Name, short(r.Claim.Lesson))
	return false
}

// played is what is kept of a schedule that was played; the frames are not.
type played struct {
	broke, shortest, fewest              bool
	steps, switches, atBest, fewestThere int
}

func (c *Checker) schedule(r *Row, l *lessons.Lesson, x *lessons.Exercise) {
	if x.Break == nil {
		r.is(False, NoSuchTask, "%s asks for code, not for a schedule", "%s 要的是代码，不是顺序", x.Name)
		return
	}
	t, err := token.Parse(r.Claim.Token)
	if err != nil {
		r.is(False, DamagedToken, "the token is damaged", "token 坏了")
		return
	}
	scene, err := lessons.Scene(l, x.Break.Variant, x.Break.Sets)
	if err != nil {
		r.trouble(err)
		return
	}
	if t.Lesson != l.Name || t.Variant != x.Break.Variant || t.Sets != scene.Params.Changed() {
		r.is(False, OtherExercise, "the token belongs to %s.%s %s, not to this exercise", "token 属于 %s.%s %s，不是这道练习的",
			short(t.Lesson), short(t.Variant), short(t.Sets))
		return
	}
	hash, err := once(c, "hash "+x.Name, func() (string, error) { return lessons.HashOf(scene) })
	if err != nil {
		r.trouble(err)
		return
	}
	if t.Hash != hash {
		r.is(Unknown, OtherVersion, "the token was made for another version of the scene (%s, here %s)", "token 出自另一个版本的场景（%s，这里是 %s）", t.Hash, hash)
		return
	}
	p, err := once(c, "token "+x.Name+" "+r.Claim.Token, func() (*played, error) {
		b, err := exercise.GradeBreak(c.of(l), l, x, t.Steps)
		if err != nil {
			return nil, err
		}
		return &played{b.Broke, b.IsShortest(), b.IsFewest(), b.Steps, b.Switches, b.Shortest, b.Fewest}, nil
	})
	switch {
	case errors.Is(err, exercise.ErrNotPossible):
		r.is(False, NotPossible, "the schedule cannot be played", "这个顺序走不了")
	case err != nil:
		r.trouble(err)
	case !p.broke:
		r.is(False, Holds, "%s holds in this schedule", "这样走，%s 没有被破坏", x.Break.Light)
	default:
		r.compare(p, x.Break.Light)
	}
}

// compare holds what is claimed of a schedule against what it is.
func (r *Row) compare(p *played, light string) {
	c := &r.Claim
	var problems []Problem
	var en, zh []string
	wrong := func(bad bool, p Problem, e, z string, args ...any) {
		if bad {
			problems = append(problems, p)
			en, zh = append(en, fmt.Sprintf(e, args...)), append(zh, fmt.Sprintf(z, args...))
		}
	}
	wrong(c.Light != light, WrongLight, "it breaks %s, not %q", "它破坏的是 %s，不是 %q", light, short(c.Light))
	wrong(c.Steps != p.steps, WrongSteps, "it takes %d steps, not %d", "走了 %d 步，不是 %d 步", p.steps, c.Steps)
	wrong(c.Switches != p.switches, WrongSwitches, "the number of switches is %d, not %d", "切换了 %d 次，不是 %d 次", p.switches, c.Switches)
	wrong(c.Shortest && !p.shortest, WrongShortest, "it is not the shortest: %d steps do", "不是最短：%d 步就够", p.atBest)
	wrong(!c.Shortest && p.shortest, WrongShortest, "it is the shortest, and the report denies it", "它就是最短的，报告却说不是")
	wrong(c.Fewest && !p.fewest, WrongFewest, "its switches are not the fewest: %d do", "切换不是最少：%d 次就够", p.fewestThere)
	wrong(!c.Fewest && p.fewest, WrongFewest, "its switches are the fewest, and the report denies it", "切换已经最少，报告却说不是")
	if len(problems) == 0 {
		r.Verdict = True
		return
	}
	r.say(False, problems[0], lessons.Text{EN: strings.Join(en, "; "), ZH: strings.Join(zh, "；")})
}

// graded is what is kept of an answer that was judged.
type graded struct {
	passed, decided bool
	miss            lessons.Miss
}

func (c *Checker) answer(ctx context.Context, r *Row, l *lessons.Lesson, x *lessons.Exercise) {
	if x.Fix == nil {
		r.is(False, NoSuchTask, "%s asks for a schedule, not for code", "%s 要的是顺序，不是代码", x.Name)
		return
	}
	claim := &r.Claim
	if form := x.Fix.Form.String(); claim.Form != form {
		r.is(False, WrongForm, "%s is answered in the form %s, not %q", "%s 的作答形式是 %s，不是 %q", x.Name, form, short(claim.Form))
		return
	}
	g, err := once(c, "answer "+x.Name+" "+claim.Answer, func() (*graded, error) {
		v, err := exercise.Grade(ctx, l, x, claim.Answer)
		if err != nil {
			return nil, err
		}
		g := &graded{passed: v.Passed, decided: v.Decided()}
		if v.Miss != nil {
			g.miss = lessons.Miss{Mistake: v.Miss.Mistake, Sentence: v.Miss.Sentence}
		}
		return g, nil
	})
	switch {
	case err != nil:
		r.trouble(err)
	case !g.decided:
		r.say(Unknown, Undecided, g.miss.Sentence)
	case claim.Passed && !g.passed:
		r.say(False, WrongPassed, lessons.Text{EN: "it fails: " + g.miss.Sentence.EN, ZH: "不通过：" + g.miss.Sentence.ZH})
	case !claim.Passed && g.passed:
		r.is(False, WrongPassed, "it passes, and the report denies it", "它能通过，报告却说不能")
	case claim.Mistake != g.miss.Mistake:
		found, said := exercise.MistakeTitle(g.miss.Mistake), exercise.MistakeTitle(claim.Mistake)
		r.say(False, WrongMistake, lessons.Text{
			EN: fmt.Sprintf("the mistake in it is %q, not %q", found.EN, short(said.EN)),
			ZH: fmt.Sprintf("里面的误解是 %q，不是 %q", found.ZH, short(said.ZH)),
		})
	default:
		r.Verdict = True
	}
}

// prediction judges what was answered before the run.
func (c *Checker) prediction(r *Row) {
	l, q := question(r.Claim.Subject)
	switch {
	case q == nil:
		r.is(Unknown, NotHere, "this program has no question %q", "这个程序里没有问题 %q", short(r.Claim.Subject))
	case !r.belongs(l):
	case r.Claim.Confidence < 1 || r.Claim.Confidence > 3:
		r.is(False, WrongCount, "there is no confidence %d: it goes from 1 to 3", "没有把握 %d：只有 1 到 3", r.Claim.Confidence)
	default:
		c.option(r, l, q)
	}
}

// option judges which option of a question was picked.
func (c *Checker) option(r *Row, l *lessons.Lesson, q *lessons.Question) {
	if q.Option(r.Claim.Option) == nil {
		r.is(False, WrongOption, "there is no option %q", "没有 %q 这个选项", short(r.Claim.Option))
		return
	}
	truth, err := once(c, "question "+q.Name, func() (string, error) { return q.Truth(c.of(l), l) })
	right := truth == r.Claim.Option
	switch {
	case err != nil:
		r.trouble(err)
	case r.Claim.Right && !right:
		r.is(False, WrongRight, "%s is wrong: the engine says %s", "%s 不对：引擎说是 %s", r.Claim.Option, truth)
	case !r.Claim.Right && right:
		r.is(False, WrongRight, "%s is right, and the report denies it", "%s 是对的，报告却说不对", r.Claim.Option)
	default:
		r.Verdict = True
	}
}

// question finds a question by name.
func question(name string) (*lessons.Lesson, *lessons.Question) {
	for _, l := range lessons.All() {
		for i := range l.Predict {
			if l.Predict[i].Name == name {
				return l, &l.Predict[i]
			}
		}
		for i := range l.Exercises {
			for _, q := range []*lessons.Question{l.Exercises[i].Ask, l.Exercises[i].Cause} {
				if q != nil && q.Name == name {
					return l, q
				}
			}
		}
	}
	return nil, nil
}

// The claims below are only told: no engine keeps count of them. What cannot be is
// found all the same.

func (r *Row) told() {
	r.is(Told, "", "only told: no engine can know it", "只是自述：引擎无从核对")
}

func (r *Row) help() {
	if n := r.Claim.Hints; n < 0 || n > exercise.MaxHints {
		r.is(False, WrongCount, "there is no hint %d: they go from 1 to %d", "没有第 %d 条提示：只有 1 到 %d", n, exercise.MaxHints)
		return
	}
	r.told()
}

func (r *Row) mistakes() {
	known := exercise.Mistakes()
	for name, n := range r.Claim.Mistakes {
		if n < 1 || n > mostCount {
			r.is(False, WrongCount, "a misconception cannot be counted %d times", "一种误解不可能数到 %d 次", n)
			return
		}
		if !slices.Contains(known, name) {
			r.is(Unknown, NotHere, "this program knows no misconception of that name", "这个程序不认识这种误解")
			return
		}
	}
	r.told()
}

func (r *Row) recall() {
	c := &r.Claim
	if c.Subject != cards || c.Cards < 1 || c.Seen < c.Cards || c.Lapses < 0 || c.Lapses > c.Seen || c.Seen > mostCount {
		r.is(False, WrongCount, "these numbers do not fit together", "这些数字对不上")
		return
	}
	r.told()
}
