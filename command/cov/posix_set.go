package cov

import (
	"fmt"
	"strings"
)

// byteSet is some bytes.
type byteSet [256]bool

func (s *byteSet) add(first, last byte) {
	for c := int(first); c <= int(last); c++ {
		s[c] = true
	}
}

// String is the set as one of Go's expressions.
func (s *byteSet) String() string {
	var b strings.Builder
	for c := 0; c < len(s); c++ {
		if !s[c] {
			continue
		}
		first := c
		for c+1 < len(s) && s[c+1] {
			c++
		}
		fmt.Fprintf(&b, `\x{%x}-\x{%x}`, first, c)
	}
	if b.Len() == 0 {
		return `[^\x{0}-\x{10ffff}]`
	}
	return "[" + b.String() + "]"
}

// not turns the set round.
func (s *byteSet) not() {
	for c := range s {
		s[c] = !s[c]
	}
}

// brackets reads a set of characters behind its bracket. A backslash in it is one.
func (p *posix) brackets() {
	if strings.HasPrefix(p.rest, "[:<:]]") || strings.HasPrefix(p.rest, "[:>:]]") {
		p.fail(errBeyond)
	}
	var s byteSet
	not := p.at(0) == '^'
	if not {
		p.next()
	}
	if c := p.at(0); c == ']' || c == '-' {
		s.add(c, p.next())
	}
	for p.rest != "" && p.at(0) != ']' && !strings.HasPrefix(p.rest, "-]") {
		p.members(&s)
	}
	if p.at(0) == '-' {
		s.add('-', p.next())
	}
	if p.next() != ']' {
		p.fail(errBracket)
	}
	if not {
		s.not()
	}
	p.out.WriteString(s.String())
}

// members reads a class, an equivalence class, a range or one character of a set.
func (p *posix) members(s *byteSet) {
	switch {
	case p.at(0) == '-':
		p.fail(errBracket)
	case strings.HasPrefix(p.rest, "[:"):
		class, ok := classes[p.named(":]")]
		if !ok {
			p.fail(errBracket)
		}
		for i := 0; i+1 < len(class); i += 2 {
			s.add(class[i], class[i+1])
		}
	case strings.HasPrefix(p.rest, "[="):
		c := p.character(p.named("=]"))
		s.add(c, c)
	default:
		first := p.symbol()
		last := first
		if p.at(0) == '-' && len(p.rest) > 1 && p.at(1) != ']' {
			p.next()
			last = p.symbol()
		}
		if first > last {
			p.fail(errBracket)
		}
		s.add(first, last)
	}
}

// symbol reads one character, which may have a name: [.hyphen.].
func (p *posix) symbol() byte {
	if strings.HasPrefix(p.rest, "[.") {
		return p.character(p.named(".]"))
	}
	return p.next()
}

// named reads what is between "[:" and ":]", or their like.
func (p *posix) named(end string) string {
	name, rest, ok := strings.Cut(p.rest[2:], end)
	if !ok {
		p.fail(errBracket)
		return ""
	}
	p.rest = rest
	return name
}

// character is that of a name in POSIX, or the only one.
func (p *posix) character(name string) byte {
	if c, ok := characters[name]; ok {
		return c
	}
	if len(name) != 1 {
		p.fail(errBracket)
		return 0
	}
	return name[0]
}

// classes are ranges, by the names of POSIX.
var classes = map[string]string{
	"alnum": "09AZaz", "alpha": "AZaz", "blank": "\t\t  ", "cntrl": "\x00\x1f\x7f\x7f", "digit": "09", "graph": "!~",
	"lower": "az", "print": " ~", "punct": "!/:@[`{~", "space": "\t\r  ", "upper": "AZ", "xdigit": "09AFaf",
}

// characters are the names of POSIX that are in use: those of punctuation.
var characters = map[string]byte{
	"space": ' ', "hyphen": '-', "hyphen-minus": '-', "period": '.', "full-stop": '.', "slash": '/', "solidus": '/',
	"backslash": '\\', "reverse-solidus": '\\', "underscore": '_', "low-line": '_', "tilde": '~', "colon": ':',
	"comma": ',', "plus-sign": '+', "dollar-sign": '$', "commercial-at": '@', "equals-sign": '=',
	"left-square-bracket": '[', "right-square-bracket": ']', "circumflex": '^', "circumflex-accent": '^',
	"number-sign": '#', "percent-sign": '%', "ampersand": '&', "asterisk": '*', "semicolon": ';',
	"left-parenthesis": '(', "right-parenthesis": ')', "left-brace": '{', "right-brace": '}', "vertical-line": '|',
}
