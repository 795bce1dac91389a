package handlers

import (
	"bufio"
	"fmt"
	"io"
)

// ndjsonRows writes an object a line. The last line says how many there were,
// so that a reader can tell a whole answer from one that was cut off.
type ndjsonRows struct {
	w *bufio.Writer
	h head
	b []byte
}

func newNDJSONRows(w io.Writer, h head) *ndjsonRows {
	return &ndjsonRows{w: bufio.NewWriterSize(w, 32<<10), h: h}
}

func (n *ndjsonRows) row(cells []cell) error {
	n.b = append(jsonObject(n.b[:0], n.h, cells, appendString), '\n')
	_, err := n.w.Write(n.b)
	return err
}

func (n *ndjsonRows) end(rows int) error {
	fmt.Fprintf(n.w, `{"_end":true,"rows":%d}`+"\n", rows)
	return n.w.Flush()
}
