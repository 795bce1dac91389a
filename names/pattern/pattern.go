package pattern

import (
	"regexp"
	"regexp/syntax"
	"sync"
)

// Pattern is a regular expression (RE2, case matters). It is safe for concurrent use.
type Pattern struct {
	re       *regexp.Regexp
	prog     *syntax.Prog
	anchored bool // a match begins where the text does
	literals []string
	automata sync.Pool
}

// Compile reads a regular expression. The error is that of [regexp.Compile].
func Compile(expr string) (*Pattern, error) {
	re, err := regexp.Compile(expr)
	if err != nil {
		return nil, err
	}
	parsed, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return nil, err
	}
	prog, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return nil, err
	}
	p := &Pattern{re: re, prog: prog, anchored: prog.StartCond()&syntax.EmptyBeginText != 0, literals: literalsOf(parsed)}
	p.automata.New = func() any { return newAutomaton(p) }
	return p, nil
}

// Match reports whether a text has a match.
func (p *Pattern) Match(text []byte) bool {
	a := p.automata.Get().(*automaton)
	defer p.automata.Put(a)
	return a.match(text)
}
