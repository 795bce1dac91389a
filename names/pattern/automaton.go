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

// outcome is what is known behind a symbol where no state is.
type outcome uint8

const (
	unknown outcome = iota // not made yet
	dead                   // no match can follow
	matched
	beyond // too many states, or too much work
)

// automaton is the deterministic automaton of a program, as far as it was needed. It is
// used by one goroutine at a time.
type automaton struct {
	of    *Pattern
	start *state
	byKey map[string]*state
	work  int

	queue, threads []uint32 // of the state that is being made
	queued         []bool
}

// state is a set of instructions from which the text goes on. Which conditions hold
// between two characters is known only with the second.
type state struct {
	next    [symbols]*state // behind each symbol
	ends    [symbols]outcome
	threads []uint32
	before  rune // stands for the character before: the same conditions hold behind it
}

func newAutomaton(p *Pattern) *automaton {
	a := &automaton{of: p, byKey: map[string]*state{}, queued: make([]bool, len(p.prog.Inst))}
	a.start = a.add([]uint32{uint32(p.prog.Start)}, -1)
	return a
}

// match reports whether a text has a match.
func (a *automaton) match(text []byte) bool {
	s, last := a.start, rune(endOfText)
	for _, c := range text {
		if c >= utf8.RuneSelf {
			return a.of.re.Match(text)
		}
		to := s.next[c]
		if to == nil {
			if to = a.step(s, rune(c)); to == nil {
				last = rune(c)
				break
			}
		}
		s = to
	}
	a.step(s, last)
	return s.ends[last] == matched || s.ends[last] == beyond && a.of.re.Match(text)
}

// step makes the state behind a symbol, of which none is known; nil where the text ends with an outcome.
func (a *automaton) step(from *state, symbol rune) *state {
	end := &from.ends[symbol]
	switch {
	case *end != unknown:
		return nil
	case a.work > maxWork:
		*end = beyond
		return nil
	}
	c := symbol
	if symbol == endOfText {
		c = -1
	}
	switch holds := syntax.EmptyOpContext(from.before, c); {
	case a.reached(from.threads, holds, c):
		*end = matched
		return nil
	case c < 0:
		*end = dead
		return nil
	case !a.of.Anchored:
		a.threads = append(a.threads, uint32(a.of.prog.Start))
	case len(a.threads) == 0:
		*end = dead
		return nil
	}
	to := a.add(a.threads, alike(c))
	if to == nil {
		*end = beyond
	}
	from.next[symbol] = to
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

// add is the state of instructions behind a character, which may be there; nil where there are too
// many.
func (a *automaton) add(threads []uint32, before rune) *state {
	threads = slices.Clone(threads)
	slices.Sort(threads)
	threads = slices.Compact(threads)
	key := make([]byte, 0, 4*len(threads)+1)
	key = append(key, byte(before))
	for _, t := range threads {
		key = append(key, byte(t), byte(t>>8), byte(t>>16), byte(t>>24))
	}
	s := a.byKey[string(key)]
	if s == nil && len(a.byKey) < maxStates {
		s = &state{threads: threads, before: before}
		a.byKey[string(key)] = s
	}
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
