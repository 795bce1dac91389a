package sampleprof

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// The magic numbers: "SPROF42" and a byte for the kind, as one LEB128.
var (
	magicBinary  = Magic(0xff)
	magicExt     = Magic(0x04)
	magicCompact = Magic(0x02)
)

// version is what LLVM has written into all three binary kinds since it has them.
const version = 103

// Magic is the magic number of a kind.
func Magic(kind byte) []byte {
	return binary.AppendUvarint(nil, binary.BigEndian.Uint64(append([]byte("SPROF42"), kind)))
}

// header reads magic and version, of a file of which the magic is known.
func (p *Profile) header(c *wire.Cursor) error {
	c.Hex("magic", uint64(len(magicBinary)))
	at := c.Offset()
	p.Version = c.ULEB("version")
	if c.Err() == nil && p.Version != version {
		return c.FailAt(at, model.KindUnsupportedVersion, "version", "no released LLVM writes this version",
			version, p.Version)
	}
	return c.Err()
}

// openBinary reads raw binary (sampleprof.md §4).
func openBinary(data []byte, rec *wire.Recorder) (*Profile, error) {
	r, c, err := headOfBinary(data, rec)
	if err != nil {
		return nil, err
	}
	c = c.Section("functions", c.Remaining())
	if err := r.functions(c); err != nil {
		return nil, err
	}
	return r.finish(), nil
}

// headOfBinary reads what stands before the functions, where the cursor is then.
func headOfBinary(data []byte, rec *wire.Recorder) (*binaryReader, *wire.Cursor, error) {
	r := newBinaryReader(&Profile{Format: FormatBinary})
	whole := wire.New("header", data, 0)
	whole.RecordSections(rec)
	c := whole.Section("header", headerSize(data))
	if err := r.p.header(c); err != nil {
		return r, c, err
	}
	c = whole.Section("summary and names", whole.Remaining())
	r.summary(c)
	r.textNames(c)
	return r, c, c.Err()
}

// headerSize is that of magic and version in front of a file, as far as it goes.
func headerSize(data []byte) uint64 {
	n := len(magicBinary)
	for n < len(data) && data[n]&0x80 != 0 && n < len(magicBinary)+binary.MaxVarintLen64 {
		n++
	}
	return uint64(min(n+1, len(data)))
}

// binaryReader reads what the binary forms have in common.
type binaryReader struct {
	*builder
	names    []NameID  // of a file's numbers of names
	contexts [][]Frame // of a file's numbers of contexts
	byFile   []int32   // the context of each of those
	vtables  bool      // every function ends with its vtables
	starts   []start   // where functions stand, as far as their table is to be checked
	keep     bool      // starts
}

// start is where a function was found: its number, of a name or a context, and its
// offset in the section.
type start struct{ index, offset uint64 }

func newBinaryReader(p *Profile) *binaryReader { return &binaryReader{builder: newBuilder(p)} }

func (r *binaryReader) summary(c *wire.Cursor) {
	s := &Summary{
		Total: c.ULEB("total count"), MaxCount: c.ULEB("max count"), MaxFunction: c.ULEB("max function count"),
		Counts: c.ULEB("number of counts"), Functions: c.ULEB("number of functions"),
	}
	n := c.Count("number of entries", c.ULEB("number of entries"), 3)
	s.Entries = make([]SummaryEntry, 0, n)
	for range n {
		s.Entries = append(s.Entries, SummaryEntry{c.ULEB("cutoff"), c.ULEB("min count"), c.ULEB("number of counts")})
	}
	if c.Err() == nil {
		r.p.Summary = s
	}
}

// textNames reads names as they are, each with a NUL behind it.
func (r *binaryReader) textNames(c *wire.Cursor) {
	n := c.Count("number of names", c.ULEB("number of names"), 1)
	t := newTable(r.p)
	r.names = make([]NameID, 0, n)
	for range n {
		if b := zeroEnded(c, "name"); c.Err() == nil {
			r.names = append(r.names, t.text(b))
		}
	}
}

// zeroEnded reads a string up to a NUL.
func zeroEnded(c *wire.Cursor, field string) []byte {
	if c.Err() != nil {
		return nil
	}
	rest := c.Peek()
	n := bytes.IndexByte(rest[:min(len(rest), model.MaxName+1)], 0)
	switch {
	case n >= 0:
		b := c.Text(field, uint64(n)+1)
		return b[:n]
	case len(rest) > model.MaxName:
		c.Fail(model.KindTooLarge, field, "a name is implausibly long", model.NameBound, "")
	default:
		c.Fail(model.KindTruncated, field, "the data ends inside a name", "a NUL", "")
	}
	return nil
}

// hashNames reads hashes for names, of eight bytes or as LEB128.
func (r *binaryReader) hashNames(c *wire.Cursor, fixed bool) {
	size := uint64(1)
	if fixed {
		size = 8
	}
	n := c.Count("number of names", c.ULEB("number of names"), size)
	t := newTable(r.p)
	r.names = make([]NameID, 0, n)
	for range n {
		name := Name{}
		if fixed {
			name.MD5 = c.U64("name MD5")
		} else {
			name.MD5 = c.ULEB("name MD5")
		}
		if name.MD5 == 0 {
			name.Text = "0" // which is the hash of nothing
		}
		if c.Err() == nil {
			r.names = append(r.names, t.id(name))
		}
	}
}

// name reads the number of a name.
func (r *binaryReader) name(c *wire.Cursor, field string) NameID {
	i := r.index(c, field, uint64(len(r.names)), "names")
	if c.Err() != nil {
		return 0
	}
	id := r.names[i]
	if c.Recording() {
		c.Note(r.p.Name(id))
	}
	return id
}

