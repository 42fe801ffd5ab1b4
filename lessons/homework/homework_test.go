package homework_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"flashlab/lessons"
	_ "flashlab/lessons/all"
	"flashlab/lessons/exercise"
	"flashlab/lessons/homework"
	"flashlab/sim"
	"flashlab/sim/token"
	"flashlab/store/progress"
)

// noon is when the reports of the tests are made.
var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// entry is something a learner does, judged by the engine.
type entry struct {
	subject string
	payload progress.Payload
}

// few are lessons that together have every kind of exercise and are quick to search.
var few = []string{"oversell", "misdeletion", "lua-unlock"}

// everyEntry is what can be done in the few lessons: good and bad schedules, answers
// and options.
var everyEntry = sync.OnceValues(func() ([]entry, error) {
	var out []entry
	for _, name := range few {
		l, err := lessons.Find(name)
		if err != nil {
			return nil, err
		}
		list, err := entriesOf(l)
		if err != nil {
			return nil, err
		}
		out = append(out, list...)
	}
	return out, nil
})

func entriesOf(l *lessons.Lesson) (out []entry, err error) {
	e := lessons.NewEvidence(context.Background())
	add := func(subject string, p progress.Payload) { out = append(out, entry{subject, p}) }
	ask := func(q *lessons.Question, f func(option string, truth string)) error {
		truth, err := q.Truth(e, l)
		if err != nil {
			return err
		}
		for _, o := range q.Options {
			f(o.Name, truth)
		}
		return nil
	}
	predict := func(q *lessons.Question) error {
		return ask(q, func(option, truth string) {
			add(q.Name, progress.Predicted{Lesson: l.Name, Option: option, Confidence: len(out)%3 + 1, Right: option == truth, Truth: truth})
		})
	}
	for i := range l.Predict {
		if err := predict(&l.Predict[i]); err != nil {
			return nil, err
		}
	}
	for _, card := range l.Recall {
		add(card.Name, progress.Recalled{Lesson: l.Name, Grade: progress.Good})
		add(card.Name, progress.Recalled{Lesson: l.Name, Grade: progress.Again})
	}
	for i := range l.Exercises {
		x := &l.Exercises[i]
		add(x.Name, progress.Hinted{Lesson: l.Name, N: i%4 + 1})
		add(x.Name, progress.Revealed{Lesson: l.Name})
		if x.Ask != nil {
			if err := predict(x.Ask); err != nil {
				return nil, err
			}
		}
		if x.Cause != nil {
			err := ask(x.Cause, func(option, truth string) {
				add(x.Name, progress.Explained{Lesson: l.Name, Option: option, Right: option == truth, Line: "because"})
			})
			if err != nil {
				return nil, err
			}
		}
		if x.Break != nil {
			list, err := breakings(e, l, x)
			if err != nil {
				return nil, err
			}
			for _, b := range list {
				add(x.Name, b)
			}
		}
		if x.Fix != nil {
			for _, answer := range []string{x.Fix.Shipped, x.Fix.Naive, x.Fix.Solution} {
				v, err := exercise.Grade(context.Background(), l, x, answer)
				if err != nil {
					return nil, err
				}
				kept, ok := homework.Answered(l, x, answer, v)
				if !ok {
					return nil, fmt.Errorf("%s: %q is no answer", x.Name, answer)
				}
				add(x.Name, kept)
			}
		}
	}
	return out, nil
}

// breakings are schedules that break the light of an exercise: the best, and some
// that happen to.
func breakings(e *lessons.Evidence, l *lessons.Lesson, x *lessons.Exercise) ([]progress.Broke, error) {
	f, err := e.Search(l, x.Break.Variant, x.Break.Sets)
	if err != nil {
		return nil, err
	}
	light := f.Result.Lights[f.Scenario.Light(x.Break.Light)]
	tries := [][]sim.Move{light.Schedule, light.Fewest}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 8 {
		moves, err := f.Result.Sample(rng)
		if err != nil {
			return nil, err
		}
		tries = append(tries, moves)
	}
	var out []progress.Broke
	for _, moves := range tries {
		b, err := exercise.GradeBreak(e, l, x, moves)
		if err != nil {
			return nil, err
		}
		if !b.Broke {
			continue
		}
		text, err := exercise.Token(l, x, moves)
		if err != nil {
			return nil, err
		}
		out = append(out, homework.Broke(l, x, text, b))
	}
	return out, nil
}

