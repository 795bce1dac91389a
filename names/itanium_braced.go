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

// vendorCall reads an expression of a vendor, written as a call.
func (p *itanium) vendorCall() ref {
	name := p.sourceName()
	if name == 0 {
		return 0
	}
	n := node{kind: kindCall, a: name, prec: precPostfix}
	if p.nodes[name].text == "__uuidof" { // of a type or of a value
		arg := ref(0)
		switch {
		case p.take('t'):
			arg = p.readType()
		case p.take('z'):
			arg = p.expr()
		default:
			return p.vendorArgs(n)
		}
		if arg == 0 {
			return 0
		}
		start := len(p.open)
		p.open = append(p.open, arg)
		n.list = p.close(start)
		return p.add(n)
	}
	return p.vendorArgs(n)
}

func (p *itanium) vendorArgs(n node) ref {
	var ok bool
	if n.list, ok = p.until('E', (*itanium).templateArg); !ok {
		return 0
	}
	return p.add(n)
}

// requires reads a requires-expression: its parameters and requirements.
func (p *itanium) requires() ref {
	n := node{kind: kindRequires}
	if p.takeWord("rQ") {
		params, ok := p.until('_', (*itanium).readType)
		if !ok {
			return 0
		}
		if params.n > 0 {
			n.a = p.add(node{kind: kindList, list: params})
		}
	} else {
		p.at += len("rq")
	}
	start := len(p.open)
	for {
		r := p.requirement()
		if r == 0 {
			return 0
		}
		p.open = append(p.open, r)
		if p.take('E') {
			n.list = p.close(start)
			return p.add(n)
		}
	}
}

func (p *itanium) requirement() ref {
	switch {
	case p.take('X'):
		n := node{kind: kindExprRequirement, a: p.expr()}
		if n.a == 0 {
			return 0
		}
		if p.take('N') {
			n.flag = 1
		}
		if p.take('R') {
			if n.b = p.readName(nil); n.b == 0 {
				return 0
			}
		}
		return p.add(n)
	case p.take('T'):
		return p.unary(node{kind: kindTypeRequirement}, p.readType())
	case p.take('Q'):
		return p.unary(node{kind: kindNestedRequires}, p.expr())
	}
	return 0
}
