package names

import "strings"

// sourceName reads an identifier.
func (p *itanium) sourceName() ref {
	name := p.bytes()
	if strings.HasPrefix(name, "_GLOBAL__N") {
		name = "(anonymous namespace)"
	}
	return p.addText(name)
}

// modules reads the names of a module and its partition, if there are any.
func (p *itanium) modules(module ref) ref {
	for p.take('W') {
		module = p.substitutable(p.add(node{kind: kindModule, a: module, flag: p.flag('P'), b: p.sourceName()}))
	}
	return module
}

// tags reads the ABI tags of a name.
func (p *itanium) tags(name ref) ref {
	for p.take('B') {
		name = p.add(node{kind: kindTagged, shape: p.shapeOf(name), a: name, text: p.bytes()})
	}
	return name
}
