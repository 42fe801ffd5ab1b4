package lessons

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"flashlab/sim/scenario"
)

// ExerciseKind is what a learner does in an exercise.
type ExerciseKind uint8

// The kinds. Every exercise has the parts that its kind names below; Cause may be
// added to any.
const (
	BreakIt ExerciseKind = iota // be the scheduler: Break
	FixIt                       // mend the code: Fix
	FindBug                     // read, say what breaks (Ask), show it (Break), mend it (Fix)
)

// String returns "break", "fix" or "bug".
func (k ExerciseKind) String() string { return [...]string{"break", "fix", "bug"}[k] }

// Exercise is something that a learner does and the engine judges.
type Exercise struct {
	Name  string // unique in the lab: "break-lost-update", "unlock"
	Kind  ExerciseKind
	Title Text
	Task  Text // what is to be done
	// Hints are the first ones, from a nudge to where to look; the engine makes the
	// rest up to four: the first steps and the whole schedule of a Break, the
	// solution of a Fix.
	Hints   []Text
	Code    *Snippet
	Ask     *Question
	Break   *Break
	Cause   *Question // pick the cause, once it is broken
	Fix     *Fix
	Learned Text // what to take away, shown when it is done
}

// Snippet is code to be read.
type Snippet struct {
	// File of the lesson's Source and the functions in it, as in a [Variant]; empty
	// when Text is the code itself.
	File, Func string
	Text       string
	Language   string // "go", "lua" or "sql"
}

// Question is asked before or after something runs; the engine knows the answer.
type Question struct {
	Name    string // unique in the lab
	Variant string
	Sets    string // "k=v,k=v" or ""
	Steps   string // a schedule that claims look at, as in a token, or ""
	Ask     Text
	Options []Option // exactly one claim is true
	Because Text     // said afterwards
}

// Option is an answer that can be picked.
type Option struct {
	Name  string
	Text  Text
	Claim Claim
}

// Case returns what the claims of a question of lesson l are about.
func (q *Question) Case(e *Evidence, l *Lesson) *Case {
	return e.Case(l, q.Variant, q.Sets, q.Steps)
}

// Truth proves or refutes every option and returns the name of the only one that
// is true. It is an error if there are none or more.
func (q *Question) Truth(e *Evidence, l *Lesson) (string, error) {
	c := q.Case(e, l)
	var right []string
	for i := range q.Options {
		if q.Options[i].Claim(c) {
			right = append(right, q.Options[i].Name)
		}
	}
	if err := c.Err(); err != nil {
		return "", fmt.Errorf("question %s: %w", q.Name, err)
	}
	if len(right) != 1 {
		return "", fmt.Errorf("question %s: exactly one option must be true, but these are: %s", q.Name, strings.Join(right, ", "))
	}
	return right[0], nil
}

// Option returns the option with that name, nil if there is none.
func (q *Question) Option(name string) *Option {
	for i := range q.Options {
		if q.Options[i].Name == name {
			return &q.Options[i]
		}
	}
	return nil
}

// Break asks for a schedule that breaks a light.
type Break struct {
	Variant string
	Sets    string
	Light   string
}

// Form is the way in which a fix is given.
type Form uint8

// The forms of a fix.
const (
	Pick   Form = iota // one of several bodies of code
	Order              // choose lines and put them in order (Parsons)
	Gap                // fill a gap
	Script             // write it, in an editor
)

// String returns "pick", "order", "gap" or "script".
func (f Form) String() string { return [...]string{"pick", "order", "gap", "script"}[f] }

// Blank marks the gap in the frame of a Gap.
const Blank = "____"

