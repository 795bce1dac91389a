package instrprof

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// rawPart is one of the profiles in a raw file: its header, where its sections
// are, and what is needed to read its records (instrprof.md §2.3).
type rawPart struct {
	*rawHeader
	number     int // 0 for the first of the file
	records    *recordLayout
	addressing addressing

	data, counters, bitmap, uniform, names, vtables extent

	namesAt     uint64 // where the section of names begins in the file
	table       symtab
	vtableNames int // index in table of the first name of a vtable
	binaryIDs   [][]byte
	correlation *correlation // what the executable had, when that had the records

	values    extent   // from the first value data block on, as far as blocks may reach
	runOf     *program // that the profile is a run of, if any is known
	slide     uint64   // how far its functions are from where the program's first run had them
	blocks    []uint32 // where its value data blocks begin, of a run
	addresses addressMap
	// valuesMissing says that records own value data which the file does not have.
	valuesMissing bool
	// wrapped has the counts of the header whose high bits were left out.
	wrapped []headerField

	allowance *wire.Allowance

	outline bool // only where the sections are is asked for
	upTo    bool // records before a fault in value data are wanted
	fault   *readFault
	salvage bool   // a file that ends too soon is read as far as it goes
	cut     string // the section that the file then ends in; empty for a whole profile
	lost    uint64 // bytes that are missing of the sections that the header counts
}

// extent is a section's bytes and their offset in the file.
type extent struct {
	bytes []byte
	at    uint64
	lost  uint64 // bytes of it that a salvaged file ends before
}

// size is that of the whole section.
func (e *extent) size() uint64 { return uint64(len(e.bytes)) + e.lost }

// readPart reads the header at the cursor, locates the sections, reads names
// and binary ids, and checks every record; it leaves the cursor at the end of
// the profile. Records are checked here, once, so that a file is either
// refused whole or read whole but for faults inside a value data block.
func readPart(c *wire.Cursor, number int, o rawOptions) (*rawPart, error) {
	p := &rawPart{number: number, salvage: o.salvage, outline: o.outline, upTo: o.upTo}
	var err error
	if p.rawHeader, err = readRawHeader(c, p.section("header")); err != nil {
		return nil, err
	}
	layouts := p.layouts()
	if len(layouts) > 1 {
		layouts = layouts[p.firstFit(*c, layouts, o.correlators):][:1]
	}
	p.records = layouts[0]
	if err := p.place(c, o.correlators, o.programs); err != nil {
		return nil, err
	}
	return p, nil
}

// firstFit is the index of the first layout by which the whole profile can be
// read, or 0 when there is none.
func (p *rawPart) firstFit(c wire.Cursor, layouts []*recordLayout, correlators []*Correlator) int {
	for i, l := range layouts {
		try := &rawPart{rawHeader: p.rawHeader, number: p.number, records: l, salvage: p.salvage}
		if try.place(c.Try(), correlators, nil) == nil {
			return i
		}
	}
	return 0
}

// section names a section of this profile, with its number when it is not the
// file's first.
func (p *rawPart) section(name string) string {
	if p.number == 0 {
		return name
	}
	return fmt.Sprintf("%s (profile %d)", name, p.number+1)
}

// place walks the sections in file order. A correlated profile's records come
// from its executable, and the names of a known program's run from its first.
func (p *rawPart) place(c *wire.Cursor, correlators []*Correlator, known *Programs) error {
	p.allowance = c.Allowance()
	if err := p.readBinaryIDs(c); err != nil {
		return err
	}
	data := p.take(c, "data", numData, p.records.total)
	p.data = p.extentOf(*data, numData, p.records.total)
	p.describeRecords(data)
	p.padding(c, paddingBeforeCounters)
	p.counters = p.extentOf(*p.words(c, "counters", numCounters, p.counterSize()), numCounters, p.counterSize())
	p.padding(c, paddingAfterCounters)
	p.bitmap = p.extentOf(*p.words(c, "bitmap", numBitmapBytes, 1), numBitmapBytes, 1)
	p.padding(c, paddingAfterBitmap)
	p.uniform = p.extentOf(*p.words(c, "uniform counters", numUniformCounters, 8), numUniformCounters, 8)
	p.padding(c, paddingAfterUniform)
	p.namesAt = c.Offset()
	names := p.nameSection(c, "names", namesSize)
	vtables := p.take(c, "vtables", numVTables, vtableSize(p.pointerSize))
	p.vtables = p.extentOf(*vtables, numVTables, vtableSize(p.pointerSize))
	p.describeVTables(vtables)
	vnames := p.nameSection(c, "vtable names", vnamesSize)
	if err := c.Err(); err != nil {
		return err
	}
	if p.outline {
		return p.findValueData(c)
	}
	text := p.namesOf(names, vnames)
	if known.recall(p, text) {
		return p.findValueData(c)
	}
	if err := p.correlate(correlators); err != nil {
		return err
	}
	if err := p.readNames(names, vnames); err != nil {
		return err
	}
	if err := p.checkRecords(); err != nil {
		return err
	}
	if text.hold(names, vnames) {
		known.learn(p, text)
	}
	return p.findValueData(c)
}

