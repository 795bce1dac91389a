package instrprof

import (
	"fmt"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// Counters of two records may overlap, and a bug may make some do; but records
// that claim the section over and over are there to exhaust memory, or time. What they
// claim beyond the section is of the allowance, too.
const (
	maxOverlap      = 16      // times a section may be claimed,
	maxOverlapSlack = 1 << 20 // plus so many bytes
)

// checkRecords checks that counters, bitmap bytes and names of every record are
// in their sections.
func (p *rawPart) checkRecords() error {
	var first error
	firstAt := 0
	for _, a := range p.addressings() {
		p.addressing = a
		at, err := p.checkPointers()
		if err == nil {
			return nil
		}
		if first == nil {
			first, firstAt = err, at
		}
	}
	if p.addressing = p.addressings()[0]; p.endsAt(firstAt, first) {
		return nil
	}
	return first
}

// addressings are the ways in which records may point at counters, likeliest
// first. Correlated records have offsets, and the deltas are 0.
func (p *rawPart) addressings() []addressing {
	if p.correlation != nil {
		return []addressing{absolute}
	}
	return p.format.pointers
}

// checkPointers checks the records by one way to address counters. With an error it says
// at which record that is.
func (p *rawPart) checkPointers() (at int, err error) {
	var counters, bitmap, names uint64
	for i := range p.numRecords() {
		r := p.record(i)
		n := p.field(r, recordCounters)
		if n == 0 {
			return i, model.InLLVM(p.recordFault(i, recordCounters, model.KindMalformed, "the number of counters is zero",
				"1 or more", "0"), ": number of counters is zero")
		}
		b, err := p.counterBytes(i, r)
		if err != nil && err != errPastEnd {
			return i, err
		}
		counters += uint64(len(b))
		if b, err = p.bitmapBytes(i, r); err != nil && err != errPastEnd {
			return i, err
		}
		bitmap += uint64(len(b))
		if _, err := p.uniformBytes(i, r); err != nil && err != errPastEnd {
			return i, err
		}
		if p.records.size[namePtrField] > 0 {
			at, size, err := p.pointedName(i, r)
			if err == errPastEnd {
				continue
			}
			if err != nil {
				return i, err
			}
			if names += uint64(size); names <= claimable(len(p.names.bytes)) {
				p.table.insert(NameRef(p.names.bytes[at:at+size]), at, size)
			}
		}
	}
	for _, claim := range []struct {
		bytes uint64
		of    extent
		name  string
		width uint64 // bytes in memory for each
	}{
		{counters, p.counters, "counters", 8 / p.counterSize()},
		{bitmap, p.bitmap, "bitmap", 1},
		{names, p.names, "names", 1},
	} {
		size := uint64(len(claim.of.bytes))
		if claim.bytes > claimable(len(claim.of.bytes)) || claim.bytes > size &&
			!p.allowance.Take(claim.width*(claim.bytes-size)) {
			return 0, &model.FormatError{
				Kind: model.KindTooLarge, Section: p.section("data"), Offset: p.data.at,
				Msg:      "many records claim the same " + claim.name,
				Expected: wire.Plural(len(claim.of.bytes), "byte"), Found: fmt.Sprint(claim.bytes),
			}
		}
	}
	return 0, nil
}

// claimable is how many bytes the records may claim of a section of size bytes.
func claimable(size int) uint64 { return maxOverlap*uint64(size) + maxOverlapSlack }

// recordFault is a fault in a field of record i.
func (p *rawPart) recordFault(i int, f recordField, kind model.Kind, msg string, expected, found any) error {
	return &model.FormatError{
		Kind: kind, Section: p.section("data"), Field: recordFields[f].name,
		Offset: p.data.at + uint64(i)*p.records.total + uint64(p.records.at[f]),
		Msg:    fmt.Sprintf("record %d: %s", i, msg), Expected: fmt.Sprint(expected), Found: fmt.Sprint(found),
	}
}

// offset turns a record's pointer into an offset in the section that delta
// stands for (instrprof.md §2.4).
func (p *rawPart) offset(i int, pointer, delta uint64) int64 {
	d := pointer - delta
	if p.addressing != absolute {
		d += uint64(i) * p.records.total
	}
	if p.pointerSize == 4 || p.addressing == narrow {
		return int64(int32(d))
	}
	return int64(d)
}

// slice is n elements of size bytes of a section, at the place where a pointer
// of record i points. count is the record's field that gave n. They may be among
// those that a salvaged file has lost: errPastEnd.
func (p *rawPart) slice(i int, of extent, pointer recordField, at int64, count recordField,
	n, size uint64) ([]byte, error) {
	have := of.size()
	place, number := "counter offset", "number of counters"
	if pointer == bitmapPtrField {
		place, number = "bitmap offset", "number of bitmap bytes"
	}
	switch {
	case at < 0 || uint64(at) >= have:
		says := fmt.Sprintf(": %s %d is greater than the maximum %[1]s %[3]d", place, at, int64(have)-1)
		if at < 0 {
			says = fmt.Sprintf(": %s %d is negative", place, at)
		}
		return nil, model.InLLVM(p.recordFault(i, pointer, model.KindMalformed, "the pointer is outside of its section",
			fmt.Sprintf("an offset below %d", have), at), says)
	case n > (have-uint64(at))/size:
		most := (have - uint64(at)) / size
		return nil, model.InLLVM(p.recordFault(i, count, model.KindMalformed, "the count runs past the end of its section",
			fmt.Sprintf("at most %d", most), n),
			fmt.Sprintf(": %s %d is greater than the maximum %[1]s %[3]d", number, n, most))
	}
	if uint64(at)+n*size > uint64(len(of.bytes)) {
		return nil, errPastEnd
	}
	return of.bytes[at : uint64(at)+n*size], nil
}

func (p *rawPart) counterBytes(i int, r []byte) ([]byte, error) {
	at := p.offset(i, p.field(r, counterPtrField), p.word[countersDelta])
	return p.slice(i, p.counters, counterPtrField, at, recordCounters, p.field(r, recordCounters), p.counterSize())
}

func (p *rawPart) bitmapBytes(i int, r []byte) ([]byte, error) {
	n := p.field(r, recordBitmapBytes)
	if n == 0 {
		return nil, nil
	}
	at := p.offset(i, p.field(r, bitmapPtrField), p.word[bitmapDelta])
	return p.slice(i, p.bitmap, bitmapPtrField, at, recordBitmapBytes, n, 1)
}

// uniformBytes is the record's uniform counters; host functions beside GPU
// functions have none and a null pointer.
func (p *rawPart) uniformBytes(i int, r []byte) ([]byte, error) {
	pointer := p.field(r, uniformPtrField)
	if p.uniform.size() == 0 || pointer == 0 {
		return nil, nil
	}
	at := p.offset(i, pointer, p.word[uniformCountersDelta])
	return p.slice(i, p.uniform, uniformPtrField, at, recordCounters, p.field(r, recordCounters), 8)
}

// pointedName is where the name of a version 1 or 2 record is in the names
// section: NamePtr less NamesDelta.
func (p *rawPart) pointedName(i int, r []byte) (at, size int, err error) {
	d := p.field(r, namePtrField) - p.word[namesDelta]
	if p.pointerSize == 4 {
		d = uint64(uint32(d))
	}
	n, have := p.field(r, nameSizeField), p.names.size()
	if d > have || n > have-d {
		return 0, 0, p.recordFault(i, namePtrField, model.KindMalformed, "the name is outside of the names section",
			fmt.Sprintf("to end by offset %d", have), fmt.Sprintf("offset %d, %s", int64(d), wire.Plural(n, "byte")))
	}
	if n > model.MaxName {
		return 0, 0, p.recordFault(i, nameSizeField, model.KindTooLarge, "the name is too long", model.NameBound,
			n)
	}
	if d+n > uint64(len(p.names.bytes)) {
		return 0, 0, errPastEnd
	}
	return int(d), int(n), nil
}
