package sampleprof

import (
	"cmp"
	"fmt"
	"slices"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// placeholder is where the writer leaves room for the offset of the function table.
const placeholder = ^uint64(1)

// openCompact reads a compact file (sampleprof.md §5), which LLVM 7 to 16 wrote.
func openCompact(data []byte, rec *wire.Recorder) (*Profile, error) {
	p := &Profile{Format: FormatCompact, Flags: MD5Names, Reader: llvm16}
	r := newBinaryReader(p)
	whole := wire.New("header", data, 0)
	whole.RecordSections(rec)
	c := whole.Section("header", headerSize(data))
	if err := p.header(c); err != nil {
		return nil, err
	}
	c = whole.Section("summary and names", whole.Remaining())
	r.summary(c)
	r.hashNames(c, false)
	at := c.Offset()
	table := c.U64("function offset table offset")
	switch {
	case c.Err() != nil:
		return nil, c.Err()
	case table == placeholder:
		return nil, c.FailAt(at, model.KindTruncated, "function offset table offset",
			"the writer was stopped before it wrote where the functions are", "an offset", "its placeholder")
	case table < c.Offset() || table > uint64(len(data)):
		return nil, c.FailAt(at, model.KindMalformed, "function offset table offset",
			"the table lies outside the file, or before the functions",
			fmt.Sprintf("%d to %d", c.Offset(), len(data)), table)
	}
	begin := c.Offset()
	r.keep = true
	if err := r.functions(c.Section("functions", table-begin)); err != nil {
		return nil, err
	}
	if err := r.compactTable(c.Section("function offset table", c.Remaining()), begin); err != nil {
		return nil, err
	}
	p.oldest(r.starts)
	r.note("no_longer_read", model.Note, "LLVM 16 was the last to read and write compact files", "",
		"export it as sample-extbinary for a newer compiler", 0)
	return r.finish(), nil
}

// compactTable reads where each function begins, by which the tools find them: a table
// that says otherwise than the functions do is damage.
func (r *binaryReader) compactTable(c *wire.Cursor, begin uint64) error {
	n := c.Count("number of functions", c.ULEB("number of functions"), 2)
	listed := make(map[start]bool, n)
	for range n {
		at := c.Offset()
		index := r.index(c, "name index", uint64(len(r.names)), "names")
		entry := start{index, c.ULEB("function offset") - begin}
		if c.Err() != nil {
			return c.Err()
		}
		if !slices.Contains(r.at(entry.offset), entry) {
			return c.FailAt(at, model.KindMalformed, "function offset", "no such function begins there", "",
				fmt.Sprintf("name %d at %d", index, entry.offset+begin))
		}
		listed[entry] = true
	}
	for _, s := range r.starts {
		if c.Err() == nil && !listed[s] {
			return c.Fail(model.KindMalformed, "function offset table", "the table lacks a function",
				fmt.Sprintf("name %d at %d", s.index, s.offset+begin), "")
		}
	}
	return c.Err()
}

// at is the function that begins at an offset; starts are ascending.
func (r *binaryReader) at(offset uint64) []start {
	i, ok := slices.BinarySearchFunc(r.starts, offset, func(s start, offset uint64) int {
		return cmp.Compare(s.offset, offset)
	})
	if !ok {
		return nil
	}
	return r.starts[i : i+1]
}

// oldest tells a compact file of LLVM 13 and older by its functions: those of equal
// total stand in the opposite order of their names, of which the table keeps the order.
func (p *Profile) oldest(starts []start) {
	for i := 1; i < len(starts) && len(starts) == len(p.Functions); i++ {
		if p.Functions[i-1].Total == p.Functions[i].Total && starts[i-1].index > starts[i].index {
			p.Reader = llvm13
			return
		}
	}
}
