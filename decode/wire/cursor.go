// Package wire reads bytes that nobody vouches for: a bounds-checked cursor
// that knows which section it is in and where in the file, and that can tell
// afterwards what it read.
//
// Every decoder reads through a [Cursor], so an error's offset, `inspect` and
// the anatomy page come from the same code path as decoding.
package wire

import (
	"encoding/binary"
	"fmt"
	"math"

	"proflens/decode/model"
)

// Cursor walks one section of a file. The first failure is latched: later
// reads return zeros and change nothing, so layout code can read like the
// specification and ask Err once. The zero Cursor is empty.
type Cursor struct {
	data    []byte
	pos     int
	base    uint64 // file offset of data[0]
	section string
	big     bool // its fields are big-endian
	err     *model.FormatError
	rec     *Recorder

	allowance *Allowance // nil until it is asked for
}

// New returns a cursor over a whole section: its bytes, its name for errors,
// and the file offset of its first byte. It reads little-endian until SetOrder.
func New(section string, data []byte, base uint64) *Cursor {
	return &Cursor{data: data, base: base, section: section}
}

// Restart moves a cursor to other bytes of the same section, which it has in its order
// and with its recorder. A failure is forgotten.
func (c *Cursor) Restart(data []byte, base uint64) { c.data, c.pos, c.base, c.err = data, 0, base, nil }

// SetOrder sets the byte order of the fields that follow.
func (c *Cursor) SetOrder(bigEndian bool) { c.big = bigEndian }

// BigEndian reports the byte order.
func (c *Cursor) BigEndian() bool { return c.big }

// Record makes the cursor, and those later split off it, tell r what they
// read, and spend from its allowance. A nil r, the default, records nothing and costs
// nothing.
func (c *Cursor) Record(r *Recorder) {
	c.RecordSections(r)
	c.rec.section(c.section, c.base, uint64(len(c.data)))
}

// RecordSections is Record without a section for the cursor itself, for one
// over a whole file of sections.
func (c *Cursor) RecordSections(r *Recorder) {
	c.rec = nil
	if r.Records() {
		c.rec = r
	}
	if r != nil && r.Allowance != nil {
		c.allowance = r.Allowance
	}
}

// Section splits the next size bytes off as a cursor of their own and moves
// past them. It fails when fewer are left.
func (c *Cursor) Section(name string, size uint64) *Cursor {
	sub := &Cursor{base: c.Offset(), section: name, big: c.big, rec: c.rec, allowance: c.Allowance()}
	if size > c.Remaining() && c.err == nil {
		c.err = &model.FormatError{
			Kind: model.KindTruncated, Section: name, Offset: c.Offset(),
			Msg:      "the section runs past the end of the file",
			Expected: Plural(size, "byte"), Found: fmt.Sprint(c.Remaining()),
		}
	}
	if c.err != nil {
		sub.err = c.err
		return sub
	}
	sub.data = c.data[c.pos : c.pos+int(size) : c.pos+int(size)]
	c.pos += int(size)
	c.rec.section(name, sub.base, size)
	return sub
}

// Overrunning is Section for a section whose contents may run past its end, as
// far as the file goes: the cursor covers all that is left, while the section
// is recorded, and moved past, at its own size.
func (c *Cursor) Overrunning(name string, size uint64) *Cursor {
	rest := c.data[c.pos:]
	sub := c.Section(name, size)
	if sub.err == nil {
		sub.data = rest
	}
	return sub
}

// Within splits the next size bytes off and moves past them, as Section does,
// but as more of the same section: for one item of a table.
func (c *Cursor) Within(field string, size uint64) *Cursor {
	sub := *c
	sub.data = c.Bytes(field, size)
	sub.base, sub.pos, sub.err = c.Offset()-uint64(len(sub.data)), 0, c.err
	return &sub
}

// Offset is the position in the file.
func (c *Cursor) Offset() uint64 { return c.base + uint64(c.pos) }

// Remaining is how many bytes of the section are left.
func (c *Cursor) Remaining() uint64 { return uint64(len(c.data) - c.pos) }

// Err returns the first failure as a *model.FormatError, or nil.
func (c *Cursor) Err() error {
	if c.err == nil {
		return nil
	}
	return c.err
}