func entries(t testing.TB) []entry {
	t.Helper()
	list, err := everyEntry()
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// made makes a report from entries.
func made(t testing.TB, list []entry) *homework.Report {
	t.Helper()
	events, host := logged(t, list)
	return homework.Make(events, noon, host, "Ada", "dev")
}

func logged(t testing.TB, list []entry) ([]progress.Event, string) {
	t.Helper()
	s, err := progress.Memory(t.Context(), progress.WithClock(func() time.Time { return noon }))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, e := range list {
		if _, err := s.Add(t.Context(), e.subject, e.payload); err != nil {
			t.Fatal(err)
		}
	}
	events, err := s.Events(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return events, s.Host()
}

// reread sends a report through its file form.
func reread(t testing.TB, r *homework.Report) *homework.Report {
	t.Helper()
	var b bytes.Buffer
	if err := r.Write(&b); err != nil {
		t.Fatal(err)
	}
	again, err := homework.Read(&b)
	if err != nil {
		t.Fatalf("%v in\n%s", err, b.String())
	}
	return again
}

// A report of whatever a learner may have done is true.
func TestHonestReportIsTrue(t *testing.T) {
	list := entries(t)
	checker := homework.NewChecker(t.Context(), homework.Limits{})
	rapid.Check(t, func(rt *rapid.T) {
		var done []entry
		for _, i := range rapid.SliceOfN(rapid.IntRange(0, len(list)-1), 0, 60).Draw(rt, "entries") {
			done = append(done, list[i])
			if rapid.IntRange(0, 15).Draw(rt, "reset") == 0 {
				subject := rapid.SampledFrom([]string{list[i].subject, few[0], few[1], progress.Everything}).Draw(rt, "of")
				done = append(done, entry{subject, progress.Reset{}})
			}
		}
		events, host := logged(t, done)
		r := homework.Make(events, noon, host, "Ada", "dev")
		slices.Reverse(events)
		var one, other bytes.Buffer
		r.Write(&one)
		homework.Make(events, noon, host, "Ada", "dev").Write(&other)
		if one.String() != other.String() {
			rt.Fatalf("two reports of one log differ:\n%s\n%s", one.String(), other.String())
		}
		rows, err := checker.Verify(reread(t, r))
		if err != nil {
			rt.Fatal(err)
		}
		for _, row := range rows {
			if row.Verdict != homework.True && row.Verdict != homework.Told {
				rt.Fatalf("%s: %s %s", row.Verdict, row.Detail.EN, show(row.Claim))
			}
			if row.Says.EN == "" || row.Says.ZH == "" {
				rt.Fatalf("nothing is said of %s", show(row.Claim))
			}
		}
	})
}

func show(c homework.Claim) string { return fmt.Sprintf("%+v", c) }

// whole is a report with every kind of claim; a break with two schedules is in it.
func whole(t testing.TB) *homework.Report {
	t.Helper()
	return made(t, entries(t))
}

// claimOf finds a claim to be altered.
func claimOf(t *testing.T, r *homework.Report, kind, subject string) *homework.Claim {
	t.Helper()
	for i := range r.Claims {
		if r.Claims[i].Kind == kind && (subject == "" || r.Claims[i].Subject == subject) {
			return &r.Claims[i]
		}
	}
	t.Fatalf("no claim of the kind %s about %q", kind, subject)
	return nil
}

// Whatever is altered by hand, its row says so and the others stay true.
func TestAlteredClaims(t *testing.T) {
	const breaks, script = "break-lost-update", "unlock"
	checker := homework.NewChecker(t.Context(), homework.Limits{})
	other := claimOf(t, whole(t), homework.Schedule, "break-get-then-del").Token
	own := claimOf(t, whole(t), homework.Schedule, breaks).Token
	head, _, _ := strings.Cut(own, ":")
	for name, tt := range map[string]struct {
		kind, subject string
		alter         func(c *homework.Claim)
		verdict       homework.Verdict
		problem       homework.Problem
	}{
		"steps":                {homework.Schedule, breaks, func(c *homework.Claim) { c.Steps-- }, homework.False, homework.WrongSteps},
		"switches":             {homework.Schedule, breaks, func(c *homework.Claim) { c.Switches = 0 }, homework.False, homework.WrongSwitches},
		"not the shortest":     {homework.Schedule, breaks, func(c *homework.Claim) { c.Shortest = !c.Shortest }, homework.False, homework.WrongShortest},
		"not the fewest":       {homework.Schedule, breaks, func(c *homework.Claim) { c.Fewest = !c.Fewest }, homework.False, homework.WrongFewest},
		"light":                {homework.Schedule, breaks, func(c *homework.Claim) { c.Light = "one-per-user" }, homework.False, homework.WrongLight},
		"letter of the token":  {homework.Schedule, breaks, func(c *homework.Claim) { c.Token = strings.Replace(c.Token, ":A", ":B", 1) }, homework.False, homework.DamagedToken},
		"token cut":            {homework.Schedule, breaks, func(c *homework.Claim) { c.Token = c.Token[:9] }, homework.False, homework.DamagedToken},
		"no token":             {homework.Schedule, breaks, func(c *homework.Claim) { c.Token = "" }, homework.False, homework.DamagedToken},
		"steps alone":          {homework.Schedule, breaks, func(c *homework.Claim) { c.Token = "AB3A2" }, homework.False, homework.DamagedToken},
		"token of another":     {homework.Schedule, breaks, func(c *homework.Claim) { c.Token = other }, homework.False, homework.OtherExercise},
		"breaks nothing":       {homework.Schedule, breaks, func(c *homework.Claim) { c.Token = sealed(head + ":A3B") }, homework.False, homework.Holds},
		"impossible":           {homework.Schedule, breaks, func(c *homework.Claim) { c.Token = sealed(head + ":A9Z") }, homework.False, homework.NotPossible},
		"very long":            {homework.Schedule, breaks, func(c *homework.Claim) { c.Token = sealed(head + ":A4096") }, homework.False, homework.NotPossible},
		"another version":      {homework.Schedule, breaks, func(c *homework.Claim) { c.Token = sealed("oversell.lost-update@zzz:AB3A2") }, homework.Unknown, homework.OtherVersion},
		"lesson":               {homework.Schedule, breaks, func(c *homework.Claim) { c.Lesson = "setnx" }, homework.False, homework.WrongLesson},
		"no such exercise":     {homework.Schedule, breaks, func(c *homework.Claim) { c.Subject = "break-the-bank" }, homework.Unknown, homework.NotHere},
		"schedule for a fix":   {homework.Schedule, breaks, func(c *homework.Claim) { c.Subject, c.Lesson = script, "lua-unlock" }, homework.False, homework.NoSuchTask},
		"script that fails":    {homework.Answer, script, func(c *homework.Claim) { c.Answer = "return redis.call('DEL', KEYS[1])" }, homework.False, homework.WrongPassed},
		"script without end":   {homework.Answer, script, func(c *homework.Claim) { c.Answer = "while true do end" }, homework.False, homework.WrongPassed},
		"script that grows":    {homework.Answer, script, func(c *homework.Claim) { c.Answer = "local s = 'x' while true do s = s .. s end" }, homework.False, homework.WrongPassed},
		"script that recurs":   {homework.Answer, script, func(c *homework.Claim) { c.Answer = "local function f() return 1 + f() end return f()" }, homework.False, homework.WrongPassed},
		"script that escapes":  {homework.Answer, script, func(c *homework.Claim) { c.Answer = "return os.execute('true')" }, homework.False, homework.WrongPassed},
		"empty script":         {homework.Answer, script, func(c *homework.Claim) { c.Answer = "" }, homework.False, homework.WrongPassed},
		"passes after all":     {homework.Answer, script, func(c *homework.Claim) { c.Passed = false }, homework.False, homework.WrongPassed},
		"other mistake":        {homework.Answer, script, func(c *homework.Claim) { c.Passed, c.Answer, c.Mistake = false, "x", exercise.OffByOne }, homework.False, homework.WrongMistake},
		"form":                 {homework.Answer, script, func(c *homework.Claim) { c.Form = "pick" }, homework.False, homework.WrongForm},
		"answer to a break":    {homework.Answer, script, func(c *homework.Claim) { c.Subject, c.Lesson = breaks, "oversell" }, homework.False, homework.NoSuchTask},
		"option of a cause":    {homework.Explanation, "", func(c *homework.Claim) { c.Option = "magic" }, homework.False, homework.WrongOption},
		"right cause":          {homework.Explanation, "", func(c *homework.Claim) { c.Right = !c.Right }, homework.False, homework.WrongRight},
		"option predicted":     {homework.Prediction, "", func(c *homework.Claim) { c.Option = "" }, homework.False, homework.WrongOption},
		"right prediction":     {homework.Prediction, "", func(c *homework.Claim) { c.Right = !c.Right }, homework.False, homework.WrongRight},
		"confidence":           {homework.Prediction, "", func(c *homework.Claim) { c.Confidence = 9 }, homework.False, homework.WrongCount},
		"no such question":     {homework.Prediction, "", func(c *homework.Claim) { c.Subject = "why" }, homework.Unknown, homework.NotHere},
		"hints":                {homework.Help, "", func(c *homework.Claim) { c.Hints = -1 }, homework.False, homework.WrongCount},
		"count of mistakes":    {homework.Mistakes, "", func(c *homework.Claim) { c.Mistakes = map[string]int{exercise.OffByOne: -3} }, homework.False, homework.WrongCount},
		"unknown mistake":      {homework.Mistakes, "", func(c *homework.Claim) { c.Mistakes = map[string]int{"sloth": 3} }, homework.Unknown, homework.NotHere},
		"lapses":               {homework.Recall, "", func(c *homework.Claim) { c.Lapses = c.Seen + 1 }, homework.False, homework.WrongCount},
		"kind of claim":        {homework.Recall, "", func(c *homework.Claim) { c.Kind = "boast" }, homework.Unknown, homework.NotHere},
		"subject in many rows": {homework.Recall, "", func(c *homework.Claim) { c.Subject = "a\nb" }, homework.False, homework.WrongCount},
	} {
		t.Run(name, func(t *testing.T) {
			r := whole(t)
			claim := claimOf(t, r, tt.kind, tt.subject)
			tt.alter(claim)
			rows, err := checker.Verify(r)
			if err != nil {
				t.Fatal(err)
			}
			for i, row := range rows {
				switch {
				case &r.Claims[i] == claim:
					t.Log(row.Detail.EN, "/", row.Detail.ZH)
					if row.Verdict != tt.verdict || row.Problem != tt.problem || row.Detail.EN == "" || row.Detail.ZH == "" {
						t.Errorf("%s %s %q, want %s %s", row.Verdict, row.Problem, row.Detail, tt.verdict, tt.problem)
					}
				case row.Verdict != homework.True && row.Verdict != homework.Told:
					t.Errorf("%s %s: %s: %s", row.Claim.Kind, row.Claim.Subject, row.Verdict, row.Detail.EN)
				}
			}
		})
	}
}

// sealed puts the right check character behind something like a token.
func sealed(body string) string {
	for _, c := range "0123456789abcdefghjkmnpqrstvwxyz" {
		tok := body + "~" + string(c)
		if _, err := token.Parse(tok); err == nil || !strings.Contains(err.Error(), "check character") {
			return tok
		}
	}
	return body
}

func TestClaimedTwice(t *testing.T) {
	r := whole(t)
	n := len(r.Claims)
	r.Claims = append(r.Claims, r.Claims...)
	rows, err := homework.Verify(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range rows {
		if (row.Problem == homework.Twice) != (i >= n) {
			t.Errorf("row %d of twice %d: %s %s", i, n, row.Verdict, row.Problem)
		}
	}
}

// An answer that takes long in every schedule ends in time, and keeps neither what
// comes after it nor other reports from being judged.
func TestTimeIsBounded(t *testing.T) {
	slow := "for i = 1, 300000 do end if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return -1"
	r := whole(t)
	claimOf(t, r, homework.Answer, "unlock").Answer = slow
	start := time.Now()
	rows, err := homework.NewChecker(t.Context(), homework.Limits{Row: 300 * time.Millisecond, Report: time.Minute}).Verify(r)
	if err != nil {
		t.Fatal(err)
	}
	if took := time.Since(start); took > 30*time.Second {
		t.Errorf("it took %v", took)
	}
	for _, row := range rows {
		if row.Claim.Answer == slow && row.Problem != homework.TimeIsUp {
			t.Errorf("the slow answer: %s %s", row.Verdict, row.Detail.EN)
		}
	}
	rows, err = homework.NewChecker(t.Context(), homework.Limits{Report: time.Nanosecond}).Verify(r)
	for _, row := range rows {
		if err != nil || row.Problem != homework.TimeIsUp {
			t.Fatalf("without time: %v, %s %s", err, row.Verdict, row.Problem)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := homework.Verify(ctx, r); err == nil {
		t.Error("a check that was cancelled says nothing")
	}
}
