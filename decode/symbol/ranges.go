package symbol

import (
	"debug/dwarf"
	"fmt"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// The kinds of entries in .debug_rnglists (DWARF 5 §7.25).
const (
	rleEndOfList    = 0
	rleBaseAddressx = 1
	rleStartxEndx   = 2
	rleStartxLength = 3
	rleOffsetPair   = 4
	rleBaseAddress  = 5
	rleStartEnd     = 6
	rleStartLength  = 7
)

// maxRangeReads is how often the lists of ranges may be read. Each belongs to
// one entry; entries that share long ones are made to exhaust us.
const maxRangeReads = 2

// ranges calls add with the stretches of code of an entry of the unit.
func (s *Symbolizer) ranges(u *compileUnit, e *Entry, add func(low, high uint64)) error {
	low, hasLow := e.Address(dwarf.AttrLowpc)
	if high, ok := e.highPC(low); ok && hasLow {
		if high > low && low != u.noAddress() {
			add(low, high)
		}
		return nil
	}
	v, ok := e.find(dwarf.AttrRanges)
	if !ok {
		return nil
	}
	list := rangeList{u: u, base: u.base(), add: add}
	if u.version >= 5 {
		return s.readRanges(&u.d.rnglists, u.rangesAt(v), list.readEntry)
	}
	at := v.number
	if u.skeleton != nil {
		at += u.gnuRangesBase
	}
	return s.readRanges(&u.d.ranges, at, list.readPair)
}

// highPC is the first address after an entry's code: a constant is its size.
func (e *Entry) highPC(low uint64) (uint64, bool) {
	if size, ok := e.Uint(dwarf.AttrHighpc); ok {
		return low + size, true
	}
	return e.Address(dwarf.AttrHighpc)
}

// rangesAt is the offset of a list in .debug_rnglists.
func (u *compileUnit) rangesAt(v value) uint64 {
	if v.form != formRnglistx {
		return v.number + u.rnglistsStart
	}
	offset, ok := u.d.number(&u.d.rnglists, u.rnglistsBase, v.number, u.offsetSize())
	if !ok {
		return ^uint64(0)
	}
	return u.rnglistsBase + offset
}

// noAddress is what linkers write as the address of code that they removed.
func (u *compileUnit) noAddress() uint64 {
	if u.addrSize == 4 {
		return 0xffffffff
	}
	return ^uint64(0)
}

// base is the address that the unit's ranges are relative to at first.
func (u *compileUnit) base() uint64 {
	if u.skeleton != nil {
		return u.skeleton.lowPC
	}
	return u.lowPC
}

// readRanges reads a list from its offset on until read returns false.
func (s *Symbolizer) readRanges(section *debugSection, offset uint64, read func(*wire.Cursor) bool) error {
	if offset >= uint64(len(section.data)) {
		if len(section.data) == 0 {
			return nil // the section was removed
		}
		c := s.d.cursor(section)
		return s.d.fault(section, c.FailAt(section.base(), model.KindTruncated, "DW_AT_ranges",
			"a list of ranges begins past the end",
			fmt.Sprintf("at most 0x%x", len(section.data)), fmt.Sprintf("0x%x", offset)))
	}
	c := s.d.cursor(section)
	c.Skip("", offset)
	start := c.Remaining()
	for c.Err() == nil && read(c) {
	}
	s.rangesRead += start - c.Remaining()
	if limit := maxRangeReads*uint64(len(section.data)) + 1<<20; s.rangesRead > limit {
		c.Fail(model.KindTooLarge, "DW_AT_ranges", "the entries read the ranges over and over",
			"at most "+wire.Plural(limit, "byte"), "")
	}
	return s.d.fault(section, c.Err())
}

// rangeList is the state of reading one list.
type rangeList struct {
	u    *compileUnit
	base uint64
	add  func(low, high uint64)
}

// put adds a stretch, unless it is empty or of code that was removed.
func (r *rangeList) put(low, high uint64) {
	if low < high && low != r.u.noAddress() {
		r.add(low, high)
	}
}

// readPair reads an entry of .debug_ranges: two addresses, relative to a base.
func (r *rangeList) readPair(c *wire.Cursor) bool {
	low, high := c.Ptr("begin", r.u.addrSize), c.Ptr("end", r.u.addrSize)
	switch {
	case c.Err() != nil || low == 0 && high == 0:
		return false
	case low == r.u.noAddress():
		r.base = high
	case r.base != r.u.noAddress():
		r.put(r.base+low, r.base+high)
	}
	return true
}

// readEntry reads an entry of .debug_rnglists.
func (r *rangeList) readEntry(c *wire.Cursor) bool {
	addrx := func(field string) uint64 {
		if addr, ok := r.u.address(c.ULEB(field)); ok {
			return addr
		}
		return r.u.noAddress()
	}
	switch kind := c.U8("DW_RLE"); kind {
	case rleEndOfList:
		return false
	case rleBaseAddressx:
		r.base = addrx("base")
	case rleStartxEndx:
		low := addrx("start")
		r.put(low, addrx("end"))
	case rleStartxLength:
		low := addrx("start")
		r.put(low, low+c.ULEB("length"))
	case rleOffsetPair:
		low, high := c.ULEB("start"), c.ULEB("end")
		if r.base != r.u.noAddress() {
			r.put(r.base+low, r.base+high)
		}
	case rleBaseAddress:
		r.base = c.Ptr("base", r.u.addrSize)
	case rleStartEnd:
		low := c.Ptr("start", r.u.addrSize)
		r.put(low, c.Ptr("end", r.u.addrSize))
	case rleStartLength:
		low := c.Ptr("start", r.u.addrSize)
		r.put(low, low+c.ULEB("length"))
	default:
		c.Fail(model.KindMalformed, "DW_RLE", "the kind of a range is not known", "at most 7", kind)
	}
	return true
}
