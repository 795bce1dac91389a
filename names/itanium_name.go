package names

// readName reads the name of an entity. info is nil for one that is no
// function's, such as that of a type.
func (p *itanium) readName(info *nameInfo) ref {
	p.enter()
	defer p.leave()
	switch p.peek() {
	case 'N':
		return p.nestedName(info)
	case 'Z':
		return p.localName(info)
	}
	name, substituted := p.unscopedName(info, true)
	if p.peek() != 'I' {
		if substituted { // it is a name only with arguments
			return p.fail()
		}
		return name
	}
	if !substituted {
		p.substitutable(name)
	}
	if info != nil {
		info.endsWithArgs = true
	}
	return p.withArgs(name, info != nil)
}

// withArgs reads the template arguments of what came before.
func (p *itanium) withArgs(name ref, tag bool) ref {
	return p.add(node{kind: kindTemplate, a: name, b: p.templateArgs(tag)})
}

// unscopedName reads a name that stands in no scope but std. Where a
// substitution may stand for it, substituted says whether one does.
func (p *itanium) unscopedName(info *nameInfo, maySubstitute bool) (name ref, substituted bool) {
	var scope, module ref
	if p.takeWord("St") {
		scope = p.addText("std")
	}
	if p.peek() == 'S' {
		s := p.substitution()
		switch {
		case p.nodes[s].kind == kindModule:
			module = s
		case maySubstitute && scope == 0:
			return s, true
		default:
			return p.fail(), false
		}
	}
	return p.unqualifiedName(info, scope, module), false
}

// localName reads an entity within a function.
func (p *itanium) localName(info *nameInfo) ref {
	p.at++
	n := node{kind: kindLocal, a: p.ended(p.encoding())}
	if p.take('s') {
		p.discriminator()
		n.b = p.addText("string literal")
	} else {
		outer := p.beginTemplates()
		n.b = p.localEntity(info)
		if info == nil {
			p.endTemplates(outer)
		} // else the signature that follows is the entity's; LLVM refuses to look it up there
	}
	return p.add(n)
}

func (p *itanium) localEntity(info *nameInfo) ref {
	if p.take('d') { // within a default argument
		p.signed()
		p.expect('_')
		return p.readName(info)
	}
	entity := p.readName(info)
	p.discriminator()
	return entity
}

// nestedName reads a name in scopes, each of which can be substituted later.
func (p *itanium) nestedName(info *nameInfo) ref {
	p.at++
	if p.take('H') {
		if info != nil {
			info.object = true
		}
	} else {
		quals := p.qualifiers()
		if p.take('O') {
			quals |= qualRvalue
		} else if p.take('R') {
			quals |= qualRef
		}
		if info != nil {
			info.quals = quals
		}
	}
	var scope ref
	for !p.failed && !p.take('E') {
		if info != nil {
			info.endsWithArgs = false
		}
		var substituted bool
		if scope, substituted = p.prefix(info, scope); !substituted {
			p.substitutable(scope)
			p.take('M')
		}
	}
	if scope == 0 || len(p.subs) == 0 {
		return p.fail()
	}
	p.subs = p.subs[:len(p.subs)-1] // the name itself is none
	return scope
}

// prefix reads one more component of a nested name.
func (p *itanium) prefix(info *nameInfo, scope ref) (name ref, substituted bool) {
	var module ref
	switch c := p.peek(); {
	case c == 'T':
		if scope != 0 {
			return p.fail(), false
		}
		return p.templateParam(), false
	case c == 'I':
		if scope == 0 || p.nodes[scope].kind == kindTemplate {
			return p.fail(), false
		}
		if name = p.withArgs(scope, info != nil); info != nil {
			info.endsWithArgs = true
		}
		return name, false
	case c == 'D' && (p.peekAt(1) == 't' || p.peekAt(1) == 'T'):
		if scope != 0 {
			return p.fail(), false
		}
		return p.decltype(), false
	case c == 'S':
		var s ref
		if p.takeWord("St") {
			s = p.addText("std")
		} else {
			s = p.substitution()
		}
		if p.nodes[s].kind != kindModule {
			if scope != 0 {
				return p.fail(), false
			}
			return s, true
		}
		module = s
	}
	return p.unqualifiedName(info, scope, module), false
}

// unqualifiedName reads the last component of a name, whose scope and module
// have been read.
func (p *itanium) unqualifiedName(info *nameInfo, scope, module ref) ref {
	module = p.modules(module)
	friend := scope != 0 && p.take('F')
	p.take('L') // of internal linkage
	var name ref
	switch c := p.peek(); {
	case isDigit(c) && c != '0':
		name = p.sourceName()
	case c == 'U':
		name = p.unnamedType(info)
	case c == 'D' && p.peekAt(1) == 'C':
		name = p.bindings()
	case c == 'C' || c == 'D':
		if scope == 0 || module != 0 {
			return p.fail()
		}
		name, scope = p.structor(info, scope)
	default:
		name = p.operatorName(info)
	}
	if module != 0 {
		name = p.add(node{kind: kindInModule, a: module, b: name})
	}
	if name = p.tags(name); scope == 0 {
		return name
	}
	if friend {
		return p.add(node{kind: kindFriend, a: scope, b: name})
	}
	return p.add(node{kind: kindNested, a: scope, b: name})
}
