package names

// expr writes an expression.
func (w *writer) expr(n *node) {
	switch n.kind {
	case kindBinary:
		w.binary(n)
	case kindPrefix:
		w.string(n.text)
		w.operand(n.a, n.prec, 0)
	case kindPostfix:
		w.operand(n.a, n.prec, 1)
		w.string(n.text)
	case kindSubscript:
		w.operand(n.a, n.prec, 0)
		w.open('[')
		w.operand(n.b, precDefault, 0)
		w.close(']')
	case kindMember:
		w.operand(n.a, n.prec, 1)
		w.string(n.text)
		w.operand(n.b, n.prec, 0)
	case kindConditional:
		w.operand(n.a, n.prec, 0)
		w.string(" ? ")
		w.operand(n.b, precDefault, 0)
		w.string(" : ")
		w.operand(n.c, precAssign, 1)
	case kindEnclosing:
		w.string(n.text)
		w.open('(')
		w.node(n.a)
		w.close(')')
	case kindCast:
		w.cast(n)
	case kindNew:
		w.newExpr(n)
	case kindDelete:
		w.allocation(n.flag, "delete")
		w.out = append(w.out, ' ')
		w.node(n.a)
	case kindCall:
		if n.flag != 0 {
			w.open('(')
		}
		w.node(n.a)
		if n.flag != 0 {
			w.close(')')
		}
		w.parenthesised(n.list)
	case kindConvert:
		w.open('(')
		w.node(n.a)
		w.close(')')
		w.parenthesised(n.list)
	case kindFold:
		w.fold(n)
	case kindSizeofPack:
		w.string("sizeof...")
		w.open('(')
		w.expansion(n.a)
		w.close(')')
	case kindInitList, kindField, kindRange:
		w.braced(n)
	case kindRequires, kindExprRequirement, kindTypeRequirement, kindNestedRequires:
		w.requirement(n)
	default:
		w.literal(n)
	}
}

// binary writes an operator between its operands. One that looks like the end of template
// arguments goes into parentheses, but for those inside arguments that stand in some already.
func (w *writer) binary(n *node) {
	ambiguous := w.parens == 0 && (n.text == ">" || n.text == ">>")
	if ambiguous {
		w.open('(')
	}
	if n.prec == precAssign {
		w.operand(n.a, precOrIf, 0)
	} else {
		w.operand(n.a, n.prec, 1)
	}
	if n.text != "," {
		w.out = append(w.out, ' ')
	}
	w.string(n.text)
	w.out = append(w.out, ' ')
	if n.prec == precAssign {
		w.operand(n.b, n.prec, 1)
	} else {
		w.operand(n.b, n.prec, 0)
	}
	if ambiguous {
		w.close(')')
	}
}

func (w *writer) cast(n *node) {
	w.string(n.text)
	w.angled(func() { w.left(n.a) })
	w.open('(')
	w.operand(n.b, precDefault, 0)
	w.close(')')
}

func (w *writer) allocation(flag uint8, word string) {
	if flag&newGlobal != 0 {
		w.string("::")
	}
	w.string(word)
	if flag&newArray != 0 {
		w.string("[]")
	}
}

func (w *writer) newExpr(n *node) {
	w.allocation(n.flag, "new")
	if n.a != 0 {
		w.parenthesised(w.listOf(n.a))
	}
	w.out = append(w.out, ' ')
	w.node(n.b)
	if n.list.n > 0 {
		w.parenthesised(n.list)
	}
}

// fold writes a fold expression: the initial value, if any, on the side that
// it begins from.
func (w *writer) fold(n *node) {
	left := n.flag != 0
	pack := func() {
		w.open('(')
		w.expansion(n.a)
		w.close(')')
	}
	operator := func() {
		w.out = append(w.out, ' ')
		w.string(n.text)
		w.out = append(w.out, ' ')
	}
	w.open('(')
	if left && n.b != 0 {
		w.operand(n.b, precCast, 1)
		operator()
	} else if !left {
		pack()
		operator()
	}
	w.string("...")
	if left {
		operator()
		pack()
	} else if n.b != 0 {
		operator()
		w.operand(n.b, precCast, 1)
	}
	w.close(')')
}

// braced writes lists in braces and what may stand in them.
func (w *writer) braced(n *node) {
	if n.kind == kindInitList {
		if n.a != 0 {
			if w.charArray(n) {
				return
			}
			w.node(n.a)
		}
		w.out = append(w.out, '{')
		w.list(n.list)
		w.out = append(w.out, '}')
		return
	}
	value := n.b
	switch {
	case n.kind == kindRange:
		w.out = append(w.out, '[')
		w.between(n.a, " ... ", n.b)
		w.out = append(w.out, ']')
		value = n.c
	case n.flag != 0:
		w.out = append(w.out, '[')
		w.node(n.a)
		w.out = append(w.out, ']')
	default:
		w.out = append(w.out, '.')
		w.node(n.a)
	}
	if k := w.tree.nodes[value].kind; k != kindField && k != kindRange {
		w.string(" = ")
	}
	w.node(value)
}

// requirement writes a requires-expression and what it is made of.
func (w *writer) requirement(n *node) {
	switch n.kind {
	case kindRequires:
		w.string("requires")
		if n.a != 0 {
			w.out = append(w.out, ' ')
			w.parenthesised(w.listOf(n.a))
		}
		w.out = append(w.out, ' ')
		w.open('{')
		for _, r := range w.tree.members(n.list) {
			w.node(r)
		}
		w.out = append(w.out, ' ')
		w.close('}')
		return
	case kindTypeRequirement:
		w.string(" typename ")
		w.node(n.a)
	case kindNestedRequires:
		w.string(" requires ")
		w.node(n.a)
	case kindExprRequirement:
		w.out = append(w.out, ' ')
		compound := n.flag != 0 || n.b != 0
		if compound {
			w.open('{')
		}
		w.node(n.a)
		if compound {
			w.close('}')
		}
		if n.flag != 0 {
			w.string(" noexcept")
		}
		if n.b != 0 {
			w.string(" -> ")
			w.node(n.b)
		}
	}
	w.out = append(w.out, ';')
}
