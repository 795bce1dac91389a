package names

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
