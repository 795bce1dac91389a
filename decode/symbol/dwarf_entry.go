package symbol

import (
	"debug/dwarf"

	"proflens/decode/wire"
)

// Entry is a debugging information entry. It is valid until the iteration's
// next step, like all that its methods return but for strings.
type Entry struct {
	Tag    dwarf.Tag
	ID     uint64 // offset in .debug_info, which tells entries apart
	Parent Parent // the entry around it; none for that of a unit
	Offset uint64 // of its first byte in the file; of the section, when that is compressed

	unit   *unit
	wanted bool
	attrs  []attrSpec
	values []value
}

// Parent is the entry that others are inside of.
type Parent struct {
	Tag dwarf.Tag
	ID  uint64
}

// begin makes e the entry at that offset.
func (e *Entry) begin(u *unit, a *abbrev, at uint64, parents []Parent) {
	e.Tag, e.Parent = a.tag, Parent{}
	if len(parents) > 0 {
		e.Parent = parents[len(parents)-1]
	}
	e.ID, e.Offset = at, at
	if info := &u.d.info; info.packed {
		e.Offset = info.at
	} else {
		e.ID -= info.at
	}
	e.unit, e.attrs, e.values = u, a.attrs, e.values[:0]
}

// read reads the attributes, or steps over them when nobody wants them.
func (e *Entry) read(a *abbrev) error {
	if !a.wanted && a.size >= 0 {
		e.unit.c.Skip("entry", uint64(a.size))
		return e.unit.c.Err()
	}
	return e.readValues(a)
}

func (e *Entry) readValues(a *abbrev) error {
	c := e.unit.c
	for _, s := range a.attrs {
		v := e.unit.read(s.form)
		if s.form == formImplicitConst {
			v.number = uint64(s.implicit)
		}
		if c.Err() != nil {
			return c.Err()
		}
		e.values = append(e.values, v)
	}
	return nil
}

func (e *Entry) find(attr dwarf.Attr) (value, bool) {
	for i, v := range e.values {
		if e.attrs[i].attr == attr {
			return v, true
		}
	}
	return value{}, false
}

// Has reports whether the entry has the attribute.
func (e *Entry) Has(attr dwarf.Attr) bool {
	_, ok := e.find(attr)
	return ok
}

// String is an attribute that is a string, false when it is none or cannot be
// found. It aliases the section.
func (e *Entry) String(attr dwarf.Attr) ([]byte, bool) {
	text, ok := e.text(attr)
	if !ok {
		return nil, false
	}
	return cString(text)
}

// HasPrefix reports whether an attribute is a string that begins so. It looks
// no further, and is the way to choose among many entries. A prefix that ends
// in a zero byte is the whole string.
func (e *Entry) HasPrefix(attr dwarf.Attr, prefix string) bool {
	text, ok := e.text(attr)
	return ok && len(text) >= len(prefix) && string(text[:len(prefix)]) == prefix
}

// text is the bytes from a string's first on, over its end.
func (e *Entry) text(attr dwarf.Attr) ([]byte, bool) {
	v, ok := e.find(attr)
	if !ok {
		return nil, false
	}
	return e.unit.text(v)
}

// text is the bytes of a string from its first on.
func (u *unit) text(v value) ([]byte, bool) {
	d := u.d
	switch v.form {
	case formString:
		return v.bytes, true
	case formStrp:
		return from(d.str.data, v.number)
	case formLineStrp:
		return from(d.lineStr.data, v.number)
	case formStrx, formStrx1, formStrx2, formStrx3, formStrx4, formGNUStrIndex:
		if offset, ok := d.number(&d.strOffsets, u.strOffsetsBase, v.number, u.offsetSize()); ok {
			return from(d.str.data, offset)
		}
	}
	return nil, false
}

func from(data []byte, offset uint64) ([]byte, bool) {
	if offset >= uint64(len(data)) {
		return nil, false
	}
	return data[offset:], true
}

// Uint is an attribute that is an unsigned constant.
func (e *Entry) Uint(attr dwarf.Attr) (uint64, bool) {
	v, ok := e.find(attr)
	switch v.form {
	case formData1, formData2, formData4, formData8, formUdata, formImplicitConst, formFlag:
		return v.number, ok
	}
	return 0, false
}

// Address is an attribute that is an address in the program's memory.
func (e *Entry) Address(attr dwarf.Attr) (uint64, bool) {
	v, ok := e.find(attr)
	switch v.form {
	case formAddr:
		return v.number, ok
	case formAddrx, formAddrx1, formAddrx2, formAddrx3, formAddrx4, formGNUAddrIndex:
		return e.unit.address(v.number)
	}
	return 0, false
}

// address is entry index of the table of addresses.
func (u *unit) address(index uint64) (uint64, bool) {
	return u.d.number(&u.d.addr, u.addrBase, index, u.addrSize)
}

// The operations that push the address of a variable.
const (
	opAddr  = 0x03 // DW_OP_addr: an address follows
	opAddrx = 0xa1 // DW_OP_addrx: an index in the table of addresses follows
)

// Location is the address of a variable that stands at one place in memory all
// the time; false for any other.
func (e *Entry) Location() (uint64, bool) {
	v, ok := e.find(dwarf.AttrLocation)
	if !ok || len(v.bytes) == 0 {
		return 0, false
	}
	switch v.form {
	case formExprloc, formBlock, formBlock1, formBlock2, formBlock4:
	default:
		return 0, false
	}
	c := wire.New("location", v.bytes, 0)
	c.SetOrder(e.unit.c.BigEndian())
	switch c.U8("operation") {
	case opAddr:
		address := c.Ptr("address", e.unit.addrSize)
		return address, c.Err() == nil
	case opAddrx:
		index := c.ULEB("index")
		if c.Err() == nil {
			return e.unit.address(index)
		}
	}
	return 0, false
}
