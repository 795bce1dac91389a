package sampleprof

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// Magic, versions and tags of GCC's form (sampleprof.md §7).
const (
	magicGCC     = "adcg"
	gccLLVM      = 0x3430372A // what LLVM reads: "*704"
	gccNames     = 0xAA000000
	gccFunctions = 0xAC000000
	gccGroups    = 0xAE000000
	gccWorking   = 0xAF000000
	gccIndirect  = 7 // the kind of a target: an indirect call
)

// isGCC reports whether a file is one for GCC. The counters of its coverage have the same
// magic, and another version.
func isGCC(data []byte) bool {
	if len(data) < 8 || string(data[:4]) != magicGCC {
		return false
	}
	version := binary.LittleEndian.Uint32(data[4:])
	return version == gccLLVM || version >= 1 && version <= 3
}

// openGCC reads a profile for GCC, of the version that LLVM reads or of 1 and 2, which
// GCC does.
func openGCC(data []byte, rec *wire.Recorder) (*Profile, error) {
	p := &Profile{Format: FormatGCC}
	r := &gccReader{builder: newBuilder(p)}
	whole := wire.New("header", data, 0)
	whole.RecordSections(rec)
	c := whole.Section("header", min(12, uint64(len(data))))
	c.Text("magic", 4)
	p.Version = uint64(c.U32("version"))
	if p.Version == gccLLVM {
		p.Version = 704
		c.Note("704")
	}
	c.U32("stamp")
	if c.Err() != nil {
		return nil, c.Err()
	}
	switch p.Version {
	case 704, 1, 2:
	default:
		return nil, c.FailAt(4, model.KindUnsupportedVersion, "version",
			"no released tool that is known writes this version", "*704, 1 or 2", p.Version)
	}
	c = whole.Section("names", whole.Remaining())
	r.tag(c, gccNames)
	if err := r.nameTable(c); err != nil {
		return nil, err
	}
	c = c.Section("functions", c.Remaining())
	r.tag(c, gccFunctions)
	n := c.Count("number of functions", uint64(c.U32("number of functions")), 20)
	for range n {
		r.top(c)
	}
	if c.Err() != nil {
		return nil, c.Err()
	}
	if c.Remaining() > 0 {
		c = c.Section("after the functions", c.Remaining())
		r.rest(c)
	}
	r.readers()
	return r.finish(), nil
}

// gccReader reads names and functions of GCC's form.
type gccReader struct {
	*builder
	names []NameID
	words bool // strings have their length in words
}

// readers says who reads the version.
func (r *gccReader) readers() {
	switch {
	case r.p.Version == 1:
		r.note("gcc_version", model.Note, "version 1: GCC 11 and older read it; LLVM and newer GCC do not", "", "", 0)
	case r.p.Version == 2 && r.words:
		r.note("gcc_version", model.Warning,
			"the file says version 2 but has the strings of version 1: GCC 12 and later end on reading it",
			"autofdo 0.19 wrote it so", "use a newer create_gcov", 0)
	case r.p.Version == 2:
		r.note("gcc_version", model.Note, "version 2: GCC 12 and later read it; LLVM does not", "", "", 0)
	}
}

// tag reads the tag and the length of a section; nobody uses the length.
func (r *gccReader) tag(c *wire.Cursor, want uint32) {
	at := c.Offset()
	tag := c.U32("tag")
	c.U32("length in words")
	if c.Err() == nil && tag != want {
		c.FailAt(at, model.KindMalformed, "tag", "another section stands here", fmt.Sprintf("%#x", want),
			fmt.Sprintf("%#x", tag))
	}
}

// nameTable reads the names. Those of version 2 have their length in bytes, but for
// what a faulty tool writes: bytes are tried first.
func (r *gccReader) nameTable(c *wire.Cursor) error {
	n := c.Count("number of names", uint64(c.U32("number of names")), 4)
	if c.Err() != nil {
		return c.Err()
	}
	r.words = r.p.Version != 2
	if !r.words {
		try := c.Try()
		for range n {
			if b := try.Bytes("name", uint64(try.U32("length"))); len(b) == 0 || bytes.IndexByte(b, 0) != len(b)-1 {
				r.words = true
				break
			}
		}
	}
	t := newTable(r.p)
	for range n {
		if b := r.str(c); c.Err() == nil {
			r.names = append(r.names, t.text(b))
		}
	}
	return c.Err()
}

