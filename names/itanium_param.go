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
	p.enter()
	defer p.leave()
	code := p.peekAt(1)
	if !p.atTemplateParamDecl() {
		return p.fail()
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
		return p.add(node{kind: kindConstrained, shape: hasRight, a: p.invent(inventType, level), b: constraint})
	case 'n':
		return p.add(node{kind: kindValueParam, shape: hasRight, a: p.invent(inventValue, level), b: p.readType()})
	case 't':
		return p.templateTemplateParam(level)
	}
	return p.add(node{kind: kindPackParam, shape: hasRight, a: p.templateParamDecl(level)})
}

func (p *itanium) templateTemplateParam(level int) ref {
	n := node{kind: kindTemplateParam, shape: hasRight, a: p.invent(inventTemplate, level)}
	inner, params, start := len(p.levels), len(p.params), len(p.open)
	p.openLevel()
	for !p.failed && !p.take('E') {
		p.open = append(p.open, p.templateParamDecl(inner))
		if n.c = p.requiresClause(); n.c != 0 {
			p.expect('E')
			break
		}
	}
	n.list = p.close(start)
	p.closeLevel(inner)
	p.params = p.params[:min(params, len(p.params))]
	return p.add(n)
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

// requiresClause reads a constraint that is written behind what it is of, if there is one.
func (p *itanium) requiresClause() ref {
	if !p.take('Q') {
		return 0
	}
	return p.constraint()
}
