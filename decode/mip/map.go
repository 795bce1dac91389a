package mip

import (
	"bytes"
	"crypto/md5"
	"encoding/binary"
	"fmt"
	"slices"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// Signature is the hash of a function's name: its first eight MD5 bytes,
// little-endian (mip.md §2).
func Signature(name []byte) uint64 {
	sum := md5.Sum(name)
	return binary.LittleEndian.Uint64(sum[:])
}

// OpenMap reads a map: a .mipmap, or the section __llvm_mipmap of a program,
// where base is the section's offset in the program's file. rec may be nil. The
// data must outlive the result, which has their names.
//
// Errors are those of the header, and truncated, count_too_large, corrupt,
// second_header.
func OpenMap(data []byte, base uint64, rec *wire.Recorder) (*Profile, error) {
	var first error
	widths := []int{64}
	if h, err := readHeader(wire.New("header", data, base), FileMap); err == nil {
		widths = recordWidths(h.FileType)
	}
	for n, width := range widths {
		m, err := readMap(data, base, width, nil)
		if err != nil {
			if first == nil {
				first = err
			}
			continue
		}
		if n > 0 {
			warn(m, WidthFromContent)
		}
		if rec.Records() {
			_, _ = readMap(data, base, width, rec) // the same again, to be shown
		}
		return m, nil
	}
	if rec.Records() {
		_, _ = readMap(data, base, widths[0], rec)
	}
	return nil, first
}

// recordWidths are the widths to try: 32-bit compilers wrote records half as
// wide as the document says, and a map need not say how wide it is (mip.md §8,
// 7 and 8).
func recordWidths(t FileType) []int {
	switch t & FileWidth {
	case File32:
		return []int{32, 64}
	case File64:
		return []int{64}
	}
	return []int{64, 32}
}

// mapReader reads the records of a map.
type mapReader struct {
	c     *wire.Cursor
	base  uint64 // of the map in the file
	width uint64 // bytes of an offset, and what records are aligned to
	m     *Profile
	arena blockArena
}

// readMap reads a whole map with records of one width, in bits.
func readMap(data []byte, base uint64, width int, rec *wire.Recorder) (*Profile, error) {
	c := wire.New("map", data, base)
	c.RecordSections(rec)
	h, err := readHeader(c, FileMap)
	if err != nil {
		return nil, err
	}
	if width == 64 && h.FileType&FileWidth == File32 {
		h.RawSectionOffset = int64(binary.LittleEndian.Uint64(data[16:])) // as the document has it
	}
	m := &Profile{Form: FormatMap, Header: h, RecordWidth: width}
	if h.FileType&FileWidth == 0 {
		m.Warnings = append(m.Warnings, NoWidthBit)
	}
	r := &mapReader{c: c.Section("functions", c.Remaining()), base: base, width: uint64(width / 8), m: m}
	for !r.atEnd() {
		if err := r.read(); err != nil {
			return nil, err
		}
	}
	if !m.HasBlocks() && m.Blocks > 0 {
		m.Warnings = append(m.Warnings, BlocksUnprofiled)
	}
	slices.Sort(m.Warnings)
	measure(m)
	return m, nil
}

// least is the size of a record without blocks and name.
func (r *mapReader) least() uint64 { return 2*r.width + 16 }

// atEnd reports whether no record follows: nothing, or zeros too few to be
// another one's beginning but enough to be padding.
func (r *mapReader) atEnd() bool {
	left := r.c.Remaining()
	if left == 0 || left >= r.width {
		return left == 0
	}
	return len(bytes.Trim(r.c.Peek(), "\x00")) == 0
}

// read reads one record (mip.md §3).
func (r *mapReader) read() error {
	c, m := r.c, r.m
	n := len(m.Functions)
	at := c.Offset()
	f := Function{NameSource: NameMD5, RecordOffset: at - r.base, FirstBlock: m.Blocks}
	if c.Remaining() < r.least() {
		return c.Fail(model.KindTruncated, "", fmt.Sprintf("the file ends inside the record of function %d", n),
			wire.Plural(r.least(), "byte"), c.Remaining())
	}
	if err := r.secondHeader(); err != nil {
		return err
	}
	f.RawPCOffset, f.FunctionPCOffset = r.offset("RawProfilePCOffset"), r.offset("FunctionPCOffset")
	if err := r.place(&f, n, at); err != nil {
		return err
	}
	f.Size, f.CFGSignature = c.U32("FunctionSize"), c.U32("ControlFlowGraphSignature")
	count := uint64(c.U32("NonEntryBlockCount"))
	if left := c.Remaining() - 4; count > left/4 {
		return c.FailAt(c.Offset()-4, model.KindCountTooLarge, "NonEntryBlockCount",
			fmt.Sprintf("function %d declares more blocks than the bytes that are left can hold", n),
			fmt.Sprintf("at most %d", left/4), count)
	}
	f.Blocks = r.arena.take(int(count))
	for i := range f.Blocks {
		f.Blocks[i].Offset = c.U32("Offset")
	}
	length := uint64(c.U32("FunctionNameLength"))
	if length > c.Remaining() {
		return c.FailAt(c.Offset()-4, model.KindCountTooLarge, "FunctionNameLength",
			fmt.Sprintf("the name of function %d is longer than the rest of the file", n),
			fmt.Sprintf("at most %d", c.Remaining()), length)
	}
	if length > model.MaxName {
		return c.FailAt(c.Offset()-4, model.KindTooLarge, "FunctionNameLength",
			fmt.Sprintf("the name of function %d is implausibly long", n), model.NameBound, length)
	}
	f.Name = c.Text("FunctionName", length)
	f.Signature = Signature(f.Name)
	m.Functions = append(m.Functions, f)
	m.Blocks += len(f.Blocks)
	return r.padding(n)
}

// secondHeader refuses a header where a record should begin.
func (r *mapReader) secondHeader() error {
	rest := r.c.Peek()
	if len(rest) < headerSize || !Is(rest) || binary.LittleEndian.Uint16(rest[4:]) != version {
		return nil
	}
	return r.c.Fail(model.KindSecondHeader, "Magic",
		"a second map begins here: the file holds the maps of several link units; give them separately",
		"a function's record", "a header")
}

// offset reads a signed offset of the records' width.
func (r *mapReader) offset(field string) int64 {
	if r.width == 4 {
		v := int64(int32(r.c.U32(field)))
		r.signed(v)
		return v
	}
	v := int64(r.c.U64(field))
	r.signed(v)
	return v
}

func (r *mapReader) signed(v int64) {
	if r.c.Recording() {
		r.c.Note(fmt.Sprintf("%+d", v))
	}
}

// place works out where a function's counters and code are. Both offsets of a
// record are relative to its own first byte (mip.md §3).
func (r *mapReader) place(f *Function, n int, at uint64) error {
	base := r.m.Header.RawSectionOffset - int64(f.RecordOffset)
	raw, offset := f.RawPCOffset-base, f.FunctionPCOffset-base
	if r.width == 4 {
		raw, offset = int64(uint32(raw)), int64(int32(offset))
	}
	if raw < headerSize {
		return r.c.FailAt(at, model.KindCorrupt, "RawProfilePCOffset",
			fmt.Sprintf("the counters of function %d are before the data of the raw file", n),
			fmt.Sprintf("at least %d", headerSize), raw)
	}
	f.RawOffset, f.Offset = uint64(raw), offset
	return nil
}

// padding moves to where the next record begins, counted from the start of the
// map. The last record may be without.
func (r *mapReader) padding(n int) error {
	size := -(r.c.Offset() - r.base) % r.width
	for range min(size, r.c.Remaining()) {
		if b := r.c.Bytes("", 1); b[0] != 0 {
			return r.c.FailAt(r.c.Offset()-1, model.KindCorrupt, "",
				fmt.Sprintf("the padding behind function %d is not zero", n),
				"00", fmt.Sprintf("%02x", b[0]))
		}
	}
	return r.c.Err()
}

// blockArena hands out lists of blocks from large pieces.
type blockArena struct{ free []Block }

// arenaBlocks is the size of a piece, in blocks.
const arenaBlocks = 4096

func (a *blockArena) take(n int) []Block {
	if n > len(a.free) {
		if n > arenaBlocks {
			return make([]Block, n)
		}
		a.free = make([]Block, arenaBlocks)
	}
	list := a.free[:n:n]
	a.free = a.free[n:]
	return list
}