// str reads a string, which ends at its first NUL.
func (r *gccReader) str(c *wire.Cursor) []byte {
	at := c.Offset()
	size := uint64(c.U32("length"))
	if r.words {
		size *= 4
	}
	if size > model.MaxName {
		c.FailAt(at, model.KindTooLarge, "length", "a name is implausibly long", model.NameBound,
			wire.Plural(size, "byte"))
		return nil
	}
	b := c.Text("name", size)
	if i := bytes.IndexByte(b, 0); i >= 0 {
		b = b[:i]
	}
	return b
}

// name looks a number of a name up.
func (r *gccReader) name(c *wire.Cursor, at, i uint64) NameID {
	if c.Err() == nil && i >= uint64(len(r.names)) {
		c.FailAt(at, KindTruncatedNameTable, "name index", "there is no such name",
			fmt.Sprintf("fewer than %d", len(r.names)), i)
	}
	if c.Err() != nil {
		return 0
	}
	if c.Recording() {
		c.Note(r.p.Name(r.names[i]))
	}
	return r.names[i]
}

// top reads a function of the profile. One that comes again with samples is an alias:
// it adds its head, and its content is passed over.
func (r *gccReader) top(c *wire.Cursor) {
	head := c.U64("head count")
	at := c.Offset()
	name := r.name(c, at, uint64(c.U32("name index")))
	if c.Err() != nil {
		return
	}
	f := r.find(name, -1)
	if f != nil && f.Total > 0 {
		f.Head = Add(f.Head, head)
		r.content(c, &Function{Name: name, Context: -1}, 1)
		return
	}
	f = r.function(name, -1)
	f.Head = Add(f.Head, head)
	r.content(c, f, 1)
}

// content reads positions and inlined callees, and makes the total of them.
func (r *gccReader) content(c *wire.Cursor, f *Function, depth int) {
	if depth > maxDepth {
		c.Fail(model.KindTooLarge, "callsites", "functions are inlined too deep",
			fmt.Sprintf("at most %d levels", maxDepth), "more")
		return
	}
	positions, sites := c.U32("number of positions"), c.U32("number of callsites")
	n := c.Count("number of positions", uint64(positions), 16)
	if len(f.Body) == 0 {
		f.Body = r.records.take(n)
	}
	for range n {
		r.position(c, f)
	}
	n = c.Count("number of callsites", uint64(sites), 16)
	if len(f.Sites) == 0 {
		f.Sites = r.sites.take(n)
	}
	for range n {
		offset := c.U32("offset")
		at := c.Offset()
		callee := r.inlined(r.name(c, at, uint64(c.U32("name index"))))
		r.content(c, callee, depth+1)
		if c.Err() != nil {
			return
		}
		f.Sites = append(f.Sites, Site{Loc{offset >> 16, offset & 0xffff}, callee})
		f.Total = Add(f.Total, callee.Total)
	}
	r.settle(f)
}

func (r *gccReader) position(c *wire.Cursor, f *Function) {
	offset := c.U32("offset")
	targets := c.U32("number of targets")
	record := Record{Loc: Loc{offset >> 16, offset & 0xffff}, Count: c.U64("count")}
	n := c.Count("number of targets", uint64(targets), 20)
	record.Targets = r.targets.take(n)
	for range n {
		at := c.Offset()
		if kind := c.U32("kind"); c.Err() == nil && kind != gccIndirect {
			c.FailAt(at, model.KindMalformed, "kind", "targets are of indirect calls", gccIndirect,
				kind)
		}
		at = c.Offset()
		name := r.name(c, at, c.U64("name index"))
		record.Targets = append(record.Targets, Target{name, c.U64("count")})
	}
	if c.Err() != nil {
		return
	}
	f.Body = append(f.Body, record)
	f.Total = Add(f.Total, record.Count)
}

// rest looks at what stands after the functions, which LLVM does not read.
func (r *gccReader) rest(c *wire.Cursor) {
	switch {
	case c.Remaining() < 4:
	case c.U32("tag") == gccGroups:
		c.Describe("module groups, and the working set")
		return
	}
	c.Describe("something else than the sections that belong here")
	r.note("trailing_data", model.Note, "what stands after the functions is not what belongs there; it is not read",
		"the file was cut short, or something was appended", "", 0)
}
