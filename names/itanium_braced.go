package names

// initList reads a list in braces, of a type if that is not 0.
func (p *itanium) initList(t ref) ref {
	return p.add(node{kind: kindInitList, a: t, list: p.until('E', (*itanium).braced)})
}

// braced reads an initial value, perhaps with the field or index it is for.
func (p *itanium) braced() ref {
	p.enter()
	defer p.leave()
	switch {
	case p.takeWord("di"):
		return p.add(node{kind: kindField, a: p.sourceName(), b: p.braced()})
	case p.takeWord("dx"):
		return p.add(node{kind: kindField, a: p.expr(), b: p.braced(), flag: 1})
	case p.takeWord("dX"):
		return p.add(node{kind: kindRange, a: p.expr(), b: p.expr(), c: p.braced()})
	}
	return p.expr()
}

// subobject reads a conversion between pointers to members, "mc", or what of an
// object an address is of, "so".
func (p *itanium) subobject(k kind) ref {
	t, e, offset := p.readType(), p.expr(), p.signed()
	if k == kindConvert {
		return p.ended(p.add(node{kind: kindConvert, a: t, list: p.only(e), prec: precUnary}))
	}
	for p.take('_') { // members of unions that the compiler chose
		p.number()
	}
	p.take('p') // one past the end
	return p.ended(p.add(node{kind: kindSubobject, a: t, b: e, text: offset}))
}
