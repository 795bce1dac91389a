package table

import "fmt"

// ndjsonForm is an object a line. The last line says how many there were, so that a
// reader can tell a whole answer from one that was cut off.
type ndjsonForm struct {
	h    Head
	keys []string
}

func newNDJSON(h Head) *ndjsonForm { return &ndjsonForm{h, keysOf(h.Names)} }

func (n *ndjsonForm) begin(b []byte) []byte { return b }

func (n *ndjsonForm) rows() rowFunc { return n.row }

func (n *ndjsonForm) row(b []byte, cells []func() Cell, _ bool) []byte {
	return append(appendCells(b, n.keys, n.h.Quote, func(i int) Cell { return cells[i]() }), '\n')
}

func (n *ndjsonForm) end(b []byte, e End) []byte {
	b = fmt.Appendf(b, `{"_end":true,"rows":%d`, e.Rows)
	return append(appendPartial(b, n.h.Partial), '}', '\n')
}
