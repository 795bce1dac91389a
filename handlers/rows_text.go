package handlers

import (
	"bufio"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// textRows writes columns for reading in a terminal.
type textRows struct {
	w *bufio.Writer
	h head
	b []byte
}

func newTextRows(w io.Writer, h head) (*textRows, error) {
	t := &textRows{w: bufio.NewWriterSize(w, 32<<10), h: h}
	names := make([]cell, len(h.names))
	for i, name := range h.names {
		names[i] = textOf(name)
	}
	return t, t.line(names, func(i int) bool { return h.widths[i] > 0 })
}

func (t *textRows) row(cells []cell) error {
	return t.line(cells, func(i int) bool { return cells[i].kind != textCell && t.h.widths[i] > 0 })
}

func (t *textRows) line(cells []cell, right func(i int) bool) error {
	t.b = t.b[:0]
	for i, c := range cells {
		if i > 0 {
			t.b = append(t.b, ' ', ' ')
		}
		start := len(t.b)
		if c.kind == ratioCell {
			c = textOf(percent(c.f))
		}
		t.b = append(t.b, printable(string(c.append(nil)))...)
		pad := t.h.widths[i] - utf8.RuneCount(t.b[start:])
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

func (t *textRows) end(int) error { return t.w.Flush() }

// printable replaces what a terminal would obey instead of showing.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return utf8.RuneError
	}, s)
}
