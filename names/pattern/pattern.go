package pattern

import (
	"regexp"
	"regexp/syntax"
	"sync"
)

// Pattern is a regular expression (RE2, case matters). It is safe for concurrent use.
type Pattern struct {
	Anchored bool // a match begins where the text does

	re       *regexp.Regexp
	prog     *syntax.Prog
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
	p := &Pattern{Anchored: prog.StartCond()&syntax.EmptyBeginText != 0, re: re, prog: prog, literals: literalsOf(parsed)}
	p.automata.New = func() any { return newAutomaton(p) }
	return p, nil
}

// Match reports whether a text has a match.
func (p *Pattern) Match(text []byte) bool {
	a := p.automata.Get().(*automaton)
	defer p.automata.Put(a)
	return a.match(text)
}

// Matcher gives [Pattern.Match] for many texts, one at a time, until done is called.
func (p *Pattern) Matcher() (match func(text []byte) bool, done func()) {
	a := p.automata.Get().(*automaton)
	return a.match, func() { p.automata.Put(a) }
}
