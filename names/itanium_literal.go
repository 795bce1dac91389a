package names

import "strings"

// integers say how an integer of a type is written: after its type in
// parentheses, or before a suffix.
var integers = [256]struct{ cast, suffix string }{
	'w': {cast: "wchar_t"}, 'c': {cast: "char"}, 'a': {cast: "signed char"}, 'h': {cast: "unsigned char"},
	's': {cast: "short"}, 't': {cast: "unsigned short"}, 'n': {cast: "__int128"}, 'o': {cast: "unsigned __int128"},
	'i': {}, 'j': {suffix: "u"}, 'l': {suffix: "l"}, 'm': {suffix: "ul"}, 'x': {suffix: "ll"}, 'y': {suffix: "ull"},
}

// literal reads a value: 'L', its type, and the value or an entity's name.
func (p *itanium) literal() ref {
	p.expect('L')
	switch c := p.peek(); c {
	case 'w', 'c', 'a', 'h', 's', 't', 'n', 'o', 'i', 'j', 'l', 'm', 'x', 'y':
		p.at++
		return p.ended(p.add(node{kind: kindInteger, text: p.integer(), flag: c}))
	case 'b':
		switch {
		case p.takeWord("b0E"):
			return p.addText("false")
		case p.takeWord("b1E"):
			return p.addText("true")
		}
		return p.fail()
	case 'f', 'd', 'e':
		p.at++
		return p.floatLiteral(c)
	case '_':
		if p.takeWord("_Z") {
			return p.ended(p.encoding())
		}
		return p.fail()
	case 'A':
		return p.ended(p.add(node{kind: kindString, a: p.readType()}))
	case 'D':
		if p.takeWord("Dn") {
			p.take('0')
			return p.ended(p.addText("nullptr"))
		}
		return p.fail()
	case 'T': // a template parameter has no value
		return p.fail()
	case 'U':
		if p.peekAt(1) != 'l' {
			return p.fail()
		}
		return p.ended(p.add(node{kind: kindLambda, a: p.unnamedType(nil)}))
	}
	return p.ended(p.add(node{kind: kindEnumerator, a: p.readType(), text: p.integer()}))
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
		return p.fail()
	}
	digits := p.name[p.at : p.at+n]
	if strings.Trim(digits, hexDigits) != "" {
		return p.fail()
	}
	p.at += n
	return p.ended(p.add(node{kind: kindFloat, text: digits, flag: c}))
}
