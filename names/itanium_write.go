package names

import "math"

// noPack is the place in a pack while none is being expanded.
const noPack = math.MaxInt32

// writer writes a tree of nodes. A node is written in two halves, left and
// right: what stands between them is the name that is declared, or a pointer
// to what the node is.
type writer struct {
	tree *itanium
	out  []byte

	index, size int  // the place in the pack that is being expanded, and its members
	noArgs      bool // template arguments are left out
	short       bool // enclosing functions lose parameters and return type

	// A '>' outside parentheses could be taken for the end of template arguments, so it goes
	// into some; inTemplate is whether arguments are written, parens how deep inside.
	inTemplate bool
	parens     int

	depth, steps int
	full         bool // there is text enough
	stopped      bool // out of bounds: what is written is of no use
}

// write writes a tree in a mode. It reports false if that takes too long.
func (w *writer) write(tree *itanium, root ref, m Mode) (string, bool) {
	*w = writer{
		tree: tree, out: w.out[:0], index: noPack, size: noPack,
		noArgs: m == NoTemplates, short: m == Short || m == NoTemplates,
	}
	if w.short {
		w.bare(root)
	} else {
		w.node(root)
	}
	w.tree = nil
	if w.stopped || len(w.out) == 0 {
		return "", false
	}
	return string(w.out[:min(len(w.out), maxText)]), true
}

// bare writes the name of a function alone. That of a thunk keeps all.
func (w *writer) bare(root ref) {
	n := &w.tree.nodes[root]
	switch {
	case n.kind == kindEncoding:
		w.node(n.b)
	case n.kind == kindLead && n.flag == leadBlock:
		w.string(n.text)
		w.bare(n.a)
	default:
		w.node(root)
	}
}

func (w *writer) string(s string) { w.out = append(w.out, s...) }

func (w *writer) open(c byte) {
	if w.inTemplate {
		w.parens++
	}
	w.out = append(w.out, c)
}

func (w *writer) close(c byte) {
	if w.inTemplate {
		w.parens--
	}
	w.out = append(w.out, c)
}

// begin begins a step of work. It reports false when there were too many, or
// when there is text enough; otherwise end has to follow.
func (w *writer) begin() bool {
	w.full = w.full || len(w.out) > maxText
	if w.stopped || w.full {
		return false
	}
	w.steps++
	w.depth++
	if w.steps > maxSteps || w.depth > maxDrawing {
		w.stopped = true
		return false
	}
	return true
}

func (w *writer) end() { w.depth-- }

// node writes both halves.
func (w *writer) node(a ref) {
	if a == 0 {
		return
	}
	w.left(a)
	if w.tree.nodes[a].shape&(hasRight|varies) != 0 {
		w.right(a)
	}
}

// operand writes a node in parentheses if it binds no stronger than its
// surroundings: not as strongly, if stricter is 1.
func (w *writer) operand(a ref, around prec, stricter prec) {
	if w.tree.nodes[a].prec < around+stricter {
		w.node(a)
		return
	}
	w.open('(')
	w.node(a)
	w.close(')')
}

// list writes members with commas. One that writes nothing, such as an empty
// pack, has none.
func (w *writer) list(s span) {
	first := true
	for _, member := range w.tree.members(s) {
		before := len(w.out)
		if !first {
			w.string(", ")
		}
		after := len(w.out)
		w.operand(member, precComma, 0)
		if w.stopped || w.full {
			return
		}
		if len(w.out) == after {
			w.out = w.out[:before]
			continue
		}
		first = false
	}
}

// parenthesised writes a list in parentheses.
func (w *writer) parenthesised(s span) {
	w.open('(')
	w.list(s)
	w.close(')')
}

// listOf is the list of a node that is one, empty for none.
func (w *writer) listOf(a ref) span { return w.tree.nodes[a].list }

// args writes a list of template arguments.
func (w *writer) args(s span) { w.angled(func() { w.list(s) }) }

// angled writes something between '<' and '>'.
func (w *writer) angled(inner func()) {
	within, around := w.inTemplate, w.parens
	w.inTemplate, w.parens = true, 0
	w.string("<")
	inner()
	w.string(">")
	w.inTemplate, w.parens = within, around
}

// expansion writes a pattern once for each member of the pack in it.
func (w *writer) expansion(pattern ref) {
	index, size, start := w.index, w.size, len(w.out)
	w.index, w.size = noPack, noPack
	w.node(pattern)
	switch w.size {
	case noPack: // no pack in it, but perhaps a parameter that is one
		w.string("...")
	case 0:
		w.out = w.out[:start]
	default:
		for i := 1; i < w.size && !w.stopped && !w.full; i++ {
			w.string(", ")
			w.index = i
			w.node(pattern)
		}
	}
	w.index, w.size = index, size
}

// inPack is the member of a pack that is being written, 0 behind its end. The
// first pack in a pattern says how often that is written.
func (w *writer) inPack(pack ref) ref {
	s := w.listOf(pack)
	if w.size == noPack {
		w.index, w.size = 0, int(s.n)
	}
	if w.index >= int(s.n) {
		return 0
	}
	return w.tree.refs[int(s.start)+w.index]
}

// shapeOf is the shape of a type, which in a pack depends on the member.
func (w *writer) shapeOf(a ref) shape {
	n := &w.tree.nodes[a]
	if n.shape&varies == 0 {
		return n.shape
	}
	if !w.begin() {
		return 0
	}
	defer w.end()
	switch n.kind {
	case kindPack:
		if a = w.inPack(a); a == 0 {
			return 0
		}
		return w.shapeOf(a)
	case kindForward:
		if n.flag != 0 || n.a == 0 {
			return 0
		}
		n.flag = 1
		s := w.shapeOf(n.a)
		w.tree.nodes[a].flag = 0
		return s
	case kindPointer, kindReference:
		return w.shapeOf(n.a) & hasRight
	case kindMemberPointer:
		return w.shapeOf(n.b) & hasRight
	case kindQualifiers, kindTagged:
		return w.shapeOf(n.a)
	}
	return n.shape &^ varies
}
