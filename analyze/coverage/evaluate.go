package coverage

import "proflens/decode/covmap"

// evaluator finds the values of a mapping's counters in one record. Numbers wrap as
// they do for llvm-cov: counters that raced come to differences below zero.
type evaluator struct {
	mapping  *covmap.Mapping
	counters []uint64
	none     bool // the profile has no record: all is zero

	known []known // of expressions: two each, since a damaged file may refer to one as both kinds
	stack []covmap.Counter
}

type known struct {
	value uint64
	state state
}

type state uint8

const (
	open    state = iota // not looked at
	waiting              // for its operands
	done
	broken // refers to a counter that the record has not, or to itself
)

// begin forgets the function before.
func (e *evaluator) begin(m *covmap.Mapping, counters []uint64, none bool) {
	e.mapping, e.counters, e.none = m, counters, none
	n := 2 * len(m.Expressions)
	if cap(e.known) < n {
		e.known = make([]known, n)
	}
	e.known = e.known[:n]
	clear(e.known)
}

// of is the value of a counter; false when the record has too few counters for it.
func (e *evaluator) of(c covmap.Counter) (uint64, bool) {
	if e.none {
		return 0, true
	}
	k := e.look(c)
	if k.state == open {
		e.expression(c)
		k = e.look(c)
	}
	return k.value, k.state == done
}

// look is what is known of a counter without evaluating expressions.
func (e *evaluator) look(c covmap.Counter) known {
	id := c.ID()
	switch c.Tag() {
	case covmap.Zero:
		return known{state: done}
	case covmap.Profiled:
		if id < len(e.counters) {
			return known{e.counters[id], done}
		}
		return known{state: broken}
	}
	if id >= len(e.mapping.Expressions) {
		return known{state: broken}
	}
	return *e.slot(c)
}

func (e *evaluator) slot(c covmap.Counter) *known {
	at := 2 * c.ID()
	if c.Tag() == covmap.Sum {
		at++
	}
	return &e.known[at]
}

// expression evaluates one and all that it refers to. Those of a long function refer
// to one another a long way down, so the ones under way wait on a stack of our own.
func (e *evaluator) expression(c covmap.Counter) {
	e.stack = append(e.stack[:0], c)
	for len(e.stack) > 0 {
		c := e.stack[len(e.stack)-1]
		x, s := e.mapping.Expressions[c.ID()], e.slot(c)
		left, right := e.look(x.Left), e.look(x.Right)
		switch {
		case left.state == broken || right.state == broken, left.state == waiting || right.state == waiting:
			s.state = broken
		case left.state == open:
			s.state = waiting
			e.stack = append(e.stack, x.Left)
			continue
		case right.state == open:
			s.state = waiting
			e.stack = append(e.stack, x.Right)
			continue
		case c.Tag() == covmap.Sum:
			*s = known{left.value + right.value, done}
		default:
			*s = known{left.value - right.value, done}
		}
		e.stack = e.stack[:len(e.stack)-1]
	}
}