// Fail latches a fault at the current position and returns the latched error,
// which is an earlier one if there was one. expected and found are written as
// by fmt.Sprint, and may be empty.
func (c *Cursor) Fail(kind model.Kind, field, msg string, expected, found any) error {
	return c.FailAt(c.Offset(), kind, field, msg, expected, found)
}

// FailAt is Fail at another offset in the file.
func (c *Cursor) FailAt(offset uint64, kind model.Kind, field, msg string, expected, found any) error {
	if c.err == nil {
		c.err = &model.FormatError{
			Kind: kind, Section: c.section, Field: field, Offset: offset,
			Msg: msg, Expected: fmt.Sprint(expected), Found: fmt.Sprint(found),
		}
	}
	return c.err
}

// FailIn is Fail for a section that could not be split off.
func (c *Cursor) FailIn(section string, kind model.Kind, field, msg string, expected, found any) error {
	if c.err == nil {
		c.Fail(kind, field, msg, expected, found)
		c.err.Section = section
	}
	return c.err
}

// take returns the next n bytes, or nil after latching a truncation.
func (c *Cursor) take(field string, n int) []byte {
	if c.err != nil {
		return nil
	}
	if n > len(c.data)-c.pos {
		c.truncated(field, uint64(n))
		return nil
	}
	b := c.data[c.pos : c.pos+n : c.pos+n]
	c.pos += n
	return b
}

func (c *Cursor) truncated(field string, want uint64) {
	c.Fail(model.KindTruncated, field, "the data ends inside "+orThe(field),
		Plural(want, "byte"), c.Remaining())
}

func orThe(field string) string {
	if field == "" {
		return "a field"
	}
	return field
}

// number reads an integer of so many bytes, in the section's order.
func (c *Cursor) number(field string, size int) uint64 {
	b := c.take(field, size)
	if b == nil {
		return 0
	}
	var word [8]byte
	v := uint64(0)
	if c.big {
		copy(word[len(word)-size:], b)
		v = binary.BigEndian.Uint64(word[:])
	} else {
		copy(word[:], b)
		v = binary.LittleEndian.Uint64(word[:])
	}
	c.rec.number(field, c.Offset()-uint64(size), uint64(size), v)
	return v
}

// U8 reads one byte.
func (c *Cursor) U8(field string) uint8 {
	b := c.take(field, 1)
	if b == nil {
		return 0
	}
	c.rec.number(field, c.Offset()-1, 1, uint64(b[0]))
	return b[0]
}

// quick reports whether the next n bytes can be read as they are: they are there, in little
// endian, and nobody listens.
func (c *Cursor) quick(n int) bool {
	return c.rec == nil && c.err == nil && !c.big && n <= len(c.data)-c.pos
}

// U16 reads two bytes in the section's order.
func (c *Cursor) U16(field string) uint16 {
	if c.quick(2) {
		c.pos += 2
		return binary.LittleEndian.Uint16(c.data[c.pos-2:])
	}
	return uint16(c.number(field, 2))
}

// U32 reads four bytes in the section's order.
func (c *Cursor) U32(field string) uint32 {
	if c.quick(4) {
		c.pos += 4
		return binary.LittleEndian.Uint32(c.data[c.pos-4:])
	}
	return uint32(c.number(field, 4))
}

// U64 reads eight bytes in the section's order.
func (c *Cursor) U64(field string) uint64 {
	if c.quick(8) {
		c.pos += 8
		return binary.LittleEndian.Uint64(c.data[c.pos-8:])
	}
	return c.number(field, 8)
}

// Ptr reads an integer of the profiled program's pointer size, 4 or 8 bytes.
func (c *Cursor) Ptr(field string, size int) uint64 {
	if size == 4 {
		return uint64(c.U32(field))
	}
	return c.U64(field)
}

// Uint reads an integer of 1, 2, 4 or 8 bytes, whichever size says.
func (c *Cursor) Uint(field string, size uint64) uint64 {
	switch size {
	case 1:
		return uint64(c.U8(field))
	case 2:
		return uint64(c.U16(field))
	case 4:
		return uint64(c.U32(field))
	}
	return c.U64(field)
}

// ULEB reads an unsigned LEB128 of at most ten bytes. It fails when the data
// ends inside it (truncated) or when it does not fit 64 bits (malformed).
func (c *Cursor) ULEB(field string) uint64 {
	if c.err != nil {
		return 0
	}
	v, n := binary.Uvarint(c.data[c.pos:])
	switch {
	case n == 0:
		c.truncated(field, c.Remaining()+1)
		return 0
	case n < 0:
		c.Fail(model.KindMalformed, field, "the LEB128 does not fit 64 bits", "at most 10 bytes", "")
		return 0
	}
	c.pos += n
	c.rec.number(field, c.Offset()-uint64(n), uint64(n), v)
	return v
}