func (p *rawPart) readBinaryIDs(c *wire.Cursor) error {
	each := eachBinaryID
	if p.version <= 7 {
		each = eachUnpaddedID
	}
	size := p.word[binaryIDsSize]
	switch {
	case size <= c.Remaining():
	case p.endsIn("binary ids", size-c.Remaining()):
		c.Skip("binary ids", c.Remaining())
		return nil
	default:
		return c.Fail(model.KindBadHeader, "BinaryIdsSize", "the binary IDs run past the end of the file",
			wire.Plural(size, "byte"), c.Remaining())
	}
	return each(c, size, func(id []byte) { p.binaryIDs = append(p.binaryIDs, id) })
}

// take moves past the section that a header field counts in elements of size
// bytes. A header whose sizes pass the end of the file is a bad one.
func (p *rawPart) take(c *wire.Cursor, name string, count headerField, size uint64) *wire.Cursor {
	p.wrap(count, size, c.Remaining())
	n := p.word[count]
	have := p.fits(c, name, count, size)
	if have == 0 || c.Err() != nil {
		return wire.New(p.section(name), nil, c.Offset())
	}
	s := c.Section(p.section(name), have)
	switch {
	case !s.Recording():
	case have < n*size:
		s.Describe(fmt.Sprintf("the file ends in it: %d of %s", have, wire.Plural(n*size, "byte")))
	case size > 1:
		s.Describe(fmt.Sprintf("%d × %s", n, wire.Plural(size, "byte")))
	}
	return s
}

// wrap takes the high bits off a count that have no effect on llvm-profdata,
// which multiplies modulo 2^64, when the rest can be right: it fits into what is left.
func (p *rawPart) wrap(count headerField, size, left uint64) {
	kept := uint64(math.MaxUint64) >> bits.TrailingZeros64(size)
	n := p.word[count] & kept
	if over, bytes := bits.Mul64(n, size); n == p.word[count] || over != 0 || bytes > left {
		return
	}
	p.word[count] = n
	p.wrapped = append(p.wrapped, count)
}

// extentOf is a section whole, which a header field counts in elements of size
// bytes.
func (p *rawPart) extentOf(c wire.Cursor, count headerField, size uint64) extent {
	e := extent{at: c.Offset(), bytes: c.Rest()}
	e.lost = p.word[count]*size - uint64(len(e.bytes))
	return e
}

// describedRecords is how many records an anatomy shows field by field.
const describedRecords = 16

// describeRecords gives a recorder the fields of the first records.
func (p *rawPart) describeRecords(c *wire.Cursor) {
	if !c.Recording() {
		return
	}
	fields := uint64(len(p.records.fields))
	if p.records.kinds > 0 {
		fields += uint64(p.records.kinds) - 1 // one field for each
	}
	c.Each(c.Remaining()/p.records.total, fields, p.records.total, describedRecords, func(uint64) {
		start := c.Offset()
		for _, f := range p.records.fields {
			name, size := recordFields[f].name, uint64(p.records.size[f])
			c.Skip("padding", start+uint64(p.records.at[f])-c.Offset())
			if f != valueSitesField {
				c.Uint(name, size)
				continue
			}
			for kind := range p.records.kinds {
				c.Uint(fmt.Sprintf("%s[%d]", name, kind), size)
				c.Note(ValueKind(kind).String())
			}
		}
		c.Skip("padding", start+p.records.total-c.Offset())
	})
}

// words takes a section of numbers, which a recorder gets where it asks for
// them.
func (p *rawPart) words(c *wire.Cursor, name string, count headerField, size uint64) *wire.Cursor {
	s := p.take(c, name, count, size)
	each := *s
	each.Each(s.Remaining()/size, 1, size, 0, func(i uint64) { each.Uint(fmt.Sprintf("[%d]", i), size) })
	return s
}

// describeVTables gives a recorder the fields of vtable records.
func (p *rawPart) describeVTables(c *wire.Cursor) {
	if !c.Recording() {
		return
	}
	size := vtableSize(p.pointerSize)
	c.Each(c.Remaining()/size, 3, size, describedRecords, func(uint64) {
		start := c.Offset()
		c.U64("VTableNameHash")
		c.Ptr("VTablePointer", p.pointerSize)
		c.U32("VTableSize")
		c.Skip("padding", start+size-c.Offset())
	})
}

