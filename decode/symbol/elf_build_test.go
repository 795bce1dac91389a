package symbol_test

import (
	"encoding/binary"
	"slices"
)

// class is a class and byte order of ELF.
type class struct {
	wide bool
	big  bool
}

// classes are all four.
var classes = map[string]class{
	"64, little": {true, false}, "64, big": {true, true}, "32, little": {}, "32, big": {false, true},
}

func (k class) order() binary.AppendByteOrder {
	if k.big {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// ptr appends an address or a size.
func (k class) ptr(b []byte, v uint64) []byte {
	if k.wide {
		return k.order().AppendUint64(b, v)
	}
	return k.order().AppendUint32(b, uint32(v))
}

// u16 and u32 append numbers.
func (k class) u16(b []byte, values ...uint16) []byte {
	for _, v := range values {
		b = k.order().AppendUint16(b, v)
	}
	return b
}

func (k class) u32(b []byte, values ...uint32) []byte {
	for _, v := range values {
		b = k.order().AppendUint32(b, v)
	}
	return b
}

// headerSize, sectionSize and segmentSize are in bytes.
func (k class) headerSize() int  { return map[bool]int{true: 64, false: 52}[k.wide] }
func (k class) sectionSize() int { return map[bool]int{true: 64, false: 40}[k.wide] }
func (k class) segmentSize() int { return map[bool]int{true: 56, false: 32}[k.wide] }

// linked is a small program of a class: one segment, and sections with the names
// and contents given.
type linked struct {
	class
	sections []linkedSection
	// shnum and shstrndx stand in the header in place of the right ones.
	shnum, shstrndx *uint16
}

type linkedSection struct {
	name        string
	kind, flags uint32
	addr        uint64
	data        []byte
	link        uint32
}

func (l linked) bytes() []byte {
	names := []byte{0}
	sections := append([]linkedSection{{}}, l.sections...)
	sections = append(sections, linkedSection{name: ".shstrtab", kind: 3})
	var places []uint32
	for _, s := range sections {
		places = append(places, uint32(len(names)))
		names = append(append(names, s.name...), 0)
	}
	sections[len(sections)-1].data = names
	data, offsets := []byte(nil), []int(nil)
	begin := l.headerSize() + l.segmentSize()
	for _, s := range sections {
		offsets = append(offsets, begin+len(data))
		data = append(data, s.data...)
	}
	table := begin + len(data)
	b := append([]byte("\x7fELF"), map[bool]byte{true: 2, false: 1}[l.wide], map[bool]byte{true: 2, false: 1}[l.big], 1)
	b = append(b, make([]byte, 9)...)
	b = l.u32(l.u16(b, 2, 0), 1) // an executable
	b = l.ptr(l.ptr(l.ptr(b, 0), uint64(l.headerSize())), uint64(table))
	b = l.u16(l.u32(b, 0), uint16(l.headerSize()), uint16(l.segmentSize()), 1, uint16(l.sectionSize()))
	count, at := uint16(len(sections)), uint16(len(sections)-1)
	if l.shnum != nil {
		count = *l.shnum
	}
	if l.shstrndx != nil {
		at = *l.shstrndx
	}
	b = l.u16(b, count, at)
	// The segment: code, all of the file.
	b = l.u32(b, 1)
	if l.wide {
		b = l.u32(b, 5)
	}
	b = l.ptr(l.ptr(l.ptr(b, 0), 0x10000), 0x10000)
	b = l.ptr(l.ptr(b, uint64(table)), uint64(table))
	if !l.wide {
		b = l.u32(b, 5)
	}
	b = slices.Concat(l.ptr(b, 0x1000), data)
	for n, s := range sections {
		b = l.u32(b, places[n], s.kind)
		b = l.ptr(l.ptr(l.ptr(b, uint64(s.flags)), s.addr), uint64(offsets[n]))
		size := uint64(len(s.data))
		if n == 0 {
			size = uint64(len(sections)) // what e_shnum cannot say
			s.link = uint32(len(sections) - 1)
		}
		b = l.ptr(b, size)
		b = l.u32(b, s.link, 0)
		b = l.ptr(l.ptr(b, 1), 0)
	}
	return b
}

// note is a note with a name and a content, padded to words.
func (k class) note(kind uint32, name, content string) []byte {
	b := k.u32(nil, uint32(len(name)), uint32(len(content)), kind)
	b = append(b, name...)
	b = append(b, make([]byte, -len(name)&3)...)
	b = append(b, content...)
	return append(b, make([]byte, -len(content)&3)...)
}
