package names

// nameInfo is what a name says about the function that has it.
type nameInfo struct {
	special      bool // a constructor, destructor or conversion: no return type
	endsWithArgs bool // the name ends with template arguments: there is a return type
	object       bool // the first parameter is the object, "this A"
	quals        uint8
	forward      int // the length of itanium.forward when the name began
}

// encoding reads a name and, of a function, its parameters.
func (p *itanium) encoding() ref {
	p.enter()
	// Template parameters in a name within another are its own.
	outer := p.beginTemplates()
	e := p.encodingOf()
	p.endTemplates(outer)
	p.leave()
	return e
}

func (p *itanium) encodingOf() ref {
	if c := p.peek(); c == 'G' || c == 'T' {
		return p.special()
	}
	info := nameInfo{forward: len(p.forward)}
	name := p.readName(&info)
	p.resolveForward(info.forward)
	if p.endsEncoding() {
		return name
	}
	e := node{kind: kindEncoding, shape: hasRight | isFunction, flag: info.quals, b: name, c: p.enableIf()}
	if !info.special && info.endsWithArgs {
		e.a = p.readType()
	}
	e.list, e.d = p.parameters(info.object), p.requiresClause()
	return p.add(e)
}

// endsEncoding reports whether what follows a name cannot be a parameter.
func (p *itanium) endsEncoding() bool {
	switch p.peek() {
	case 'E', '.', '_':
		return true
	}
	return p.at == len(p.name)
}

// enableIf reads the conditions of a function that has that attribute.
func (p *itanium) enableIf() ref {
	if !p.takeWord("Ua9enable_ifI") {
		return 0
	}
	return p.add(node{kind: kindEnableIf, list: p.until('E', (*itanium).templateArg)})
}

func (p *itanium) parameters(object bool) span {
	start := len(p.open)
	for done := p.take('v'); !done; done = p.endsEncoding() || p.peek() == 'Q' {
		t := p.readType()
		if object && len(p.open) == start {
			t = p.lead("this ", t)
		}
		p.open = append(p.open, t)
	}
	return p.close(start)
}

// special reads the name of what the compiler made for an entity.
func (p *itanium) special() ref {
	code, ofGuard := p.peekAt(1), p.peek() == 'G'
	p.at += 2
	if ofGuard {
		switch code {
		case 'V':
			return p.lead("guard variable for ", p.readName(nil))
		case 'R':
			return p.temporary()
		case 'I':
			return p.lead("initializer for module ", p.modules(0))
		}
		return p.fail()
	}
	switch code {
	case 'A':
		return p.lead("template parameter object for ", p.templateArg())
	case 'V', 'T', 'I', 'S':
		return p.lead(ofTypes[code], p.readType())
	case 'W':
		return p.lead("thread-local wrapper routine for ", p.readName(nil))
	case 'H':
		return p.lead("thread-local initialization routine for ", p.readName(nil))
	case 'C':
		return p.vtableIn()
	case 'c':
		p.callOffset() // of the object
		p.callOffset() // of what is returned
		return p.lead("covariant return thunk to ", p.encoding())
	}
	p.at--
	p.callOffset()
	if code == 'v' {
		return p.lead("virtual thunk to ", p.encoding())
	}
	return p.lead("non-virtual thunk to ", p.encoding())
}

var ofTypes = map[byte]string{'V': "vtable for ", 'T': "VTT for ", 'I': "typeinfo for ", 'S': "typeinfo name for "}

// temporary reads a reference's temporary, which may have a number.
func (p *itanium) temporary() ref {
	name := p.readName(nil)
	_, numbered := p.seqID()
	if !p.take('_') && numbered {
		return p.fail()
	}
	return p.lead("reference temporary for ", name)
}

// vtableIn reads the table that serves while a class constructs a base.
func (p *itanium) vtableIn() ref {
	n := node{kind: kindVtableIn, b: p.readType()}
	p.offset()
	n.a = p.readType()
	return p.add(n)
}

// callOffset reads by how much a thunk moves the object.
func (p *itanium) callOffset() {
	if !p.take('h') {
		p.expect('v')
		p.offset()
	}
	p.offset()
}

func (p *itanium) offset() {
	p.integer()
	p.expect('_')
}