// fits is how many bytes of the elements are in what is left: all, or else it
// latches bad_header, unless the profile is to be salvaged.
func (p *rawPart) fits(c *wire.Cursor, name string, count headerField, size uint64) (have uint64) {
	over, bytes := bits.Mul64(p.word[count], size)
	switch {
	case c.Err() != nil:
		return 0
	case over == 0 && bytes <= c.Remaining():
		return bytes
	case over == 0 && p.endsIn(name, bytes-c.Remaining()):
		return c.Remaining()
	}
	err := c.FailIn(p.section(name), model.KindBadHeader, headerFields[count].name,
		"the section runs past the end of the file",
		fmt.Sprintf("%d × %s", p.word[count], wire.Plural(size, "byte")), wire.Plural(c.Remaining(), "byte"))
	if int64(p.word[count]*size) < 0 { // by which LLVM goes back, and finds no names
		_ = model.InLLVM(err, "failed to uncompress data (zlib)")
	}
	return 0
}

func (p *rawPart) padding(c *wire.Cursor, size headerField) { p.take(c, "padding", size, 1) }

// nameSection moves past a section of names and the padding after it, which
// the header does not count; version 1 has no such padding. It returns a
// cursor to read the names with, which may run over the section's end.
func (p *rawPart) nameSection(c *wire.Cursor, name string, size headerField) *wire.Cursor {
	n, pad := p.word[size], -p.word[size]%8
	if n != 0 && n+pad == 0 {
		// llvm-profdata adds sizes modulo 2^64: this one comes to nothing with
		// its padding, and one blob is read where it would be.
		return c.Overrunning(p.section(name), 0)
	}
	have := p.fits(c, name, size, 1)
	if n > 0 && have == 0 && c.Err() == nil {
		p.endsIn("padding", pad)
	}
	if have == 0 || c.Err() != nil {
		return wire.New(p.section(name), nil, c.Offset())
	}
	s := c.Overrunning(p.section(name), have)
	switch {
	case pad == 0:
	case p.version == 1:
		c.SkipZeros(c.Offset() + pad)
	case pad > c.Remaining() && p.endsIn("padding", pad-c.Remaining()):
		c.Skip("padding", c.Remaining())
	case pad > c.Remaining():
		c.FailIn(p.section(name), model.KindBadHeader, headerFields[size].name,
			"the padding after the section runs past the end of the file",
			wire.Plural(pad, "byte"), c.Remaining())
	default:
		c.Section(p.section("padding"), pad)
	}
	return s
}

// readNames reads the names of functions and vtables. In versions 1 and 2 the
// records point into the text, and checkRecords finds the names.
func (p *rawPart) readNames(names, vnames *wire.Cursor) error {
	if p.records.size[namePtrField] > 0 {
		size := p.word[namesSize]
		if p.cut != "" {
			size = min(size, names.Remaining())
		}
		p.names = extent{at: names.Offset(), bytes: names.Bytes("names", size), lost: p.word[namesSize] - size}
		p.table.text = p.names.bytes
		return names.Err()
	}
	if p.correlation != nil {
		p.table = p.correlation.names.clone()
	} else if err := p.addNames(names, p.word[namesSize]); err != nil {
		return err
	}
	p.vtableNames = len(p.table.symbols)
	return p.addNames(vnames, p.word[vnamesSize])
}

// numRecords is how many records the file has.
func (p *rawPart) numRecords() int { return len(p.data.bytes) / int(p.records.total) }

// record is the bytes of record i.
func (p *rawPart) record(i int) []byte {
	size := int(p.records.total)
	return p.data.bytes[i*size : (i+1)*size]
}

// field reads a field of a record, 0 where the version lacks it.
func (p *rawPart) field(record []byte, f recordField) uint64 {
	b := record[p.records.at[f]:]
	if p.bigEndian {
		switch p.records.size[f] {
		case 8:
			return binary.BigEndian.Uint64(b)
		case 4:
			return uint64(binary.BigEndian.Uint32(b))
		case 2:
			return uint64(binary.BigEndian.Uint16(b))
		}
		return 0
	}
	switch p.records.size[f] {
	case 8:
		return binary.LittleEndian.Uint64(b)
	case 4:
		return uint64(binary.LittleEndian.Uint32(b))
	case 2:
		return uint64(binary.LittleEndian.Uint16(b))
	}
	return 0
}
