package pattern

import (
	"regexp/syntax"
	"slices"
	"unicode/utf8"
)

// Bounds of an automaton: beyond them package regexp does the rest.
const (
	maxStates = 1 << 10
	maxWork   = 1 << 22 // instructions looked at while states are made
)

// symbols are the bytes of ASCII, and the end of the text.
const (
	symbols   = utf8.RuneSelf + 1
	endOfText = utf8.RuneSelf
)

// States that are no places in the program.
const (
	unknown int32 = iota // not made yet
	dead                 // no match can follow
	matched
	beyond // too many states, or too much work
	first  // the first of those that are
)

// automaton is the deterministic automaton of a program, as far as it was needed. It is
// used by one goroutine at a time.
type automaton struct {
	of     *Pattern
	states []state
	next   []int32 // of each state, behind each symbol
	byKey  map[string]int32
	work   int

	queue, threads []uint32 // of the state that is being made
	queued         []bool
}

// state is a set of instructions from which the text goes on. Which conditions hold
// between two characters is known only with the second.
type state struct {
	threads []uint32
	before  rune // stands for the character before: the same conditions hold behind it
}

func newAutomaton(p *Pattern) *automaton {
	a := &automaton{of: p, byKey: map[string]int32{}, queued: make([]bool, len(p.prog.Inst))}
	a.states = make([]state, first)
	a.next = make([]int32, int(first)*symbols)
	a.add([]uint32{uint32(p.prog.Start)}, -1)
	return a
}

// match reports whether a text has a match.
func (a *automaton) match(text []byte) bool {
	s := first
	for _, c := range text {
		if c >= utf8.RuneSelf {
			return a.of.re.Match(text)
		}
		to := a.next[int(s)*symbols+int(c)]
		if to < first {
			if to == unknown {
				to = a.step(s, rune(c))
			}
			switch to {
			case dead, matched:
				return to == matched
			case beyond:
				return a.of.re.Match(text)
			}
		}
		s = to
	}
	to := a.next[int(s)*symbols+endOfText]
	if to == unknown {
		to = a.step(s, endOfText)
	}
	if to == beyond {
		return a.of.re.Match(text)
	}
	return to == matched
}

// step makes the state behind a symbol.
func (a *automaton) step(from int32, symbol rune) int32 {
	if a.work > maxWork {
		return beyond
	}
	s := a.states[from]
	c := symbol
	if symbol == endOfText {
		c = -1
	}
	to := unknown
	switch holds := syntax.EmptyOpContext(s.before, c); {
	case a.reached(s.threads, holds, c):
		to = matched
	case c < 0:
		to = dead
	default:
		if !a.of.anchored {
			a.threads = append(a.threads, uint32(a.of.prog.Start))
		}
		if len(a.threads) == 0 {
			to = dead
		} else {
			to = a.add(a.threads, alike(c))
		}
	}
	if to != beyond {
		a.next[int(from)*symbols+int(symbol)] = to
	}
	return to
}

// reached follows instructions up to those that read c, and leaves in threads those
// behind them. It reports whether one is a match.
func (a *automaton) reached(threads []uint32, holds syntax.EmptyOp, c rune) bool {
	a.queue, a.threads = append(a.queue[:0], threads...), a.threads[:0]
	clear(a.queued)
	a.work += len(a.queued)
	for len(a.queue) > 0 {
		at := a.queue[len(a.queue)-1]
		a.queue = a.queue[:len(a.queue)-1]
		if a.queued[at] {
			continue
		}
		a.queued[at] = true
		switch i := &a.of.prog.Inst[at]; i.Op {
		case syntax.InstMatch:
			return true
		case syntax.InstAlt, syntax.InstAltMatch:
			a.queue = append(a.queue, i.Out, i.Arg)
		case syntax.InstCapture, syntax.InstNop:
			a.queue = append(a.queue, i.Out)
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(i.Arg)&^holds == 0 {
				a.queue = append(a.queue, i.Out)
			}
		case syntax.InstFail:
		default:
			if c >= 0 && i.MatchRune(c) {
				a.threads = append(a.threads, i.Out)
			}
		}
	}
	return false
}

// add is the state of instructions behind a character, which may be there.
func (a *automaton) add(threads []uint32, before rune) int32 {
	threads = slices.Clone(threads)
	slices.Sort(threads)
	threads = slices.Compact(threads)
	key := make([]byte, 0, 4*len(threads)+1)
	key = append(key, byte(before))
	for _, t := range threads {
		key = append(key, byte(t), byte(t>>8), byte(t>>16), byte(t>>24))
	}
	if s, ok := a.byKey[string(key)]; ok {
		return s
	}
	if len(a.states) == maxStates {
		return beyond
	}
	s := int32(len(a.states))
	a.states = append(a.states, state{threads, before})
	a.next = append(a.next, make([]int32, symbols)...)
	a.byKey[string(key)] = s
	return s
}

// alike is a character behind which the same conditions hold.
func alike(c rune) rune {
	switch {
	case c == '\n':
		return c
	case syntax.IsWordChar(c):
		return 'a'
	}
	return ' '
}
