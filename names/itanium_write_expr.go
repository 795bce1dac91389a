package names

// expr writes an expression.
func (w *writer) expr(n *node) {
	switch n.kind {
	case kindBinary:
		w.binary(n)
	case kindConditional:
		w.pattern(n, "%>a ? %~b : ")
		w.operand(n.c, precAssign, 1)
	case kindCast:
		w.string(n.text)
		w.angled(func() { w.left(n.a) })
		w.pattern(n, "%(%~b%)")
	case kindNew:
		w.newExpr(n)
	case kindDelete:
		w.allocation(n.flag, "delete")
		w.pattern(n, " %a")
	case kindCall:
		if n.flag != 0 {
			w.pattern(n, "%(%a%)")
		} else {
			w.node(n.a)
		}
		w.parenthesised(n.list)
	case kindFold:
		w.fold(n)
	case kindInitList, kindField, kindRange:
		w.braced(n)
	case kindRequires, kindExprRequirement:
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
		w.pattern(n, " %t %=b")
	} else {
		w.operand(n.a, n.prec, 1)
		if n.text != "," {
			w.string(" ")
		}
		w.pattern(n, "%t %>b")
	}
	if ambiguous {
		w.close(')')
	}
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
	w.pattern(n, " %b")
	if n.list.n > 0 {
		w.parenthesised(n.list)
	}
}

// fold writes a fold expression: the initial value, if any, on the side that
// it begins from.
func (w *writer) fold(n *node) {
	w.open('(')
	if n.flag != 0 {
		if n.b != 0 {
			w.operand(n.b, precCast, 1)
			w.pattern(n, " %t ")
		}
		w.pattern(n, "... %t %(%*a%)")
	} else {
		w.pattern(n, "%(%*a%) %t ...")
		if n.b != 0 {
			w.pattern(n, " %t ")
			w.operand(n.b, precCast, 1)
		}
	}
	w.close(')')
}

// braced writes lists in braces and what may stand in them.
func (w *writer) braced(n *node) {
	value := n.b
	switch {
	case n.kind == kindInitList:
		if n.a != 0 {
			if w.charArray(n) {
				return
			}
			w.node(n.a)
		}
		w.pattern(n, "{%l}")
		return
	case n.kind == kindRange:
		w.pattern(n, "[%a ... %b]")
		value = n.c
	case n.flag != 0:
		w.pattern(n, "[%a]")
	default:
		w.pattern(n, ".%a")
	}
	if k := w.tree.nodes[value].kind; k != kindField && k != kindRange {
		w.string(" = ")
	}
	w.node(value)
}

// requirement writes a requires-expression, or an expression among what it is made of.
func (w *writer) requirement(n *node) {
	if n.kind == kindRequires {
		w.string("requires")
		if n.a != 0 {
			w.string(" ")
			w.parenthesised(w.listOf(n.a))
		}
		w.pattern(n, " %{")
		for _, r := range w.tree.members(n.list) {
			w.node(r)
		}
		w.pattern(n, " %}")
		return
	}
	if n.flag != 0 || n.b != 0 {
		w.pattern(n, " %{%a%}")
	} else {
		w.pattern(n, " %a")
	}
	if n.flag != 0 {
		w.string(" noexcept")
	}
	w.clause(" -> ", n.b)
	w.string(";")
}
