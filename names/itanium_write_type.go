package names

// typeLeft writes what of a type stands before the name that it declares.
func (w *writer) typeLeft(a ref, n *node) {
	switch n.kind {
	case kindQualifiers:
		w.left(n.a)
		w.qualifiers(n.flag)
	case kindPointer:
		if p := &w.tree.nodes[n.a]; p.kind == kindProtocol && w.isObject(p.a) {
			w.pattern(p, "id<%t>")
			return
		}
		w.wound(n.a, "*")
	case kindReference:
		w.referenceLeft(a)
	case kindMemberPointer:
		w.left(n.b)
		if w.shapeOf(n.b)&(isArray|isFunction) != 0 {
			w.string("(")
		} else {
			w.string(" ")
		}
		w.pattern(n, "%a::*")
	case kindBits:
		if n.flag != 0 {
			w.string("unsigned ")
		}
		w.pattern(n, "_BitInt%(%~a%)")
	}
}

// isObject reports whether a type is the one that "id" of Objective-C points to.
func (w *writer) isObject(a ref) bool {
	n := &w.tree.nodes[a]
	return n.kind == kindText && n.text == "objc_object"
}

// wound writes the left half of a type and the pointer around it.
func (w *writer) wound(a ref, pointer string) {
	w.left(a)
	s := w.shapeOf(a)
	if s&isArray != 0 {
		w.string(" ")
	}
	if s&(isArray|isFunction) != 0 {
		w.string("(")
	}
	w.string(pointer)
}

// unwound writes the right half of a type that a pointer is around.
func (w *writer) unwound(a ref) {
	if w.shapeOf(a)&(isArray|isFunction) != 0 {
		w.string(")")
	}
	w.right(a)
}

// referenceLeft writes a reference; one to a reference is that itself, or the
// weaker of both.
func (w *writer) referenceLeft(a ref) {
	if w.busy(a) {
		return
	}
	if target, rvalue := w.collapsed(a); target != 0 {
		if rvalue {
			w.wound(target, "&&")
		} else {
			w.wound(target, "&")
		}
	}
	w.tree.nodes[a].c = 0
}

func (w *writer) referenceRight(a ref) {
	if w.busy(a) {
		return
	}
	if target, _ := w.collapsed(a); target != 0 {
		w.unwound(target)
	}
	w.tree.nodes[a].c = 0
}

// busy marks a reference as being written. It reports whether it is already:
// forward references can be in themselves.
func (w *writer) busy(a ref) bool {
	n := &w.tree.nodes[a]
	if n.c != 0 {
		return true
	}
	n.c = 1
	return false
}

// collapsed is what references to references refer to in the end, 0 if that is
// one of them again.
func (w *writer) collapsed(a ref) (target ref, rvalue bool) {
	rvalue = true
	for range len(w.tree.nodes) {
		w.steps++
		n := &w.tree.nodes[a]
		rvalue = rvalue && n.flag != 0
		target = n.a
		if a = w.syntax(target); w.tree.nodes[a].kind != kindReference {
			return target, rvalue
		}
	}
	return 0, false
}

// syntax is the node that is written for one that stands for others.
func (w *writer) syntax(a ref) ref {
	for range maxNesting {
		w.steps++
		n := &w.tree.nodes[a]
		var next ref
		switch n.kind {
		case kindPack:
			next = w.inPack(a)
		case kindForward:
			next = n.a
		}
		if next == 0 {
			return a
		}
		a = next
	}
	return 0
}

// right writes what of a node stands behind the name that it declares.
func (w *writer) right(a ref) {
	if !w.begin() {
		return
	}
	n := &w.tree.nodes[a]
	switch n.kind {
	case kindQualifiers:
		w.right(n.a)
	case kindPointer:
		if p := &w.tree.nodes[n.a]; p.kind != kindProtocol || !w.isObject(p.a) {
			w.unwound(n.a)
		}
	case kindReference:
		w.referenceRight(a)
	case kindMemberPointer:
		w.unwound(n.b)
	case kindArray:
		if len(w.out) > 0 && w.out[len(w.out)-1] != ']' {
			w.string(" ")
		}
		w.pattern(n, "[%b]")
		w.right(n.a)
	case kindFunction:
		w.parenthesised(n.list)
		w.right(n.a)
		w.functionQualifiers(n.flag)
		w.clause(" ", n.b)
	case kindEncoding:
		w.encodingRight(n)
	default:
		w.paramRight(a, n)
	}
	w.end()
}
