package names

// stdNames are the names of the standard library with codes of their own: what
// a constructor is called, and what they stand for in full.
var stdNames = [...]struct {
	code           byte
	name, template string
	args           string
}{
	{'a', "allocator", "allocator", ""},
	{'b', "basic_string", "basic_string", ""},
	{'s', "string", "basic_string", "<char, std::char_traits<char>, std::allocator<char>>"},
	{'i', "istream", "basic_istream", "<char, std::char_traits<char>>"},
	{'o', "ostream", "basic_ostream", "<char, std::char_traits<char>>"},
	{'d', "iostream", "basic_iostream", "<char, std::char_traits<char>>"},
}

// substitution reads what stands for a component that came before, or for a
// name of the standard library.
func (p *itanium) substitution() ref {
	if !p.take('S') {
		return 0
	}
	if c := p.peek(); 'a' <= c && c <= 'z' {
		for i := range stdNames {
			if stdNames[i].code == c {
				p.at++
				return p.stdName(i)
			}
		}
		return 0
	}
	i := 0
	if !p.take('_') {
		n, ok := p.seqID()
		if !ok || !p.take('_') {
			return 0
		}
		i = n + 1
	}
	if i >= len(p.subs) {
		return 0
	}
	return p.subs[i]
}

// stdName is a name of the standard library; with tags it is one of its own.
func (p *itanium) stdName(i int) ref {
	name := p.add(node{kind: kindStd, flag: uint8(i)})
	tagged := p.tags(name)
	if tagged != name {
		p.substitutable(tagged)
	}
	return tagged
}

// structor reads a constructor or destructor of the class that is its scope. A
// short name of the standard library is then written in full.
func (p *itanium) structor(info *nameInfo, class ref) (name, scope ref) {
	if n := p.nodes[class]; n.kind == kindStd {
		class = p.add(node{kind: kindStdFull, flag: n.flag})
	}
	var destructor uint8
	if p.take('C') {
		inherited := p.take('I')
		if c := p.peek(); c < '1' || c > '5' {
			return 0, 0
		}
		p.at++
		if info != nil {
			info.special = true
		}
		if inherited && !p.inheritedFrom(info) {
			return 0, 0
		}
	} else {
		switch p.peekAt(1) {
		case '0', '1', '2', '4', '5':
		default:
			return 0, 0
		}
		p.at += 2
		if info != nil {
			info.special = true
		}
		destructor = 1
	}
	return p.add(node{kind: kindCtor, text: p.baseName(class), flag: destructor}), class
}

// inheritedFrom reads the base that a constructor is inherited from. A mere
// substitution for it is one of the names that LLVM's demangler refuses.
func (p *itanium) inheritedFrom(info *nameInfo) bool {
	if p.peek() == 'S' && p.peekAt(1) != 't' {
		base, _ := p.substitutedType()
		return base != 0
	}
	return p.readName(info) != 0
}

// bindings reads the names that a structured binding declares.
func (p *itanium) bindings() ref {
	p.at += 2
	start := len(p.open)
	for {
		name := p.sourceName()
		if name == 0 {
			return 0
		}
		p.open = append(p.open, name)
		if p.take('E') {
			return p.add(node{kind: kindBindings, list: p.close(start)})
		}
	}
}

// unnamedType reads a class without a name, a closure, or a block.
func (p *itanium) unnamedType(info *nameInfo) ref {
	if info != nil {
		// Template parameters refer to the innermost arguments.
		p.levels = p.levels[:0]
	}
	switch {
	case p.takeWord("Ut"):
		number := p.number()
		if !p.take('_') {
			return 0
		}
		return p.add(node{kind: kindUnnamed, text: number})
	case p.takeWord("Ul"):
		return p.closure()
	case p.takeWord("Ub"):
		if p.number(); !p.take('_') {
			return 0
		}
		return p.addText("'block-literal'")
	}
	return 0
}

// closure reads the type of a lambda: its template parameters and parameters.
func (p *itanium) closure() ref {
	around, levels, params := p.lambda, len(p.levels), len(p.params)
	p.lambda = levels
	p.openLevel()
	n := node{kind: kindClosure}
	ok := p.signature(&n, levels)
	p.closeLevel(levels)
	p.params = p.params[:min(params, len(p.params))]
	p.lambda = around
	if !ok {
		return 0
	}
	if n.text = p.number(); !p.take('_') {
		return 0
	}
	return p.add(n)
}

// signature reads what stands between the name and the number of a closure.
func (p *itanium) signature(n *node, level int) bool {
	start := len(p.open)
	for p.atTemplateParamDecl() {
		param := p.templateParamDecl(level)
		if param == 0 {
			return false
		}
		p.open = append(p.open, param)
	}
	if n.a = p.closeList(start); n.a == 0 {
		p.closeLevel(level) // its parameters are of the level below
	}
	if p.take('Q') {
		if n.b = p.constraint(); n.b == 0 {
			return false
		}
	}
	if !p.take('v') {
		for {
			t := p.readType()
			if t == 0 {
				return false
			}
			p.open = append(p.open, t)
			if c := p.peek(); c == 'E' || c == 'Q' {
				break
			}
		}
		n.list = p.close(start)
	}
	if p.take('Q') {
		if n.c = p.constraint(); n.c == 0 {
			return false
		}
	}
	return p.take('E')
}
