package names

// initList reads a list in braces, of a type if that is not 0.
func (p *itanium) initList(t ref) ref {
	list, ok := p.until('E', (*itanium).braced)
	if !ok {
		return 0
	}
	return p.add(node{kind: kindInitList, a: t, list: list})
}

// braced reads an initial value, perhaps with the field or index it is for.
func (p *itanium) braced() ref {
	if !p.enter() {
		return 0
	}
	defer p.leave()
	switch {
	case p.takeWord("di"):
		return p.designated(node{kind: kindField, a: p.sourceName()})
	case p.takeWord("dx"):
		return p.designated(node{kind: kindField, a: p.expr(), flag: 1})
	case p.takeWord("dX"):
		n := node{kind: kindRange, a: p.expr()}
		if n.a == 0 {
			return 0
		}
		if n.b = p.expr(); n.b == 0 {
			return 0
		}
		if n.c = p.braced(); n.c == 0 {
			return 0
		}
		return p.add(n)
	}
	return p.expr()
}

func (p *itanium) designated(n node) ref {
	if n.a == 0 {
		return 0
	}
	if n.b = p.braced(); n.b == 0 {
		return 0
	}
	return p.add(n)
}

// subobject reads a conversion between pointers to members, "mc", or what of an
// object an address is of, "so".
func (p *itanium) subobject(k kind) ref {
	t := p.readType()
	if t == 0 {
		return 0
	}
	e := p.expr()
	if e == 0 {
		return 0
	}
	offset := p.signed()
	if k == kindConvert {
		if !p.take('E') {
			return 0
		}
		start := len(p.open)
		p.open = append(p.open, e)
		return p.add(node{kind: kindConvert, a: t, list: p.close(start), prec: precUnary})
	}
	for p.take('_') { // members of unions that the compiler chose
		p.number()
	}
	p.take('p') // one past the end
	if !p.take('E') {
		return 0
	}
	return p.add(node{kind: kindSubobject, a: t, b: e, text: offset})
}
