package sampleprof

// WithoutContexts is a profile with the contexts of each function added up: the profile
// itself where it has none. What is added up has no attributes.
func (p *Profile) WithoutContexts() *Profile {
	if !p.Has(FullContexts) {
		return p
	}
	var m Merger
	m.begin("", p)
	m.p.Flags &^= FullContexts | Attributed
	a := m.adding(p, 1)
	a.contexts = nil
	for _, f := range p.Added() {
		leaf := *f
		leaf.Context, leaf.Attributes = -1, 0
		if to, is := a.place(&leaf); is {
			a.add(to, &leaf)
		}
	}
	m.p.Symbols, m.p.Program = p.Symbols, p.Program
	return m.Profile()
}
