package table

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"proflens/internal/humanize"
)

// textForm is columns for reading in a terminal.
type textForm struct{ h Head }

func newText(h Head) *textForm { return &textForm{h} }

func (t *textForm) begin(b []byte) []byte {
	names := make([]Cell, len(t.h.Names))
	for i, name := range t.h.Names {
		names[i] = Text(name)
	}
	return t.line(b, names, func(i int) bool { return t.h.Widths[i] > 0 })
}

func (t *textForm) rows() rowFunc { return t.row }

func (t *textForm) row(b []byte, cells []Cell, _ bool) []byte {
	return t.line(b, cells, func(i int) bool {
		return cells[i].kind != textCell && cells[i].kind != hexCell && t.h.Widths[i] > 0
	})
}

func (t *textForm) end(b []byte, _ End) []byte { return b }

func (t *textForm) line(b []byte, cells []Cell, right func(i int) bool) []byte {
	for i, c := range cells {
		if i > 0 {
			b = append(b, ' ', ' ')
		}
		start := len(b)
		switch c.kind {
		case ratioCell:
			c = Text(percent(c.float()))
		case changeCell:
			c = Text(signedPercent(c.float()))
		case numberCell:
			c = Text(shortened(c.float()))
		}
		b = append(b, humanize.Long(string(c.append(nil)))...)
		pad := t.h.Widths[i] - utf8.RuneCount(b[start:])
		if pad <= 0 || i == len(cells)-1 && !right(i) {
			continue
		}
		spaces := strings.Repeat(" ", pad)
		if right(i) || c.kind == textCell && strings.HasSuffix(c.text, "%") {
			b = append(b[:start], append([]byte(spaces), b[start:]...)...)
		} else {
			b = append(b, spaces...)
		}
	}
	return append(b, '\n')
}

// shortened writes a number with two digits behind the point, or three in all below 1.
func shortened(v float64) string {
	if size := math.Abs(v); size >= 1e15 || size < 1 {
		return strconv.FormatFloat(v, 'g', 3, 64)
	}
	return strings.TrimSuffix(strings.TrimRight(strconv.FormatFloat(v, 'f', 2, 64), "0"), ".")
}

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
