package sampleprof

import (
	"fmt"
	"math"
	"slices"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// The types of sections.
const (
	SecSummary   = 1
	SecNames     = 2
	SecSymbols   = 3
	SecOffsets   = 4
	SecMetadata  = 5
	SecContexts  = 6
	SecFunctions = 32
	sectionEntry = 32 // bytes, of an entry of the table
)

// The flags of sections: of all, then of single ones.
const (
	FlagCompressed = 1 << 0
	FlagFlat       = 1 << 1

	FlagMD5      = 1 << 32 // of names
	FlagFixedMD5 = 1 << 33
	FlagUniq     = 1 << 34

	FlagVTables = 1 << 37 // of the summary, as SummaryFlags

	FlagProbes     = 1 << 32 // of the metadata
	FlagAttributes = 1 << 33
	FlagOrdered    = 1 << 32 // of the offsets
)

// SummaryFlags are the flags of the summary's section that say what a profile is, with the words
// that LLVM's tools print, in the order of these.
var SummaryFlags = []struct {
	Bit  uint64
	Is   Flags
	word string
}{
	{1 << 32, Partial, "partial"}, {1 << 33, FullContexts, "context"}, {1 << 36, PreInlined, "preInlined"},
	{1 << 34, FSDiscriminators, "fs-discriminator"}, {FlagVTables, VTables, ""},
}

// sectionNames are as llvm-profdata show --show-sec-info-only prints them.
var sectionNames = map[uint64]string{
	SecSummary: "ProfileSummarySection", SecNames: "NameTableSection", SecSymbols: "ProfileSymbolListSection",
	SecOffsets:  "FuncOffsetTableSection",
	SecMetadata: "FunctionMetadata", SecContexts: "CSNameTableSection", SecFunctions: "LBRProfileSection",
}

// Name is what LLVM's tools call the section.
func (s *Section) Name() string {
	if name, ok := sectionNames[s.Type]; ok {
		return name
	}
	return "UnknownSection"
}

// Words are the flags, as LLVM's tools print them.
func (s *Section) Words() []string {
	words := []string{}
	add := func(flag uint64, word string) {
		if s.Flags&flag != 0 {
			words = append(words, word)
		}
	}
	add(FlagCompressed, "compressed")
	add(FlagFlat, "flat")
	switch s.Type {
	case SecNames:
		add(FlagFixedMD5, "fixlenmd5")
		if s.Flags&FlagFixedMD5 == 0 {
			add(FlagMD5, "md5")
		}
		add(FlagUniq, "uniq")
	case SecSummary:
		for _, f := range SummaryFlags[:4] {
			add(f.Bit, f.word)
		}
	case SecOffsets:
		add(FlagOrdered, "ordered")
	case SecMetadata:
		add(FlagProbes, "probe")
		add(FlagAttributes, "attr")
	}
	return words
}

// has reports whether the section has a flag.
func (s *Section) has(flag uint64) bool { return s.Flags&flag != 0 }

// extReader reads an extensible file (sampleprof.md §6).
type extReader struct {
	*binaryReader
	data    []byte
	rec     *wire.Recorder
	inflate wire.Inflater
	allowed *wire.Allowance
	old     bool           // of LLVM 13 or before: contexts are names, and callees have no metadata
	offsets map[start]bool // what the table of the section to come says; nil without one
	strays  uint64         // metadata of functions that there are not
	misses  uint64         // functions that stand elsewhere than their table says
	unknown uint64         // sections of a type that nobody knows
}

// outside are LLVM's words for a section that is not compressed and lies outside the file, by its type:
// it reads on behind the end.
var outside = map[uint64]string{
	SecSummary: "Malformed sample profile data", SecNames: "Malformed sample profile data",
	SecContexts: "Malformed sample profile data", SecFunctions: "Truncated function name table",
}

// notInflated is what LLVM says of a compressed section that is cut.
const notInflated = "Uncompress failure"

func newExtReader(data []byte, rec *wire.Recorder) *extReader {
	return &extReader{binaryReader: newBinaryReader(&Profile{Format: FormatExtBinary}), data: data, rec: rec}
}

// openExt reads an extensible file.
func openExt(data []byte, rec *wire.Recorder) (*Profile, error) {
	r := newExtReader(data, rec)
	p := r.p
	if err := r.table(); err != nil {
		return nil, err
	}
	for i := range p.Sections {
		s := &p.Sections[i]
		if s.Size == 0 {
			continue
		}
		err := r.section(i, s)
		if _, known := sectionNames[s.Type]; err != nil && !s.has(FlagCompressed) && (s.Type == SecOffsets || !known) {
			r.offsets, err = nil, nil
			r.note("section_damaged", model.Warning, s.Name()+" cannot be read, which no tool but a compiler looks at",
				"the file was damaged", madeAgain, 0)
		}
		if err != nil {
			return nil, err
		}
	}
	if r.old && r.p.Has(FullContexts) {
		p.Reader = llvm13
		r.note("no_longer_read", model.Note, "only LLVM 13 reads contexts that are written as names", "",
			"export it as sample-extbinary for a newer compiler", 0)
	}
	r.odd()
	return r.finish(), nil
}

// table reads the header with the table of sections.
func (r *extReader) table() error {
	size := headerSize(r.data)
	c := wire.New("header", r.data[:min(uint64(len(r.data)), size+8)], 0)
	if len(r.data) >= int(size)+8 {
		peek := wire.New("header", r.data[size:], 0)
		n := peek.U64("")
		c = wire.New("header", r.data[:size+8+sectionEntry*min(n, (uint64(len(r.data))-size-8)/sectionEntry)], 0)
	}
	c.Record(r.rec)
	r.allowed = c.Allowance()
	if err := r.p.header(c); err != nil {
		return err
	}
	at := c.Offset()
	n := c.U64("number of sections")
	if c.Err() == nil && n > c.Remaining()/sectionEntry {
		return c.FailAt(at, model.KindTruncated, "number of sections", "the table of sections runs past the end of the file",
			wire.Plural(n, "section"), fmt.Sprintf("room for %d", (uint64(len(r.data))-c.Offset())/sectionEntry))
	}
	blank := n > 0
	for range n {
		s := Section{Type: c.U64("type")}
		if c.Recording() {
			c.Note(s.Name())
		}
		s.Flags, s.Offset, s.Size = c.U64("flags"), c.U64("offset"), c.U64("size")
		blank = blank && (s == Section{} || s == Section{math.MaxUint64, math.MaxUint64, math.MaxUint64, math.MaxUint64})
		r.p.Sections = append(r.p.Sections, s)
	}
	if c.Err() == nil && blank {
		return c.FailAt(c.Offset(), model.KindTruncated, "table of sections",
			"the writer was stopped before it wrote where the sections are", "", "")
	}
	r.old = n == 6 && !slices.ContainsFunc(r.p.Sections, func(s Section) bool {
		return s.Type == SecContexts || s.has(FlagFlat)
	})
	r.keep = slices.ContainsFunc(r.p.Sections, func(s Section) bool { return s.Type == SecOffsets && s.Size > 0 })
	return c.Err()
}

// section reads one section.
func (r *extReader) section(i int, s *Section) error {
	name := s.Name()
	if s.has(FlagFlat) {
		name += " (flat)"
	}
	if s.has(FlagCompressed) && s.Offset < uint64(len(r.data)) {
		s = r.streamed(*s)
	}
	if s.Offset > uint64(len(r.data)) || s.Size > uint64(len(r.data))-s.Offset {
		err := &model.FormatError{Kind: model.KindTruncated, LLVM: outside[s.Type], Section: name, Field: "offset and size",
			Offset: headerSize(r.data) + 8 + sectionEntry*uint64(i) + 16,
			Msg:    "the section lies outside the file", Expected: fmt.Sprintf("at most byte %d", len(r.data)),
			Found: fmt.Sprintf("%d bytes at %d", s.Size, s.Offset)}
		if s.has(FlagCompressed) {
			err.LLVM = notInflated
		}
		return err
	}
	c := wire.New(name, r.data[s.Offset:s.Offset+s.Size], s.Offset)
	c.Allow(r.allowed)
	c.Record(r.rec)
	if _, known := sectionNames[s.Type]; !known {
		r.unknown++
		c.Describe(fmt.Sprintf("type %d is not known; its content is skipped", s.Type))
		return nil
	}
	if s.has(FlagCompressed) {
		return r.compressed(name, c, s)
	}
	if err := r.content(c, s); err != nil {
		return err
	}
	return ended(c)
}

// streamed is a compressed section that is as long as what is in it says, which is all that LLVM
// goes by, if the file has as much.
func (r *extReader) streamed(s Section) *Section {
	c := wire.New(s.Name(), r.data[s.Offset:], s.Offset)
	c.ULEB("uncompressed size")
	c.Bytes("zlib stream", c.ULEB("compressed size"))
	if size := c.Offset() - s.Offset; c.Err() == nil && size != s.Size {
		r.note("section_size", model.Warning, fmt.Sprintf("%s has %d bytes, not %d as the table of sections says",
			s.Name(), size, s.Size), "the table is damaged; the section is read to its own end, as LLVM does", "", 0)
		s.Size = size
	}
	return &s
}

// ended is the error for a section that goes on.
func ended(c *wire.Cursor) error {
	if c.Err() == nil && c.Remaining() > 0 {
		c.Fail(model.KindMalformed, "", "the section goes on after its content", "its end",
			wire.Plural(c.Remaining(), "byte"))
	}
	return c.Err()
}

// compressed reads a section that is packed (sampleprof.md §6.3). What is wrong within
// is told with the offset at which the packed bytes begin.
func (r *extReader) compressed(name string, c *wire.Cursor, s *Section) error {
	at := c.Offset()
	size := c.ULEB("uncompressed size")
	packedSize := c.ULEB("compressed size")
	begin := c.Offset()
	if c.Err() != nil {
		return c.Err()
	}
	packed := c.Bytes("zlib stream", packedSize)
	if c.Err() != nil {
		return model.InLLVM(c.Err(), notInflated)
	}
	text, err := r.inflate.Inflate(packed, size, c.Allowance())
	if err == wire.ErrBomb {
		return c.FailAt(at, model.KindTooLarge, "uncompressed size", "the section inflates to an impossible size",
			c.Allowance().Most(), size)
	}
	if err != nil || uint64(len(text)) != size {
		found := wire.Plural(len(text), "byte")
		if err != nil {
			found = err.Error()
		}
		return c.FailAt(begin, model.KindUncompressFailed, "zlib stream", "the section does not inflate to what it promises",
			wire.Plural(size, "byte"), found)
	}
	c.Describe(fmt.Sprintf("compressed; %s when inflated", wire.Plural(size, "byte")))
	inner := wire.New(name, text, 0)
	inner.Allow(r.allowed)
	if err = r.content(inner, s); err == nil {
		err = ended(inner)
	}
	if fault, ok := err.(*model.FormatError); ok {
		fault.Msg += fmt.Sprintf(", at byte %d of what was compressed", fault.Offset)
		fault.Offset = begin
	}
	if err != nil {
		return err
	}
	return ended(c)
}

// content reads what a section holds.
func (r *extReader) content(c *wire.Cursor, s *Section) error {
	switch s.Type {
	case SecSummary:
		r.extSummary(c, s)
	case SecNames:
		r.extNames(c, s)
	case SecContexts:
		r.extContexts(c)
	case SecOffsets:
		r.extOffsets(c)
	case SecFunctions:
		r.starts = r.starts[:0]
		if err := r.functions(c); err != nil {
			return err
		}
		r.checkOffsets()
	case SecMetadata:
		return r.metadata(c, s)
	case SecSymbols:
		r.symbols(c)
	}
	return c.Err()
}

func (r *extReader) extSummary(c *wire.Cursor, s *Section) {
	for _, f := range SummaryFlags {
		if s.has(f.Bit) {
			r.p.Flags |= f.Is
		}
	}
	r.vtables = s.has(FlagVTables)
	r.summary(c)
}

func (r *extReader) extNames(c *wire.Cursor, s *Section) {
	if s.has(FlagUniq) {
		r.p.Flags |= Uniq
	}
	switch {
	case s.has(FlagFixedMD5):
		r.p.Flags |= MD5Names | FixedMD5
		r.hashNames(c, true)
	case s.has(FlagMD5):
		r.p.Flags |= MD5Names
		r.hashNames(c, false)
	default:
		r.textNames(c)
	}
	if r.old && r.p.Has(FullContexts) {
		r.namedContexts()
	}
}

// namedContexts takes names for contexts, as LLVM 13 wrote them: in brackets or,
// hashed, with the path lost. The names of callees among them are contexts of one
// frame, which nothing asks for.
func (r *extReader) namedContexts() {
	t := newTable(r.p)
	for i, n := range r.p.Names {
		t.at[n] = NameID(i)
	}
	known := newContexts(r.p)
	for _, id := range slices.Clone(r.names) {
		frames := []Frame{{Name: id}}
		if text := r.p.Names[id].Text; len(text) > 2 && text[0] == '[' {
			frames = parseContext(text[1:len(text)-1], t)
		}
		r.contexts = append(r.contexts, frames)
		r.byFile = append(r.byFile, known.id(frames))
	}
}

// extContexts reads the table of contexts.
func (r *extReader) extContexts(c *wire.Cursor) {
	known := newContexts(r.p)
	n := c.Count("number of contexts", c.ULEB("number of contexts"), 4)
	for range n {
		m := r.count(c, "number of frames", 3)
		if c.Err() == nil && m == 0 {
			c.Fail(model.KindMalformed, "number of frames", "a context without a frame is of no function", "at least 1", "0")
		}
		frames := make([]Frame, 0, m)
		for range m {
			name := r.name(c, "name index")
			loc := Loc{r.line(c), r.u32(c, "discriminator")}
			frames = append(frames, Frame{name, loc})
		}
		if c.Err() != nil {
			return
		}
		r.contexts = append(r.contexts, frames)
		r.byFile = append(r.byFile, known.id(frames))
	}
}

// symbols reads the list of the program's symbols.
func (r *extReader) symbols(c *wire.Cursor) {
	var list []string
	for c.Remaining() > 0 && c.Err() == nil {
		if b := zeroEnded(c, "symbol"); c.Err() == nil {
			list = append(list, string(b))
		}
	}
	r.p.AddSymbols(list)
}

// AddSymbols adds to the list of the program's symbols, which the profile then has even if none is in it.
func (p *Profile) AddSymbols(list []string) {
	p.Symbols = append(append([]string{}, p.Symbols...), list...)
	slices.Sort(p.Symbols)
	p.Symbols = slices.Compact(p.Symbols)
}
