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
		return p.add(node{kind: kindExpansion, a: p.readType()}), false
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
		return p.add(node{kind: kindTrail, a: p.readName(nil), text: word}), true
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
	return p.lead("_Float", p.addText(p.delimited()))
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
	} else {
		n.a = p.expr()
	}
	p.expect('_')
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
		return p.fail()
	}
	sizes := map[byte]string{
		's': "short ", 't': "unsigned short ", 'i': "", 'j': "unsigned ", 'l': "long ", 'm': "unsigned long ",
	}
	size, ok := sizes[p.peek()]
	if !ok {
		return p.fail()
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
	word := p.bytes()
	if !p.take('I') {
		return p.addText(word)
	}
	return p.add(node{kind: kindTransformed, a: p.ended(p.readType()), text: word})
}

// functionType reads a function's type: qualifiers, exceptions, then 'F', the
// type it returns and its parameters.
func (p *itanium) functionType() ref {
	n := node{kind: kindFunction, shape: hasRight | isFunction, flag: p.qualifiers(), b: p.exceptions()}
	p.takeWord("Dx") // safe in transactions
	p.expect('F')
	p.take('Y') // extern "C"
	n.a = p.readType()
	start := len(p.open)
	for !p.failed && !p.take('E') {
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
		p.open = append(p.open, p.readType())
	}
	n.list = p.close(start)
	return p.add(n)
}

// exceptions reads an exception specification, if there is one.
func (p *itanium) exceptions() ref {
	switch {
	case p.takeWord("Do"):
		return p.addText("noexcept")
	case p.takeWord("DO"):
		return p.ended(p.add(node{kind: kindNoexcept, a: p.expr()}))
	case p.takeWord("Dw"):
		return p.add(node{kind: kindThrow, list: p.until('E', (*itanium).readType)})
	}
	return 0
}

// vectorType reads a vector's dimension and what it is made of.
func (p *itanium) vectorType() ref {
	n := node{kind: kindVector}
	if c := p.peek(); isDigit(c) && c != '0' {
		size := p.delimited()
		if p.take('p') {
			return p.add(node{kind: kindPixels, text: size})
		}
		n.b = p.addText(size)
	} else {
		n.b = p.computed()
	}
	n.a = p.readType()
	return p.add(n)
}

// computed reads a dimension that is an expression, or none, and the '_' that follows.
func (p *itanium) computed() (dimension ref) {
	if p.peek() != '_' {
		dimension = p.expr()
	}
	p.expect('_')
	return dimension
}

func (p *itanium) arrayType() ref {
	p.at++
	n := node{kind: kindArray, shape: hasRight | isArray}
	if isDigit(p.peek()) {
		n.b = p.addText(p.delimited())
	} else {
		n.b = p.computed()
	}
	n.a = p.readType()
	return p.add(n)
}

func (p *itanium) memberPointer() ref {
	p.at++
	class, member := p.readType(), p.readType()
	return p.add(node{kind: kindMemberPointer, shape: p.shapeOf(member) & (hasRight | varies), a: class, b: member})
}

func (p *itanium) decltype() ref {
	p.at += 2
	return p.ended(p.add(node{kind: kindEnclosing, text: "decltype", a: p.expr()}))
}
