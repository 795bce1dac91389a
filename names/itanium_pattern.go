package names

// patterns are the left halves of nodes that are always written alike. In them stand for
//
//	%a %b %c     nodes, or nothing for none
//	%t %n        the text, and the text as a number
//	%l %<l       the list, and the list between '<' and '>'
//	%<a          the left half of a
//	%>a %=a %~a  a as an operand: that binds more strongly than the node, or no less; or than the default
//	%*a          a once for each member of the pack in it
//	%( %)        and other brackets: within them '>' is an operator
var patterns = [...]string{
	kindLead:       "%t%a",
	kindTrail:      "%<a%t",
	kindQualified:  "%a::%b",
	kindFriend:     "%a::friend %b",
	kindGlobal:     "::%a",
	kindTagged:     "%<a[abi:%t]",
	kindInModule:   "%b@%a",
	kindDtorName:   "~%<a",
	kindUnnamed:    "'unnamed%t'",
	kindBindings:   "%[%l%]",
	kindVtableIn:   "construction vtable for %a-in-%b",
	kindEnableIf:   " [enable_if:%l]",
	kindList:       "%l",
	kindArgPack:    "%l",
	kindExpansion:  "%*a",
	kindDeclared:   "%a",
	kindSizeofPack: "sizeof...%(%*a%)",

	kindArray:       "%<a",
	kindFunction:    "%<a ",
	kindNoexcept:    "noexcept%(%~a%)",
	kindThrow:       "throw%(%l%)",
	kindVendor:      "%a %t%b",
	kindProtocol:    "%a<%t>",
	kindVector:      "%a vector[%b]",
	kindPixels:      "pixel vector[%t]",
	kindTransformed: "%t(%a)",

	kindTypeParam:     "typename ",
	kindConstrained:   "%b ",
	kindTemplateParam: "template%<l typename ",
	kindPackParam:     "%<a...",

	kindPrefix:          "%t%>a",
	kindPostfix:         "%=a%t",
	kindSubscript:       "%>a%[%~b%]",
	kindMember:          "%=a%t%>b",
	kindEnclosing:       "%t%(%a%)",
	kindConvert:         "%(%a%)%(%l%)",
	kindEnumerator:      "%(%a%)%n",
	kindString:          `"<%a>"`,
	kindTypeRequirement: " typename %a;",
	kindNestedRequires:  " requires %a;",
}

// pattern writes a node as a pattern says.
func (w *writer) pattern(n *node, pattern string) {
	for i := 0; i < len(pattern); i++ {
		if pattern[i] != '%' {
			w.out = append(w.out, pattern[i])
			continue
		}
		i++
		switch how := pattern[i]; how {
		case 'a', 'b', 'c':
			w.node(n.part(how))
		case 't':
			w.string(n.text)
		case 'n':
			w.signed(n.text)
		case 'l':
			w.list(n.list)
		case '(', '[', '{':
			w.open(how)
		case ')', ']', '}':
			w.close(how)
		default:
			if i++; pattern[i] == 'l' {
				w.args(n.list)
			} else {
				w.partly(n, how, n.part(pattern[i]))
			}
		}
	}
}

// partly writes a part of a node in one of the ways that patterns have.
func (w *writer) partly(n *node, how byte, part ref) {
	switch how {
	case '<':
		w.left(part)
	case '>':
		w.operand(part, n.prec, 0)
	case '=':
		w.operand(part, n.prec, 1)
	case '~':
		w.operand(part, precDefault, 0)
	case '*':
		w.expansion(part)
	}
}

// part is the node of a letter.
func (n *node) part(letter byte) ref {
	switch letter {
	case 'a':
		return n.a
	case 'b':
		return n.b
	}
	return n.c
}

// clause writes a text and a node, if there is the node.
func (w *writer) clause(text string, a ref) {
	if a != 0 {
		w.string(text)
		w.node(a)
	}
}
