package symbol

import (
	"context"
	"debug/dwarf"

	"proflens/decode/model"
)

// Declarations gives where the functions are declared that were compiled, also where all
// of their code was inlined: see [model.Declarations]. A function that has a symbol and
// only line tables is given the line that its code begins on. What of the debug info
// cannot be read is among [Symbolizer.Faults].
func (s *Symbolizer) Declarations(ctx context.Context, wanted func(name []byte) bool,
	visit func(model.Declaration)) error {
	for _, u := range s.units {
		if err := ctx.Err(); err != nil {
			return err
		}
		d := declaring{s: s, skeleton: u, unit: s.splitOf(u), ctx: ctx, wanted: wanted, visit: visit}
		if err := d.walk(); ctx.Err() == nil {
			s.report(err)
		}
	}
	s.placeSymbols(wanted, visit)
	return ctx.Err()
}

// placeSymbols visits functions by their symbols.
func (s *Symbolizer) placeSymbols(wanted func(name []byte) bool, visit func(model.Declaration)) {
	for _, p := range s.image.Procedures() {
		if !wanted([]byte(p.Name)) {
			continue
		}
		if file, line, ok := s.Line(p.Start); ok {
			visit(model.Declaration{Name: []byte(p.Name), File: file, Line: line, Code: true})
		}
	}
}

// Line is the file and the line of an address of the program as linked, of the function
// that is innermost there; false where the debug info does not say. It reads line tables
// alone, and less than [Symbolizer.Frames].
func (s *Symbolizer) Line(addr uint64) (file string, line uint32, ok bool) {
	n, ok := s.spans.find(addr)
	if !ok {
		return "", 0, false
	}
	lines := s.linesOf(s.units[n])
	row, ok := lines.find(addr)
	if !ok || row.line == 0 {
		return "", 0, false
	}
	file = s.file(lines, s.units[n], row.file)
	return file, row.line, file != ""
}

// declaring is one unit on the way through its entries.
type declaring struct {
	s        *Symbolizer
	skeleton *compileUnit // what the program has of the unit
	unit     *compileUnit
	ctx      context.Context
	wanted   func(name []byte) bool
	visit    func(model.Declaration)
	files    *lineTable // once a function is wanted
	title    string     // the unit's name
}

// walk visits the functions of the unit.
func (d *declaring) walk() error {
	u := d.unit
	t, err := d.s.abbreviations(u)
	if err != nil {
		return err
	}
	c := u.seek(u.first)
	var e Entry
	for n := 1; c.Remaining() > 0; n++ {
		if n%stepsPerLook == 0 && d.ctx.Err() != nil {
			return d.ctx.Err()
		}
		at := c.Offset()
		code := c.ULEB("abbreviation code")
		if code == 0 {
			if c.Err() != nil {
				break
			}
			continue
		}
		a, ok := t.find(code)
		if !ok {
			c.FailAt(at, model.KindMalformed, "abbreviation code", "the unit has no such abbreviation", "", code)
			break
		}
		if a.tag != dwarf.TagSubprogram {
			if u.skip(a); c.Err() != nil {
				break
			}
			continue
		}
		e.begin(&u.unit, a, at, nil)
		if e.readValues(a) != nil {
			break
		}
		d.function(&e)
		u.c = c // which looking elsewhere moved
	}
	return u.d.fault(&u.d.info, c.Err())
}

// function visits a function, unless its entry declares it for others, or is a copy of
// an entry that has the same name.
func (d *declaring) function(e *Entry) {
	if e.Has(dwarf.AttrDeclaration) {
		return
	}
	if e.Has(dwarf.AttrAbstractOrigin) && !e.Has(dwarf.AttrLinkageName) && !e.Has(attrMIPSLinkageName) {
		return
	}
	entries, ok := d.about(e)
	name := nameIn(entries)
	if len(name) == 0 || !d.wanted(name) {
		return
	}
	found := model.Declaration{Name: name, Local: true}
	var file uint64
	hasFile := false // 0 is a file too
	for _, entry := range entries {
		if entry.Has(dwarf.AttrExternal) {
			found.Local = false
		}
		if found.Line == 0 {
			found.Line = uint32(entry.number(dwarf.AttrDeclLine))
		}
		if n, ok := entry.Uint(dwarf.AttrDeclFile); ok && !hasFile {
			file, hasFile = n, true
		}
	}
	if found.Line == 0 || !hasFile || !ok {
		return
	}
	d.open()
	if found.File = d.s.file(d.files, d.skeleton, file); found.File == "" {
		return
	}
	found.Unit = d.title
	d.visit(found)
}

// about are the entries that say something of a function: its own, and those that they
// refer to. It is not ok where one is of another unit, whose files have other numbers.
func (d *declaring) about(e *Entry) (entries []*Entry, ok bool) {
	entries = append(entries, e)
	for len(entries) < maxOrigins {
		last := entries[len(entries)-1]
		to, offset, found := d.s.refer(d.unit, last, dwarf.AttrAbstractOrigin)
		if !found {
			to, offset, found = d.s.refer(d.unit, last, dwarf.AttrSpecification)
		}
		if !found {
			return entries, true
		}
		next := &Entry{}
		if _, err := d.s.entryAt(to, offset, next); err != nil {
			d.s.report(err)
			return entries, true
		}
		if to != d.unit {
			return append(entries, next), false
		}
		entries = append(entries, next)
	}
	return entries, true
}

// open reads the names of the unit's files.
func (d *declaring) open() {
	if d.files != nil {
		return
	}
	d.files = d.s.filesOf(d.skeleton)
	root := &Entry{}
	if t, err := d.s.abbreviations(d.unit); err == nil {
		c := d.unit.seek(d.unit.first)
		if a, ok := t.find(c.ULEB("abbreviation code")); ok {
			root.begin(&d.unit.unit, a, c.Offset(), nil)
			d.s.report(root.readValues(a))
		}
	}
	if v, ok := root.find(dwarf.AttrName); ok {
		d.title = d.s.text(&d.unit.unit, v)
	}
}

// nameIn is the linkage name that one of the entries has, or else the name.
func nameIn(entries []*Entry) []byte {
	for _, attr := range []dwarf.Attr{dwarf.AttrLinkageName, attrMIPSLinkageName, dwarf.AttrName} {
		for _, e := range entries {
			if name, ok := e.String(attr); ok && len(name) > 0 {
				return name
			}
		}
	}
	return nil
}
