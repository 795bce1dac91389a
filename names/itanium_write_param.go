package names

import "strconv"

// paramLeft writes template parameters, and what stands for arguments.
func (w *writer) paramLeft(a ref, n *node) {
	switch n.kind {
	case kindForward:
		if n.flag == 0 && n.a != 0 {
			n.flag = 1
			w.left(n.a)
			n.flag = 0
		}
	case kindPack:
		if member := w.inPack(a); member != 0 {
			w.left(member)
		}
	case kindExpansion:
		w.expansion(n.a)
	case kindDeclared:
		w.node(n.a)
	case kindInvented:
		w.string(n.text)
		if n.b > 0 {
			w.out = strconv.AppendInt(w.out, int64(n.b)-1, 10)
		}
	case kindTypeParam:
		w.string("typename ")
	case kindConstrained:
		w.node(n.b)
		w.out = append(w.out, ' ')
	case kindValueParam:
		w.left(n.b)
		if w.shapeOf(n.b)&hasRight == 0 {
			w.out = append(w.out, ' ')
		}
	case kindTemplateParam:
		w.string("template")
		w.args(n.list)
		w.string(" typename ")
	case kindPackParam:
		w.left(n.a)
		w.string("...")
	}
}

// paramRight writes the names of template parameters, and the right halves of
// what stands for arguments.
func (w *writer) paramRight(a ref, n *node) {
	switch n.kind {
	case kindForward:
		if n.flag == 0 && n.a != 0 {
			n.flag = 1
			w.right(n.a)
			n.flag = 0
		}
	case kindPack:
		if member := w.inPack(a); member != 0 {
			w.right(member)
		}
	case kindTypeParam, kindConstrained:
		w.node(n.a)
	case kindValueParam:
		w.node(n.a)
		w.right(n.b)
	case kindTemplateParam:
		w.node(n.a)
		if n.c != 0 {
			w.string(" requires ")
			w.node(n.c)
		}
	case kindPackParam:
		w.right(n.a)
	}
}
