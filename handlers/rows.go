package handlers

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// cell is one value of a table, as every format needs it.
type cell struct {
	kind cellKind
	text string // text, count
	n    uint64
	f    float64
}

type cellKind uint8

const (
	nullCell   cellKind = iota // null; empty in CSV and text
	absentCell                 // no key in JSON; empty elsewhere
	textCell
	countCell // an exact integer, quoted by counts=string; text where it passes 64 bits
	intCell   // an integer that JavaScript can hold
	ratioCell
	boolCell
	jsonCell // a list or an object, as JSON in every format
)

func textOf(s string) cell           { return cell{kind: textCell, text: s} }
func countOf(n uint64) cell          { return cell{kind: countCell, n: n} }
func bigCountOf(decimal string) cell { return cell{kind: countCell, text: decimal} }
func intOf(n uint64) cell            { return cell{kind: intCell, n: n} }
func ratioOf(f float64) cell         { return cell{kind: ratioCell, f: f} }
func jsonOf(b []byte) cell           { return cell{kind: jsonCell, text: string(b)} }
func boolOf(b bool) cell {
	c := cell{kind: boolCell}
	if b {
		c.n = 1
	}
	return c
}

// append writes the value as CSV and text show it, and as JSON does but for
// strings.
func (c cell) append(b []byte) []byte {
	switch c.kind {
	case textCell, jsonCell:
		return append(b, c.text...)
	case countCell, intCell:
		if c.text != "" {
			return append(b, c.text...)
		}
		return strconv.AppendUint(b, c.n, 10)
	case ratioCell:
		return strconv.AppendFloat(b, c.f, 'g', -1, 64)
	case boolCell:
		return strconv.AppendBool(b, c.n == 1)
	}
	return b
}

// column is one column of a table of T: its name in every format, and how wide
// the text format writes it (0: as long as it is).
type column[T any] struct {
	name  string
	width int
	value func(*T) cell
}

// pickColumns gives the columns that cols= names, in its order, or else those
// that are shown without being asked for.
func pickColumns[T any](all []column[T], names, usual []string) ([]column[T], error) {
	if len(names) == 0 {
		names = usual
	}
	picked := make([]column[T], 0, len(names))
	for _, name := range names {
		i := slices.IndexFunc(all, func(c column[T]) bool { return c.name == name })
		if i < 0 {
			known := make([]string, len(all))
			for i, c := range all {
				known[i] = c.name
			}
			return nil, &paramError{Param: "cols", Msg: fmt.Sprintf("%q is not a column; a list of %s is right", name, strings.Join(known, ", "))}
		}
		picked = append(picked, all[i])
	}
	return picked, nil
}

// rowWriter writes the rows of one table, one after another; nothing is held.
type rowWriter interface {
	// row writes the cells of a row, in the order of the head's names.
	row(cells []cell) error
	// end writes what stands after the last row.
	end(rows int) error
}

// head is what a rowWriter knows of its table.
type head struct {
	names  []string
	widths []int
	quote  bool // counts=string
}

func headOf[T any](columns []column[T], quote bool) head {
	h := head{quote: quote}
	for _, c := range columns {
		h.names = append(h.names, c.name)
		h.widths = append(h.widths, c.width)
	}
	return h
}

// newRowWriter begins an answer of rows; name is the download's, without ending.
func newRowWriter(w http.ResponseWriter, f Format, name string, h head) (rowWriter, error) {
	header := w.Header()
	switch f {
	case FormatCSV:
		header.Set("Content-Type", "text/csv; charset=utf-8; header=present")
		attach(w, name+".csv")
		return newCSVRows(w, h)
	case FormatNDJSON:
		header.Set("Content-Type", "application/x-ndjson")
		attach(w, name+".ndjson")
		return newNDJSONRows(w, h), nil
	case FormatText:
		header.Set("Content-Type", "text/plain; charset=utf-8")
		return newTextRows(w, h)
	}
	return nil, fmt.Errorf("format %q has no rows", f)
}

// jsonObject appends a row as a JSON object.
func jsonObject(b []byte, h head, cells []cell, str func([]byte, string) []byte) []byte {
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
		b = append(b, '"')
		b = append(b, h.names[i]...) // plain words
		b = append(b, '"', ':')
		switch {
		case c.kind == nullCell:
			b = append(b, "null"...)
		case c.kind == textCell:
			b = str(b, c.text)
		case c.kind == countCell && h.quote:
			b = append(b, '"')
			b = c.append(b)
			b = append(b, '"')
		default:
			b = c.append(b)
		}
	}
	return append(b, '}')
}

// appendString appends a JSON string; bytes that are not UTF-8 become U+FFFD.
func appendString(b []byte, s string) []byte {
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
	text, _ := marshal(strings.ToValidUTF8(s, "\ufffd")) // a string always can
	return append(b, text[:len(text)-1]...)
}

var _ json.Marshaler = exact("")

// exact is a decimal number of any size in a JSON object.
type exact string

// MarshalJSON writes the digits, or the string that counts=string made of them.
func (e exact) MarshalJSON() ([]byte, error) { return []byte(e), nil }

// exactly gives the way counts are written in objects.
func exactly(quote bool) func(decimal string) exact {
	return func(decimal string) exact {
		if quote {
			return exact(`"` + decimal + `"`)
		}
		return exact(decimal)
	}
}
