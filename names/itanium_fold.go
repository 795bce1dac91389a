package names

// fold reads a fold expression.
func (p *itanium) fold() ref {
	p.at++
	c := p.peek()
	p.at++
	o := p.takeOperator()
	if o == nil || o.form != formBinary && !(o.form == formMember && o.prec == precMember) {
		return p.fail()
	}
	n := node{kind: kindFold, text: o.symbol, a: p.expr()}
	switch c {
	case 'l', 'r':
	case 'L', 'R':
		n.b = p.expr()
	default:
		return p.fail()
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
	if !p.takeWord("fp") && (!p.takeWord("fL") || p.number() == "" || !p.take('p')) {
		return p.fail()
	}
	p.qualifiers()
	return p.lead("fp", p.addText(p.delimited()))
}
