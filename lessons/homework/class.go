package homework

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"flashlab/lessons"
	"flashlab/lessons/exercise"
)

// Paper is one file that was handed in.
type Paper struct {
	File   string
	Report *Report // nil if the file cannot be read
	Err    error   // why
	Rows   []Row   // what the claims are worth
	// SameLearner and SameHost name an earlier file of the same learner, and one of
	// another learner from the same installation; "" if there is none.
	SameLearner, SameHost string
}

// Tally counts rows by verdict.
type Tally struct{ True, False, Unknown, Told int }

func (t *Tally) add(v Verdict) {
	switch v {
	case True:
		t.True++
	case False:
		t.False++
	case Told:
		t.Told++
	default:
		t.Unknown++
	}
}

// Tally counts the rows of the paper.
func (p *Paper) Tally() Tally {
	var t Tally
	for i := range p.Rows {
		t.add(p.Rows[i].Verdict)
	}
	return t
}

// Note says what is to be known about the paper as a whole, empty if nothing is.
func (p *Paper) Note() lessons.Text {
	switch {
	case p.SameLearner != "":
		return lessons.Text{EN: "same learner as in " + p.SameLearner, ZH: "和 " + p.SameLearner + " 是同一个人"}
	case p.SameHost != "":
		return lessons.Text{EN: "same installation as in " + p.SameHost, ZH: "和 " + p.SameHost + " 出自同一个安装"}
	}
	return lessons.Text{}
}

// Done lists the exercises that the paper proves to be done, sorted.
func (p *Paper) Done() []string {
	var out []string
	for name, d := range p.proved() {
		if d.done() {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// proved is what a paper proves about an exercise.
type proved struct {
	exercise    *lessons.Exercise
	broke, made bool
}

func (d proved) done() bool {
	x := d.exercise
	return (x.Break == nil || d.broke) && (x.Fix == nil || d.made)
}

func (p *Paper) proved() map[string]proved {
	out := map[string]proved{}
	for i := range p.Rows {
		r := &p.Rows[i]
		if r.Verdict != True || r.Claim.Kind != Schedule && r.Claim.Kind != Answer {
			continue
		}
		name := r.Claim.Subject
		_, x, err := lessons.FindExercise(name)
		if err != nil {
			continue
		}
		d := out[name]
		d.exercise = x
		d.broke = d.broke || r.Claim.Kind == Schedule
		d.made = d.made || r.Claim.Kind == Answer && r.Claim.Passed
		out[name] = d
	}
	return out
}

// Class sums up papers.
type Class struct {
	Learners  int // each counted once, however many files
	Exercises []OfExercise
	Mistakes  []OfMistake
}

// OfExercise is what a class did about an exercise: learners who claim anything about
// it, those who have proved it done, and the claims by verdict.
type OfExercise struct {
	Name, Lesson   string
	Learners, Done int
	Tally
}

// OfMistake is how often a misconception showed. The counts are what the reports tell.
type OfMistake struct {
	Name            string
	Count, Learners int
}

// learner tells learners apart.
type learner struct{ host, name string }

func (p *Paper) learner() learner {
	return learner{p.Report.Host, strings.ToLower(strings.TrimSpace(p.Report.Name))}
}

// Mark notes which papers come from the same learner or installation. The papers keep
// their order.
func Mark(papers []Paper) {
	learners, hosts := map[learner]string{}, map[string]*Paper{}
	for i := range papers {
		p := &papers[i]
		if p.Report == nil {
			continue
		}
		who := p.learner()
		if file, ok := learners[who]; ok {
			p.SameLearner = file
			continue
		}
		learners[who] = p.File
		if other := hosts[who.host]; other != nil {
			p.SameHost = other.File
		} else {
			hosts[who.host] = p
		}
	}
}

// Sum sums up the papers of a class. What several files of one learner prove counts
// together; misconceptions are taken from the file that tells of most.
func Sum(papers []Paper) Class {
	s := summer{exercises: map[string]*ofExercise{}, mistakes: map[string]map[learner]int{}}
	learners := map[learner]bool{}
	for i := range papers {
		if papers[i].Report != nil {
			learners[papers[i].learner()] = true
			s.add(&papers[i])
		}
	}
	return Class{Learners: len(learners), Exercises: s.byExercise(), Mistakes: s.byMistake()}
}

type ofExercise struct {
	OfExercise
	order  int
	proved map[learner]proved
}

type summer struct {
	exercises map[string]*ofExercise
	mistakes  map[string]map[learner]int // count by name and learner
}

func (s *summer) add(p *Paper) {
	who := p.learner()
	done := p.proved()
	s.count(who, p.mistakes())
	for i := range p.Rows {
		r := &p.Rows[i]
		if r.Claim.Kind == Prediction || r.Claim.Kind == Recall {
			continue
		}
		l, x, err := lessons.FindExercise(r.Claim.Subject)
		if err != nil {
			continue
		}
		e := s.exercises[x.Name]
		if e == nil {
			e = &ofExercise{OfExercise: OfExercise{Name: x.Name, Lesson: l.Name}, order: place(l, x), proved: map[learner]proved{}}
			s.exercises[x.Name] = e
		}
		e.add(r.Verdict)
		d, now := e.proved[who], done[x.Name]
		e.proved[who] = proved{x, d.broke || now.broke, d.made || now.made}
	}
}

// mistakes adds up what a paper tells of misconceptions.
func (p *Paper) mistakes() map[string]int {
	known, out := exercise.Mistakes(), map[string]int{}
	for i := range p.Rows {
		r := &p.Rows[i]
		if r.Claim.Kind != Mistakes || r.Verdict != Told {
			continue
		}
		for name, n := range r.Claim.Mistakes {
			if slices.Contains(known, name) {
				out[name] += n
			}
		}
	}
	return out
}

func (s *summer) count(who learner, mistakes map[string]int) {
	for name, n := range mistakes {
		if s.mistakes[name] == nil {
			s.mistakes[name] = map[learner]int{}
		}
		s.mistakes[name][who] = max(s.mistakes[name][who], n)
	}
}

// place is where an exercise stands in the list of all.
func place(l *lessons.Lesson, x *lessons.Exercise) int {
	n := 0
	for _, each := range lessons.All() {
		for i := range each.Exercises {
			if each == l && &each.Exercises[i] == x {
				return n
			}
			n++
		}
	}
	return n
}

func (s *summer) byExercise() []OfExercise {
	list := slices.SortedFunc(maps.Values(s.exercises), func(a, b *ofExercise) int { return cmp.Compare(a.order, b.order) })
	var out []OfExercise
	for _, e := range list {
		e.Learners = len(e.proved)
		for _, d := range e.proved {
			if d.done() {
				e.Done++
			}
		}
		out = append(out, e.OfExercise)
	}
	return out
}

func (s *summer) byMistake() []OfMistake {
	var out []OfMistake
	for name, by := range s.mistakes {
		m := OfMistake{Name: name, Learners: len(by)}
		for _, n := range by {
			m.Count += n
		}
		out = append(out, m)
	}
	slices.SortFunc(out, func(a, b OfMistake) int {
		return cmp.Or(cmp.Compare(b.Learners, a.Learners), cmp.Compare(b.Count, a.Count), cmp.Compare(a.Name, b.Name))
	})
	return out
}
