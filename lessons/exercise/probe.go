package exercise

import (
	"context"
	"slices"

	"flashlab/lessons"
)

// Probe makes a probe of one call: look says what is wrong with its outcome, nil if
// nothing is. An error that look says nothing about is a miss as well.
func Probe(t Try, look func(ctx context.Context, o *Outcome) *lessons.Miss) lessons.Probe {
	return func(ctx context.Context) (*lessons.Miss, error) {
		o, err := t.Run(ctx)
		if err != nil {
			return nil, err
		}
		m := look(ctx, o)
		if m == nil && o.Err != nil {
			m = Failure(o.Err)
		}
		if m != nil {
			m.Shown = o.Shown()
		}
		return m, nil
	}
}

// Stopped reports whether the call was stopped or refused, or could not be read: then
// the outcome says nothing of what the script meant to do.
func (o *Outcome) Stopped() bool { return o.Err != nil && contained[Failure(o.Err).Mistake] }

// Touched reports whether the call has changed a key that is none of these.
func (o *Outcome) Touched(keys ...string) bool {
	return slices.ContainsFunc(o.Changed(), func(k string) bool { return !slices.Contains(keys, k) })
}

// Otherwise runs the call with other keys and arguments, and reports whether its
// outcome is then as good says: "KEYS and ARGV are swapped".
func (t Try) Otherwise(ctx context.Context, keys []string, args []any, good func(o *Outcome) bool) bool {
	t.Keys, t.Args = keys, args
	o, err := t.Run(ctx)
	return err == nil && o.Err == nil && good(o)
}
