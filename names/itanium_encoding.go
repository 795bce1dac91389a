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
	if !p.enter() {
		return 0
	}
	defer p.leave()
	// Template parameters in a name within another are its own.
	outer := p.beginTemplates()
	e := p.encodingOf()
	p.endTemplates(outer)
	return e
}

func (p *itanium) encodingOf() ref {
	if c := p.peek(); c == 'G' || c == 'T' {
		return p.special()
	}
	info := nameInfo{forward: len(p.forward)}
	name := p.readName(&info)
	if name == 0 || !p.resolveForward(info.forward) {
		return 0
	}
	if p.endsEncoding() {
		return name
	}
	e := node{kind: kindEncoding, shape: hasRight | isFunction, flag: info.quals, b: name}
	var ok bool
	if e.c, ok = p.enableIf(); !ok {
		return 0
	}
	if !info.special && info.endsWithArgs {
		if e.a = p.readType(); e.a == 0 {
			return 0
		}
	}
	if e.list, ok = p.parameters(info.object); !ok {
		return 0
	}
	if p.take('Q') {
		if e.d = p.constraint(); e.d == 0 {
			return 0
		}
	}
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
func (p *itanium) enableIf() (attribute ref, ok bool) {
	if !p.takeWord("Ua9enable_ifI") {
		return 0, true
	}
	start := len(p.open)
	for !p.take('E') {
		arg := p.templateArg()
		if arg == 0 {
			return 0, false
		}
		p.open = append(p.open, arg)
	}
	return p.add(node{kind: kindEnableIf, list: p.close(start)}), true
}

func (p *itanium) parameters(object bool) (list span, ok bool) {
	if p.take('v') {
		return span{}, true
	}
	start := len(p.open)
	for {
		t := p.readType()
		if t == 0 {
			return span{}, false
		}
		if object && len(p.open) == start {
			t = p.lead("this ", t)
		}
		p.open = append(p.open, t)
		if p.endsEncoding() || p.peek() == 'Q' {
			return p.close(start), true
		}
	}
}

// special reads the name of what the compiler made for an entity.
func (p *itanium) special() ref {
	code := p.peekAt(1)
	if p.peek() == 'G' {
		p.at += 2
		switch code {
		case 'V':
			return p.lead("guard variable for ", p.readName(nil))
		case 'R':
			return p.temporary()
		case 'I':
			module, ok := p.modules(0)
			if !ok {
				return 0
			}
			return p.lead("initializer for module ", module)
		}
		return 0
	}
	p.at++
	switch code {
	case 'A':
		p.at++
		return p.lead("template parameter object for ", p.templateArg())
	case 'V', 'T', 'I', 'S':
		p.at++
		return p.lead(ofTypes[code], p.readType())
	case 'W':
		p.at++
		return p.lead("thread-local wrapper routine for ", p.readName(nil))
	case 'H':
		p.at++
		return p.lead("thread-local initialization routine for ", p.readName(nil))
	case 'C':
		p.at++
		return p.vtableIn()
	case 'c':
		p.at++
		for range 2 { // of the object, and of what is returned
			if !p.callOffset() {
				return 0
			}
		}
		return p.lead("covariant return thunk to ", p.encoding())
	}
	if !p.callOffset() {
		return 0
	}
	if code == 'v' {
		return p.lead("virtual thunk to ", p.encoding())
	}
	return p.lead("non-virtual thunk to ", p.encoding())
}

var ofTypes = map[byte]string{'V': "vtable for ", 'T': "VTT for ", 'I': "typeinfo for ", 'S': "typeinfo name for "}

// temporary reads a reference's temporary, which may have a number.
func (p *itanium) temporary() ref {
	name := p.readName(nil)
	if name == 0 {
		return 0
	}
	_, numbered := p.seqID()
	if !p.take('_') && numbered {
		return 0
	}
	return p.lead("reference temporary for ", name)
}

// vtableIn reads the table that serves while a class constructs a base.
func (p *itanium) vtableIn() ref {
	class := p.readType()
	if class == 0 || p.signed() == "" || !p.take('_') {
		return 0
	}
	base := p.readType()
	if base == 0 {
		return 0
	}
	return p.add(node{kind: kindVtableIn, a: base, b: class})
}

// callOffset reads by how much a thunk moves the object.
func (p *itanium) callOffset() bool {
	if p.take('h') {
		return p.signed() != "" && p.take('_')
	}
	return p.take('v') && p.signed() != "" && p.take('_') && p.signed() != "" && p.take('_')
}
