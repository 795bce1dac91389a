package mip

import (
	"bytes"
	"fmt"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// layout is one of the ways to lay a .mip out (mip.md §6).
type layout struct {
	name    Layout
	wide    bool // offsets have 64 bits
	counted bool // the names are told by their number, not by their bytes
}

// layouts, in the order in which ties are decided.
var layouts = []layout{
	{Documented, false, false}, {Tool64, true, true},
	{DocumentedCount, false, true}, {Tool64Length, true, false},
}

// least is the size of a function without blocks, in bytes.
func (l layout) least() uint64 {
	if l.wide {
		return 60
	}
	return 52
}

// anyLeast is less than the size of a function in every layout: a count that
// does not even fit so is beyond reason, and not a file cut short.
const anyLeast = 40

// profileReader reads a .mip in one layout.
type profileReader struct {
	layout
	keep bool   // functions, not only their signatures
	end  uint64 // where the functions end, when that is known from reading before; else 0

	c          *wire.Cursor
	header     Header
	signatures []uint64
	functions  []Function
	blocks     int
	odd        bool // a coverage byte was neither 0 nor 1
	names      []byte
	arena      blockArena
}

// read reads a whole file. After an error signatures tell how many functions
// were read.
func (r *profileReader) read(data []byte, rec *wire.Recorder) (err error) {
	r.c = wire.New("profile", data, 0)
	r.c.RecordSections(rec)
	if r.header, err = readHeader(r.c, FileProfile); err != nil {
		return err
	}
	count, err := r.readCount()
	if err != nil {
		return err
	}
	all, size := r.c, r.c.Remaining()
	if r.end > 0 {
		size = r.end - r.c.Offset()
	}
	r.c = all.Section("functions", size)
	for range count {
		if err := r.readFunction(); err != nil {
			return err
		}
	}
	r.end = r.c.Offset()
	if r.c.Remaining() == 0 && all.Remaining() > 0 {
		r.c = all.Section("names", all.Remaining())
	}
	err = r.readNames()
	if fault, ok := err.(*model.FormatError); ok {
		fault.Section = "names"
	}
	return err
}

func (r *profileReader) readCount() (uint64, error) {
	s := r.c.Section("profile count", min(8, r.c.Remaining()))
	count := s.U64("ProfileCount")
	if err := s.Err(); err != nil {
		return 0, err
	}
	if left := r.c.Remaining(); count > left/r.least() {
		kind := model.KindTruncated
		if count > left/anyLeast {
			kind = model.KindCountTooLarge
		}
		return 0, s.FailAt(s.Offset()-8, kind, "ProfileCount", "the file is too short for the functions it declares",
			fmt.Sprintf("at most %d", left/r.least()), count)
	}
	return count, nil
}

func (r *profileReader) readFunction() error {
	c, n := r.c, len(r.signatures)
	if c.Remaining() < r.least() {
		return c.Fail(model.KindTruncated, "", fmt.Sprintf("the file ends inside function %d", n),
			wire.Plural(r.least(), "byte"), c.Remaining())
	}
	f := Function{Signature: c.U64("FunctionSignature"), FirstBlock: r.blocks}
	if r.wide {
		f.RawOffset, f.Offset = c.U64("RawProfileDataOffset"), int64(c.U64("FunctionStartOffset"))
	} else {
		f.RawOffset, f.Offset = uint64(c.U32("RawProfileDataOffset")), int64(int32(c.U32("FunctionStartOffset")))
	}
	if c.Recording() {
		c.Note(fmt.Sprintf("%+d bytes from the raw section", f.Offset))
	}
	f.Size, f.CFGSignature = c.U32("FunctionSize"), c.U32("ControlFlowGraphSignature")
	count := uint64(c.U32("NonEntryBlockCount"))
	f.MergeCount = uint64(c.U32("MergeCount"))
	f.CallCount, f.TimestampSum = c.U64("CallCount"), c.U64("TimestampSum")
	const since = 24 // bytes from NonEntryBlockCount on
	if left := c.Remaining() - 4; count > left/5 {
		return c.FailAt(c.Offset()-since, model.KindCountTooLarge, "NonEntryBlockCount",
			fmt.Sprintf("function %d declares more blocks than the bytes that are left can hold", n),
			fmt.Sprintf("at most %d", left/5), count)
	}
	r.readBlocks(&f, int(count))
	if edges := c.U32("CallEdgeCount"); edges != 0 && c.Err() == nil {
		return c.FailAt(c.Offset()-4, model.KindUnsupportedFeature, "CallEdgeCount",
			fmt.Sprintf("function %d has call edges, whose layout was never published", n), "0", edges)
	}
	if err := c.Err(); err != nil {
		return err
	}
	r.signatures = append(r.signatures, f.Signature)
	if r.keep {
		r.functions = append(r.functions, f)
	}
	return nil
}

// readBlocks reads the blocks of a function, of 5 bytes each.
func (r *profileReader) readBlocks(f *Function, count int) {
	if r.keep {
		f.Blocks = r.arena.take(count)
	}
	for i := range count {
		offset, covered := r.c.U32("Offset"), r.c.U8("IsCovered")
		r.odd = r.odd || covered > 1
		if r.keep {
			f.Blocks[i] = Block{Offset: offset, Covered: covered != 0}
		}
	}
	r.blocks += count
}

// readNames reads the names, which end the file.
func (r *profileReader) readNames() error {
	c := r.c
	size := c.U64("FunctionNamesLength")
	if err := c.Err(); err != nil {
		return err
	}
	rest := c.Peek()
	if size > uint64(len(rest)) {
		return c.FailAt(c.Offset()-8, model.KindCountTooLarge, "FunctionNamesLength",
			"the names are longer than the rest of the file",
			fmt.Sprintf("at most %d", len(rest)), size)
	}
	if r.counted {
		bytes, err := r.countNames(rest, size)
		if err != nil {
			return err
		}
		size = bytes
	}
	r.names = c.Text("FunctionNames", size)
	if left := c.Remaining(); left > 0 {
		return c.Fail(model.KindTrailingData, "", "bytes follow the names", "the end of the file", wire.Plural(left, "byte"))
	}
	return c.Err()
}

// countNames is the size of count names, each with a NUL behind it.
func (r *profileReader) countNames(rest []byte, count uint64) (size uint64, err error) {
	for n := range count {
		end := bytes.IndexByte(rest[size:], 0)
		if end < 0 {
			return 0, r.c.FailAt(r.c.Offset()+size, model.KindTruncated, "FunctionNames",
				fmt.Sprintf("the file ends inside name %d", n), "a NUL", "")
		}
		size += uint64(end) + 1
	}
	return size, nil
}
