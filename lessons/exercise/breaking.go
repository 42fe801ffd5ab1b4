package exercise

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"flashlab/lessons"
	"flashlab/sim"
	"flashlab/sim/token"
	"flashlab/sim/trace"
)

// Breaking is what a schedule is worth that was to break a light.
type Breaking struct {
	Broke    bool
	Steps    int // up to and including the one that breaks it; after the end for what the run-out shows
	InRunOut bool
	Switches int // preemptions up to there
	// Shortest and Fewest are the best possible; the certificate is Clean, the
	// number of states within Shortest-1 steps, none of them broken.
	Shortest, Fewest, Clean int
	Interleavings           string // decimal
	Violating               string
	// Schedule is the part of it that counts.
	Schedule []sim.Move
	Frames   []trace.Frame
}

// IsShortest reports whether nothing shorter exists.
func (b *Breaking) IsShortest() bool { return b.Broke && b.Steps == b.Shortest }

// IsFewest reports whether no schedule needs fewer preemptions.
func (b *Breaking) IsFewest() bool { return b.Broke && b.Switches == b.Fewest }

// ErrNotPossible marks a schedule that cannot be played.
var ErrNotPossible = errors.New("the schedule cannot be played")

// GradeBreak judges a schedule: any that breaks the light is right, whether or not
// it is the one the author thought of.
func GradeBreak(e *lessons.Evidence, l *lessons.Lesson, x *lessons.Exercise, moves []sim.Move) (*Breaking, error) {
	if x.Break == nil {
		return nil, fmt.Errorf("%s asks for code, not for a schedule", x.Name)
	}
	f, err := e.Search(l, x.Break.Variant, x.Break.Sets)
	if err != nil {
		return nil, err
	}
	i := f.Scenario.Light(x.Break.Light)
	if i < 0 {
		return nil, fmt.Errorf("%s: %s.%s shows no light %s", x.Name, l.Name, x.Break.Variant, x.Break.Light)
	}
	s, err := lessons.Scene(l, x.Break.Variant, x.Break.Sets)
	if err != nil {
		return nil, err
	}
	frames, err := lessons.Play(s, moves)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotPossible, err)
	}
	best := &f.Result.Lights[i]
	b := &Breaking{
		Shortest: best.Shortest, Fewest: best.Preemptions, Clean: best.Clean, Frames: frames,
		Interleavings: f.Result.Interleavings.String(), Violating: best.Violating.String(),
	}
	for n := range frames {
		if !frames[n].State.Broken(x.Break.Light) {
			continue
		}
		b.Broke, b.Steps = true, min(n, len(moves))
		b.InRunOut = n > len(moves) || frames[n].Event == nil && n > 0
		b.Schedule = slices.Clone(moves[:b.Steps])
		if b.Switches, err = f.Result.Preemptions(b.Schedule); err != nil {
			return nil, err
		}
		break
	}
	return b, nil
}

// GradeToken judges a schedule written as a token, or as steps alone ("A3BCB"). The
// error wraps [ErrNotPossible] if it is none or belongs to something else.
func GradeToken(e *lessons.Evidence, l *lessons.Lesson, x *lessons.Exercise, text string) (*Breaking, error) {
	if x.Break == nil {
		return nil, fmt.Errorf("%w: %s asks for code", ErrNotPossible, x.Name)
	}
	if !strings.Contains(text, "@") {
		moves, err := token.ParseSteps(text)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrNotPossible, err)
		}
		return GradeBreak(e, l, x, moves)
	}
	t, err := token.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotPossible, err)
	}
	s, err := lessons.Scene(l, x.Break.Variant, x.Break.Sets)
	if err != nil {
		return nil, err
	}
	if t.Lesson != l.Name || t.Variant != x.Break.Variant || t.Sets != s.Params.Changed() {
		want := l.Name + "." + x.Break.Variant
		if sets := s.Params.Changed(); sets != "" {
			want += " with " + sets
		}
		return nil, fmt.Errorf("%w: the token belongs to %s.%s %s, the exercise to %s", ErrNotPossible, t.Lesson, t.Variant, t.Sets, want)
	}
	hash, err := lessons.HashOf(s)
	if err != nil {
		return nil, err
	}
	if t.Hash != hash {
		return nil, fmt.Errorf("%w: the token was made for another version of %s.%s (%s, now %s)", ErrNotPossible, t.Lesson, t.Variant, t.Hash, hash)
	}
	return GradeBreak(e, l, x, t.Steps)
}

