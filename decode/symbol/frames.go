package symbol

import "debug/dwarf"

// SymbolFrame is one function that an address is in. Where the debug info does
// not say, fields are empty or 0.
type SymbolFrame struct {
	// Function is the linkage name, or the name of a function without one. It is
	// that of the debug info, never a symbol's (memprof.md §2.3).
	Function string
	// StartLine is the line that the function is declared on.
	StartLine uint32
	// File is the path as LLVM's symbolizer prints it: the directories of the
	// compilation and of the file put before a relative name.
	File                        string
	Line, Column, Discriminator uint32
	// Inlined says that the function's code stands in that of the next frame.
	Inlined bool
}

// Symbolizer finds the functions and lines of addresses. It reads of the debug
// info what the addresses ask for, unit by unit, and keeps it. It is not safe
// for concurrent use.
type Symbolizer struct {
	image *Image
	d     *DWARF // nil without debug info

	units     []*compileUnit // in the order of .debug_info
	spans     spans          // of units
	tables    map[abbrevKey]*abbrevTable
	names     map[nameKey]subroutineName
	strings   map[*byte]string // by their first byte in a section
	lineCache map[uint64]*lineTable
	splits    map[uint64]*compileUnit // by id
	missing   map[string]bool         // split files that an address was in
	symbols   []Procedure
	symbolsOK bool

	abbrevsRead, tablesRead, rangesRead, linesRead uint64 // bytes, against reading over and over
	noText                                         bool   // the allowance for names is used up
	damage                                         []error
}

// maxFaults is how many faults are kept; one is most often enough.
const maxFaults = 16

// NewSymbolizer reads which units of debug info an image has. An image without
// any has symbols alone: see [Symbolizer.HasDebugInfo].
//
// Errors are a [*model.FormatError], as [Image.DWARF] has them.
func NewSymbolizer(img *Image) (*Symbolizer, error) {
	s := newSymbolizer(img)
	d, err := img.DWARF()
	if err == ErrNoDebugInfo {
		return s, nil
	}
	if err == nil {
		err = d.load("", []wantedSection{{"line", &d.line}, {"ranges", &d.ranges}, {"rnglists", &d.rnglists}})
	}
	if err != nil {
		return nil, err
	}
	s.d = d
	s.units = s.readUnits(d)
	s.spans = s.addressSpans()
	return s, nil
}

func newSymbolizer(img *Image) *Symbolizer {
	return &Symbolizer{
		image: img, tables: map[abbrevKey]*abbrevTable{}, names: map[nameKey]subroutineName{}, strings: map[*byte]string{},
		lineCache: map[uint64]*lineTable{}, splits: map[uint64]*compileUnit{}, missing: map[string]bool{},
	}
}

// HasDebugInfo reports whether there is debug info to make frames of.
func (s *Symbolizer) HasDebugInfo() bool { return s.d != nil }

// Faults is what frames of the addresses so far are missing for, each a
// [*model.FormatError]: that there is no debug info, that it was split off, and
// what was damaged in the parts that were read.
func (s *Symbolizer) Faults() []error {
	var list []error
	for _, err := range []error{s.image.NeedsDebugInfo(), s.needsSplits()} {
		if err != nil {
			list = append(list, err)
		}
	}
	return append(list, s.damage...)
}

func (s *Symbolizer) report(err error) {
	if err != nil && len(s.damage) < maxFaults {
		s.damage = append(s.damage, err)
	}
}

// Frames is the functions at an address of the program as linked, innermost
// first. An address with a line but without a function has one frame without
// a name; one without debug info has none.
func (s *Symbolizer) Frames(addr uint64) []SymbolFrame {
	n, ok := s.spans.find(addr)
	if !ok {
		return nil
	}
	u := s.units[n]
	lines := s.linesOf(u)
	code := s.splitOf(u)
	var chain []*subroutine
	if m := s.functionsOf(code); m != nil {
		chain = m.chain(addr)
	}
	row, found := lines.find(addr)
	if len(chain) == 0 {
		if !found {
			return nil
		}
		return []SymbolFrame{
			{File: s.file(lines, u, row.file), Line: row.line, Column: row.column, Discriminator: row.discriminator},
		}
	}
	frames := make([]SymbolFrame, len(chain))
	if found {
		frames[0] = SymbolFrame{
			File: s.file(lines, u, row.file), Line: row.line, Column: row.column, Discriminator: row.discriminator,
		}
	}
	var e Entry
	for n, sub := range chain {
		if _, err := s.entryAt(code, sub.offset, &e); err != nil {
			s.report(err)
			continue
		}
		f := &frames[n]
		f.Inlined = n+1 < len(chain)
		if f.Inlined {
			frames[n+1] = SymbolFrame{
				File: s.file(lines, u, e.number(dwarf.AttrCallFile)), Line: uint32(e.number(dwarf.AttrCallLine)),
				Column: uint32(e.number(dwarf.AttrCallColumn)), Discriminator: uint32(e.number(attrGNUDiscriminator)),
			}
		}
		name := s.nameOf(code, &e, map[nameKey]bool{})
		f.Function, f.StartLine = name.String(), name.line
	}
	return frames
}

