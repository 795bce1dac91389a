package cov

import (
	"errors"
	"regexp"
	"strings"
)

var errBraces = errors.New("braces hold two words or more, and no braces")

// compileGlob compiles a pattern for a whole name, as LLVM reads it: *, ?, [a-c],
// [!a-c], {one,another}, and a backslash before a character of its own.
func compileGlob(pattern string) (*regexp.Regexp, error) {
	if pattern == "" {
		return nil, errEmpty
	}
	p := posix{rest: pattern}
	p.out.WriteString("(?s)^(?:")
	words := 0 // in the braces that are open
	for p.rest != "" {
		switch c := p.next(); {
		case c == '*':
			p.out.WriteString(".*")
		case c == '?':
			p.out.WriteByte('.')
		case c == '[':
			p.globSet()
		case c == '{' && words == 0:
			words = 1
			p.out.WriteString("(?:")
		case c == ',' && words > 0:
			words++
			p.out.WriteByte('|')
		case c == '}' && words > 1:
			words = 0
			p.out.WriteByte(')')
		case (c == '{' || c == '}') && words > 0:
			p.fail(errBraces)
		case c == '\\' && p.rest == "":
			p.fail(errEscape)
		case c == '\\':
			p.literal(p.next())
		default:
			p.literal(c)
		}
	}
	if words > 0 {
		p.fail(errBraces)
	}
	if p.err != nil {
		return nil, p.err
	}
	p.out.WriteString(")$")
	return regexp.Compile(p.out.String())
}

// globSet reads a set of characters behind its bracket; the first may be a bracket too.
func (p *posix) globSet() {
	end := -1
	if p.rest != "" {
		end = strings.IndexByte(p.rest[1:], ']') + 1
	}
	if end <= 0 {
		p.fail(errBracket)
		return
	}
	chars := p.rest[:end]
	p.rest = p.rest[end+1:]
	not := chars[0] == '!' || chars[0] == '^'
	if not {
		chars = chars[1:]
	}
	var s byteSet
	for chars != "" {
		first, last, size := chars[0], chars[0], 1
		if len(chars) >= 3 && chars[1] == '-' {
			last, size = chars[2], 3
		}
		if first > last {
			p.fail(errBracket)
		}
		s.add(first, last)
		chars = chars[size:]
	}
	if not {
		s.not()
	}
	p.out.WriteString(s.String())
}
