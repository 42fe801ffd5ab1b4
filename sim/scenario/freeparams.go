package scenario

// StormLimit is how many requests a free run may have.
const StormLimit = 200_000

// Storm returns p with one value set beyond its limits, for a free run: letters and
// actors of the kernel bound a size there, and a storm has neither. A parameter that
// the variant does not have is left out; the value is at least 0.
func (p Params) Storm(name string, n int) Params {
	for i, d := range p.decl {
		if d.Name == name {
			q := Params{p.decl, append([]int(nil), p.values...)}
			q.values[i] = min(max(n, 0), StormLimit)
			return q
		}
	}
	return p
}

// Stormed returns the sizes of a storm of so many requests on so many nodes: a buyer
// each; stock for a quarter of them, 100 units at most; as many users for the buyers
// as in the lesson; nobody waits for a lock. What was asked for stays.
func (p Params) Stormed(requests, nodes int, asked func(name string) bool) Params {
	buyers, users := p.Default("buyers"), p.Default("users")
	some := requests // different users
	if users < buyers {
		some = max(1, requests*users/buyers)
	}
	for name, n := range map[string]int{"stock": max(1, min(100, requests/4)), "users": some, "wait": 0} {
		if !asked(name) {
			p = p.Storm(name, n)
		}
	}
	return p.Storm("buyers", requests).Storm("nodes", nodes)
}

// Default returns the default of a parameter, 0 if the variant does not have it.
func (p Params) Default(name string) int {
	for _, d := range p.decl {
		if d.Name == name {
			return d.Default
		}
	}
	return 0
}
