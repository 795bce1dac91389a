package names

// requires reads a requires-expression: its parameters and requirements.
func (p *itanium) requires() ref {
	n := node{kind: kindRequires}
	if p.takeWord("rQ") {
		n.a = p.listNode(p.until('_', (*itanium).readType))
	} else {
		p.at += len("rq")
	}
	n.list = p.someUntil('E', (*itanium).requirement)
	return p.add(n)
}

func (p *itanium) requirement() ref {
	switch {
	case p.take('X'):
		n := node{kind: kindExprRequirement, a: p.expr(), flag: p.flag('N')}
		if p.take('R') {
			n.b = p.readName(nil)
		}
		return p.add(n)
	case p.take('T'):
		return p.add(node{kind: kindTypeRequirement, a: p.readType()})
	case p.take('Q'):
		return p.add(node{kind: kindNestedRequires, a: p.expr()})
	}
	return p.fail()
}
