package names

import "strings"

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
	p.expect('S')
	if c := p.peek(); 'a' <= c && c <= 'z' {
		for i := range stdNames {
			if stdNames[i].code == c {
				p.at++
				return p.stdName(i)
			}
		}
		return p.fail()
	}
	i := 0
	if !p.take('_') {
		n, ok := p.seqID()
		if p.expect('_'); !ok {
			return p.fail()
		}
		i = n + 1
	}
	if i >= len(p.subs) {
		return p.fail()
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
	destructor, codes := p.flag('D'), "01245"
	inherited := false
	if destructor == 0 {
		p.at++
		inherited, codes = p.take('I'), "12345"
	}
	if strings.IndexByte(codes, p.peek()) < 0 {
		return p.fail(), 0
	}
	p.at++
	if info != nil {
		info.special = true
	}
	if inherited {
		p.inheritedFrom(info)
	}
	return p.add(node{kind: kindCtor, text: p.baseName(class), flag: destructor}), class
}

// inheritedFrom reads the base that a constructor is inherited from. A mere
// substitution for it is one of the names that LLVM's demangler refuses.
func (p *itanium) inheritedFrom(info *nameInfo) {
	if p.peek() == 'S' && p.peekAt(1) != 't' {
		p.substitutedType()
	} else {
		p.readName(info)
	}
}

// bindings reads the names that a structured binding declares.
func (p *itanium) bindings() ref {
	p.at += 2
	return p.add(node{kind: kindBindings, list: p.someUntil('E', (*itanium).sourceName)})
}

// unnamedType reads a class without a name, a closure, or a block.
func (p *itanium) unnamedType(info *nameInfo) ref {
	if info != nil {
		// Template parameters refer to the innermost arguments.
		p.levels = p.levels[:0]
	}
	switch {
	case p.takeWord("Ut"):
		return p.add(node{kind: kindUnnamed, text: p.delimited()})
	case p.takeWord("Ul"):
		return p.closure()
	case p.takeWord("Ub"):
		p.delimited()
		return p.addText("'block-literal'")
	}
	return p.fail()
}

// closure reads the type of a lambda: its template parameters and parameters.
func (p *itanium) closure() ref {
	around, levels, params := p.lambda, len(p.levels), len(p.params)
	p.lambda = levels
	p.openLevel()
	n := node{kind: kindClosure}
	p.signature(&n, levels)
	p.closeLevel(levels)
	p.params = p.params[:min(params, len(p.params))]
	p.lambda = around
	n.text = p.delimited()
	return p.add(n)
}

// signature reads what stands between the name and the number of a closure.
func (p *itanium) signature(n *node, level int) {
	start := len(p.open)
	for p.atTemplateParamDecl() {
		p.open = append(p.open, p.templateParamDecl(level))
	}
	if n.a = p.listNode(p.close(start)); n.a == 0 {
		p.closeLevel(level) // its parameters are of the level below
	}
	n.b = p.requiresClause()
	for done := p.take('v'); !done; done = p.failed || p.peek() == 'E' || p.peek() == 'Q' {
		p.open = append(p.open, p.readType())
	}
	n.list, n.c = p.close(start), p.requiresClause()
	p.expect('E')
}
