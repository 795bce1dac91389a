package llvmcov

import (
	"io"
	"strconv"
)

// output gathers text and writes it in large pieces. The first error is kept, and
// what comes after it is lost.
type output struct {
	w   io.Writer
	buf []byte
	err error
}

const piece = 1 << 16

// flush writes what there is.
func (o *output) flush() error {
	if o.err == nil && len(o.buf) > 0 {
		_, o.err = o.w.Write(o.buf)
	}
	o.buf = o.buf[:0]
	return o.err
}

// spill writes what there is once it is a large piece.
func (o *output) spill() {
	if len(o.buf) >= piece {
		o.flush()
	}
}

func (o *output) text(s string) { o.buf = append(o.buf, s...) }

func (o *output) bytes(s []byte) { o.buf = append(o.buf, s...) }

func (o *output) byte(b byte) { o.buf = append(o.buf, b) }

func (o *output) uint(n uint64) { o.buf = strconv.AppendUint(o.buf, n, 10) }

func (o *output) int(n int) { o.buf = strconv.AppendInt(o.buf, int64(n), 10) }

func (o *output) repeat(b byte, n int) {
	for range n {
		o.buf = append(o.buf, b)
	}
}

// right is text in a column, at its right side.
func (o *output) right(s string, width int) {
	o.repeat(' ', width-len(s))
	o.text(s)
}

// left is text in a column, at its left side.
func (o *output) left(s string, width int) {
	o.text(s)
	o.repeat(' ', width-len(s))
}
