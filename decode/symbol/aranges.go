package symbol

import "proflens/decode/wire"

// readAranges reads .debug_aranges for the units in want, by offset, and calls
// add with their stretches of code. The first entry of a unit in DWARF 2 cannot
// say of more than one.
func (s *Symbolizer) readAranges(want map[uint64]int32, add func(span)) error {
	var section debugSection
	if err := s.d.load("", []wantedSection{{"aranges", &section}}); err != nil {
		return err
	}
	c := s.d.cursor(&section)
	for c.Remaining() > 0 && c.Err() == nil {
		var e encoding
		length, before := uint64(c.U32("unit_length")), uint64(4)
		if length == 0xffffffff {
			e.wide = true
			length, before = c.U64("unit_length"), 12
		}
		set := c.Section(section.name, length)
		before += length
		set.U16("version")
		owner, ok := want[set.Ptr("debug_info_offset", e.offsetSize())]
		e.addrSize = int(set.U8("address_size"))
		segment := set.U8("segment_selector_size")
		if !ok || segment != 0 || e.addrSize != 4 && e.addrSize != 8 {
			continue
		}
		pair := uint64(2 * e.addrSize)
		set.Skip("padding", (before-set.Remaining()+pair-1)/pair*pair-(before-set.Remaining()))
		readArangePairs(set, e.addrSize, owner, add)
	}
	return s.d.fault(&section, c.Err())
}

// readArangePairs reads addresses and lengths to the pair of zeros.
func readArangePairs(set *wire.Cursor, addrSize int, owner int32, add func(span)) {
	for set.Remaining() >= uint64(2*addrSize) {
		low, size := set.Ptr("address", addrSize), set.Ptr("length", addrSize)
		if low == 0 && size == 0 {
			return
		}
		if low+size > low {
			add(span{low: low, high: low + size, owner: owner})
		}
	}
}
