package sampleprof

import (
	"slices"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// extOffsets reads where the functions of the section to come begin. Compilers find
// functions by it, and the tools never look.
func (r *extReader) extOffsets(c *wire.Cursor) {
	field, of, entries := "name index", "names", uint64(len(r.names))
	if r.p.Has(FullContexts) {
		field, of, entries = "context index", "contexts", uint64(len(r.contexts))
	}
	n := c.Count("number of functions", c.ULEB("number of functions"), 2)
	r.offsets = make(map[start]bool, n)
	for range n {
		entry := start{r.index(c, field, entries, of), c.ULEB("function offset")}
		if c.Err() != nil {
			return
		}
		r.offsets[entry] = true
	}
}

// checkOffsets counts functions that stand elsewhere than the table says.
func (r *extReader) checkOffsets() {
	if r.offsets == nil {
		return
	}
	for _, s := range r.starts {
		if !r.offsets[s] {
			r.misses++
		}
	}
	r.offsets = nil
}

// metadata reads checksums and attributes. Whether those of inlined callees follow
// depends on the release that wrote the file, which only its shape tells.
func (r *extReader) metadata(c *wire.Cursor, s *Section) error {
	m := &metadataReader{extReader: r, made: map[place]*Function{}, callees: !r.p.Has(FullContexts) && !r.old}
	if s.has(FlagProbes) {
		r.p.Flags |= Probes
		m.probes = true
	}
	if s.has(FlagAttributes) {
		r.p.Flags |= Attributed
		m.attributes = true
	}
	if !r.p.Has(FullContexts) {
		try := *m
		try.dry = true
		if !try.fits(c.Try()) {
			try.callees = !m.callees
			if try.fits(c.Try()) {
				m.callees = try.callees
			}
		}
	}
	defer m.insert()
	return m.read(c)
}

// metadataReader reads metadata in one of two shapes.
type metadataReader struct {
	*extReader
	probes, attributes bool // what each function has
	callees            bool // those of inlined callees follow
	dry                bool // nothing is kept
	made               map[place]*Function
}

// place is where a callee is inlined.
type place struct {
	into *Function
	at   Loc
	name NameID
}

// fits reports whether the section has this shape.
func (m *metadataReader) fits(c *wire.Cursor) bool { return m.read(c) == nil && c.Remaining() == 0 }

func (m *metadataReader) read(c *wire.Cursor) error {
	for c.Remaining() > 0 && c.Err() == nil {
		f := m.of(c)
		m.function(c, f, 1)
	}
	return c.Err()
}

// of is the function whose metadata follow; nil for one that there is not.
func (m *metadataReader) of(c *wire.Cursor) *Function {
	var f *Function
	if m.p.Has(FullContexts) {
		index := m.index(c, "context index", uint64(len(m.contexts)), "contexts")
		if c.Err() == nil {
			f = m.find(m.leaf(index), m.byFile[index])
		}
	} else {
		index := m.index(c, "name index", uint64(len(m.names)), "names")
		if c.Err() == nil {
			f = m.find(m.names[index], -1)
		}
	}
	if c.Err() != nil {
		return nil
	}
	if f != nil && c.Recording() {
		c.Note(m.p.ContextText(f))
	}
	if f == nil && !m.dry {
		m.strays++
	}
	return f
}

// function reads the metadata of one function. A callee that there is not is made, with
// no samples, as the tools do.
func (m *metadataReader) function(c *wire.Cursor, f *Function, depth int) {
	if depth > maxDepth {
		c.Fail(model.KindTooLarge, "callees", "functions are inlined too deep", "", "")
		return
	}
	checksum, attributes := uint64(0), uint32(0)
	if m.probes {
		checksum = c.ULEB("checksum")
	}
	if m.attributes {
		attributes = m.u32(c, "attributes")
	}
	if f != nil && c.Err() == nil && !m.dry {
		if m.probes {
			f.Checksum = checksum
		}
		if m.attributes {
			f.Attributes = attributes
		}
	}
	if !m.callees {
		return
	}
	n := c.Count("number of callees", c.ULEB("number of callees"), 4)
	for range n {
		loc := Loc{m.u32(c, "line offset"), m.u32(c, "discriminator")}
		name := m.name(c, "name index")
		if c.Err() != nil {
			return
		}
		m.function(c, m.callee(f, loc, name), depth+1)
	}
}

// callee is the function that is inlined at a place, which may have to be made.
func (m *metadataReader) callee(f *Function, loc Loc, name NameID) *Function {
	if f == nil || m.dry {
		return nil
	}
	i, ok := slices.BinarySearchFunc(f.Sites, loc, func(s Site, loc Loc) int {
		if c := s.Compare(loc); c != 0 {
			return c
		}
		return m.p.compareNames(s.Callee.Name, name)
	})
	if ok {
		return f.Sites[i].Callee
	}
	at := place{f, loc, name}
	if m.made[at] == nil {
		m.made[at] = m.inlined(name)
	}
	return m.made[at]
}

// insert puts the callees that were made where they belong.
func (m *metadataReader) insert() {
	into := map[*Function]bool{}
	for at, callee := range m.made {
		at.into.Sites = append(at.into.Sites, Site{at.at, callee})
		into[at.into] = true
	}
	for f := range into {
		m.settle(f)
	}
}

// odd notes what is odd about an extensible file.
func (r *extReader) odd() {
	for _, s := range r.p.Sections {
		if s.has(FlagCompressed) {
			r.p.Flags |= Compressed
		}
		if s.has(FlagFlat) {
			r.p.Flags |= Split
		}
	}
	if r.misses > 0 {
		r.note("offset_table", model.Warning,
			"functions that stand elsewhere than the function offset table says: compilers find functions by it, and pass "+
				"over these or misread them; llvm-profdata never looks",
			"the file was damaged, or a faulty tool wrote it", "export it as sample-extbinary, which makes the table anew",
			r.misses)
	}
	if r.strays > 0 {
		r.note("stray_metadata", model.Note, "metadata of functions that have no samples; they are dropped", "", "", r.strays)
	}
	if r.unknown > 0 {
		r.note("unknown_section", model.Warning, "sections of unknown types were skipped",
			"a newer tool wrote the file, or it was damaged", "open it with a newer release of Proflens", r.unknown)
	}
	if !slices.ContainsFunc(r.p.Sections, func(s Section) bool { return s.Type == SecFunctions }) {
		r.note("no_functions_section", model.Warning, "the file has no section of functions", "the file was damaged",
			"copy the file again", 0)
	}
}
