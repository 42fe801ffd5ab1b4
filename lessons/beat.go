package lessons

// Beat is one part of a lesson, as a learner goes through it.
type Beat uint8

// The beats, in their order. None is locked: each can be skipped and come back to.
const (
	BeatPromise Beat = iota // the invariant in one sentence
	BeatPredict             // what will happen, asked before anything runs
	BeatRun                 // random schedules; they may all pass
	BeatBreak               // the learner is the scheduler
	BeatExplain             // pick the cause, say it in one's own words
	BeatFix                 // mend it
	BeatProve               // all schedules of every variant
	BeatAgain               // turn one dial: the next lesson's promise
	BeatRecall              // two cards from earlier lessons
	Beats                   // how many there are
)

// String returns the name of the beat in progress files: "promise", "predict", ...
func (b Beat) String() string {
	return [...]string{"promise", "predict", "run", "break", "explain", "fix", "prove", "again", "recall"}[b]
}

// ParseBeat returns the beat with that name.
func ParseBeat(name string) (Beat, bool) {
	for b := range Beats {
		if b.String() == name {
			return b, true
		}
	}
	return 0, false
}

// Again is the end of a lesson: one dial is turned, and what was mended breaks in
// another way. It leads to the next lesson.
type Again struct {
	Lesson  string // where the variant is, "" for the lesson itself
	Variant string
	Sets    string
	Light   string // that breaks now
	Say     Text   // what was turned, and what it means
}

// In returns the lesson whose variant it is; l is the lesson that ends with it.
func (a *Again) In(l *Lesson) (*Lesson, error) {
	if a.Lesson == "" {
		return l, nil
	}
	return Find(a.Lesson)
}
