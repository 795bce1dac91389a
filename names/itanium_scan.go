package names

import "strconv"

// peek is the next byte, 0 at the end.
func (p *itanium) peek() byte {
	if p.at < len(p.name) {
		return p.name[p.at]
	}
	return 0
}

// peekAt is the byte n further on.
func (p *itanium) peekAt(n int) byte {
	if p.at+n < len(p.name) {
		return p.name[p.at+n]
	}
	return 0
}

// take steps over a byte if it is the next.
func (p *itanium) take(c byte) bool {
	if p.at < len(p.name) && p.name[p.at] == c {
		p.at++
		return true
	}
	return false
}

// takeWord steps over a word if it is next.
func (p *itanium) takeWord(word string) bool {
	if end := p.at + len(word); end <= len(p.name) && p.name[p.at:end] == word {
		p.at = end
		return true
	}
	return false
}

// fail refuses the name. Nothing is left to be read, so that all loops end.
func (p *itanium) fail() ref {
	p.at, p.failed = len(p.name), true
	return 0
}

// expect steps over a byte that has to be the next.
func (p *itanium) expect(c byte) {
	if !p.take(c) {
		p.fail()
	}
}

// ended is a node that 'E' has to follow.
func (p *itanium) ended(a ref) ref {
	p.expect('E')
	return a
}

// flag is 1 if a byte is the next, which it steps over.
func (p *itanium) flag(c byte) uint8 {
	if p.take(c) {
		return 1
	}
	return 0
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// number is the decimal number that comes next, as it stands; empty if none does.
func (p *itanium) number() string {
	start := p.at
	for isDigit(p.peek()) {
		p.at++
	}
	return p.name[start:p.at]
}

// signed is a number that 'n' may make negative; empty if there are no digits.
func (p *itanium) signed() string {
	start := p.at
	p.take('n')
	if p.number() == "" {
		return ""
	}
	return p.name[start:p.at]
}

// integer is signed where there have to be digits.
func (p *itanium) integer() string {
	n := p.signed()
	if n == "" {
		p.fail()
	}
	return n
}

// delimited is a number, or none, and the '_' that has to follow.
func (p *itanium) delimited() string {
	n := p.number()
	p.expect('_')
	return n
}

// count is the value of the decimal number that has to come next, and that a
// name can hold.
func (p *itanium) count() int {
	n, err := strconv.Atoi(p.number())
	if err != nil || n > maxLinkage {
		p.fail()
	}
	return n
}

// seqID is the value of a number in base 36, digits before capitals.
func (p *itanium) seqID() (n int, ok bool) {
	for {
		switch c := p.peek(); {
		case isDigit(c):
			n = 36*n + int(c-'0')
		case 'A' <= c && c <= 'Z':
			n = 36*n + int(c-'A') + 10
		default:
			return n, ok
		}
		if n > 1<<20 {
			return 0, false
		}
		p.at++
		ok = true
	}
}

// bytes is a length, which is not 0, and as many bytes.
func (p *itanium) bytes() string {
	n := p.count()
	if p.failed || n == 0 || n > len(p.name)-p.at {
		p.fail()
		return ""
	}
	p.at += n
	return p.name[p.at-n : p.at]
}

// enter begins something that may hold its like, though not too deeply; leave
// has to follow.
func (p *itanium) enter() {
	if p.depth++; p.depth > maxNesting {
		p.fail()
	}
}

func (p *itanium) leave() { p.depth-- }

// discriminator steps over what tells apart entities of one name in a function.
func (p *itanium) discriminator() {
	start := p.at
	switch {
	case p.take('_'):
		if p.take('_') {
			if p.number(); p.take('_') {
				return
			}
		} else if isDigit(p.peek()) {
			p.at++
			return
		}
		p.at = start
	case isDigit(p.peek()):
		if p.number(); p.at < len(p.name) {
			p.at = start
		}
	}
}
