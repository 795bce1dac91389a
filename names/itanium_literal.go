package names

// integers say how an integer of a type is written: after its type in
// parentheses, or before a suffix.
var integers = [256]struct{ cast, suffix string }{
	'w': {cast: "wchar_t"}, 'c': {cast: "char"}, 'a': {cast: "signed char"}, 'h': {cast: "unsigned char"},
	's': {cast: "short"}, 't': {cast: "unsigned short"}, 'n': {cast: "__int128"}, 'o': {cast: "unsigned __int128"},
	'i': {}, 'j': {suffix: "u"}, 'l': {suffix: "l"}, 'm': {suffix: "ul"}, 'x': {suffix: "ll"}, 'y': {suffix: "ull"},
}

// literal reads a value: 'L', its type, and the value or an entity's name.
func (p *itanium) literal() ref {
	if !p.take('L') {
		return 0
	}
	switch c := p.peek(); c {
	case 'w', 'c', 'a', 'h', 's', 't', 'n', 'o', 'i', 'j', 'l', 'm', 'x', 'y':
		p.at++
		if value := p.signed(); value != "" && p.take('E') {
			return p.add(node{kind: kindInteger, text: value, flag: c})
		}
		return 0
	case 'b':
		switch {
		case p.takeWord("b0E"):
			return p.addText("false")
		case p.takeWord("b1E"):
			return p.addText("true")
		}
		return 0
	case 'f', 'd', 'e':
		p.at++
		return p.floatLiteral(c)
	case '_':
		if p.takeWord("_Z") {
			if e := p.encoding(); e != 0 && p.take('E') {
				return e
			}
		}
		return 0
	case 'A':
		t := p.readType()
		if t == 0 || !p.take('E') {
			return 0
		}
		return p.add(node{kind: kindString, a: t})
	case 'D':
		if p.takeWord("Dn") {
			if p.take('0'); p.take('E') {
				return p.addText("nullptr")
			}
		}
		return 0
	case 'T': // a template parameter has no value
		return 0
	case 'U':
		if p.peekAt(1) != 'l' {
			return 0
		}
		t := p.unnamedType(nil)
		if t == 0 || !p.take('E') {
			return 0
		}
		return p.add(node{kind: kindLambda, a: t})
	}
	t := p.readType()
	if t == 0 {
		return 0
	}
	value := p.signed()
	if value == "" || !p.take('E') {
		return 0
	}
	return p.add(node{kind: kindEnumerator, a: t, text: value})
}

// floatDigits are the hexadecimal digits of a float's bytes, by type; those of
// "long double" are x86's.
func floatDigits(c byte) int {
	switch c {
	case 'f':
		return 8
	case 'd':
		return 16
	}
	return 20
}

// floatLiteral reads the bytes of a float, in lower case.
func (p *itanium) floatLiteral(c byte) ref {
	n := floatDigits(c)
	if len(p.name)-p.at <= n {
		return 0
	}
	digits := p.name[p.at : p.at+n]
	for _, d := range []byte(digits) {
		if !isDigit(d) && (d < 'a' || d > 'f') {
			return 0
		}
	}
	p.at += n
	if !p.take('E') {
		return 0
	}
	return p.add(node{kind: kindFloat, text: digits, flag: c})
}
