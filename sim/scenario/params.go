package scenario

import (
	"sort"
	"strconv"
	"strings"

	"flashlab/sim/trace"
)

// Param is one size or budget that a lesson accepts through --set and tokens.
type Param struct {
	Name     string
	Default  int
	Min, Max int
}

// Standard returns a parameter with the limits that hold everywhere; unknown
// names panic, for they are the author's mistake.
func Standard(name string, def int) Param {
	lim, ok := limits[name]
	if !ok {
		panic("scenario: no standard parameter " + name)
	}
	return Param{name, def, lim[0], lim[1]}
}

var limits = map[string][2]int{
	"buyers": {1, 8}, "stock": {0, 100_000}, "nodes": {1, 8}, "consumers": {1, 4}, "work": {0, 8},
	"worktime": {0, 3_600_000}, "lease": {1, 3_600_000}, "wait": {0, 3_600_000}, "pause": {1, 3_600_000},
	"ticks": {0, 64}, "expiries": {0, 4}, "crashes": {0, 4}, "pauses": {0, 4}, "redeliveries": {0, 4}, "losses": {0, 4},
}

// Params is the list of a variant's parameters with their present values, in
// declaration order.
type Params struct {
	decl   []Param
	values []int
}

// NewParams returns decl at its defaults.
func NewParams(decl []Param) Params {
	p := Params{decl: decl, values: make([]int, len(decl))}
	for i, d := range decl {
		p.values[i] = d.Default
	}
	return p
}

// Get returns a value, 0 for a parameter the variant does not have.
func (p Params) Get(name string) int {
	for i, d := range p.decl {
		if d.Name == name {
			return p.values[i]
		}
	}
	return 0
}

// Has reports whether the variant has the parameter.
func (p Params) Has(name string) bool {
	for _, d := range p.decl {
		if d.Name == name {
			return true
		}
	}
	return false
}

// With returns p with one value changed. The error says what is allowed.
func (p Params) With(name, value string) (Params, error) {
	for i, d := range p.decl {
		if d.Name != name {
			continue
		}
		n, err := strconv.Atoi(value)
		if err != nil || n < d.Min || n > d.Max || strconv.Itoa(n) != value {
			return p, trace.Mistake{Phrase: trace.Say("setting.range",
				"{name}={value} is not possible: {name} takes a whole number from {min} to {max}",
				"name", name, "value", value, "min", d.Min, "max", d.Max)}
		}
		q := Params{p.decl, append([]int(nil), p.values...)}
		q.values[i] = n
		return q, nil
	}
	return p, trace.Mistake{Phrase: trace.Say("setting.unknown", "there is no setting {name} here: use one of {names}",
		"name", strconv.Quote(name), "names", strings.Join(p.Names(), ", "))}
}

// Set parses "k=v" or "k=v,k=v".
func (p Params) Set(text string) (Params, error) {
	for _, kv := range strings.Split(text, ",") {
		k, v, ok := strings.Cut(strings.TrimSpace(kv), "=")
		if !ok {
			return p, trace.Mistake{Phrase: trace.Say("setting.form", "{text} is no setting: write it as name=number, such as buyers=3",
				"text", strconv.Quote(kv))}
		}
		var err error
		if p, err = p.With(k, v); err != nil {
			return p, err
		}
	}
	return p, nil
}

// Names lists the parameters, sorted.
func (p Params) Names() []string {
	var out []string
	for _, d := range p.decl {
		out = append(out, d.Name)
	}
	sort.Strings(out)
	return out
}

// Each calls f in declaration order.
func (p Params) Each(f func(d Param, value int)) {
	for i, d := range p.decl {
		f(d, p.values[i])
	}
}

// Changed renders the values that differ from their defaults as "k=v,k=v".
func (p Params) Changed() string {
	var parts []string
	p.Each(func(d Param, v int) {
		if v != d.Default {
			parts = append(parts, d.Name+"="+strconv.Itoa(v))
		}
	})
	return strings.Join(parts, ",")
}

// String renders all values as "k=v,k=v".
func (p Params) String() string {
	var parts []string
	p.Each(func(d Param, v int) { parts = append(parts, d.Name+"="+strconv.Itoa(v)) })
	return strings.Join(parts, ",")
}

// Map returns all values by name.
func (p Params) Map() map[string]int {
	m := map[string]int{}
	p.Each(func(d Param, v int) { m[d.Name] = v })
	return m
}
