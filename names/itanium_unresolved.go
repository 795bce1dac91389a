package names

// unresolvedName reads a name in an expression that only instantiation can
// look up. Of all its parts only types are candidates for substitution.
func (p *itanium) unresolvedName(global bool) ref {
	if p.gcc && p.peek() == 's' && p.peekAt(1) == 'r' && !isDigit(p.peekAt(2)) {
		p.at += len("sr")
		return p.qualified(p.readType(), p.unresolvedBase())
	}
	if !p.takeWord("sr") {
		return p.globally(p.unresolvedBase(), global)
	}
	var scope ref
	begins := isDigit(p.peek())
	if begins {
		scope = p.globally(p.simpleID(), global)
	} else {
		begins = p.take('N')
		scope = p.unresolvedArgs(p.unresolvedType())
	}
	for begins && !p.failed && !p.take('E') {
		scope = p.qualified(scope, p.simpleID())
	}
	return p.qualified(scope, p.unresolvedBase())
}

func (p *itanium) globally(a ref, global bool) ref {
	if !global {
		return a
	}
	return p.add(node{kind: kindGlobal, a: a})
}

// qualified is one name in another.
func (p *itanium) qualified(scope, name ref) ref {
	return p.add(node{kind: kindQualified, a: scope, b: name})
}

// unresolvedArgs reads the template arguments of a name, if it has any.
func (p *itanium) unresolvedArgs(name ref) ref {
	if p.peek() != 'I' {
		return name
	}
	return p.withArgs(name, false)
}

// unresolvedType reads a scope that is a type.
func (p *itanium) unresolvedType() ref {
	switch p.peek() {
	case 'T':
		return p.substitutable(p.templateParam())
	case 'D':
		if c := p.peekAt(1); c != 't' && c != 'T' {
			return p.fail()
		}
		return p.substitutable(p.decltype())
	}
	return p.substitution()
}

// simpleID reads an identifier, perhaps with arguments.
func (p *itanium) simpleID() ref { return p.unresolvedArgs(p.sourceName()) }

// unresolvedBase reads the last part of a name: an identifier, a destructor or
// an operator.
func (p *itanium) unresolvedBase() ref {
	if isDigit(p.peek()) {
		return p.simpleID()
	}
	if p.takeWord("dn") {
		if isDigit(p.peek()) {
			return p.add(node{kind: kindDtorName, a: p.simpleID()})
		}
		return p.add(node{kind: kindDtorName, a: p.unresolvedType()})
	}
	p.takeWord("on")
	return p.unresolvedArgs(p.operatorName(nil))
}
