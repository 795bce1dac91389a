package names

// atTemplateParamDecl reports whether the declaration of a template parameter
// comes next.
func (p *itanium) atTemplateParamDecl() bool {
	if p.peek() != 'T' {
		return false
	}
	switch p.peekAt(1) {
	case 'y', 'p', 't', 'n', 'k':
		return true
	}
	return false
}

// The kinds of invented names, in order of itanium.invented.
const (
	inventType = iota
	inventValue
	inventTemplate
)

// invent names a template parameter: manglings leave their names out.
func (p *itanium) invent(what, level int) ref {
	a := p.add(node{kind: kindInvented, text: [...]string{"$T", "$N", "$TT"}[what], b: ref(p.invented[what])})
	p.invented[what]++
	p.addParam(level, a)
	return a
}

// templateParamDecl reads the declaration of a template parameter, which then
// belongs to a level, -1 for none.
func (p *itanium) templateParamDecl(level int) ref {
	if !p.enter() {
		return 0
	}
	defer p.leave()
	code := p.peekAt(1)
	if !p.atTemplateParamDecl() {
		return 0
	}
	p.at += 2
	switch code {
	case 'y':
		return p.add(node{kind: kindTypeParam, shape: hasRight, a: p.invent(inventType, level)})
	case 'k':
		around := p.inConstraint
		p.inConstraint = true
		constraint := p.readName(nil)
		p.inConstraint = around
		if constraint == 0 {
			return 0
		}
		return p.add(node{kind: kindConstrained, shape: hasRight, a: p.invent(inventType, level), b: constraint})
	case 'n':
		name := p.invent(inventValue, level)
		t := p.readType()
		if t == 0 {
			return 0
		}
		return p.add(node{kind: kindValueParam, shape: hasRight, a: name, b: t})
	case 't':
		return p.templateTemplateParam(level)
	}
	param := p.templateParamDecl(level)
	if param == 0 {
		return 0
	}
	return p.add(node{kind: kindPackParam, shape: hasRight, a: param})
}

func (p *itanium) templateTemplateParam(level int) ref {
	n := node{kind: kindTemplateParam, shape: hasRight, a: p.invent(inventTemplate, level)}
	inner, params := len(p.levels), len(p.params)
	p.openLevel()
	ok := p.templateTemplateParams(&n, inner)
	p.closeLevel(inner)
	p.params = p.params[:min(params, len(p.params))]
	if !ok {
		return 0
	}
	return p.add(n)
}

func (p *itanium) templateTemplateParams(n *node, level int) bool {
	start := len(p.open)
	for !p.take('E') {
		param := p.templateParamDecl(level)
		if param == 0 {
			return false
		}
		p.open = append(p.open, param)
		if p.take('Q') {
			if n.c = p.constraint(); n.c == 0 || !p.take('E') {
				return false
			}
			break
		}
	}
	n.list = p.close(start)
	return true
}

// constraint reads the condition that a template is constrained by. Parameters
// of all enclosing templates are in reach there, which are not kept track of.
func (p *itanium) constraint() ref {
	around := p.inConstraint
	p.inConstraint = true
	e := p.expr()
	p.inConstraint = around
	return e
}
