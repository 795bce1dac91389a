package table

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
)

// jsonForm is the envelope of lists.
type jsonForm struct {
	h    Head
	keys []string
}

func newJSON(h Head) *jsonForm { return &jsonForm{h, keysOf(h.Names)} }

func (j *jsonForm) begin(b []byte) []byte { return append(b, `{"items":[`...) }

func (j *jsonForm) rows() rowFunc { return j.row }

func (j *jsonForm) row(b []byte, cells []func() Cell, first bool) []byte {
	if !first {
		b = append(b, ',')
	}
	return appendCells(b, j.keys, j.h.Quote, func(i int) Cell { return cells[i]() })
}

func (j *jsonForm) end(b []byte, e End) []byte {
	b = append(b, `],"next_cursor":`...)
	if e.Next < 0 {
		b = append(b, "null"...)
	} else {
		b = append(strconv.AppendInt(append(b, '"'), int64(e.Next), 10), '"')
	}
	b = append(b, `,"total":`...)
	b = strconv.AppendInt(b, int64(e.Total), 10)
	b = append(b, e.More...)
	b = appendPartial(b, j.h.Partial)
	return append(b, '}', '\n')
}

// keysOf are the keys of objects, each with its colon.
func keysOf(names []string) []string {
	keys := make([]string, len(names))
	for i, name := range names {
		keys[i] = string(append(AppendString(nil, name), ':'))
	}
	return keys
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

// appendObject appends a row's columns as a JSON object.
func appendObject(b []byte, columns []*Field, o *Options, row reflect.Value) []byte {
	return appendCells(b, keysOf(ColumnNames(columns)), o.Quote, func(i int) Cell { return columns[i].Cell(row, o) })
}

// appendCells appends the cells of a row as a JSON object.
func appendCells(b []byte, keys []string, quote bool, cell func(i int) Cell) []byte {
	b = append(b, '{')
	first := true
	for i, key := range keys {
		c := cell(i)
		if c.kind == absentCell {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b = AppendCell(append(b, key...), c, quote)
	}
	return append(b, '}')
}

// AppendCell appends a value as JSON.
func AppendCell(b []byte, c Cell, quote bool) []byte {
	switch {
	case c.kind == nullCell:
		return append(b, "null"...)
	case c.kind == textCell:
		return AppendString(b, c.text)
	case c.kind == hexCell || c.kind == countCell && quote:
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

// AppendBig appends an exact integer of any size in decimal digits.
func AppendBig(b []byte, decimal string, quote bool) []byte {
	if quote {
		return append(append(append(b, '"'), decimal...), '"')
	}
	return append(b, decimal...)
}
