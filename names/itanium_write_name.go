package names

// left writes what of a node stands before the name that it declares: for all
// but types and functions, everything.
func (w *writer) left(a ref) {
	if !w.begin() {
		return
	}
	defer w.end()
	n := &w.tree.nodes[a]
	switch n.kind {
	case kindText:
		w.string(n.text)
	case kindLead:
		w.string(n.text)
		w.node(n.a)
	case kindTrail:
		w.left(n.a)
		w.string(n.text)
	case kindStd:
		w.string("std::")
		w.string(stdNames[n.flag].name)
	case kindStdFull:
		w.string("std::")
		w.string(stdNames[n.flag].template)
		if !w.noArgs {
			w.string(stdNames[n.flag].args)
		}
	case kindNested, kindQualified:
		w.between(n.a, "::", n.b)
	case kindFriend:
		w.between(n.a, "::friend ", n.b)
	case kindLocal:
		w.local(n)
	case kindGlobal:
		w.string("::")
		w.node(n.a)
	case kindTagged:
		w.left(n.a)
		w.string("[abi:")
		w.string(n.text)
		w.out = append(w.out, ']')
	case kindTemplate:
		w.node(n.a)
		if !w.noArgs {
			w.node(n.b)
		}
	case kindArgs:
		w.args(n.list)
	case kindModule:
		w.module(n)
	case kindInModule:
		w.between(n.b, "@", n.a)
	case kindCtor:
		if n.flag != 0 {
			w.out = append(w.out, '~')
		}
		w.string(n.text)
	case kindDtorName:
		w.out = append(w.out, '~')
		w.left(n.a)
	case kindUnnamed:
		w.string("'unnamed")
		w.string(n.text)
		w.out = append(w.out, '\'')
	case kindClosure:
		w.string("'lambda")
		w.string(n.text)
		w.out = append(w.out, '\'')
		w.signature(n)
	case kindBindings:
		w.open('[')
		w.list(n.list)
		w.close(']')
	case kindVtableIn:
		w.string("construction vtable for ")
		w.between(n.a, "-in-", n.b)
	case kindEncoding:
		w.encodingLeft(n)
	case kindEnableIf:
		w.string(" [enable_if:")
		w.list(n.list)
		w.out = append(w.out, ']')
	case kindList, kindArgPack:
		w.list(n.list)
	default:
		if n.kind < kindForward {
			w.typeLeft(a, n)
		} else if n.kind < kindBinary {
			w.paramLeft(a, n)
		} else {
			w.expr(n)
		}
	}
}

// between writes two nodes with a text between them.
func (w *writer) between(a ref, text string, b ref) {
	w.node(a)
	w.string(text)
	w.node(b)
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
	w.string("::")
	w.node(n.b)
}

func (w *writer) module(n *node) {
	w.node(n.a)
	if n.flag != 0 {
		w.out = append(w.out, ':')
	} else if n.a != 0 {
		w.out = append(w.out, '.')
	}
	w.node(n.b)
}

// signature writes the parameters of a lambda.
func (w *writer) signature(n *node) {
	if n.a != 0 {
		w.args(w.listOf(n.a))
	}
	if n.b != 0 {
		w.string(" requires ")
		w.node(n.b)
		w.out = append(w.out, ' ')
	}
	w.parenthesised(n.list)
	if n.c != 0 {
		w.string(" requires ")
		w.node(n.c)
	}
}

// encodingLeft writes the return type and name of a function.
func (w *writer) encodingLeft(n *node) {
	if n.a != 0 {
		w.left(n.a)
		if w.shapeOf(n.a)&hasRight == 0 {
			w.out = append(w.out, ' ')
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
	if n.d != 0 {
		w.string(" requires ")
		w.node(n.d)
	}
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
