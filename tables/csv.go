package tables

import (
	"encoding/csv"
	"io"
	"strings"
)

// csvWriter writes RFC 4180 with a line of names first.
type csvWriter struct {
	w      *csv.Writer
	fields []string
	b      []byte
}

func newCSV(w io.Writer, h Head) (*csvWriter, error) {
	c := &csvWriter{w: csv.NewWriter(w)}
	c.w.UseCRLF = true
	names := make([]string, len(h.Names))
	for i, name := range h.Names {
		names[i] = inert(name)
	}
	return c, c.w.Write(names)
}

func (c *csvWriter) Row(cells []Cell) error {
	c.fields = c.fields[:0]
	for _, cell := range cells {
		if cell.kind == textCell {
			c.fields = append(c.fields, inert(cell.text))
			continue
		}
		c.b = cell.append(c.b[:0])
		c.fields = append(c.fields, string(c.b))
	}
	return c.w.Write(c.fields)
}

func (c *csvWriter) End(End) error {
	c.w.Flush()
	return c.w.Error()
}

// inert puts an apostrophe before a name that a spreadsheet would take for a
// formula, as Objective-C's "-[View draw]" or a hostile one. NDJSON has names
// unchanged.
func inert(s string) string {
	s = strings.ToValidUTF8(s, "\ufffd")
	if s != "" && strings.ContainsRune("=+-@\t\r\n", rune(s[0])) {
		return "'" + s
	}
	return s
}
