package storm

import (
	"math/rand/v2"
	"strconv"
	"strings"

	"flashlab/sim/scenario"
)

// maxDaemons is how many daemons a process is prepared for.
const maxDaemons = 16

// placed is an actor with its place.
type placed struct {
	scenario.Actor
	request int // position among all actors
	node    int // from 0
}

// plan says who runs where.
type plan struct {
	requests, daemons []placed
	nodes             int // that have somebody
}

// place distributes actors over nodes. Daemons live where the scenario puts them, and
// so do requests that share the memory of one; the others come in turn to all nodes,
// as behind a load balancer, unless the scenario itself has put them on several.
func place(actors []scenario.Actor, nodes int, seed uint64) plan {
	home := map[string]bool{}     // declared nodes with daemons
	counters := map[string]bool{} // declared nodes with requests
	for _, a := range actors {
		if a.Daemon {
			home[a.Node] = true
		} else {
			counters[a.Node] = true
		}
	}
	var p plan
	used := map[int]bool{}
	for i, a := range actors {
		x := placed{Actor: a, request: i, node: number(a.Node) % nodes}
		if a.Daemon {
			p.daemons = append(p.daemons, x)
		} else {
			if len(counters) == 1 && !home[a.Node] {
				x.node = i % nodes
			}
			p.requests = append(p.requests, x)
		}
		used[x.node] = true
	}
	p.nodes = len(used)
	if seed != 0 {
		rng := rand.New(rand.NewPCG(seed, 0))
		rng.Shuffle(len(p.requests), func(i, j int) { p.requests[i], p.requests[j] = p.requests[j], p.requests[i] })
	}
	return p
}

// of keeps what lives on one node.
func (p plan) of(node int) plan {
	q := plan{nodes: 1}
	for _, x := range p.requests {
		if x.node == node {
			q.requests = append(q.requests, x)
		}
	}
	for _, x := range p.daemons {
		if x.node == node {
			q.daemons = append(q.daemons, x)
		}
	}
	return q
}

// number is n-1 of the node "n<n>".
func number(node string) int {
	n, err := strconv.Atoi(strings.TrimPrefix(node, "n"))
	if err != nil || n < 1 {
		return 0
	}
	return n - 1
}
