package names

// typeD reads a type whose code begins with 'D'. The arithmetic ones among them
// do not become candidates for substitution, nor does "auto" with a constraint.
func (p *itanium) typeD() (t ref, substituted bool) {
	switch p.peekAt(1) {
	case 't', 'T':
		return p.decltype(), false
	case 'v':
		p.at += 2
		return p.vectorType(), false
	case 'p':
		p.at += 2
		if t = p.readType(); t == 0 {
			return 0, false
		}
		return p.add(node{kind: kindExpansion, a: t}), false
	case 'o', 'O', 'w', 'x':
		return p.functionType(), false
	case 'B', 'U':
		return p.bitInt(), false
	case 'k', 'K':
		word := " auto"
		if p.peekAt(1) == 'K' {
			word = " decltype(auto)"
		}
		p.at += 2
		return p.trail(p.readName(nil), word), true
	case 'F':
		p.at += 2
		return p.floatType(), true
	case 'S', 'A', 'R':
		return p.fixedPoint(), true
	}
	return p.classType(), false
}

// floatType is the type of a float with a given number of bits.
func (p *itanium) floatType() ref {
	if p.takeWord("16b") {
		return p.addText("std::bfloat16_t")
	}
	bits := p.number()
	if !p.take('_') {
		return 0
	}
	return p.lead("_Float", p.addText(bits))
}

// bitInt is an integer with a given number of bits.
func (p *itanium) bitInt() ref {
	n := node{kind: kindBits}
	if p.peekAt(1) == 'U' {
		n.flag = 1
	}
	p.at += 2
	if isDigit(p.peek()) {
		n.a = p.addText(p.number())
	} else if n.a = p.expr(); n.a == 0 {
		return 0
	}
	if !p.take('_') {
		return 0
	}
	return p.add(n)
}

// fixedPoint is a number of fixed point, which may saturate.
func (p *itanium) fixedPoint() ref {
	saturated := p.takeWord("DS")
	var kind string
	switch {
	case p.takeWord("DA"):
		kind = "_Accum"
	case p.takeWord("DR"):
		kind = "_Fract"
	default:
		return 0
	}
	sizes := map[byte]string{
		's': "short ", 't': "unsigned short ", 'i': "", 'j': "unsigned ", 'l': "long ", 'm': "unsigned long ",
	}
	size, ok := sizes[p.peek()]
	if !ok {
		return 0
	}
	p.at++
	t := p.addText(kind)
	if size != "" {
		t = p.lead(size, t)
	}
	if saturated {
		t = p.lead("_Sat ", t)
	}
	return t
}

// vendorType is a built-in type of a vendor, or one that a trait makes of another.
func (p *itanium) vendorType() ref {
	p.at++
	word, ok := p.bytes()
	if !ok || word == "" {
		return 0
	}
	if !p.take('I') {
		return p.addText(word)
	}
	t := p.readType()
	if t == 0 || !p.take('E') {
		return 0
	}
	return p.add(node{kind: kindTransformed, a: t, text: word})
}

// functionType reads a function's type: qualifiers, exceptions, then 'F', the
// type it returns and its parameters.
func (p *itanium) functionType() ref {
	n := node{kind: kindFunction, shape: hasRight | isFunction, flag: p.qualifiers()}
	var ok bool
	if n.b, ok = p.exceptions(); !ok {
		return 0
	}
	p.takeWord("Dx") // safe in transactions
	if !p.take('F') {
		return 0
	}
	p.take('Y') // extern "C"
	if n.a = p.readType(); n.a == 0 {
		return 0
	}
	start := len(p.open)
	for !p.take('E') {
		if p.take('v') {
			continue
		}
		if p.takeWord("RE") {
			n.flag |= qualRef
			break
		}
		if p.takeWord("OE") {
			n.flag |= qualRvalue
			break
		}
		t := p.readType()
		if t == 0 {
			return 0
		}
		p.open = append(p.open, t)
	}
	n.list = p.close(start)
	return p.add(n)
}

// exceptions reads an exception specification, if there is one.
func (p *itanium) exceptions() (spec ref, ok bool) {
	switch {
	case p.takeWord("Do"):
		return p.addText("noexcept"), true
	case p.takeWord("DO"):
		e := p.expr()
		if e == 0 || !p.take('E') {
			return 0, false
		}
		return p.add(node{kind: kindNoexcept, a: e}), true
	case p.takeWord("Dw"):
		start := len(p.open)
		for !p.take('E') {
			t := p.readType()
			if t == 0 {
				return 0, false
			}
			p.open = append(p.open, t)
		}
		return p.add(node{kind: kindThrow, list: p.close(start)}), true
	}
	return 0, true
}

// vectorType reads a vector's dimension and what it is made of.
func (p *itanium) vectorType() ref {
	n := node{kind: kindVector}
	if c := p.peek(); isDigit(c) && c != '0' {
		size := p.number()
		if !p.take('_') {
			return 0
		}
		if p.take('p') {
			return p.add(node{kind: kindPixels, text: size})
		}
		n.b = p.addText(size)
	} else if !p.take('_') {
		if n.b = p.expr(); n.b == 0 || !p.take('_') {
			return 0
		}
	}
	if n.a = p.readType(); n.a == 0 {
		return 0
	}
	return p.add(n)
}

func (p *itanium) arrayType() ref {
	p.at++
	n := node{kind: kindArray, shape: hasRight | isArray}
	if isDigit(p.peek()) {
		n.b = p.addText(p.number())
		if !p.take('_') {
			return 0
		}
	} else if !p.take('_') {
		if n.b = p.expr(); n.b == 0 || !p.take('_') {
			return 0
		}
	}
	if n.a = p.readType(); n.a == 0 {
		return 0
	}
	return p.add(n)
}

func (p *itanium) memberPointer() ref {
	p.at++
	class := p.readType()
	if class == 0 {
		return 0
	}
	member := p.readType()
	if member == 0 {
		return 0
	}
	return p.add(node{kind: kindMemberPointer, shape: p.shapeOf(member) & (hasRight | varies), a: class, b: member})
}

func (p *itanium) decltype() ref {
	p.at += 2
	e := p.expr()
	if e == 0 || !p.take('E') {
		return 0
	}
	return p.add(node{kind: kindEnclosing, text: "decltype", a: e})
}
