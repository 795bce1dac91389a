package names

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

// count is the value of the decimal number that comes next. A value that no
// name can hold counts as none.
func (p *itanium) count() (n int, ok bool) {
	for isDigit(p.peek()) {
		if n = 10*n + int(p.peek()-'0'); n > maxLinkage {
			return 0, false
		}
		p.at++
		ok = true
	}
	return n, ok
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

// bytes is a length and as many bytes.
func (p *itanium) bytes() (string, bool) {
	n, ok := p.count()
	if !ok || n > len(p.name)-p.at {
		return "", false
	}
	p.at += n
	return p.name[p.at-n : p.at], true
}

// enter begins something that may hold its like. It reports false when that is
// nested too deeply; otherwise leave has to follow.
func (p *itanium) enter() bool {
	if p.depth == maxNesting {
		return false
	}
	p.depth++
	return true
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