// attrGNUDiscriminator tells apart the copies of code that stand on one line.
const attrGNUDiscriminator = dwarf.Attr(0x2136)

// number is an attribute that is an unsigned number, or 0.
func (e *Entry) number(attr dwarf.Attr) uint64 {
	n, _ := e.Uint(attr)
	return n
}

func (s *Symbolizer) functionsOf(u *compileUnit) *functionMap {
	if u.functions == nil {
		m, err := s.readFunctions(u)
		s.report(err)
		if m == nil {
			m = &functionMap{}
		}
		u.functions = m
	}
	return u.functions
}

// subroutineName is what the entries that an entry refers to say of it.
type subroutineName struct {
	linkage, name string
	line          uint32
}

func (n subroutineName) String() string {
	if n.linkage != "" {
		return n.linkage
	}
	return n.name
}

// or takes from m what n lacks.
func (n subroutineName) or(m subroutineName) subroutineName {
	if n.linkage == "" {
		n.linkage = m.linkage
	}
	if n.name == "" {
		n.name = m.name
	}
	if n.line == 0 {
		n.line = m.line
	}
	return n
}

// nameKey is an entry.
type nameKey struct {
	d      *DWARF
	offset uint64
}

// maxOrigins is how many entries may refer to each other in a row; compilers
// write three.
const maxOrigins = 16

// attrMIPSLinkageName is the linkage name before DWARF 4.
const attrMIPSLinkageName = dwarf.Attr(0x2007)

// nameOf is the name of a subroutine: its own, then that of the entries it
// refers to, a declaration before an abstract instance. Each is read once;
// around holds those being read, since entries may refer to each other.
func (s *Symbolizer) nameOf(u *compileUnit, e *Entry, around map[nameKey]bool) (name subroutineName) {
	own := nameKey{u.d, e.ID}
	if name, ok := s.names[own]; ok {
		return name
	}
	for _, attr := range []dwarf.Attr{attrMIPSLinkageName, dwarf.AttrLinkageName} {
		if v, ok := e.find(attr); ok && name.linkage == "" {
			name.linkage = s.text(&u.unit, v)
		}
	}
	if v, ok := e.find(dwarf.AttrName); ok {
		name.name = s.text(&u.unit, v)
	}
	name.line = uint32(e.number(dwarf.AttrDeclLine))
	type reference struct {
		unit *compileUnit
		key  nameKey
	}
	var refs []reference
	for _, attr := range []dwarf.Attr{dwarf.AttrSpecification, dwarf.AttrAbstractOrigin} {
		if to, offset, ok := s.refer(u, e, attr); ok {
			refs = append(refs, reference{to, nameKey{to.d, offset}})
		}
	}
	around[own] = true
	for _, r := range refs {
		if around[r.key] || len(around) >= maxOrigins {
			continue
		}
		var to Entry
		if _, err := s.entryAt(r.unit, r.key.offset, &to); err != nil {
			s.report(err)
			continue
		}
		name = name.or(s.nameOf(r.unit, &to, around))
	}
	s.names[own] = name
	return name
}

// refer finds the entry that an attribute refers to, in its unit or another.
func (s *Symbolizer) refer(u *compileUnit, e *Entry, attr dwarf.Attr) (*compileUnit, uint64, bool) {
	v, ok := e.find(attr)
	if !ok {
		return nil, 0, false
	}
	switch v.form {
	case formRef1, formRef2, formRef4, formRef8, formRefUdata:
		offset := u.start + v.number
		return u, offset, u.first <= offset && offset < u.end
	case formRefAddr:
		if u.d != s.d {
			return nil, 0, false
		}
		if n, ok := s.unitAt(v.number); ok {
			return s.units[n], v.number, true
		}
	}
	return nil, 0, false
}
