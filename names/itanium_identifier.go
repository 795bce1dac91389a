package names

// sourceName reads an identifier.
func (p *itanium) sourceName() ref {
	name, ok := p.bytes()
	if !ok || name == "" {
		return 0
	}
	const anonymous = "_GLOBAL__N"
	if len(name) >= len(anonymous) && name[:len(anonymous)] == anonymous {
		name = "(anonymous namespace)"
	}
	return p.addText(name)
}

// modules reads the names of a module and its partition, if there are any.
func (p *itanium) modules(module ref) (ref, bool) {
	for p.take('W') {
		var partition uint8
		if p.take('P') {
			partition = 1
		}
		name := p.sourceName()
		if name == 0 {
			return 0, false
		}
		module = p.substitutable(p.add(node{kind: kindModule, a: module, b: name, flag: partition}))
	}
	return module, true
}

// tags reads the ABI tags of a name.
func (p *itanium) tags(name ref) ref {
	for p.take('B') {
		tag, ok := p.bytes()
		if !ok || tag == "" {
			return 0
		}
		name = p.add(node{kind: kindTagged, shape: p.shapeOf(name), a: name, text: tag})
	}
	return name
}
