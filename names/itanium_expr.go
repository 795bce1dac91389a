package names

// expr reads an expression.
func (p *itanium) expr() ref {
	if !p.enter() {
		return 0
	}
	defer p.leave()
	global := p.takeWord("gs")
	if o := p.takeOperator(); o != nil {
		return p.operation(o, global)
	}
	if len(p.name)-p.at < 2 {
		return 0
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
		t := p.readType()
		if t == 0 {
			return 0
		}
		return p.initList(t)
	case p.takeWord("mc"):
		return p.subobject(kindConvert)
	case p.takeWord("so"):
		return p.subobject(kindSubobject)
	case p.takeWord("nx"):
		return p.unary(node{kind: kindEnclosing, text: "noexcept ", prec: precUnary}, p.expr())
	case p.takeWord("sp"):
		return p.unary(node{kind: kindExpansion}, p.expr())
	case p.takeWord("sZ"):
		if p.peek() == 'T' {
			return p.unary(node{kind: kindSizeofPack}, p.templateParam())
		}
		return p.unary(node{kind: kindEnclosing, text: "sizeof... "}, p.functionParam())
	case p.takeWord("sP"):
		list, ok := p.until('E', (*itanium).templateArg)
		if !ok {
			return 0
		}
		return p.unary(node{kind: kindEnclosing, text: "sizeof... "}, p.add(node{kind: kindList, list: list}))
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

// unary adds a node with one operand, if that could be read.
func (p *itanium) unary(n node, a ref) ref {
	if n.a = a; a == 0 {
		return 0
	}
	return p.add(n)
}

// binary adds a node with two operands, which it reads.
func (p *itanium) binary(n node) ref {
	if n.a = p.expr(); n.a == 0 {
		return 0
	}
	if n.b = p.expr(); n.b == 0 {
		return 0
	}
	return p.add(n)
}

// until reads members of a list up to the byte that ends it.
func (p *itanium) until(end byte, member func(*itanium) ref) (list span, ok bool) {
	start := len(p.open)
	for !p.take(end) {
		m := member(p)
		if m == 0 {
			return span{}, false
		}
		p.open = append(p.open, m)
	}
	return p.close(start), true
}

// operation reads the operands of an operator.
func (p *itanium) operation(o *operator, global bool) ref {
	n := node{text: o.symbol, prec: o.prec}
	switch o.form {
	case formBinary:
		n.kind = kindBinary
		return p.binary(n)
	case formPrefix:
		n.kind = kindPrefix
		return p.unary(n, p.expr())
	case formPostfix:
		n.kind = kindPostfix
		if p.take('_') {
			n.kind = kindPrefix
		}
		return p.unary(n, p.expr())
	case formSubscript:
		n.kind = kindSubscript
		return p.binary(n)
	case formMember:
		n.kind = kindMember
		return p.binary(n)
	case formNew:
		return p.newExpr(n, o, global)
	case formDelete:
		n.kind, n.flag = kindDelete, globally(o.flag, global)
		return p.unary(n, p.expr())
	case formCall:
		n.kind, n.flag = kindCall, o.flag
		if n.a = p.expr(); n.a == 0 {
			return 0
		}
		var ok bool
		if n.list, ok = p.until('E', (*itanium).expr); !ok {
			return 0
		}
		return p.add(n)
	case formConversion:
		return p.conversion(n)
	case formConditional:
		n.kind = kindConditional
		if n.a = p.expr(); n.a == 0 {
			return 0
		}
		if n.b = p.expr(); n.b == 0 {
			return 0
		}
		if n.c = p.expr(); n.c == 0 {
			return 0
		}
		return p.add(n)
	case formNamedCast:
		n.kind = kindCast
		if n.a = p.readType(); n.a == 0 {
			return 0
		}
		if n.b = p.expr(); n.b == 0 {
			return 0
		}
		return p.add(n)
	case formTypeOrValue:
		n.kind = kindEnclosing
		if o.flag == 1 {
			return p.unary(n, p.readType())
		}
		return p.unary(n, p.expr())
	}
	return 0
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
	where, ok := p.until('_', (*itanium).expr)
	if !ok {
		return 0
	}
	if where.n > 0 {
		n.a = p.add(node{kind: kindList, list: where})
	}
	if n.b = p.readType(); n.b == 0 {
		return 0
	}
	if p.takeWord("pi") {
		if n.list, ok = p.until('E', (*itanium).expr); !ok {
			return 0
		}
	} else if !p.take('E') {
		return 0
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
	if n.a == 0 {
		return 0
	}
	if p.take('_') {
		var ok bool
		if n.list, ok = p.until('E', (*itanium).expr); !ok {
			return 0
		}
		return p.add(n)
	}
	e := p.expr()
	if e == 0 {
		return 0
	}
	start := len(p.open)
	p.open = append(p.open, e)
	n.list = p.close(start)
	return p.add(n)
}
