package names

// expr reads an expression.
func (p *itanium) expr() ref {
	p.enter()
	defer p.leave()
	global := p.takeWord("gs")
	if o := p.takeOperator(); o != nil {
		return p.operation(o, global)
	}
	if len(p.name)-p.at < 2 {
		return p.fail()
	}
	switch p.peek() {
	case 'L':
		return p.literal()
	case 'T':
		return p.templateParam()
	case 'f':
		if c := p.peekAt(1); c == 'p' || c == 'L' && isDigit(p.peekAt(2)) {
			return p.functionParam()
		}
		return p.fold()
	}
	switch {
	case p.takeWord("il"):
		return p.initList(0)
	case p.takeWord("tl"):
		return p.initList(p.readType())
	case p.takeWord("mc"):
		return p.subobject(kindConvert)
	case p.takeWord("so"):
		return p.subobject(kindSubobject)
	case p.takeWord("nx"):
		return p.add(node{kind: kindEnclosing, text: "noexcept ", prec: precUnary, a: p.expr()})
	case p.takeWord("sp"):
		return p.add(node{kind: kindExpansion, a: p.expr()})
	case p.takeWord("sZ"):
		if p.peek() == 'T' {
			return p.add(node{kind: kindSizeofPack, a: p.templateParam()})
		}
		return p.add(node{kind: kindEnclosing, text: "sizeof... ", a: p.functionParam()})
	case p.takeWord("sP"):
		list := p.add(node{kind: kindList, list: p.until('E', (*itanium).templateArg)})
		return p.add(node{kind: kindEnclosing, text: "sizeof... ", a: list})
	case p.takeWord("tr"):
		return p.addText("throw")
	case p.takeWord("tw"):
		return p.lead("throw ", p.expr())
	case p.take('u'):
		return p.vendorCall()
	case p.peek() == 'r' && (p.peekAt(1) == 'q' || p.peekAt(1) == 'Q'):
		return p.requires()
	}
	return p.unresolvedName(global)
}

// until reads members of a list up to the byte that ends it.
func (p *itanium) until(end byte, member func(*itanium) ref) span {
	start := len(p.open)
	for !p.failed && !p.take(end) {
		p.open = append(p.open, member(p))
	}
	return p.close(start)
}

// someUntil is until for a list that may not be empty.
func (p *itanium) someUntil(end byte, member func(*itanium) ref) span {
	list := p.until(end, member)
	if list.n == 0 {
		p.fail()
	}
	return list
}

// operation reads the operands of an operator.
func (p *itanium) operation(o *operator, global bool) ref {
	n := node{text: o.symbol, prec: o.prec}
	switch o.form {
	case formBinary:
		n.kind, n.a, n.b = kindBinary, p.expr(), p.expr()
	case formPrefix:
		n.kind, n.a = kindPrefix, p.expr()
	case formPostfix:
		n.kind = kindPostfix
		if p.take('_') {
			n.kind = kindPrefix
		}
		n.a = p.expr()
	case formSubscript:
		n.kind, n.a, n.b = kindSubscript, p.expr(), p.expr()
	case formMember:
		n.kind, n.a, n.b = kindMember, p.expr(), p.expr()
	case formNew:
		return p.newExpr(n, o, global)
	case formDelete:
		n.kind, n.flag, n.a = kindDelete, globally(o.flag, global), p.expr()
	case formCall:
		n.kind, n.flag, n.a, n.list = kindCall, o.flag, p.expr(), p.until('E', (*itanium).expr)
	case formConversion:
		return p.conversion(n)
	case formConditional:
		n.kind, n.a, n.b, n.c = kindConditional, p.expr(), p.expr(), p.expr()
	case formNamedCast:
		n.kind, n.a, n.b = kindCast, p.readType(), p.expr()
	case formTypeOrValue:
		n.kind = kindEnclosing
		if o.flag == 1 {
			n.a = p.readType()
		} else {
			n.a = p.expr()
		}
	default:
		return p.fail()
	}
	return p.add(n)
}

func globally(flag uint8, global bool) uint8 {
	if global {
		flag |= newGlobal
	}
	return flag
}

// newExpr reads where "new" shall place an object, its type and initial values.
func (p *itanium) newExpr(n node, o *operator, global bool) ref {
	n.kind, n.flag = kindNew, globally(o.flag, global)
	n.a, n.b = p.listNode(p.until('_', (*itanium).expr)), p.readType()
	if p.takeWord("pi") {
		n.list = p.until('E', (*itanium).expr)
	} else {
		p.expect('E')
	}
	return p.add(n)
}

// conversion reads a cast to a type in parentheses, of one value or of a list.
func (p *itanium) conversion(n node) ref {
	n.kind = kindConvert
	around := p.noTypeArgs
	p.noTypeArgs = true
	n.a = p.readType()
	p.noTypeArgs = around
	if p.take('_') {
		n.list = p.until('E', (*itanium).expr)
	} else {
		n.list = p.only(p.expr())
	}
	return p.add(n)
}
