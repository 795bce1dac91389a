package names

// fold reads a fold expression.
func (p *itanium) fold() ref {
	p.at++
	c := p.peek()
	p.at++
	o := p.takeOperator()
	if o == nil || o.form != formBinary && !(o.form == formMember && o.prec == precMember) {
		return 0
	}
	n := node{kind: kindFold, text: o.symbol}
	switch c {
	case 'l', 'r':
		n.a = p.expr()
	case 'L', 'R':
		n.a = p.expr()
		if n.a == 0 {
			return 0
		}
		if n.b = p.expr(); n.b == 0 {
			return 0
		}
	default:
		return 0
	}
	if n.a == 0 {
		return 0
	}
	if c == 'l' || c == 'L' {
		n.flag = 1
		if n.b != 0 {
			n.a, n.b = n.b, n.a
		}
	}
	return p.add(n)
}

// functionParam reads the use of a function's parameter, or "this".
func (p *itanium) functionParam() ref {
	if p.takeWord("fpT") {
		return p.addText("this")
	}
	if !p.takeWord("fp") {
		if !p.takeWord("fL") || p.number() == "" || !p.take('p') {
			return 0
		}
	}
	p.qualifiers()
	number := p.number()
	if !p.take('_') {
		return 0
	}
	return p.lead("fp", p.addText(number))
}