// index reads a number below n.
func (r *binaryReader) index(c *wire.Cursor, field string, n uint64, of string) uint64 {
	at := c.Offset()
	i := c.ULEB(field)
	switch {
	case c.Err() != nil:
	case i > math.MaxUint32:
		c.FailAt(at, model.KindMalformed, field, "the number does not fit 32 bits", fmt.Sprintf("fewer than %d", n),
			i)
	case i >= n:
		c.FailAt(at, KindTruncatedNameTable, field, "there is no such entry in the table of "+of,
			fmt.Sprintf("fewer than %d", n), i)
	}
	return i
}

// functions reads functions to the end of the section.
func (r *binaryReader) functions(c *wire.Cursor) error {
	begin := c.Offset()
	for c.Remaining() > 0 && c.Err() == nil {
		offset := c.Offset() - begin
		head := c.ULEB("head samples")
		f, index := r.top(c)
		if c.Err() != nil {
			break
		}
		if r.keep {
			r.starts = append(r.starts, start{index, offset})
		}
		f.Head = Add(f.Head, head)
		r.body(c, f, 1)
	}
	return c.Err()
}

// top reads which function begins: the number of its name, or of its context.
func (r *binaryReader) top(c *wire.Cursor) (*Function, uint64) {
	if !r.p.Has(FullContexts) {
		index := r.index(c, "name index", uint64(len(r.names)), "names")
		if c.Err() != nil {
			return nil, 0
		}
		return r.ofName(c, index), index
	}
	index := r.index(c, "context index", uint64(len(r.contexts)), "contexts")
	if c.Err() != nil {
		return nil, 0
	}
	return r.ofContext(c, index), index
}

// ofName is the function of a file's number of a name.
func (r *binaryReader) ofName(c *wire.Cursor, index uint64) *Function {
	f := r.function(r.names[index], -1)
	if c.Recording() {
		c.Note(r.p.Name(f.Name))
	}
	return f
}

// ofContext is the function of a file's number of a context.
func (r *binaryReader) ofContext(c *wire.Cursor, index uint64) *Function {
	f := r.function(r.leaf(index), r.byFile[index])
	if c.Recording() {
		c.Note(r.p.ContextText(f))
	}
	return f
}

func (r *binaryReader) leaf(index uint64) NameID {
	frames := r.contexts[index]
	return frames[len(frames)-1].Name
}

// body reads a function's total, records and inlined callees.
func (r *binaryReader) body(c *wire.Cursor, f *Function, depth int) {
	if depth > maxDepth {
		c.Fail(model.KindTooLarge, "inlined callees", "functions are inlined too deep",
			fmt.Sprintf("at most %d levels", maxDepth), "more")
		return
	}
	f.Total = Add(f.Total, c.ULEB("total samples"))
	r.lines(c, f)
	n := c.Count("number of callsites", c.ULEB("number of callsites"), 6)
	if len(f.Sites) == 0 {
		f.Sites = r.sites.take(n)
	}
	for range n {
		loc := Loc{r.u32(c, "line offset"), r.u32(c, "discriminator")}
		name := r.name(c, "name index")
		if c.Err() != nil {
			return
		}
		callee := r.inlined(name)
		r.body(c, callee, depth+1)
		f.Sites = append(f.Sites, Site{loc, callee})
	}
	if r.vtables {
		r.types(c, f)
	}
	if c.Err() == nil {
		r.settle(f)
	}
}

// lines reads the records of a function's own places.
func (r *binaryReader) lines(c *wire.Cursor, f *Function) {
	n := r.count(c, "number of records", 4)
	if len(f.Body) == 0 {
		f.Body = r.records.take(n)
	}
	for range n {
		record := Record{Loc: Loc{r.line(c), uint32(c.ULEB("discriminator"))}, Count: c.ULEB("samples")}
		m := r.count(c, "number of targets", 2)
		record.Targets = r.targets.take(m)
		for range m {
			name := r.name(c, "target")
			record.Targets = append(record.Targets, Target{name, c.ULEB("samples")})
		}
		if c.Err() != nil {
			return
		}
		f.Body = append(f.Body, record)
	}
}

// line reads a line offset that must fit 16 bits.
func (r *binaryReader) line(c *wire.Cursor) uint32 {
	at := c.Offset()
	offset := c.ULEB("line offset")
	if c.Err() == nil && offset > math.MaxUint16 {
		c.FailAt(at, KindIllegalLineOffset, "line offset", "the offset does not fit 16 bits", "at most 65535",
			offset)
	}
	return uint32(offset)
}

// types reads the vtables of a function.
func (r *binaryReader) types(c *wire.Cursor, f *Function) {
	n := c.Count("number of vtable places", c.ULEB("number of vtable places"), 3)
	for range n {
		loc := Loc{r.u32(c, "line offset"), r.u32(c, "discriminator")}
		m := c.Count("number of types", c.ULEB("number of types"), 2)
		for range m {
			name := r.name(c, "type")
			if count := c.ULEB("samples"); c.Err() == nil {
				f.VTables = append(f.VTables, VTable{loc, name, count})
			}
		}
	}
}

// u32 reads a number that must fit 32 bits.
func (r *binaryReader) u32(c *wire.Cursor, field string) uint32 {
	at := c.Offset()
	n := c.ULEB(field)
	if c.Err() == nil && n > math.MaxUint32 {
		c.FailAt(at, model.KindMalformed, field, "the number does not fit 32 bits", "at most 4294967295", n)
	}
	return uint32(n)
}

// count reads how many elements of at least size bytes follow.
func (r *binaryReader) count(c *wire.Cursor, field string, size uint64) int {
	return c.Count(field, uint64(r.u32(c, field)), size)
}
