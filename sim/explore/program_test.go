package explore_test

import (
	"encoding/binary"
	"fmt"
	"strings"

	"flashlab/sim"
	"flashlab/sim/explore"
)

// program is a system made of data: actors run short straight or branching lists
// of instructions over shared variables, one instruction a step. It stands for
// business code where the explorer itself is on trial.
type program struct {
	Actors []actorCode
	Start  []int // variables
	Faults int   // moves of the environment: each adds 1 to variable 0
	Crash  int   // crashes
	Lights []condition
	Final  []condition // judged after the run-out only, numbered after Lights

	vars   []int
	at     []int // next instruction of each actor; -1 dead
	regs   []int
	faults int
	crash  int
	bits   sim.Bits
	digest uint64
	steps  int
}

type actorCode []instruction

// instruction of an actor. Each has a register.
type instruction struct {
	Op  opcode
	Var int
	N   int
}

type opcode uint8

const (
	load   opcode = iota // reg = var
	store                // var = reg + N
	add                  // var += N
	test                 // end unless var > N
	wait                 // enabled only while var == N
	lock                 // enabled only while var == 0; var = 1
	unlock               // var = 0
	back                 // go back to the start unless var > N
)

// condition breaks where variable Var equals N.
type condition struct{ Var, N int }

var _ explore.System = (*program)(nil)

func (p *program) Reset() error {
	p.vars = append(p.vars[:0], p.Start...)
	p.at = append(p.at[:0], make([]int, len(p.Actors))...)
	p.regs = append(p.regs[:0], make([]int, len(p.Actors))...)
	p.faults, p.crash, p.bits, p.digest, p.steps = p.Faults, p.Crash, 0, 0, 0
	return nil
}

func (p *program) live(i int) bool { return p.at[i] >= 0 && p.at[i] < len(p.Actors[i]) }

func (p *program) enabled(i int) bool {
	if !p.live(i) {
		return false
	}
	switch in := p.Actors[i][p.at[i]]; in.Op {
	case wait:
		return p.vars[in.Var] == in.N
	case lock:
		return p.vars[in.Var] == 0
	}
	return true
}

func (p *program) Moves(dst []sim.Move) []sim.Move {
	alive := false
	for i := range p.Actors {
		alive = alive || p.live(i)
	}
	if !alive {
		return dst
	}
	for i := range p.Actors {
		if p.enabled(i) {
			dst = append(dst, sim.Move{Kind: sim.MoveActor, Arg: uint8(i)})
		}
	}
	if p.faults > 0 {
		dst = append(dst, sim.Move{Kind: sim.MoveClock})
	}
	if p.crash > 0 {
		for i := range p.Actors {
			if p.live(i) {
				dst = append(dst, sim.Move{Kind: sim.MoveCrash, Arg: uint8(i)})
			}
		}
	}
	return dst
}

func (p *program) Do(m sim.Move) error {
	p.steps++
	switch m.Kind {
	case sim.MoveActor:
		i := int(m.Arg)
		if !p.enabled(i) {
			return fmt.Errorf("step %d: %s cannot step", p.steps, m)
		}
		p.exec(i)
		p.digest = uint64(i)<<32 | uint64(uint8(p.regs[i]))<<8 | uint64(uint8(p.at[i]))
	case sim.MoveClock:
		p.faults--
		p.vars[0]++
		p.digest = 0
	case sim.MoveCrash:
		p.crash--
		p.at[m.Arg] = -1
		p.digest = 0
	}
	return nil
}

func (p *program) exec(i int) {
	in := p.Actors[i][p.at[i]]
	p.at[i]++
	v := &p.vars[in.Var]
	switch in.Op {
	case load:
		p.regs[i] = *v
	case store:
		*v = p.regs[i] + in.N
	case add:
		*v += in.N
	case test:
		if *v <= in.N {
			p.at[i] = len(p.Actors[i])
		}
	case lock:
		*v = 1
	case unlock:
		*v = 0
	case back:
		if *v <= in.N {
			p.at[i] = 0
		}
	}
}

func (p *program) Digest() uint64 { return p.digest }

func (p *program) Judge() (sim.Bits, error) {
	for i, c := range p.Lights {
		if p.vars[c.Var] == c.N {
			p.bits |= 1 << i
		}
	}
	return p.bits, nil
}

func (p *program) Restore(b sim.Bits) { p.bits = b }

func (p *program) AppendKey(b []byte) ([]byte, error) {
	b = append(b, byte(p.bits), byte(p.bits>>8), byte(p.faults), byte(p.crash))
	for _, v := range p.vars {
		b = binary.LittleEndian.AppendUint32(b, uint32(v))
	}
	for i, at := range p.at {
		b = append(b, byte(at))
		if p.live(i) {
			b = binary.LittleEndian.AppendUint32(b, uint32(p.regs[i]))
		}
	}
	return b, nil
}

// Finish lets everybody in turn go on, without faults, for a bounded time.
func (p *program) Finish(each func() error) (sim.Bits, error) {
	for turn, idle := 0, 0; idle < len(p.Actors) && turn < 100; turn++ {
		i := turn % len(p.Actors)
		if !p.enabled(i) {
			idle++
			continue
		}
		idle = 0
		p.exec(i)
		if _, err := p.Judge(); err != nil {
			return p.bits, err
		}
		if each != nil {
			if err := each(); err != nil {
				return p.bits, err
			}
		}
	}
	for i, c := range p.Final {
		if p.vars[c.Var] == c.N {
			p.bits |= 1 << (len(p.Lights) + i)
		}
	}
	return p.bits, nil
}

// lights is how many the program has.
func (p *program) lights() int { return len(p.Lights) + len(p.Final) }

// String shows a program that a property has failed for.
func (p *program) String() string {
	var b strings.Builder
	names := [...]string{"load", "store", "add", "test", "wait", "lock", "unlock", "back"}
	fmt.Fprintf(&b, "start %v, %d faults, %d crashes, lights %v, at the end %v\n", p.Start, p.Faults, p.Crash, p.Lights, p.Final)
	for i, a := range p.Actors {
		fmt.Fprintf(&b, "  %c:", 'A'+i)
		for _, in := range a {
			fmt.Fprintf(&b, " %s(v%d,%d)", names[in.Op], in.Var, in.N)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
