package tables

import (
	"bufio"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"proflens/say"
)

// textWriter writes columns for reading in a terminal.
type textWriter struct {
	w *bufio.Writer
	h Head
	b []byte
}

func newText(w io.Writer, h Head) (*textWriter, error) {
	t := &textWriter{w: bufio.NewWriterSize(w, 32<<10), h: h}
	names := make([]Cell, len(h.Names))
	for i, name := range h.Names {
		names[i] = Text(name)
	}
	return t, t.line(names, func(i int) bool { return h.Widths[i] > 0 })
}

func (t *textWriter) Row(cells []Cell) error {
	return t.line(cells, func(i int) bool { return cells[i].kind != textCell && t.h.Widths[i] > 0 })
}

func (t *textWriter) line(cells []Cell, right func(i int) bool) error {
	t.b = t.b[:0]
	for i, c := range cells {
		if i > 0 {
			t.b = append(t.b, ' ', ' ')
		}
		start := len(t.b)
		switch c.kind {
		case ratioCell:
			c = Text(percent(c.f))
		case changeCell:
			c = Text(signedPercent(c.f))
		}
		t.b = append(t.b, say.Long(string(c.append(nil)))...)
		pad := t.h.Widths[i] - utf8.RuneCount(t.b[start:])
		if pad <= 0 || i == len(cells)-1 && !right(i) {
			continue
		}
		spaces := strings.Repeat(" ", pad)
		if right(i) || c.kind == textCell && strings.HasSuffix(c.text, "%") {
			t.b = append(t.b[:start], append([]byte(spaces), t.b[start:]...)...)
		} else {
			t.b = append(t.b, spaces...)
		}
	}
	_, err := t.w.Write(append(t.b, '\n'))
	return err
}

func (t *textWriter) End(End) error { return t.w.Flush() }

// percent writes a share for a terminal.
func percent(share float64) string { return strconv.FormatFloat(share*100, 'f', 2, 64) + "%" }

// signedPercent writes a difference of shares; what rounds to nothing has no
// sign.
func signedPercent(change float64) string {
	s := percent(change)
	if s == "-0.00%" || s == "0.00%" {
		return "0.00%"
	}
	if change > 0 {
		return "+" + s
	}
	return s
}
