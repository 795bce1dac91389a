package names

import "strings"

// builtins are the types of one letter.
var builtins = [256]string{
	'v': "void", 'w': "wchar_t", 'b': "bool", 'c': "char", 'a': "signed char", 'h': "unsigned char",
	's': "short", 't': "unsigned short", 'i': "int", 'j': "unsigned int", 'l': "long", 'm': "unsigned long",
	'x': "long long", 'y': "unsigned long long", 'n': "__int128", 'o': "unsigned __int128",
	'f': "float", 'd': "double", 'e': "long double", 'g': "__float128", 'z': "...",
}

// builtinsD are the types of two letters, the first of which is 'D'.
var builtinsD = [256]string{
	'd': "decimal64", 'e': "decimal128", 'f': "decimal32", 'h': "half", 'i': "char32_t", 's': "char16_t",
	'u': "char8_t", 'a': "auto", 'c': "decltype(auto)", 'n': "std::nullptr_t",
}

// readType reads a type. All but the built-in ones can be substituted later.
func (p *itanium) readType() ref {
	c := p.peek()
	if word := builtins[c]; word != "" {
		p.at++
		return p.addText(word)
	}
	if c == 'D' {
		if word := builtinsD[p.peekAt(1)]; word != "" {
			p.at += 2
			return p.addText(word)
		}
	}
	p.enter()
	t, substituted := p.compoundType(c)
	p.leave()
	if !substituted {
		p.substitutable(t)
	}
	return t
}

// compoundType reads a type that is not a mere word. It is substituted, as it
// were, if it shall not become a candidate.
func (p *itanium) compoundType(c byte) (t ref, substituted bool) {
	switch c {
	case 'r', 'V', 'K':
		if p.qualifiesFunction() {
			return p.functionType(), false
		}
		return p.qualifiedType(), false
	case 'U':
		return p.qualifiedType(), false
	case 'u':
		return p.vendorType(), false
	case 'D':
		return p.typeD()
	case 'F':
		return p.functionType(), false
	case 'A':
		return p.arrayType(), false
	case 'M':
		return p.memberPointer(), false
	case 'T':
		if k := p.peekAt(1); k != 's' && k != 'u' && k != 'e' {
			return p.typeOfParam(), false
		}
	case 'P', 'R', 'O':
		p.at++
		return p.pointer(c, p.readType()), false
	case 'C', 'G':
		p.at++
		text := " complex"
		if c == 'G' {
			text = " imaginary"
		}
		return p.add(node{kind: kindTrail, a: p.readType(), text: text}), false
	case 'S':
		if p.peekAt(1) != 't' {
			return p.substitutedType()
		}
	}
	return p.classType(), false
}

// qualifiesFunction reports whether qualifiers are those of a function type,
// which come before it and are written behind.
func (p *itanium) qualifiesFunction() bool {
	n := 0
	for _, c := range []byte("rVK") {
		if p.peekAt(n) == c {
			n++
		}
	}
	switch p.peekAt(n) {
	case 'F':
		return true
	case 'D':
		switch p.peekAt(n + 1) {
		case 'o', 'O', 'w', 'x':
			return true
		}
	}
	return false
}

func (p *itanium) qualifiers() (quals uint8) {
	if p.take('r') {
		quals |= qualRestrict
	}
	if p.take('V') {
		quals |= qualVolatile
	}
	if p.take('K') {
		quals |= qualConst
	}
	return quals
}

// qualifiedType reads a type with qualifiers, of C++ or of a vendor.
func (p *itanium) qualifiedType() ref {
	if !p.take('U') {
		quals := p.qualifiers()
		t := p.readType()
		if quals == 0 {
			return t
		}
		return p.add(node{kind: kindQualifiers, shape: p.shapeOf(t), a: t, flag: quals})
	}
	p.enter()
	defer p.leave()
	n := node{kind: kindVendor, text: p.bytes()}
	if word, ok := strings.CutPrefix(n.text, "objcproto"); ok {
		return p.protocol(word)
	}
	if p.peek() == 'I' {
		n.b = p.templateArgs(false)
	}
	n.a = p.qualifiedType()
	return p.add(n)
}

// protocol reads a type of Objective-C that has a protocol, whose length stands
// in the qualifier.
func (p *itanium) protocol(word string) ref {
	inner := itanium{name: word}
	name := inner.bytes()
	if inner.failed {
		return p.fail()
	}
	return p.add(node{kind: kindProtocol, a: p.qualifiedType(), text: name})
}

// pointer winds a pointer or reference around a type.
func (p *itanium) pointer(c byte, t ref) ref {
	n := node{kind: kindReference, shape: p.shapeOf(t) & (hasRight | varies), a: t}
	switch c {
	case 'P':
		n.kind = kindPointer
	case 'O':
		n.flag = 1
	}
	return p.add(n)
}

// typeOfParam reads a template parameter, with arguments if it is a template.
func (p *itanium) typeOfParam() ref {
	t := p.templateParam()
	if p.noTypeArgs || p.peek() != 'I' {
		return t
	}
	p.substitutable(t)
	return p.withArgs(t, false)
}

// substitutedType reads a type that begins with a substitution.
func (p *itanium) substitutedType() (t ref, substituted bool) {
	t, substituted = p.unscopedName(nil, true)
	if p.peek() == 'I' && !(substituted && p.noTypeArgs) {
		if !substituted {
			p.substitutable(t)
		}
		return p.withArgs(t, false), false
	}
	return t, substituted
}

// classType reads a class or enumeration, perhaps with the word that says which.
func (p *itanium) classType() ref {
	word := ""
	switch {
	case p.takeWord("Ts"):
		word = "struct "
	case p.takeWord("Tu"):
		word = "union "
	case p.takeWord("Te"):
		word = "enum "
	}
	t := p.readName(nil)
	if word == "" {
		return t
	}
	return p.lead(word, t)
}
