package instrprof

import (
	"bytes"
	"fmt"
	"math"
	"strings"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// externalSymbol stands for value 0 among the targets of a value site.
const externalSymbol = "** External Symbol **"

// textReader parses records (instrprof.md §5.1) into one reused Function.
type textReader struct {
	lines  lines
	f      Function
	target func(ref uint64, name []byte) // hears of value targets; may be nil
	keeps  bool                          // bitmaps, for records that have none
	err    error                         // the first fault; it ends the reading

	counters []uint64
	bitmap   []byte
	values   []Value
	ends     [NumValueKinds][]siteSpan
	sites    [NumValueKinds][]ValueSite
	bare     bool // without the NameRefs of records
}

// siteSpan locates a site's values while more of them are still appended.
type siteSpan struct{ first, end int }

// next parses the record that starts at the current line; false at the end of
// the file and at a fault.
func (r *textReader) next() bool {
	l := &r.lines
	if l.eof || r.err != nil {
		return false
	}
	start := l.offset
	r.name("Name", l.line)
	if r.f.Name, r.f.NameRef = l.line, 0; !r.bare {
		r.f.NameRef = NameRef(l.line)
	}
	l.advance()
	r.f.FuncHash = r.number("FuncHash", "the function hash is not a valid integer", true, math.MaxUint64)
	r.readCounters()
	r.readBitmap()
	r.readValueData()
	r.f.Offset, r.f.Size = uint64(start), uint64(l.end-start)
	return r.err == nil
}

// number parses the current line, up to the given maximum, and moves on.
func (r *textReader) number(field, msg string, auto bool, most uint64) uint64 {
	if !r.need(field) {
		return 0
	}
	v, ok := parseUint(r.lines.line, auto)
	if !ok || v > most {
		r.fail(model.KindMalformed, field, msg, "")
		return 0
	}
	r.lines.advance()
	return v
}

// name refuses a name in the current line that is longer than any.
func (r *textReader) name(field string, name []byte) {
	if len(name) > model.MaxName {
		r.fail(model.KindTooLarge, field, "the name of "+wire.Plural(len(name), "byte")+" is implausibly long",
			model.NameBound)
	}
}

// need reports whether there is a current line, which the record must have.
func (r *textReader) need(field string) bool {
	if r.err == nil && r.lines.eof {
		r.fail(model.KindTruncated, field, "the file ends inside a record", "")
	}
	return r.err == nil
}

// count parses a count of what takes at least one line each, and refuses more
// than there are lines for.
func (r *textReader) count(field, msg string, auto bool, most uint64) uint64 {
	line := r.lines
	n := r.number(field, msg, auto, most)
	if left := r.lines.left(); r.err == nil && n > left {
		r.lines = line
		r.fail(model.KindTruncated, field, "the count exceeds the lines that are left", fmt.Sprintf("at most %d", left))
		return 0
	}
	return n
}

// fail latches a fault at the current line.
func (r *textReader) fail(kind model.Kind, field, msg, expected string) {
	if r.err != nil {
		return
	}
	e := &model.FormatError{
		Kind: kind, Section: "function record", Field: field, Offset: uint64(r.lines.offset),
		Msg: msg, Expected: expected,
	}
	switch field {
	case "FuncHash", "NumCounters", "Counter", "NumBitmapBytes", "BitmapByte", "ValueKind":
		if kind == model.KindMalformed {
			e.LLVM = ": " + strings.TrimPrefix(msg, "the ")
		}
	}
	if !r.lines.eof {
		e.Found = quote(r.lines.line)
	}
	r.err = e
}

func (r *textReader) readCounters() {
	if !r.need("NumCounters") {
		return
	}
	line := r.lines
	n := r.count("NumCounters", "the number of counters is not a valid integer", false, math.MaxUint64)
	if r.err == nil && n == 0 {
		r.lines = line
		r.fail(model.KindMalformed, "NumCounters", "the number of counters is zero", "")
	}
	r.f.Counters = grow(&r.counters, int(n))
	for i := r.lines.numbers(r.f.Counters); i < len(r.f.Counters); i += 1 + r.lines.numbers(r.f.Counters[i+1:]) {
		if r.f.Counters[i] = r.number("Counter", "the count is invalid", false, math.MaxUint64); r.err != nil {
			return
		}
	}
}

// readBitmap reads the optional bitmap, whose count has a '$' before it.
func (r *textReader) readBitmap() {
	if !r.keeps {
		r.f.Bitmap = nil
	}
	if r.err != nil || !bytes.HasPrefix(r.lines.line, []byte("$")) {
		return
	}
	n, ok := parseUint(bytes.Trim(r.lines.line[1:], " \t\n\v\f\r"), true)
	if !ok {
		r.fail(model.KindMalformed, "NumBitmapBytes", "the number of bitmap bytes is not a valid integer", "")
		return
	}
	if left := r.lines.left(); n > left {
		r.fail(model.KindTruncated, "NumBitmapBytes", "the count exceeds the lines that are left",
			fmt.Sprintf("at most %d", left))
		return
	}
	r.lines.advance()
	r.f.Bitmap = grow(&r.bitmap, int(n))
	for i := range r.f.Bitmap {
		if r.f.Bitmap[i] = byte(r.number("BitmapByte", "the bitmap byte is not a valid integer", true, 255)); r.err != nil {
			return
		}
	}
}

// readValueData reads the optional value data. It is there if the next line is
// a decimal number of 32 bits, so that a function of such a name cannot follow
// a record without value data; LLVM has the same ambiguity.
func (r *textReader) readValueData() {
	r.f.Sites = [NumValueKinds][]ValueSite{}
	if r.err != nil || r.lines.eof {
		return
	}
	kinds, ok := parseUint(r.lines.line, false)
	if !ok || kinds > math.MaxUint32 {
		return
	}
	if kinds == 0 || kinds > NumValueKinds {
		r.fail(model.KindMalformed, "NumValueKinds", "the number of value kinds is invalid",
			fmt.Sprintf("1 to %d", NumValueKinds))
		return
	}
	r.lines.advance()
	r.values = r.values[:0]
	for k := range r.ends {
		r.ends[k], r.sites[k] = r.ends[k][:0], r.sites[k][:0]
	}
	for range kinds {
		r.readKind()
	}
	if r.err != nil {
		return
	}
	for k, spans := range r.ends {
		for _, s := range spans {
			r.sites[k] = append(r.sites[k], r.values[s.first:s.end:s.end])
		}
	}
	r.f.Sites = r.sites
}

// readKind reads the sites of one value kind. A kind that comes twice goes on
// with its first list of sites.
func (r *textReader) readKind() {
	kind := r.number("ValueKind", "the value kind is invalid", false, NumValueKinds-1)
	sites := r.count("NumValueSites", "the number of value sites is not a valid integer", false, math.MaxUint32)
	for ; sites > 0 && r.err == nil; sites-- {
		first := len(r.values)
		n := r.number("NumValues", "the number of values is not a valid integer", false, math.MaxUint32)
		for ; n > 0 && r.err == nil; n-- {
			r.readValue(ValueKind(kind))
		}
		r.ends[kind] = append(r.ends[kind], siteSpan{first, len(r.values)})
	}
}

// readValue reads one line "value:count", split at the last colon.
func (r *textReader) readValue(kind ValueKind) {
	if !r.need("Value") {
		return
	}
	line := r.lines.line
	colon := bytes.LastIndexByte(line, ':')
	if colon < 0 {
		r.fail(model.KindMalformed, "Value", "the value has no count", "VALUE:COUNT")
		return
	}
	var v Value
	var ok bool
	name := line[:colon]
	switch {
	case kind == MemOPSize:
		if v.Value, ok = parseUint(name, false); !ok {
			r.fail(model.KindMalformed, "Value", "the value is not a valid integer", "")
			return
		}
	case len(name) == 0:
		r.fail(model.KindMalformed, "Value", "the name of the target is empty", "")
		return
	case string(name) != externalSymbol:
		r.name("Value", name)
		v.Value = NameRef(name)
		if r.target != nil {
			r.target(v.Value, name)
		}
	}
	if v.Count, ok = parseUint(line[colon+1:], false); !ok {
		r.fail(model.KindMalformed, "Count", "the count of the value is not a valid integer", "")
		return
	}
	r.values = append(r.values, v)
	r.lines.advance()
}
