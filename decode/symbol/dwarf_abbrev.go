package symbol

import (
	"debug/dwarf"
	"fmt"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// abbrev says what the entries with its code look like.
type abbrev struct {
	code     uint64
	tag      dwarf.Tag
	children bool
	wanted   bool
	hasCode  bool // it is of a subroutine that may have code
	attrs    []attrSpec
	skips    []skipStep
	// size is the bytes of the attributes when all entries have as many, else -1.
	size int
}

// skipStep is bytes to move past, and then a value whose size it says itself;
// form 0 is none.
type skipStep struct {
	before uint64
	form   form
}

// attrSpec is one attribute of an abbreviation.
type attrSpec struct {
	attr     dwarf.Attr
	form     form
	implicit int64 // the value, with formImplicitConst
}

// abbrevTable is the abbreviations of a unit; often several in a row share one.
type abbrevTable struct {
	encoding
	read   bool
	offset uint64

	list   []abbrev
	byCode map[uint64]int // index in list, when the codes do not count up from the first
	attrs  []attrSpec     // of all abbreviations
	skips  []skipStep
}

// The limits on abbreviations. Compilers write some twenty attributes, and
// units that begin in the middle of each other's tables are made to exhaust us.
const (
	maxAttributes  = 256
	maxAbbrevs     = 1 << 20
	maxAbbrevReads = 64 // times the section may be read
)

// readAbbrevs reads the table of a unit, unless it is the one read last.
func (w *walk) readAbbrevs(u *unit) error {
	t := &w.table
	if t.read && t.offset == u.abbrevs && t.encoding == u.encoding {
		return nil
	}
	w.faulty = &w.d.abbrev
	if err := t.readAll(u, &w.parsed); err != nil {
		return err
	}
	for n := range t.list {
		// The first entry of a unit is needed by all others.
		a := &t.list[n]
		a.wanted = w.wanted(a.tag) || isUnitTag(a.tag)
	}
	return nil
}

// readAll makes t the table of a unit. See scan for parsed.
func (t *abbrevTable) readAll(u *unit, parsed *uint64) error {
	*t = abbrevTable{offset: u.abbrevs, encoding: u.encoding, list: t.list[:0], attrs: t.attrs[:0], skips: t.skips[:0]}
	err := t.scan(u, parsed, func(a abbrev) bool {
		t.add(a)
		return true
	})
	t.read = err == nil
	return err
}

// scan calls f with the abbreviations of a unit until it returns false. Their
// attributes are added to t.attrs. The bytes that were read are added to parsed,
// which has a limit: units that read the same bytes are made to exhaust us.
func (t *abbrevTable) scan(u *unit, parsed *uint64, f func(abbrev) bool) error {
	c := u.d.cursor(&u.d.abbrev)
	c.Skip("debug_abbrev_offset", u.abbrevs)
	start := c.Remaining()
	for n := 0; c.Err() == nil && c.Remaining() > 0; n++ {
		a := abbrev{code: c.ULEB("code")}
		if a.code == 0 {
			break
		}
		if n == maxAbbrevs {
			c.Fail(model.KindTooLarge, "code", "the unit has more abbreviations than any compiler gives",
				fmt.Sprintf("at most %d", maxAbbrevs), "")
		}
		t.readAbbrev(c, u.encoding, &a)
		if !f(a) {
			break
		}
	}
	*parsed += start - c.Remaining()
	if limit := maxAbbrevReads*uint64(len(u.d.abbrev.data)) + 1<<20; *parsed > limit {
		c.Fail(model.KindTooLarge, "debug_abbrev_offset", "the units read the abbreviations over and over",
			"at most "+wire.Plural(limit, "byte"), "")
	}
	return c.Err()
}

func isUnitTag(tag dwarf.Tag) bool {
	switch tag {
	case dwarf.TagCompileUnit, dwarf.TagPartialUnit, dwarf.TagTypeUnit, dwarf.TagSkeletonUnit:
		return true
	}
	return false
}

// readAbbrev reads what follows the code.
func (t *abbrevTable) readAbbrev(c *wire.Cursor, u encoding, a *abbrev) {
	a.tag = dwarf.Tag(c.ULEB("tag"))
	a.children = c.U8("children") != 0
	first, firstSkip := len(t.attrs), len(t.skips)
	var fixed uint64 // bytes since the last value of another size
	for c.Err() == nil {
		s := attrSpec{attr: dwarf.Attr(c.ULEB("attribute")), form: form(c.ULEB("form"))}
		if s.attr == 0 && s.form == 0 {
			break
		}
		if s.form == formImplicitConst {
			s.implicit = sleb(c)
		}
		if len(t.attrs)-first >= maxAttributes || len(t.attrs) > 8*maxAbbrevs {
			c.Fail(model.KindTooLarge, "attribute", "there are more attributes than any compiler gives",
				fmt.Sprintf("at most %d an abbreviation", maxAttributes), "")
		}
		t.attrs = append(t.attrs, s)
		if s.attr == dwarf.AttrLowpc || s.attr == dwarf.AttrRanges {
			a.hasCode = a.tag == dwarf.TagSubprogram || a.tag == dwarf.TagInlinedSubroutine
		}
		n, ok := s.form.size(u)
		switch {
		case !ok:
			a.size = -1
			t.skips, fixed = append(t.skips, skipStep{fixed, s.form}), 0
			continue
		case a.size >= 0:
			a.size += n
		}
		fixed += uint64(n)
	}
	if fixed > 0 {
		t.skips = append(t.skips, skipStep{fixed, 0})
	}
	a.skips = t.skips[firstSkip:len(t.skips):len(t.skips)]
	a.attrs = t.attrs[first:len(t.attrs):len(t.attrs)]
}

// add appends an abbreviation. Of two with one code the first counts.
func (t *abbrevTable) add(a abbrev) {
	t.list = append(t.list, a)
	last := len(t.list) - 1
	if t.byCode == nil && a.code != t.list[0].code+uint64(last) {
		t.byCode = make(map[uint64]int, len(t.list))
		for i := range t.list[:last] {
			t.byCode[t.list[i].code] = i
		}
	}
	if t.byCode != nil {
		if _, ok := t.byCode[a.code]; !ok {
			t.byCode[a.code] = last
		}
	}
}

func (t *abbrevTable) find(code uint64) (*abbrev, bool) {
	if len(t.list) == 0 {
		return nil, false
	}
	if t.byCode != nil {
		i, ok := t.byCode[code]
		return &t.list[i], ok
	}
	i := code - t.list[0].code
	if i >= uint64(len(t.list)) {
		return nil, false
	}
	return &t.list[i], true
}

// sleb reads a signed LEB128. Bits past the 64th are lost.
func sleb(c *wire.Cursor) int64 {
	var v uint64
	for shift := uint(0); c.Err() == nil; shift += 7 {
		b := c.U8("SLEB128")
		v |= uint64(b&0x7f) << shift
		if b&0x80 != 0 {
			continue
		}
		if b&0x40 != 0 && shift+7 < 64 {
			v |= ^uint64(0) << (shift + 7)
		}
		break
	}
	return int64(v)
}
