package names

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
