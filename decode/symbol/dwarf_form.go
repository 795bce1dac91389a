package symbol

import (
	"fmt"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// form is how the value of an attribute is stored (DWARF 5 §7.5.6).
type form uint32

// The forms, without those that are read like another.
const (
	formAddr          form = 0x01
	formBlock2        form = 0x03
	formBlock4        form = 0x04
	formData2         form = 0x05
	formData4         form = 0x06
	formData8         form = 0x07
	formString        form = 0x08
	formBlock         form = 0x09
	formBlock1        form = 0x0a
	formData1         form = 0x0b
	formFlag          form = 0x0c
	formSdata         form = 0x0d
	formStrp          form = 0x0e
	formUdata         form = 0x0f
	formRefAddr       form = 0x10
	formRef1          form = 0x11
	formRef2          form = 0x12
	formRef4          form = 0x13
	formRef8          form = 0x14
	formRefUdata      form = 0x15
	formIndirect      form = 0x16
	formSecOffset     form = 0x17
	formExprloc       form = 0x18
	formFlagPresent   form = 0x19
	formStrx          form = 0x1a
	formAddrx         form = 0x1b
	formRefSup4       form = 0x1c
	formStrpSup       form = 0x1d
	formData16        form = 0x1e
	formLineStrp      form = 0x1f
	formRefSig8       form = 0x20
	formImplicitConst form = 0x21
	formLoclistx      form = 0x22
	formRnglistx      form = 0x23
	formRefSup8       form = 0x24
	formStrx1         form = 0x25
	formStrx2         form = 0x26
	formStrx3         form = 0x27
	formStrx4         form = 0x28
	formAddrx1        form = 0x29
	formAddrx2        form = 0x2a
	formAddrx3        form = 0x2b
	formAddrx4        form = 0x2c
	formGNUAddrIndex  form = 0x1f01
	formGNUStrIndex   form = 0x1f02
	formGNURefAlt     form = 0x1f20
	formGNUStrpAlt    form = 0x1f21
)

// size is the bytes of a value, where all values of the form have as many.
func (f form) size(u encoding) (n int, fixed bool) {
	switch f {
	case formFlagPresent, formImplicitConst:
		return 0, true
	case formData1, formFlag, formRef1, formStrx1, formAddrx1:
		return 1, true
	case formData2, formRef2, formStrx2, formAddrx2:
		return 2, true
	case formStrx3, formAddrx3:
		return 3, true
	case formData4, formRef4, formRefSup4, formStrx4, formAddrx4:
		return 4, true
	case formData8, formRef8, formRefSig8, formRefSup8:
		return 8, true
	case formData16:
		return 16, true
	case formAddr:
		return u.addrSize, true
	case formRefAddr:
		if u.version == 2 {
			return u.addrSize, true
		}
		return u.offsetSize(), true
	case formStrp, formSecOffset, formStrpSup, formLineStrp, formGNURefAlt, formGNUStrpAlt:
		return u.offsetSize(), true
	}
	return 0, false
}

// value is an attribute's value: a number, or the bytes of a block or string.
type value struct {
	form   form
	number uint64
	bytes  []byte
}

// read reads a value of the form at the unit's cursor.
func (u *unit) read(f form) value {
	c, v := u.c, value{form: f}
	if n, fixed := f.size(u.encoding); fixed {
		switch n {
		case 0:
		case 3, 16:
			v.bytes = c.Bytes("value", uint64(n))
			v.number = littleOrBig(v.bytes, c.BigEndian())
		default:
			v.number = c.Uint("value", uint64(n))
		}
		return v
	}
	switch f {
	case formUdata, formRefUdata, formStrx, formAddrx, formLoclistx, formRnglistx, formGNUAddrIndex, formGNUStrIndex:
		v.number = c.ULEB("value")
	case formSdata:
		v.number = uint64(sleb(c))
	case formBlock1:
		v.bytes = c.Bytes("block", uint64(c.U8("block size")))
	case formBlock2:
		v.bytes = c.Bytes("block", uint64(c.U16("block size")))
	case formBlock4:
		v.bytes = c.Bytes("block", uint64(c.U32("block size")))
	case formBlock, formExprloc:
		v.bytes = c.Bytes("block", c.ULEB("block size"))
	case formString:
		v.bytes = u.inlineString()
	case formIndirect:
		if f = form(c.ULEB("form")); f == formIndirect || f == formImplicitConst {
			c.Fail(model.KindMalformed, "form", "a form that cannot be indirect is", "", fmt.Sprintf("0x%x", uint32(f)))
			return v
		}
		return u.read(f)
	default:
		c.Fail(model.KindMalformed, "form", "the form of an attribute is not known", "", fmt.Sprintf("0x%x", uint32(f)))
	}
	return v
}

// inlineString reads a string that stands in the entry itself, with its zero.
func (u *unit) inlineString() []byte {
	peek := *u.c
	s, ok := cString(peek.Rest())
	if !ok {
		u.c.Fail(model.KindTruncated, "string", "the string does not end in its unit", "", "")
		return nil
	}
	return u.c.Bytes("string", uint64(len(s))+1)
}

// littleOrBig is the number in up to 8 bytes; more are not a number.
func littleOrBig(b []byte, bigEndian bool) (v uint64) {
	if len(b) > 8 {
		return 0
	}
	for i := range b {
		if bigEndian {
			v = v<<8 | uint64(b[i])
		} else {
			v |= uint64(b[i]) << (8 * i)
		}
	}
	return v
}

// number reads element index of a table of numbers with size bytes each that
// begins at base; false when it is not in the table.
func (d *DWARF) number(s *debugSection, base, index uint64, size int) (uint64, bool) {
	have := uint64(len(s.data))
	if base > have || index >= (have-base)/uint64(size) {
		return 0, false
	}
	c := wire.New(s.name, s.data[base+index*uint64(size):], 0)
	c.SetOrder(d.image.BigEndian)
	return c.Ptr("", size), true
}
