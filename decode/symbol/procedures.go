package symbol

import (
	"bytes"
	"cmp"
	"debug/elf"
	"slices"

	"proflens/decode/wire"
)

// Procedure is a function by the symbol table: its name, the address of its
// first instruction as linked and its size in bytes.
type Procedure struct {
	Name        string
	Start, Size uint64
}

// maxSymbols is more than the largest programs have.
const maxSymbols = 1 << 24

// maxNameReads is how often the bytes of all names may be read.
const maxNameReads = 16

// symbolEntry is an entry of a symbol table that is of code.
type symbolEntry struct {
	Procedure
	rank int // of several at one address, the highest is the one to name
}

// Procedures is the functions of .symtab and .dynsym by address, one for each
// address. One without a size reaches to the next one or the end of its section.
// Entries that cannot be read are left out.
func (i *Image) Procedures() []Procedure { return byAddress(i.codeSymbols(), i.codeEnd) }

// FunctionNames visits the functions of .symtab and .dynsym as they stand: also several
// of one address, and some twice.
func (i *Image) FunctionNames(visit func(name string)) {
	for _, sym := range i.codeSymbols() {
		visit(sym.Name)
	}
}

// codeSymbols is the functions of both tables.
func (i *Image) codeSymbols() []symbolEntry {
	var list []symbolEntry
	for _, kind := range []elf.SectionType{elf.SHT_SYMTAB, elf.SHT_DYNSYM} { // a program has one of each
		if n := slices.IndexFunc(i.sections, func(s Section) bool { return s.Type == kind }); n >= 0 {
			list = i.appendSymbols(list, i.sections[n])
		}
	}
	return list
}

// codeEnd is the end of the section or segment that an address is in, 0 for none.
func (i *Image) codeEnd(addr uint64) uint64 {
	for _, s := range i.sections {
		if s.Flags&elf.SHF_ALLOC != 0 && s.Addr <= addr && addr-s.Addr < s.Size {
			return s.Addr + s.Size
		}
	}
	for _, s := range i.segments {
		if s.Type == elf.PT_LOAD && s.Addr <= addr && addr-s.Addr < s.Size {
			return s.Addr + s.Size
		}
	}
	return 0
}

// appendSymbols appends the functions of a symbol table.
func (i *Image) appendSymbols(list []symbolEntry, s Section) []symbolEntry {
	data, _, err := i.Contents("symbol table", s)
	if err != nil || uint64(s.link) >= uint64(len(i.sections)) {
		return list
	}
	names, _, err := i.Contents("symbol names", i.sections[s.link])
	if err != nil {
		return list
	}
	size := 16
	if i.PointerSize == 8 {
		size = 24
	}
	c := wire.New("symbol table", data, s.Offset)
	c.SetOrder(i.BigEndian)
	// Names share their ends, yet not so often.
	budget := maxNameReads*len(names) + 1<<20
	for range min(len(data)/size, maxSymbols) {
		sym, ok := i.readSymbol(c, names)
		if budget -= len(sym.Name); ok && budget >= 0 {
			list = append(list, sym)
		}
	}
	return list
}

// readSymbol reads one symbol, false when it is none of code.
func (i *Image) readSymbol(c *wire.Cursor, names []byte) (sym symbolEntry, ok bool) {
	name := c.U32("st_name")
	var info uint8
	var section uint16
	if i.PointerSize == 8 {
		info, _, section = c.U8("st_info"), c.U8("st_other"), c.U16("st_shndx")
	}
	sym.Start, sym.Size = c.Ptr("st_value", i.PointerSize), c.Ptr("st_size", i.PointerSize)
	if i.PointerSize == 4 {
		info, _, section = c.U8("st_info"), c.U8("st_other"), c.U16("st_shndx")
	}
	switch elf.ST_TYPE(info) {
	case elf.STT_FUNC, elf.STT_GNU_IFUNC:
		sym.rank = 4
		if i.machine == elf.EM_ARM {
			sym.Start &^= 1 // which says that it is of Thumb code
		}
	case elf.STT_NOTYPE:
		if !i.isCode(section) {
			return sym, false
		}
	default:
		return sym, false
	}
	if section == uint16(elf.SHN_UNDEF) || uint64(name) >= uint64(len(names)) {
		return sym, false
	}
	switch elf.ST_BIND(info) {
	case elf.STB_GLOBAL:
		sym.rank += 2
	case elf.STB_WEAK:
		sym.rank++
	}
	text := names[name:]
	end := bytes.IndexByte(text[:min(len(text), maxString)], 0)
	if end <= 0 || text[0] == '$' { // "$x" and the like mark code and data
		return sym, false
	}
	sym.Name = string(text[:end])
	return sym, true
}

// isCode reports whether a section has instructions.
func (i *Image) isCode(index uint16) bool {
	return int(index) < len(i.sections) && i.sections[index].Flags&elf.SHF_EXECINSTR != 0
}

// Symbol is the function that an address is in by the symbol table, false when
// there is none. It is for programs without debug info.
func (s *Symbolizer) Symbol(addr uint64) (name string, start, size uint64, ok bool) {
	if !s.symbolsOK {
		s.symbols, s.symbolsOK = s.image.Procedures(), true
	}
	n, found := slices.BinarySearchFunc(s.symbols, addr, func(p Procedure, addr uint64) int {
		return cmp.Compare(p.Start, addr)
	})
	if !found {
		n--
	}
	if n < 0 || addr-s.symbols[n].Start >= s.symbols[n].Size {
		return "", 0, 0, false
	}
	p := s.symbols[n]
	return p.Name, p.Start, p.Size, true
}
