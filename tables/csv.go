package tables

import (
	"bufio"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// csvWriter writes RFC 4180 with a line of names first. Text is exact: a name keeps
// its own line ends, which is why encoding/csv, which makes them alike, does not
// serve.
type csvWriter struct {
	w     *bufio.Writer
	b     []byte
	names []string
	inert bool
}

func newCSV(w io.Writer, h Head) (*csvWriter, error) {
	c := &csvWriter{w: bufio.NewWriter(w), names: h.Names, inert: h.Guard}
	for i, name := range h.Names {
		c.field(i, name)
	}
	return c, c.line()
}

func (c *csvWriter) Row(cells []Cell) error {
	for i, cell := range cells {
		if cell.kind == textCell {
			text := cell.text
			if c.inert && c.names[i] != "linkage_name" {
				text = inert(text)
			}
			c.field(i, text)
			continue
		}
		c.b = cell.append(c.b[:0])
		c.field(i, string(c.b))
	}
	return c.line()
}

// field writes the i-th field of a line.
func (c *csvWriter) field(i int, text string) {
	if i > 0 {
		c.w.WriteByte(',')
	}
	text = strings.ToValidUTF8(text, "\ufffd")
	if !quoted(text) {
		c.w.WriteString(text)
		return
	}
	c.w.WriteByte('"')
	c.w.WriteString(strings.ReplaceAll(text, `"`, `""`))
	c.w.WriteByte('"')
}

// quoted reports whether a field needs quotes: for its own commas, quotes and line
// ends, and for blanks that some readers take away. PostgreSQL takes \. for the end.
func quoted(text string) bool {
	if text == "" {
		return false
	}
	first, _ := utf8.DecodeRuneInString(text)
	return text == `\.` || unicode.IsSpace(first) || strings.ContainsAny(text, ",\"\r\n")
}

func (c *csvWriter) line() error {
	_, err := c.w.WriteString("\r\n")
	return err
}

func (c *csvWriter) End(End) error { return c.w.Flush() }

// inert puts an apostrophe before text that a spreadsheet would take for a
// formula, as Objective-C's "-[View draw]" or a hostile name.
func inert(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r\n", rune(s[0])) {
		return "'" + s
	}
	return s
}
