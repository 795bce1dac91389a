package names

// templateScopes are the template arguments and parameters in reach of a name,
// by level. They lie in one slice, since only the innermost level grows.
type templateScopes struct {
	params []ref
	levels []span // in params; an empty one when the level is not known
	outer  int    // where the arguments of the current encoding begin in params
	lambda int    // the level of the lambda whose parameters are being read
}

// savedScopes are those around an encoding.
type savedScopes struct {
	levels        []span
	outer, params int
}

// beginTemplates begins a name that no template is in reach of.
func (s *templateScopes) beginTemplates() savedScopes {
	around := savedScopes{s.levels, s.outer, len(s.params)}
	s.levels = s.levels[len(s.levels):]
	s.outer = len(s.params)
	return around
}

func (s *templateScopes) endTemplates(around savedScopes) {
	s.levels, s.outer, s.params = around.levels, around.outer, s.params[:around.params]
}

// openLevel begins a level, which closeLevel ends; deeper ones end with it.
func (s *templateScopes) openLevel() {
	s.levels = append(s.levels, span{start: int32(len(s.params))})
}

func (s *templateScopes) closeLevel(level int) {
	s.levels = s.levels[:min(level, len(s.levels))]
}

// addParam adds to a level that is the innermost in params.
func (s *templateScopes) addParam(level int, a ref) {
	if level >= 0 && level < len(s.levels) {
		if l := &s.levels[level]; int(l.start+l.n) == len(s.params) {
			s.params = append(s.params, a)
			l.n++
		}
	}
}

// param is what a parameter stands for, 0 if that is out of reach.
func (s *templateScopes) param(level, index int) ref {
	if level >= len(s.levels) || index >= int(s.levels[level].n) {
		return 0
	}
	return s.params[int(s.levels[level].start)+index]
}

// templateParam reads the use of a template parameter: what it stands for.
func (p *itanium) templateParam() ref {
	start := p.at
	p.at++
	level, index := 0, 0
	if p.take('L') {
		level = p.count() + 1
		p.expect('_')
	}
	if !p.take('_') {
		index = p.count() + 1
		p.expect('_')
	}
	if p.inConstraint {
		return p.addText(p.name[start : p.at-1])
	}
	if p.forwardRefs && level == 0 {
		a := p.add(node{kind: kindForward, shape: varies, b: ref(index)})
		p.forward = append(p.forward, a)
		return a
	}
	if a := p.param(level, index); a != 0 {
		return a
	}
	if level != p.lambda || level > len(p.levels) {
		return p.fail()
	}
	if level == len(p.levels) {
		p.levels = append(p.levels, span{})
	}
	return p.addText("auto")
}

// resolveForward looks up the parameters that a conversion operator's type used
// before the arguments were read.
func (p *itanium) resolveForward(start int) {
	for _, a := range p.forward[start:] {
		n := &p.nodes[a]
		if n.a = p.param(0, int(n.b)); n.a == 0 {
			p.fail()
		}
	}
	p.forward = p.forward[:start]
}

// templateArgs reads arguments. With tag they are those that the template
// parameters of the encoding refer to.
func (p *itanium) templateArgs(tag bool) ref {
	p.expect('I')
	if tag {
		p.levels, p.params = p.levels[:0], p.params[:p.outer]
		p.openLevel()
	}
	// Within arguments, those of a template follow it even in the type of a
	// conversion operator. LLVM's demangler refuses such names.
	around := p.noTypeArgs
	p.noTypeArgs = false
	args := p.argList(tag)
	p.noTypeArgs = around
	return args
}

func (p *itanium) argList(tag bool) ref {
	start := len(p.open)
	for !p.failed && !p.take('E') {
		arg := p.templateArg()
		p.open = append(p.open, arg)
		if tag {
			p.addParam(0, p.asParam(arg))
		}
		if p.requiresClause() != 0 {
			p.expect('E')
			break
		}
	}
	return p.add(node{kind: kindArgs, list: p.close(start)})
}

// asParam is what a parameter refers to for an argument: of a pack, each member
// in its turn.
func (p *itanium) asParam(arg ref) ref {
	switch n := p.nodes[arg]; n.kind {
	case kindDeclared:
		return n.a
	case kindArgPack:
		pack := node{kind: kindPack, list: n.list}
		for _, member := range p.members(n.list) {
			if p.shapeOf(member) != 0 {
				pack.shape = varies
			}
		}
		return p.add(pack)
	}
	return arg
}

func (p *itanium) templateArg() ref {
	p.enter()
	defer p.leave()
	switch p.peek() {
	case 'X':
		p.at++
		return p.ended(p.expr())
	case 'J':
		p.at++
		return p.add(node{kind: kindArgPack, list: p.until('E', (*itanium).templateArg)})
	case 'L':
		if p.peekAt(1) != 'Z' {
			return p.literal()
		}
		p.at += 2
		return p.ended(p.encoding())
	case 'T':
		if !p.atTemplateParamDecl() {
			return p.readType()
		}
		p.templateParamDecl(-1)
		return p.add(node{kind: kindDeclared, a: p.templateArg()})
	}
	return p.readType()
}