// Fix asks for code that the engine judges over all schedules.
type Fix struct {
	Form Form
	// File is the name under which a learner keeps the answer: "unlock.lua".
	File string
	// Options are the bodies to pick from, for Pick.
	Options []Body
	// Lines are those to choose from, in the order shown, for Order. An answer is
	// the numbers of the chosen lines in order, from 1: "3 1 4".
	Lines []string
	// Frame is the text around the gap, with [Blank] in it, for Gap.
	Frame string
	// Shipped is the answer that a learner starts from, which must fail; Solution
	// passes; Naive is what many write first, and fails as well. For Pick they are
	// names of options.
	Shipped, Solution, Naive string
	// Judge makes from the whole text - the script, the lines, the frame with its gap
	// filled - what it is judged on. The error says what is wrong with the text. It
	// is nil for Pick.
	Judge func(text string) (*Bench, error)
}

// Body is one body of code to pick: a variant of the lesson.
type Body struct {
	Name    string // of the option
	Variant string
	Sets    string
	Must    []string // lights that must hold; none: all that the variant shows
	Text    Text     // what it does
	Code    string   // a few lines of it, if they say more; taken from the variant's source otherwise
}

// Bench is what an answer is judged on: quick probes, then scenes over all their
// schedules.
type Bench struct {
	Probes []Probe
	Scenes []Stage
}

// Probe runs an answer once on something telling. It returns a [Miss] if the answer
// fails it; the error is for what keeps it from running at all.
type Probe func(ctx context.Context) (*Miss, error)

// Miss is a way in which an answer is wrong. It is an error, so that whoever reads
// an answer can return it as one.
type Miss struct {
	Mistake  string   // name of a known misconception, "" if it is none
	Sentence Text     // what is wrong and where, in one sentence
	Shown    []string // the call that shows it and what came of it, line by line
	Remark   bool     // the answer passes all the same: this is only worth saying
}

// Error returns the sentence in English.
func (m *Miss) Error() string { return m.Sentence.EN }

// Stage is a scene on which an answer is judged.
type Stage struct {
	Name    Text
	Variant Variant // of the lesson, with the answer in its place
	Sets    string
	Must    []string // lights that must hold; none: all that the scene has
	// Reach are what some schedule must come to, so that nobody passes by doing
	// nothing.
	Reach []Reach
	// Explain says more of a light that broke; may be nil.
	Explain func(light string) *Miss
}

// Reach is something that must be possible.
type Reach struct {
	Name string
	// Check reports whether it is so in the present state.
	Check func(v *scenario.View) (bool, error)
	Miss  Miss // said when no schedule comes to it
}

// Exercise returns the exercise with that name.
func (l *Lesson) Exercise(name string) (*Exercise, bool) {
	for i := range l.Exercises {
		if l.Exercises[i].Name == name {
			return &l.Exercises[i], true
		}
	}
	return nil, false
}

// FindExercise returns the exercise with that name, and its lesson. The error
// suggests near ones.
func FindExercise(name string) (*Lesson, *Exercise, error) {
	var names []string
	for _, l := range All() {
		if x, ok := l.Exercise(name); ok {
			return l, x, nil
		}
		for i := range l.Exercises {
			names = append(names, l.Exercises[i].Name)
		}
	}
	return nil, nil, unknown("exercise", "there is no exercise {name}", name, names)
}

// Recall is a card for the memory: a question with an answer in a few words.
type Recall struct {
	Name        string // unique in the lab
	Front, Back Text
	// Variant, Sets and Claim are what Back says, in a form the engine can prove.
	// Claim is nil for what no engine can show.
	Variant, Sets string
	Claim         Claim
}

// Prove returns an error if the back of the card is not true.
func (r *Recall) Prove(e *Evidence, l *Lesson) error {
	if r.Claim == nil {
		return nil
	}
	c := e.Case(l, r.Variant, r.Sets, "")
	ok := r.Claim(c)
	if err := c.Err(); err != nil {
		return fmt.Errorf("card %s: %w", r.Name, err)
	}
	if !ok {
		return fmt.Errorf("card %s: %w", r.Name, errors.New("what it says is not so"))
	}
	return nil
}
