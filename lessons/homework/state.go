package homework

import (
	"unicode/utf8"

	"flashlab/lessons"
	"flashlab/lessons/exercise"
	"flashlab/store/progress"
)

// State is how far a learner has come with an exercise.
type State uint8

// The states.
const (
	New   State = iota
	Tried       // something was handed in
	Done        // all that it asks for
)

// String returns "new", "tried" or "done".
func (s State) String() string { return [...]string{"new", "tried", "done"}[s] }

// StateOf says how far a learner has come. An exercise with several tasks is done
// when all are: a bug has to be shown and mended.
func StateOf(x *lessons.Exercise, b *progress.Book) State {
	e := b.Exercises[x.Name]
	broke := x.Break == nil || e.Steps.Token != ""
	fixed := x.Fix == nil || !e.Solved.At.IsZero()
	switch {
	case broke && fixed:
		return Done
	case e.Attempts > 0:
		return Tried
	}
	return New
}

// Answered is what is kept of an answer to a fix. It reports false for what is no
// answer: too long, or no text; or none yet, because its judgement was not finished.
func Answered(l *lessons.Lesson, x *lessons.Exercise, answer string, v *exercise.Verdict) (progress.Answered, bool) {
	if !v.Decided() || len(answer) > exercise.MaxAnswer || !utf8.ValidString(answer) {
		return progress.Answered{}, false
	}
	a := progress.Answered{Lesson: l.Name, Form: x.Fix.Form.String(), Answer: answer, Passed: v.Passed}
	if v.Miss != nil {
		a.Mistake, a.Sentence = v.Miss.Mistake, v.Miss.Sentence.EN
	}
	return a, true
}

// Broke is what is kept of a schedule that broke what it was to break.
func Broke(l *lessons.Lesson, x *lessons.Exercise, token string, b *exercise.Breaking) progress.Broke {
	return progress.Broke{
		Lesson: l.Name, Token: token, Steps: b.Steps, Switches: b.Switches, Light: x.Break.Light,
		Shortest: b.IsShortest(), Fewest: b.IsFewest(),
	}
}
