package instrprof

import (
	"bytes"
	"encoding/binary"

	"proflens/decode/wire"
)

// program is what the runs of one program have in common: records and names. They
// differ in counts, in value data, and in where the program was loaded. Nothing of it
// is a slice of a file.
type program struct {
	*rawHeader   // of the first run
	records      *recordLayout
	addressing   addressing
	data, vtable []byte // the sections
	names        nameText
	table        symtab
	vtableNames  int
	addresses    addressMap // where functions and vtables were in the first run
	same         []span     // the bytes of a record that are the same in all runs
	valued       []int32    // the records that own value data
	unnamed      uint64     // records without a name
	untimed      uint64     // records without room for a timestamp
	places       []Place    // of a sum, once that has the first run
}

// span is a part of a record.
type span struct{ from, to uint8 }

// nameText is the two sections of names as they stand in a file.
type nameText struct {
	functions, vtables       []byte
	endFunctions, endVTables uint64 // offsets in the file
}

// namesOf is the sections of names at two cursors, of which nothing was read yet.
func (p *rawPart) namesOf(names, vnames *wire.Cursor) nameText {
	section := func(c *wire.Cursor, size headerField) ([]byte, uint64) {
		b := c.Peek()
		n := min(p.word[size], uint64(len(b)))
		return b[:n], c.Offset() + n
	}
	var t nameText
	t.functions, t.endFunctions = section(names, namesSize)
	t.vtables, t.endVTables = section(vnames, vnamesSize)
	return t
}

// hold reports whether two cursors, once everything was read, are still in the
// sections: the last name can run over the end of its own.
func (t nameText) hold(names, vnames *wire.Cursor) bool {
	return names.Offset() <= t.endFunctions && vnames.Offset() <= t.endVTables
}

// newProgram is the program of a profile that was read whole.
func newProgram(p *rawPart, names nameText) *program {
	q := &program{
		rawHeader: p.rawHeader, records: p.records, addressing: p.addressing,
		data: bytes.Clone(p.data.bytes), vtable: bytes.Clone(p.vtables.bytes),
		names: nameText{functions: bytes.Clone(names.functions), vtables: bytes.Clone(names.vtables)},
		table: p.table.clone(), vtableNames: p.vtableNames, addresses: p.mapAddresses(),
	}
	q.table.text = bytes.Clone(q.table.text)
	q.same = sameSpans(p)
	for i := range p.numRecords() {
		record := p.record(i)
		if p.hasValueData(record) {
			q.valued = append(q.valued, int32(i))
		}
		if len(p.table.name(p.nameRef(i, record))) == 0 {
			q.unnamed++
		}
		if p.counterSize() == 1 && p.variant.Has(TemporalProf|FunctionEntryOnly) {
			if counters, _ := p.counterBytes(i, record); len(counters) > 0 {
				q.untimed++
			}
		}
	}
	return q
}

// sameSpans are the bytes of records that do not depend on where the program was
// loaded, those that stand together in one.
func sameSpans(p *rawPart) []span {
	var spans []span
	for _, f := range p.records.fields {
		switch f {
		case functionPtrField, valuesPtrField:
			continue
		case counterPtrField, uniformPtrField, bitmapPtrField:
			if p.addressing == absolute {
				continue
			}
		}
		from, size := p.records.at[f], p.records.size[f]
		if f == valueSitesField {
			size *= uint8(p.records.kinds)
		}
		if n := len(spans); n > 0 && spans[n-1].to == from {
			spans[n-1].to += size
		} else {
			spans = append(spans, span{from, from + size})
		}
	}
	return spans
}

// bytes is what a program takes in memory.
func (q *program) bytes() int {
	return len(q.data) + len(q.vtable) + len(q.names.functions) + len(q.names.vtables) + len(q.table.text) +
		24*len(q.table.symbols) +
		4*len(q.table.slots) + 24*(len(q.addresses.functions)+len(q.addresses.vtables)) + 4*len(q.valued) + 32*cap(q.places)
}

