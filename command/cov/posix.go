package cov

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Why an expression is none, or none that Go's can stand for.
var (
	errRepeat  = errors.New("nothing to repeat, or repeated twice")
	errCount   = errors.New("a count is a number up to 255, two of them in order, closed by }")
	errEmpty   = errors.New("an empty alternative")
	errParen   = errors.New("parentheses do not match")
	errBracket = errors.New("a wrong set of characters in brackets")
	errEscape  = errors.New("it ends in a backslash")
	errBeyond  = errors.New("back-references and [[:<:]], [[:>:]] are not supported")
)

// compilePosix compiles a POSIX extended regular expression as LLVM reads it: a
// backslash makes any character an ordinary one, and so does every letter behind it.
// What it matches are bytes, see [latin1].
func compilePosix(expression string) (*regexp.Regexp, error) {
	p := posix{rest: expression}
	p.alternatives(0)
	if p.err != nil {
		return nil, p.err
	}
	return regexp.Compile("(?s)" + p.out.String())
}

// posix translates an expression to one of Go's.
type posix struct {
	rest string
	out  strings.Builder
	err  error
}

// at is the i-th character that is left, 0 behind the last.
func (p *posix) at(i int) byte {
	if i < len(p.rest) {
		return p.rest[i]
	}
	return 0
}

func (p *posix) next() byte {
	c := p.at(0)
	p.rest = p.rest[min(1, len(p.rest)):]
	return c
}

// fail ends the translation; the first error is kept.
func (p *posix) fail(err error) {
	if p.err == nil {
		p.err = err
	}
	p.rest = ""
}

func (p *posix) literal(c byte) { fmt.Fprintf(&p.out, `\x{%x}`, c) }

// maxGroups is how deep parentheses may be in each other.
const maxGroups = 200

// alternatives reads up to a closing parenthesis, or to the end if there is none to
// come.
func (p *posix) alternatives(depth int) {
	for {
		some := false
		for p.rest != "" && p.at(0) != '|' && (depth == 0 || p.at(0) != ')') {
			some = p.piece(depth) || some
		}
		if !some {
			p.fail(errEmpty)
		}
		if p.at(0) != '|' {
			return
		}
		p.next()
		p.out.WriteByte('|')
	}
}

// piece reads what can be repeated, and how often. It returns false for what is there
// no time, which is nothing to LLVM.
func (p *posix) piece(depth int) bool {
	anchor := p.at(0) == '^'
	switch c := p.next(); c {
	case '(':
		p.group(depth + 1)
	case ')':
		p.fail(errParen)
	case '^', '$', '.':
		p.out.WriteByte(c)
	case '*', '+', '?':
		p.fail(errRepeat)
	case '[':
		p.brackets()
	case '{':
		if isDigit(p.at(0)) {
			p.fail(errRepeat)
		}
		p.literal(c)
	case '\\':
		p.escaped()
	default:
		p.literal(c)
	}
	if !p.repeats() {
		return true
	}
	if anchor {
		p.fail(errRepeat)
	}
	there := p.repeat()
	if p.repeats() {
		p.fail(errRepeat)
	}
	return there
}

func (p *posix) group(depth int) {
	if depth > maxGroups {
		p.fail(errParen)
	}
	p.out.WriteString("(?:")
	if p.at(0) != ')' {
		p.alternatives(depth)
	}
	if p.next() != ')' {
		p.fail(errParen)
	}
	p.out.WriteByte(')')
}

func (p *posix) escaped() {
	switch c := p.at(0); {
	case p.rest == "":
		p.fail(errEscape)
	case '1' <= c && c <= '9':
		p.fail(errBeyond)
	}
	p.literal(p.next())
}

// repeats reports whether a repetition comes next.
func (p *posix) repeats() bool {
	c := p.at(0)
	return c == '*' || c == '+' || c == '?' || c == '{' && isDigit(p.at(1))
}

// repeat reads a repetition, and reports whether it is one of once at most or more.
func (p *posix) repeat() bool {
	c := p.next()
	p.out.WriteByte(c)
	if c != '{' {
		return true
	}
	least := p.count()
	most := least
	if p.at(0) == ',' {
		p.out.WriteByte(p.next())
		if most = 1; isDigit(p.at(0)) {
			if most = p.count(); most < least {
				p.fail(errCount)
			}
		}
	}
	if p.next() != '}' {
		p.fail(errCount)
	}
	p.out.WriteByte('}')
	return most > 0
}

func (p *posix) count() int {
	digits := p.rest[:len(p.rest)-len(strings.TrimLeft(p.rest, "0123456789"))]
	p.rest = p.rest[len(digits):]
	n, err := strconv.ParseUint(digits, 10, 8)
	if err != nil {
		p.fail(errCount)
	}
	p.out.WriteString(strconv.FormatUint(n, 10))
	return int(n)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// latin1 is a text with a character for each byte, as expressions see it.
func latin1(text string) string {
	for i := range len(text) {
		if text[i] >= 0x80 {
			b := make([]rune, len(text))
			for i := range len(text) {
				b[i] = rune(text[i])
			}
			return string(b)
		}
	}
	return text
}