// Bytes returns the next n bytes without copying them.
func (c *Cursor) Bytes(field string, n uint64) []byte {
	if c.err != nil {
		return nil
	}
	if n > c.Remaining() {
		c.truncated(field, n)
		return nil
	}
	return c.take(field, int(n))
}

// Hex returns the next n bytes like Bytes and records them in hexadecimal: for
// short identifiers.
func (c *Cursor) Hex(field string, n uint64) []byte {
	at := c.Offset()
	b := c.Bytes(field, n)
	if c.rec != nil && c.err == nil {
		c.rec.field(field, at, n, fmt.Sprintf("%x", b[:min(len(b), maxHex)]))
	}
	return b
}

// SkipZeros moves past zero bytes, up to the file offset end.
func (c *Cursor) SkipZeros(end uint64) {
	for c.err == nil && c.pos < len(c.data) && c.Offset() < end && c.data[c.pos] == 0 {
		c.pos++
	}
}

// Skip moves past n bytes.
func (c *Cursor) Skip(field string, n uint64) { c.Bytes(field, n) }

// Rest returns what is left of the section and moves to its end.
func (c *Cursor) Rest() []byte { return c.Bytes("", c.Remaining()) }

// Count checks a claim of the file: that n elements of at least size bytes
// each can still follow. It returns n as an int, or latches a truncation and
// returns 0, so that nothing is allocated for what cannot be there.
func (c *Cursor) Count(field string, n, size uint64) int {
	if c.err != nil {
		return 0
	}
	if size == 0 || n > c.Remaining()/size || n > math.MaxInt32 {
		c.Fail(model.KindTruncated, field, "the count exceeds the bytes that are left",
			fmt.Sprintf("%d × %s", n, Plural(size, "byte")), Plural(c.Remaining(), "byte")+" left")
		return 0
	}
	return int(n)
}

// U64s reads len(dst) words into dst. It is the bulk form for counters and
// records nothing.
func (c *Cursor) U64s(field string, dst []uint64) {
	if c.err != nil {
		return
	}
	if uint64(len(dst)) > c.Remaining()/8 {
		c.truncated(field, 8*uint64(len(dst)))
		return
	}
	b := c.take(field, 8*len(dst))
	if c.big {
		for i := range dst {
			dst[i] = binary.BigEndian.Uint64(b[8*i:])
		}
		return
	}
	for i := range dst {
		dst[i] = binary.LittleEndian.Uint64(b)
		b = b[8:]
	}
}

// Note gives the field just read its meaning in the anatomy. Without a
// recorder it does nothing; guard costly arguments with Recording.
func (c *Cursor) Note(meaning string) { c.rec.note(meaning) }

// Describe gives the section a note in the anatomy. Without a recorder it does
// nothing.
func (c *Cursor) Describe(note string) { c.rec.describe(c.section, c.base, note) }

// Each describes a section of count elements that are alike, of fields fields
// and size bytes each: it calls describe with the cursor at every element of
// which a field is kept, in a section without a window the first most ones.
// The cursor covers the section, and stands at its begin.
func (c *Cursor) Each(count, fields, size, most uint64, describe func(i uint64)) {
	if c.rec == nil || count == 0 || fields == 0 {
		return
	}
	first, last := uint64(0), min(count, most)
	if c.rec.window == c.section {
		first = min(c.rec.from/fields, count)
		last = min(count, first+MaxFields/fields+2)
	}
	s := c.rec.find(c.section, c.base)
	if s == nil {
		return
	}
	s.next = first * fields
	c.pos = int(first * size)
	for i := first; i < last && c.err == nil; i++ {
		describe(i)
	}
	s.next = count * fields
}

// Recording reports whether somebody listens.
func (c *Cursor) Recording() bool { return c.rec != nil }

// Plural writes a number with its unit: "1 byte", "3 bytes".
func Plural[N ~int | ~int64 | ~uint32 | ~uint64](n N, unit string) string {
	if n == 1 {
		return "1 " + unit
	}
	return fmt.Sprintf("%d %ss", n, unit)
}