// hasRun reports whether a profile, whose sections are located and no more, is a run
// of the program, and how far its functions are from where they were.
func (q *program) hasRun(p *rawPart, names nameText) (slide uint64, ok bool) {
	if !q.sameShape(p) || !bytes.Equal(q.names.functions, names.functions) ||
		!bytes.Equal(q.names.vtables, names.vtables) {
		return 0, false
	}
	moved := shift{mask: 1<<(8*p.pointerSize) - 1}
	if p.pointerSize == 8 {
		moved.mask = 1<<64 - 1
	}
	size := int(p.records.total)
	pointers := q.pointers()
	for at := 0; at+size <= len(q.data); at += size {
		a, b := q.data[at:at+size], p.data.bytes[at:at+size]
		for _, s := range q.same {
			if !bytes.Equal(a[s.from:s.to], b[s.from:s.to]) {
				return 0, false
			}
		}
		if !moved.by(p.field(a, functionPtrField), p.field(b, functionPtrField)) {
			return 0, false
		}
		for _, f := range pointers {
			if p.field(a, f.pointer)-q.word[f.delta] != p.field(b, f.pointer)-p.word[f.delta] {
				return 0, false
			}
		}
	}
	return moved.slide, q.sameVTables(p, &moved)
}

// sameShape reports whether header and sections of a profile are as the program's.
func (q *program) sameShape(p *rawPart) bool {
	if q.format != p.format || q.version != p.version || q.variant != p.variant || q.pointerSize != p.pointerSize ||
		q.bigEndian != p.bigEndian ||
		q.records.kinds != p.records.kinds || len(q.data) != len(p.data.bytes) || len(q.vtable) != len(p.vtables.bytes) {
		return false
	}
	for _, f := range [...]headerField{
		numData, numCounters, numBitmapBytes, numUniformCounters, namesSize, numVTables, vnamesSize, valueKindLast,
	} {
		if q.word[f] != p.word[f] {
			return false
		}
	}
	differ := func(count, delta headerField) bool { // where a section is empty, its delta is of no use
		return q.addressing != absolute && q.word[count] > 0 && q.word[delta] != p.word[delta]
	}
	return !differ(numCounters, countersDelta) && !differ(numBitmapBytes, bitmapDelta) &&
		!differ(numUniformCounters, uniformCountersDelta)
}

// sectionPointer is a field of a record that points into a section.
type sectionPointer struct {
	pointer recordField
	delta   headerField
}

// pointers are those that depend on where the program was loaded.
func (q *program) pointers() []sectionPointer {
	if q.addressing != absolute {
		return nil
	}
	all := []sectionPointer{{counterPtrField, countersDelta}}
	if q.records.size[bitmapPtrField] > 0 {
		all = append(all, sectionPointer{bitmapPtrField, bitmapDelta})
	}
	if q.records.size[uniformPtrField] > 0 {
		all = append(all, sectionPointer{uniformPtrField, uniformCountersDelta})
	}
	return all
}

// shift finds out whether all addresses of a run are as far from those of another.
type shift struct {
	slide, mask uint64
	known       bool
}

// by takes an address of both runs, and reports whether it is as far as those before.
// 0 is no address, and stays.
func (s *shift) by(a, b uint64) bool {
	if a == 0 || b == 0 {
		return a == b
	}
	slide := (b - a) & s.mask
	if !s.known {
		s.slide, s.known = slide, true
	}
	return s.slide == slide
}

// sameVTables reports whether a profile has the vtables of the program, shifted as
// its functions are.
func (q *program) sameVTables(p *rawPart, moved *shift) bool {
	size, order := int(vtableSize(p.pointerSize)), byteOrder(p.bigEndian)
	pointer := func(b []byte) uint64 {
		if p.pointerSize == 4 {
			return uint64(order.Uint32(b[8:]))
		}
		return order.Uint64(b[8:])
	}
	length := func(b []byte) uint32 { return order.Uint32(b[8+p.pointerSize:]) }
	for at := 0; at+size <= len(q.vtable); at += size {
		a, b := q.vtable[at:at+size], p.vtables.bytes[at:at+size]
		if binary.NativeEndian.Uint64(a) != binary.NativeEndian.Uint64(b) || length(a) != length(b) ||
			!moved.by(pointer(a), pointer(b)) {
			return false
		}
	}
	return true
}
