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
	return t.line(b, func(i int) (Cell, bool) { return Text(t.h.Names[i]), true })
}

func (t *textForm) rows() rowFunc { return t.row }

func (t *textForm) row(b []byte, cells []func() Cell, _ bool) []byte {
	return t.line(b, func(i int) (Cell, bool) {
		c := cells[i]()
		return c, c.kind != textCell && c.kind != hexCell
	})
}

func (t *textForm) end(b []byte, _ End) []byte { return b }

// line appends cells, each with whether it stands on the right.
func (t *textForm) line(b []byte, cell func(i int) (c Cell, right bool)) []byte {
	for i, width := range t.h.Widths {
		c, right := cell(i)
		right = right && width > 0
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
		pad := width - utf8.RuneCount(b[start:])
		if pad <= 0 || i == len(t.h.Widths)-1 && !right {
			continue
		}
		spaces := strings.Repeat(" ", pad)
		if right || c.kind == textCell && strings.HasSuffix(c.text, "%") {
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
