package symbol

import (
	"fmt"
	"maps"
	"slices"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// IsSplitDWARF reports whether the file holds debug info that a program left
// out: a .dwo file of one unit or a .dwp package of many.
func (i *Image) IsSplitDWARF() bool {
	_, ok := i.Section(".debug_info.dwo")
	return ok
}

// AddSplit adds the debug info of a .dwo or .dwp file. Its units are found by
// their ids; those of other programs do no harm. Add all before the first call
// of [Symbolizer.Frames]: units that were looked at are not read again.
//
// Errors: as [Image.DWARF]; incompatible when the file is none of split debug
// info, or the program has no debug info or another byte order.
func (s *Symbolizer) AddSplit(img *Image) error {
	if s.d == nil || !img.IsSplitDWARF() || img.BigEndian != s.image.BigEndian {
		return img.Fault(model.KindIncompatible, ".debug_info.dwo", 0, "the file has no split debug info of this program")
	}
	d := &DWARF{image: img}
	if err := d.load(".dwo", []wantedSection{
		{"info", &d.info}, {"abbrev", &d.abbrev}, {"str", &d.str}, {"str_offsets", &d.strOffsets}, {"rnglists", &d.rnglists},
	}); err != nil {
		return err
	}
	d.addr, d.ranges = s.d.addr, s.d.ranges // these stay in the program
	parts, err := d.readPackageIndex()
	if err != nil {
		return err
	}
	for _, u := range s.readUnits(d) {
		if part, ok := parts[u.start]; ok {
			u.placeIn(part)
		} else if _, err := s.readRoot(u); err != nil {
			s.report(err)
			continue
		}
		if _, ok := s.splits[u.dwoID]; !ok {
			s.splits[u.dwoID] = u
		}
	}
	return nil
}

// splitOf is where the entries of a unit are: in the split unit with its id, if
// that was given, else what the program has of them.
func (s *Symbolizer) splitOf(u *compileUnit) *compileUnit {
	name := s.text(&u.unit, u.dwoName)
	if name == "" {
		return u
	}
	split := s.splits[u.dwoID]
	if split == nil || split.skeleton != nil && split.skeleton != u {
		if split == nil {
			s.missing[name] = true
		}
		return u
	}
	split.skeleton = u
	split.addrBase, split.gnuRangesBase = u.addrBase, u.gnuRangesBase
	return split
}

// MissingSplits is the .dwo files, as the compiler named them, that addresses
// so far were in and that have not been given, in order. Without them functions
// have no names, or inlined ones are missing. Their package, a .dwp file, is as
// good.
func (s *Symbolizer) MissingSplits() []string {
	return slices.Sorted(maps.Keys(s.missing))
}

// needsSplits is the error for split files that are missing, or nil.
func (s *Symbolizer) needsSplits() error {
	names := s.MissingSplits()
	if len(names) == 0 {
		return nil
	}
	fault := s.image.Fault(model.KindUnableToSymbolize, ".debug_info", 0, "the program's debug info was split off")
	fault.Expected = "the .dwp package of the program, or " + names[0]
	if more := len(names) - 1; more > 0 {
		fault.Expected += " and " + wire.Plural(more, "other file")
	}
	return fault
}

// packagePart is where the sections of one unit begin in a package.
type packagePart struct {
	id                           uint64
	abbrev, strOffsets, rnglists uint64
}

// placeIn makes a unit's offsets those of the package.
func (u *compileUnit) placeIn(p packagePart) {
	u.dwoID = p.id
	u.abbrevs += p.abbrev
	u.strOffsetsBase += p.strOffsets
	u.rnglistsStart = p.rnglists
	u.rnglistsBase += p.rnglists
}

// The columns of an index, the same in both of its versions but for the last.
const (
	columnInfo       = 1
	columnAbbrev     = 3
	columnStrOffsets = 6
	columnRnglists   = 8 // in version 5; .debug_macro.dwo before
	maxColumns       = 16
)

// readPackageIndex reads .debug_cu_index, versions 2 and 5 (DWARF 5 §7.3.5), as
// parts by the offset of their unit. A .dwo file has none.
func (d *DWARF) readPackageIndex() (map[uint64]packagePart, error) {
	var index debugSection
	if err := d.load("", []wantedSection{{"cu_index", &index}}); err != nil || len(index.data) == 0 {
		return nil, err
	}
	c := d.cursor(&index)
	version := c.U16("version")
	if c.BigEndian() && version == 0 {
		version = c.U16("version") // version 2 has 32 bits for it
	} else {
		c.U16("padding")
	}
	columns, units, slots := uint64(c.U32("section_count")), uint64(c.U32("unit_count")), uint64(c.U32("slot_count"))
	if c.Err() == nil && version != 2 && version != 5 {
		c.Fail(model.KindUnsupportedVersion, "version", "the version of the package is not known", "2 or 5",
			version)
	}
	if columns > maxColumns {
		c.Fail(model.KindMalformed, "section_count", "the package has more sections than there are",
			fmt.Sprintf("at most %d", maxColumns), columns)
	}
	if c.Err() != nil {
		return nil, d.fault(&index, c.Err())
	}
	ids := make([]uint64, c.Count("slot_count", slots, 12))
	c.U64s("signatures", ids)
	rows := make([]uint32, len(ids))
	for n := range rows {
		rows[n] = c.U32("index")
	}
	kinds := make([]uint32, columns)
	for n := range kinds {
		kinds[n] = c.U32("section")
	}
	table := c.Bytes("offsets", uint64(c.Count("unit_count", units, 4*max(columns, 1)))*4*columns)
	if c.Err() != nil {
		return nil, d.fault(&index, c.Err())
	}
	parts := make(map[uint64]packagePart, len(rows))
	for slot, row := range rows {
		if row == 0 || uint64(row) > units {
			continue
		}
		offsets := wire.New(index.name, table[4*columns*uint64(row-1):], 0)
		offsets.SetOrder(c.BigEndian())
		p, info := packagePart{id: ids[slot]}, uint64(0)
		for _, kind := range kinds {
			offset := uint64(offsets.U32("offset"))
			switch {
			case kind == columnInfo:
				info = offset
			case kind == columnAbbrev:
				p.abbrev = offset
			case kind == columnStrOffsets:
				p.strOffsets = offset
			case kind == columnRnglists && version == 5:
				p.rnglists = offset
			}
		}
		parts[info] = p
	}
	return parts, nil
}
