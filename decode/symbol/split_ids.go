package symbol

import (
	"debug/elf"
	"slices"
)

// maxSplitIDs is how many units are looked at for their ids: the first of a
// program tell it from others.
const maxSplitIDs = 256

// SplitIDs is what ties split debug info to its program: the ids of the first
// units of either, in ascending order. It is nil where they cannot be had
// cheaply, since the debug info is compressed, and where there are none.
func (i *Image) SplitIDs() []uint64 {
	s := newSymbolizer(i)
	suffix := ""
	if i.IsSplitDWARF() {
		suffix = ".dwo"
	}
	d := &DWARF{image: i}
	for _, name := range []string{"info", "abbrev"} {
		section, ok := i.debugSection(name + suffix)
		if !ok || section.Flags&elf.SHF_COMPRESSED != 0 || i.hasPrefix(section, ".zdebug") {
			return nil
		}
	}
	if d.load(suffix, []wantedSection{{"info", &d.info}, {"abbrev", &d.abbrev}}) != nil {
		return nil
	}
	var ids []uint64
	parts, err := d.readPackageIndex()
	if err != nil {
		return nil
	}
	for _, part := range parts {
		ids = append(ids, part.id)
	}
	if parts == nil {
		for n, u := range s.readUnits(d) {
			if n == maxSplitIDs {
				break
			}
			if _, err := s.readRoot(u); err == nil && u.dwoID != 0 {
				ids = append(ids, u.dwoID)
			}
		}
	}
	slices.Sort(ids)
	return ids
}
