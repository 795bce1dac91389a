package tables

import (
	"bufio"
	"fmt"
	"io"
)

// ndjsonWriter writes an object a line. The last line says how many there were,
// so that a reader can tell a whole answer from one that was cut off.
type ndjsonWriter struct {
	w *bufio.Writer
	h Head
	b []byte
}

func newNDJSON(w io.Writer, h Head) *ndjsonWriter {
	return &ndjsonWriter{w: bufio.NewWriterSize(w, 32<<10), h: h}
}

func (n *ndjsonWriter) Row(cells []Cell) error {
	n.b = append(appendObject(n.b[:0], n.h, cells), '\n')
	_, err := n.w.Write(n.b)
	return err
}

func (n *ndjsonWriter) End(e End) error {
	b := fmt.Appendf(n.b[:0], `{"_end":true,"rows":%d`, e.Rows)
	n.w.Write(append(appendPartial(b, n.h.Partial), '}', '\n')) // an error stays and is Flush's
	return n.w.Flush()
}
