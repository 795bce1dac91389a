package names

// left writes what of a node stands before the name that it declares: for all
// but types and functions, everything.
func (w *writer) left(a ref) {
	if !w.begin() {
		return
	}
	n := &w.tree.nodes[a]
	switch n.kind {
	case kindText: // most nodes are that, or one of the next two, which have no pattern as they are faster so
		w.string(n.text)
	case kindNested:
		w.node(n.a)
		w.string("::")
		w.node(n.b)
	case kindArgs:
		w.args(n.list)
	case kindStd:
		w.string("std::")
		w.string(stdNames[n.flag].name)
	case kindStdFull:
		w.string("std::")
		w.string(stdNames[n.flag].template)
		if !w.noArgs {
			w.string(stdNames[n.flag].args)
		}
	case kindLocal:
		w.local(n)
	case kindTemplate:
		w.node(n.a)
		if !w.noArgs {
			w.node(n.b)
		}
	case kindModule:
		w.module(n)
	case kindCtor:
		if n.flag != 0 {
			w.string("~")
		}
		w.string(n.text)
	case kindClosure:
		w.pattern(n, "'lambda%t'")
		w.signature(n)
	case kindEncoding:
		w.encodingLeft(n)
	default:
		if pattern := patterns[n.kind]; pattern != "" {
			w.pattern(n, pattern)
		} else if n.kind < kindForward {
			w.typeLeft(a, n)
		} else if n.kind < kindBinary {
			w.paramLeft(a, n)
		} else {
			w.expr(n)
		}
	}
	w.end()
}

// local writes an entity in a function. In the short modes the function keeps
// but its name, empty parentheses and qualifiers.
func (w *writer) local(n *node) {
	if f := w.tree.nodes[n.a]; w.short && f.kind == kindEncoding {
		w.node(f.b)
		w.string("()")
		w.functionQualifiers(f.flag)
	} else {
		w.node(n.a)
	}
	w.pattern(n, "::%b")
}

func (w *writer) module(n *node) {
	w.node(n.a)
	if n.flag != 0 {
		w.string(":")
	} else if n.a != 0 {
		w.string(".")
	}
	w.node(n.b)
}

// signature writes the parameters of a lambda.
func (w *writer) signature(n *node) {
	if n.a != 0 {
		w.args(w.listOf(n.a))
	}
	if n.b != 0 {
		w.pattern(n, " requires %b ")
	}
	w.parenthesised(n.list)
	w.clause(" requires ", n.c)
}

// encodingLeft writes the return type and name of a function.
func (w *writer) encodingLeft(n *node) {
	if n.a != 0 {
		w.left(n.a)
		if w.shapeOf(n.a)&hasRight == 0 {
			w.string(" ")
		}
	}
	w.node(n.b)
}

// encodingRight writes the parameters of a function and what follows them.
func (w *writer) encodingRight(n *node) {
	w.parenthesised(n.list)
	if n.a != 0 {
		w.right(n.a)
	}
	w.functionQualifiers(n.flag)
	w.node(n.c)
	w.clause(" requires ", n.d)
}

// functionQualifiers writes those behind the parameters.
func (w *writer) functionQualifiers(quals uint8) {
	w.qualifiers(quals)
	if quals&qualRef != 0 {
		w.string(" &")
	} else if quals&qualRvalue != 0 {
		w.string(" &&")
	}
}

func (w *writer) qualifiers(quals uint8) {
	if quals&qualConst != 0 {
		w.string(" const")
	}
	if quals&qualVolatile != 0 {
		w.string(" volatile")
	}
	if quals&qualRestrict != 0 {
		w.string(" restrict")
	}
}
