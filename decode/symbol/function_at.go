package symbol

import (
	"debug/dwarf"
	"sort"
)

// FunctionEntry is what the entry of a function says of it, and those that it refers to. What
// they do not say is empty or 0.
type FunctionEntry struct {
	Name string // the linkage name, or the name of a function without one
	File string // where it is declared, relative to the directory of the compilation
	Line uint32
	Code bool // the entry itself has the address of code
}

// FunctionAt reads the entry of a function by its offset in .debug_info, which is an [Entry]'s
// ID. What cannot be read is among [Symbolizer.Faults].
func (s *Symbolizer) FunctionAt(id uint64) (f FunctionEntry) {
	n, ok := s.unitAt(id)
	if !ok {
		return f
	}
	d := declaring{s: s, skeleton: s.units[n], unit: s.units[n]}
	var e Entry
	if _, err := s.entryAt(d.unit, id, &e); err != nil {
		s.report(err)
		return f
	}
	_, f.Code = e.Address(dwarf.AttrLowpc)
	name := s.nameOf(d.unit, &e, map[nameKey]bool{})
	f.Name, f.Line = name.String(), name.line
	entries, _ := d.about(&e)
	for _, entry := range entries {
		if file, ok := entry.Uint(dwarf.AttrDeclFile); ok {
			f.File = s.relativeFile(s.filesOf(d.skeleton), d.skeleton, file)
			break
		}
	}
	return f
}

// unitAt is the unit of the program whose entries an offset of .debug_info is among.
func (s *Symbolizer) unitAt(offset uint64) (n int, ok bool) {
	n = sort.Search(len(s.units), func(n int) bool { return s.units[n].start > offset }) - 1
	return n, n >= 0 && s.units[n].first <= offset && offset < s.units[n].end
}
