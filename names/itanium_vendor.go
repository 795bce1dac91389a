package names

// vendorCall reads an expression of a vendor, written as a call.
func (p *itanium) vendorCall() ref {
	n := node{kind: kindCall, a: p.sourceName(), prec: precPostfix}
	switch uuid := p.nodes[n.a].text == "__uuidof"; { // of a type or of a value
	case uuid && p.take('t'):
		n.list = p.only(p.readType())
	case uuid && p.take('z'):
		n.list = p.only(p.expr())
	default:
		n.list = p.until('E', (*itanium).templateArg)
	}
	return p.add(n)
}