// Sentence says what the schedule is worth.
func (b *Breaking) Sentence(x *lessons.Exercise) lessons.Text {
	light := x.Break.Light
	if !b.Broke {
		return lessons.Text{
			EN: fmt.Sprintf("%s holds in this schedule. In %s of %s it does not.", light, b.Violating, b.Interleavings),
			ZH: fmt.Sprintf("这样走，%s 没有被破坏。%s 种走法里有 %s 种会。", light, b.Interleavings, b.Violating),
		}
	}
	text := lessons.Text{
		EN: fmt.Sprintf("Broken in %s; the shortest schedule takes %d.", plural(b.Steps, "step"), b.Shortest),
		ZH: fmt.Sprintf("%d 步破坏成功，最短的走法是 %d 步。", b.Steps, b.Shortest),
	}
	if b.IsShortest() {
		text = lessons.Text{
			EN: fmt.Sprintf("Broken in %s, and nothing shorter exists: all %d states within fewer steps are clean.", plural(b.Steps, "step"), b.Clean),
			ZH: fmt.Sprintf("%d 步就破坏了，而且没有更短的：更少步数能到的 %d 个状态全都正常。", b.Steps, b.Clean),
		}
	}
	more := b.switches()
	return lessons.Text{EN: text.EN + " " + more.EN, ZH: text.ZH + more.ZH}
}

// switches says how often the schedule took the next step away from somebody who
// could go on, and how often it had to.
func (b *Breaking) switches() lessons.Text {
	if b.Switches == 0 {
		return lessons.Text{
			EN: "Nobody who could go on was made to wait.",
			ZH: "谁都没有在还能走的时候被换下。",
		}
	}
	text := lessons.Text{
		EN: fmt.Sprintf("%s you took the next step away from somebody who could go on; ", times(b.Switches)),
		ZH: fmt.Sprintf("你有 %d 次在一个人还能走的时候换了别人走，", b.Switches),
	}
	var more lessons.Text
	switch {
	case b.IsFewest():
		more = lessons.Text{EN: "it cannot be done with fewer switches.", ZH: "换得再少就破坏不了。"}
	case b.Fewest == 0:
		more = lessons.Text{EN: "no such switch was needed.", ZH: "其实一次都不用换。"}
	case b.Fewest == 1:
		more = lessons.Text{EN: "one such switch would have been enough.", ZH: "其实换 1 次就够。"}
	default:
		more = lessons.Text{
			EN: fmt.Sprintf("%d such switches would have been enough.", b.Fewest),
			ZH: fmt.Sprintf("其实换 %d 次就够。", b.Fewest),
		}
	}
	return lessons.Text{EN: text.EN + more.EN, ZH: text.ZH + more.ZH}
}

// Token writes a schedule of an exercise as a token.
func Token(l *lessons.Lesson, x *lessons.Exercise, moves []sim.Move) (string, error) {
	s, err := lessons.Scene(l, x.Break.Variant, x.Break.Sets)
	if err != nil {
		return "", err
	}
	hash, err := lessons.HashOf(s)
	if err != nil {
		return "", err
	}
	return token.Token{Lesson: l.Name, Variant: x.Break.Variant, Sets: s.Params.Changed(), Hash: hash, Steps: moves}.String(), nil
}

// MaxHints is the number of hints of an exercise.
const MaxHints = 4

// Hint returns the n-th hint of an exercise, from 1: first those of the author, then
// what the engine knows. It is the same for everybody.
func Hint(ctx context.Context, e *lessons.Evidence, l *lessons.Lesson, x *lessons.Exercise, n int) (lessons.Text, error) {
	if n < 1 || n > MaxHints {
		return lessons.Text{}, fmt.Errorf("there is no hint %d: they are numbered from 1 to %d", n, MaxHints)
	}
	if n <= len(x.Hints) {
		return x.Hints[n-1], nil
	}
	if x.Break == nil {
		return lessons.Text{
			EN: "This passes:\n" + x.Fix.Solution,
			ZH: "这样写能通过：\n" + x.Fix.Solution,
		}, nil
	}
	f, err := e.Search(l, x.Break.Variant, x.Break.Sets)
	if err != nil {
		return lessons.Text{}, err
	}
	best := f.Result.Lights[f.Scenario.Light(x.Break.Light)].Schedule
	text := lessons.Text{
		EN: fmt.Sprintf("A shortest schedule, %s:", plural(len(best), "step")),
		ZH: fmt.Sprintf("最短的走法，共 %d 步：", len(best)),
	}
	if n < MaxHints {
		best = best[:min(2, len(best))]
		text = lessons.Text{EN: "Begin like this:", ZH: "开头这样走："}
	}
	s, err := lessons.Scene(l, x.Break.Variant, x.Break.Sets)
	if err != nil {
		return lessons.Text{}, err
	}
	frames, err := lessons.Play(s, best)
	if err != nil {
		return lessons.Text{}, err
	}
	log := "\n" + token.Steps(best) + "\n" + strings.TrimRight(lessons.StagedLog(frames), "\n")
	return lessons.Text{EN: text.EN + log, ZH: text.ZH + log}, nil
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func times(n int) string {
	switch n {
	case 1:
		return "Once"
	case 2:
		return "Twice"
	}
	return fmt.Sprintf("%d times", n)
}
