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
	case kindInvented:
		w.string(n.text)
		if n.b > 0 {
			w.out = strconv.AppendInt(w.out, int64(n.b)-1, 10)
		}
	case kindValueParam:
		w.left(n.b)
		if w.shapeOf(n.b)&hasRight == 0 {
			w.string(" ")
		}
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
		w.clause(" requires ", n.c)
	case kindPackParam:
		w.right(n.a)
	}
}
