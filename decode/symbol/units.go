package symbol

import (
	"cmp"
	"debug/dwarf"
	"fmt"
	"slices"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// compileUnit is a unit with code, or one that others refer into.
type compileUnit struct {
	unit
	first, end uint64 // offsets of its first entry and behind its last, in .debug_info

	lowPC         uint64
	rnglistsStart uint64 // of its part of .debug_rnglists, in a package
	rnglistsBase  uint64
	gnuRangesBase uint64 // of split DWARF 4, for its entries' ranges in the program
	stmtList      uint64 // offset in .debug_line
	hasLines      bool
	dir, dwoName  value

	skeleton  *compileUnit // of a split unit: what the program has of it
	table     *abbrevTable
	functions *functionMap // once an address was in the unit
	lines     *lineTable   // likewise
}

// maxUnits is more than the largest programs have, by a factor of five.
const maxUnits = 1 << 18

// maxTableReads is how many sections of abbreviations are kept as tables, which
// take ten times the room. Those of a program take one.
const maxTableReads = 2

// The attributes of split units before DWARF 5.
const (
	attrGNUDwoName    = dwarf.Attr(0x2130)
	attrGNUDwoID      = dwarf.Attr(0x2131)
	attrGNURangesBase = dwarf.Attr(0x2132)
)

// readUnits reads the headers and the first entry of all units, and so which
// addresses are whose. A unit that cannot be read ends the list; those before
// it are kept.
func (s *Symbolizer) readUnits(d *DWARF) (list []*compileUnit) {
	c := d.cursor(&d.info)
	for c.Remaining() > 0 {
		if len(list) == maxUnits {
			s.report(d.fault(&d.info, c.Fail(model.KindTooLarge, "unit_length", "the program has more units than any",
				fmt.Sprintf("at most %d", maxUnits), "")))
			break
		}
		u, err := d.readUnit(c)
		if err != nil {
			s.report(d.fault(&d.info, err))
			break
		}
		if u == nil || u.kind == unitType || u.kind == unitSplitType {
			continue
		}
		cu := &compileUnit{unit: *u}
		cu.first, cu.end = u.c.Offset()-d.info.base(), c.Offset()-d.info.base()
		cu.rnglistsBase = 12
		if u.wide {
			cu.rnglistsBase = 20
		}
		list = append(list, cu)
	}
	return list
}

// readRoot reads the first entry of a unit, which locates all else.
func (s *Symbolizer) readRoot(u *compileUnit) (*Entry, error) {
	if u.first >= u.end {
		return nil, nil
	}
	c := u.seek(u.first)
	code := c.ULEB("abbreviation code")
	if code == 0 || c.Err() != nil {
		return nil, c.Err()
	}
	var table abbrevTable
	var root abbrev
	err := table.scan(&u.unit, &s.abbrevsRead, func(a abbrev) bool {
		root = a
		return a.code != code
	})
	if err == nil && root.code != code {
		err = c.Fail(model.KindMalformed, "abbreviation code", "the unit has no such abbreviation", "", code)
	}
	if err != nil {
		return nil, u.d.fault(&u.d.abbrev, err)
	}
	e := &Entry{}
	e.begin(&u.unit, &root, u.first+u.d.info.base(), nil)
	if err := e.readValues(&root); err != nil {
		return nil, u.d.fault(&u.d.info, err)
	}
	u.takeBases(e)
	return e, nil
}

// takeBases takes from the first entry what others depend on.
func (u *compileUnit) takeBases(e *Entry) {
	u.setBases(e)
	for _, want := range []struct {
		attr dwarf.Attr
		into *uint64
	}{
		{dwarf.AttrRnglistsBase, &u.rnglistsBase}, {attrGNURangesBase, &u.gnuRangesBase}, {attrGNUDwoID, &u.dwoID},
	} {
		if v, ok := e.find(want.attr); ok {
			*want.into = v.number
		}
	}
	if v, ok := e.find(dwarf.AttrStmtList); ok {
		u.stmtList, u.hasLines = v.number, true
	}
	u.lowPC, _ = e.Address(dwarf.AttrLowpc)
	u.dir, _ = e.find(dwarf.AttrCompDir)
	for _, attr := range []dwarf.Attr{dwarf.AttrDwoName, attrGNUDwoName} {
		if v, ok := e.find(attr); ok {
			u.dwoName = v
		}
	}
}

// seek makes the unit read from an offset in .debug_info on.
func (u *compileUnit) seek(offset uint64) *wire.Cursor {
	offset = min(max(offset, u.first), u.end)
	u.c = wire.New(u.d.info.name, u.d.info.data[offset:u.end], offset+u.d.info.base())
	u.c.SetOrder(u.d.image.BigEndian)
	return u.c
}

// addressSpans says which unit an address is in. Of two with the same address
// the first counts.
func (s *Symbolizer) addressSpans() spans {
	var list []span
	short := map[uint64]int32{} // units that say of one stretch at most
	for n, u := range s.units {
		root, err := s.readRoot(u)
		if root != nil && err == nil {
			err = s.ranges(u, root, func(low, high uint64) { list = append(list, span{low: low, high: high, owner: int32(n)}) })
			if !root.Has(dwarf.AttrRanges) {
				short[u.start] = int32(n)
			}
		}
		s.report(err)
	}
	if len(short) > 0 {
		s.report(s.readAranges(short, func(r span) { list = append(list, r) }))
	}
	slices.SortFunc(list, func(a, b span) int { return cmp.Compare(b.owner, a.owner) })
	return flatten(list)
}

// abbreviations is the table of a unit, which others may share.
func (s *Symbolizer) abbreviations(u *compileUnit) (*abbrevTable, error) {
	if u.table != nil {
		return u.table, nil
	}
	key := abbrevKey{u.d, u.abbrevs, u.encoding}
	if t := s.tables[key]; t != nil {
		u.table = t
		return t, nil
	}
	t, c := &abbrevTable{}, u.d.cursor(&u.d.abbrev)
	limit := maxTableReads*uint64(len(u.d.abbrev.data)) + 1<<16
	if s.tablesRead > limit {
		c.Fail(model.KindTooLarge, "debug_abbrev_offset", "the units share parts of their abbreviations",
			"at most "+wire.Plural(limit, "byte"), "")
		return nil, u.d.fault(&u.d.abbrev, c.Err())
	}
	if err := t.readAll(&u.unit, &s.tablesRead); err != nil {
		return nil, u.d.fault(&u.d.abbrev, err)
	}
	s.tables[key] = t
	u.table = t
	return t, nil
}

// abbrevKey tells tables of abbreviations apart.
type abbrevKey struct {
	d      *DWARF
	offset uint64
	encoding
}

// entryAt reads the entry at an offset of .debug_info, of a unit.
func (s *Symbolizer) entryAt(u *compileUnit, offset uint64, e *Entry) (*abbrev, error) {
	t, err := s.abbreviations(u)
	if err != nil {
		return nil, err
	}
	c := u.seek(offset)
	code := c.ULEB("abbreviation code")
	a, ok := t.find(code)
	if !ok {
		return nil, u.d.fault(&u.d.info,
			c.Fail(model.KindMalformed, "abbreviation code", "the unit has no such abbreviation", "", code))
	}
	e.begin(&u.unit, a, offset+u.d.info.base(), nil)
	if err := e.readValues(a); err != nil {
		return nil, u.d.fault(&u.d.info, err)
	}
	return a, nil
}
