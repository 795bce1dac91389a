package symbol

import (
	"debug/dwarf"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// encoding is what the size of a unit's values depends on.
type encoding struct {
	version  uint16
	wide     bool // 64-bit DWARF: offsets have 8 bytes
	addrSize int
}

func (e encoding) offsetSize() int {
	if e.wide {
		return 8
	}
	return 4
}

// unit is one unit of .debug_info.
type unit struct {
	encoding
	d       *DWARF       // the sections it stands in
	kind    uint8        // of DWARF 5, else 0
	start   uint64       // offset of its header in .debug_info
	abbrevs uint64       // offset of its abbreviations
	dwoID   uint64       // of DWARF 5, else 0
	c       *wire.Cursor // over the entries
	begun   bool         // the first entry has been read

	strOffsetsBase, addrBase uint64
}

// The unit types of DWARF 5 whose headers have more fields.
const (
	unitType         = 0x02
	unitSkeleton     = 0x04
	unitSplitCompile = 0x05
	unitSplitType    = 0x06
)

// nextUnit reads the header of the next unit and its abbreviations. It is nil
// for padding and for a unit of an unknown version, which are stepped over.
func (w *walk) nextUnit() (*unit, error) {
	w.faulty, w.parents = &w.d.info, w.parents[:0]
	if err := w.ctx.Err(); err != nil {
		return nil, err
	}
	u, err := w.d.readUnit(w.c)
	if u == nil || err != nil {
		return nil, err
	}
	return u, w.readAbbrevs(u)
}

// readUnit reads the header of the unit at c and moves past the unit; nil as
// nextUnit has it.
func (d *DWARF) readUnit(c *wire.Cursor) (*unit, error) {
	u := &unit{d: d, start: c.Offset() - d.info.base()}
	length := uint64(c.U32("unit_length"))
	if length == 0xffffffff {
		u.wide = true
		length = c.U64("unit_length")
	}
	if length == 0 {
		return nil, c.Err() // padding between units
	}
	u.c = c.Section(d.info.name, length)
	u.version = u.c.U16("version")
	if u.c.Err() != nil {
		return nil, u.c.Err()
	}
	if u.version < 2 || u.version > 5 {
		return nil, nil
	}
	u.readHeader()
	return u, u.c.Err()
}

// readHeader reads what follows the version.
func (u *unit) readHeader() {
	if u.version < 5 {
		u.abbrevs = u.offset("debug_abbrev_offset")
		u.setAddrSize(u.c.U8("address_size"))
		return
	}
	u.kind = u.c.U8("unit_type")
	u.setAddrSize(u.c.U8("address_size"))
	u.abbrevs = u.offset("debug_abbrev_offset")
	switch u.kind {
	case unitSkeleton, unitSplitCompile:
		u.dwoID = u.c.U64("dwo_id")
	case unitType, unitSplitType:
		u.c.U64("type_signature")
		u.offset("type_offset")
	}
	// Tables with one contribution have their only header before the base.
	u.strOffsetsBase, u.addrBase = 8, 8
	if u.wide {
		u.strOffsetsBase, u.addrBase = 16, 16
	}
}

func (u *unit) setAddrSize(size uint8) {
	if size != 4 && size != 8 && u.c.Err() == nil {
		u.c.Fail(model.KindMalformed, "address_size", "addresses of this size are not known", "4 or 8", size)
	}
	u.addrSize = int(size)
}

// offset reads an offset in another section.
func (u *unit) offset(field string) uint64 { return u.c.Ptr(field, u.offsetSize()) }

// setBases takes the unit's places in the tables of strings and addresses from
// its first entry.
func (u *unit) setBases(e *Entry) {
	if v, ok := e.find(attrStrOffsetsBase); ok {
		u.strOffsetsBase = v.number
	}
	for _, attr := range []dwarf.Attr{attrAddrBase, attrGNUAddrBase} {
		if v, ok := e.find(attr); ok {
			u.addrBase = v.number
		}
	}
}

// The attributes with those places.
const (
	attrStrOffsetsBase = dwarf.AttrStrOffsetsBase
	attrAddrBase       = dwarf.AttrAddrBase
	attrGNUAddrBase    = dwarf.Attr(0x2133)
)
