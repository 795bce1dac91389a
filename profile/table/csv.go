package table

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"proflens/internal/humanize"
)

// csvForm is RFC 4180 with a line of names first. Text is exact: a name keeps its own
// line ends, which is why encoding/csv, which makes them alike, does not serve.
type csvForm struct {
	names []string
	inert []bool // by column
}

func newCSV(h Head) *csvForm {
	c := &csvForm{names: h.Names, inert: make([]bool, len(h.Names))}
	for i, name := range h.Names {
		c.inert[i] = h.Guard && name != "linkage_name"
	}
	return c
}

func (c *csvForm) begin(b []byte) []byte {
	for i, name := range c.names {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendField(b, name)
	}
	return append(b, '\r', '\n')
}

// csvRow writes rows one after the other. Functions stand in the order of their totals, so that many
// have the share of the one before; and a name has several columns, of which most say the same.
type csvRow struct {
	*csvForm
	before []decimal // what was written last, by column
}

// decimal is the digits of a number with a fraction: to find the fewest takes longer than the rest
// of a row.
type decimal struct {
	bits uint64
	text []byte
}

func (c *csvForm) rows() rowFunc { return (&csvRow{c, make([]decimal, len(c.names))}).row }

func (c *csvRow) row(b []byte, cells []func() Cell, _ bool) []byte {
	last, from, to := "", 0, 0 // the last text, and where it stands in b
	for i, of := range cells {
		if i > 0 {
			b = append(b, ',')
		}
		cell := of()
		switch cell.kind {
		case textCell:
			text := cell.text
			if c.inert[i] {
				text = inert(text)
			}
			if text == last {
				b = append(b, b[from:to]...)
				continue
			}
			last, from = text, len(b)
			b = appendField(b, text)
			to = len(b)
		case ratioCell, changeCell, numberCell:
			d := &c.before[i]
			if d.bits != cell.n || len(d.text) == 0 {
				d.bits, d.text = cell.n, cell.append(d.text[:0])
			}
			b = append(b, d.text...)
		case jsonCell:
			b = appendField(b, cell.text)
		case nullCell, absentCell:
		case countCell, intCell: // as most are
			if b = append(b, cell.text...); cell.text == "" {
				b = humanize.AppendUint(b, cell.n)
			}
		default: // numbers need no quotes
			b = cell.append(b)
		}
	}
	return append(b, '\r', '\n')
}

func (c *csvForm) end(b []byte, _ End) []byte { return b }

// appendField appends a field, in quotes where it needs them: for its own commas, quotes
// and line ends, and for blanks that some readers take away. PostgreSQL takes \. for the
// end.
func appendField(b []byte, text string) []byte {
	plain := true
	for i := range len(text) {
		if !plainInCSV[text[i]] {
			plain = false
			break
		}
	}
	if plain { // as nearly all are
		return append(b, text...)
	}
	text = strings.ToValidUTF8(text, "\ufffd")
	first, _ := utf8.DecodeRuneInString(text)
	if text != `\.` && !unicode.IsSpace(first) && !strings.ContainsAny(text, ",\"\r\n") {
		return append(b, text...)
	}
	b = append(b, '"')
	b = append(b, strings.ReplaceAll(text, `"`, `""`)...)
	return append(b, '"')
}

// plainInCSV are the bytes that may stand anywhere in a field without quotes.
var plainInCSV = func() (plain [256]bool) {
	for c := '!'; c <= '~'; c++ {
		plain[c] = c != ',' && c != '"' && c != '\\'
	}
	return plain
}()

// inert puts an apostrophe before text that a spreadsheet would take for a
// formula, as Objective-C's "-[View draw]" or a hostile name.
func inert(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r\n", rune(s[0])) {
		return "'" + s
	}
	return s
}
