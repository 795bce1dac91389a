package tables

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"strconv"
	"strings"
)

// jsonWriter writes the envelope of lists.
type jsonWriter struct {
	w    *bufio.Writer
	h    Head
	rows int
	room int // bytes that rows may still have; 0 without a limit
	b    []byte
}

func newJSON(w io.Writer, h Head) *jsonWriter {
	j := &jsonWriter{w: bufio.NewWriterSize(w, 32<<10), h: h}
	j.w.WriteString(`{"items":[`) // an error stays and is Flush's
	return j
}

func (j *jsonWriter) Row(cells []Cell) error {
	j.b = j.b[:0]
	if j.rows > 0 {
		j.b = append(j.b, ',')
	}
	j.rows++
	j.b = appendObject(j.b, j.h, cells)
	_, err := j.w.Write(j.b)
	if err == nil && j.room > 0 {
		if j.room = max(j.room-len(j.b), 0); j.room == 0 {
			return errFull
		}
	}
	return err
}

func (j *jsonWriter) End(e End) error {
	b := append(j.b[:0], `],"next_cursor":`...)
	if e.Next < 0 {
		b = append(b, "null"...)
	} else {
		b = append(strconv.AppendInt(append(b, '"'), int64(e.Next), 10), '"')
	}
	b = append(b, `,"total":`...)
	b = strconv.AppendInt(b, int64(e.Total), 10)
	b = append(b, e.More...)
	b = appendPartial(b, j.h.Partial)
	j.w.Write(append(b, '}', '\n'))
	return j.w.Flush()
}

// appendPartial appends a member that says what is missing, if anything is.
func appendPartial(b []byte, lines []string) []byte {
	if len(lines) == 0 {
		return b
	}
	b = append(b, `,"partial":[`...)
	for i, line := range lines {
		if i > 0 {
			b = append(b, ',')
		}
		b = AppendString(b, line)
	}
	return append(b, ']')
}

// AppendObject appends an item's columns as a JSON object, with counts as
// strings where quote is set.
func AppendObject[T any](b []byte, columns []Column[T], quote bool, item *T) []byte {
	cells := make([]Cell, len(columns))
	fill(cells, columns, item)
	return appendObject(b, headOf(columns, quote), cells)
}

// appendObject appends a row as a JSON object.
func appendObject(b []byte, h Head, cells []Cell) []byte {
	b = append(b, '{')
	first := true
	for i, c := range cells {
		if c.kind == absentCell {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b = append(AppendString(b, h.Names[i]), ':')
		b = appendCell(b, c, h.Quote)
	}
	return append(b, '}')
}

// appendCell appends a value as JSON.
func appendCell(b []byte, c Cell, quote bool) []byte {
	switch {
	case c.kind == nullCell:
		return append(b, "null"...)
	case c.kind == textCell:
		return AppendString(b, c.text)
	case c.kind == countCell && quote:
		return append(c.append(append(b, '"')), '"')
	}
	return c.append(b)
}

// AppendCount appends an exact integer, as a string where quote is set.
func AppendCount(b []byte, n uint64, quote bool) []byte {
	if quote {
		return append(strconv.AppendUint(append(b, '"'), n, 10), '"')
	}
	return strconv.AppendUint(b, n, 10)
}

// AppendString appends a JSON string; bytes that are not UTF-8 become U+FFFD.
// The < and > of C++ names stay as they are: JSON is never put into HTML.
func AppendString(b []byte, s string) []byte {
	plain := true
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= 0x7f {
			plain = false
			break
		}
	}
	if plain { // as nearly all names are
		b = append(b, '"')
		b = append(b, s...)
		return append(b, '"')
	}
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.Encode(strings.ToValidUTF8(s, "\ufffd")) // a string always can
	return append(b, text.Bytes()[:text.Len()-1]...)
}

// appendBig appends an exact integer of any size in decimal digits.
func appendBig(b []byte, decimal string, quote bool) []byte {
	if quote {
		return append(append(append(b, '"'), decimal...), '"')
	}
	return append(b, decimal...)
}
