package symbol

import (
	"cmp"
	"slices"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// lineTable is the line number program of a unit, versions 2 to 5. Its rows are
// not kept: every so many rows the state of the program is, and an address is
// found by running it from there. That takes a fiftieth of the memory.
type lineTable struct {
	encoding
	minInst, maxOps uint8
	lineBase        int8
	lineRange       uint8
	opcodeBase      uint8
	lengths         []byte // operands of standard opcodes, from opcode 1 on

	dirs      []value
	files     []fileEntry
	d         *DWARF
	names     map[uint64]string
	program   []byte
	bigEndian bool

	sequences []sequence // by their last address
	marks     []row      // states, of each sequence in order
}

// fileEntry is a file of a line table.
type fileEntry struct {
	name value
	dir  uint64
	text uint64 // one more than where in .debug_line_str its text begins; 0: it has none there
}

// row is the state of the program after it has made a row of the table.
type row struct {
	address       uint64
	pos           int // in the program, after the row
	file          uint64
	line, column  uint32
	discriminator uint32
	opIndex       uint8
	end           bool
}

// sequence is rows whose addresses rise.
type sequence struct {
	low, high uint64 // high is the first address after it
	marks     [2]int // the first of its marks and the one after the last
}

// The standard and extended opcodes (DWARF 5 §7.22).
const (
	lnsExtended       = 0
	lnsCopy           = 1
	lnsAdvancePC      = 2
	lnsAdvanceLine    = 3
	lnsSetFile        = 4
	lnsSetColumn      = 5
	lnsNegateStmt     = 6
	lnsSetBasicBlock  = 7
	lnsConstAddPC     = 8
	lnsFixedAdvancePC = 9
	lnsPrologueEnd    = 10
	lnsEpilogueBegin  = 11
	lnsSetISA         = 12

	lneEndSequence      = 1
	lneSetAddress       = 2
	lneSetDiscriminator = 4
)

// Between two marks are as many rows, and at most as many operations: looking
// an address up takes no more than these.
const (
	rowsPerMark   = 64
	maxOpsPerMark = 1 << 12
)

// Line tables may be read so often, where a file counts as the bytes that it
// takes in memory; units of a program share none of theirs.
const (
	maxLineReads  = 2
	fileEntryCost = 8
)

// linesOf is the line table of a unit. Units of one compilation may share it.
func (s *Symbolizer) linesOf(u *compileUnit) *lineTable {
	if u.lines != nil {
		return u.lines
	}
	u.lines = &lineTable{}
	if !u.hasLines || len(u.d.line.data) == 0 {
		return u.lines
	}
	if t := s.lineCache[u.stmtList]; t != nil {
		u.lines = t
		return t
	}
	t, err := s.readLines(u)
	s.report(u.d.fault(&u.d.line, err))
	if t != nil {
		u.lines = t
	}
	s.lineCache[u.stmtList] = u.lines
	return u.lines
}

// filesOf is a line table of which nothing but the files need be known.
func (s *Symbolizer) filesOf(u *compileUnit) *lineTable {
	if u.lines != nil {
		return u.lines
	}
	if t := s.lineCache[u.stmtList]; t != nil && u.hasLines {
		return t
	}
	if u.hasLines && len(u.d.line.data) > 0 {
		t, _, err := s.openLines(u)
		s.report(u.d.fault(&u.d.line, err))
		if t != nil {
			return t
		}
	}
	return &lineTable{}
}

// readLines reads the table of a unit and marks its sequences.
func (s *Symbolizer) readLines(u *compileUnit) (*lineTable, error) {
	t, c, err := s.openLines(u)
	if err != nil {
		return nil, err
	}
	return t, t.mark(c)
}

// openLines reads the header of a unit's table: its files. The program is behind what
// the cursor has read.
func (s *Symbolizer) openLines(u *compileUnit) (*lineTable, *wire.Cursor, error) {
	whole := u.d.cursor(&u.d.line)
	whole.Skip("DW_AT_stmt_list", u.stmtList)
	before := whole.Remaining()
	t, c, err := openLines(whole, &u.unit)
	if err != nil {
		return nil, nil, err
	}
	s.linesRead += before - whole.Remaining() + fileEntryCost*uint64(len(t.files)+len(t.dirs))
	if limit := maxLineReads*uint64(len(u.d.line.data)) + 1<<20; s.linesRead > limit {
		c.Fail(model.KindTooLarge, "DW_AT_stmt_list", "the units read the line tables over and over",
			"at most "+wire.Plural(limit, "byte"), "")
	}
	if c.Err() != nil {
		return nil, nil, c.Err()
	}
	return t, c, nil
}

// openLines reads the header of the table at a cursor, which it moves past the table.
func openLines(whole *wire.Cursor, u *unit) (*lineTable, *wire.Cursor, error) {
	t := &lineTable{d: u.d, names: map[uint64]string{}, bigEndian: u.d.image.BigEndian}
	length := uint64(whole.U32("unit_length"))
	if length == 0xffffffff {
		t.wide = true
		length = whole.U64("unit_length")
	}
	c := whole.Section(u.d.line.name, length)
	t.version, t.addrSize = c.U16("version"), u.addrSize
	if c.Err() == nil && (t.version < 2 || t.version > 5) {
		return nil, nil, c.Fail(model.KindUnsupportedVersion, "version", "the version of the line table is not known",
			"2 to 5", t.version)
	}
	if t.version >= 5 {
		t.addrSize = int(c.U8("address_size"))
		c.U8("segment_selector_size")
	}
	header := c.Section(u.d.line.name, c.Ptr("header_length", t.offsetSize()))
	t.readHeader(header, u)
	if header.Err() != nil {
		return nil, nil, header.Err()
	}
	t.program = c.Rest()
	return t, c, c.Err()
}

// readHeader reads what follows header_length.
func (t *lineTable) readHeader(c *wire.Cursor, u *unit) {
	t.minInst, t.maxOps = c.U8("minimum_instruction_length"), 1
	if t.version >= 4 {
		t.maxOps = max(c.U8("maximum_operations_per_instruction"), 1)
	}
	c.U8("default_is_stmt")
	t.lineBase, t.lineRange = int8(c.U8("line_base")), c.U8("line_range")
	t.opcodeBase = c.U8("opcode_base")
	t.lengths = c.Bytes("standard_opcode_lengths", uint64(max(t.opcodeBase, 1)-1))
	if t.version >= 5 {
		t.readEntries(c, u)
		return
	}
	for c.Err() == nil {
		text := inlineText(c)
		if len(text) == 0 {
			break
		}
		t.dirs = append(t.dirs, value{form: formString, bytes: text})
	}
	for c.Err() == nil {
		text := inlineText(c)
		if len(text) == 0 {
			break
		}
		t.files = append(t.files, fileEntry{name: value{form: formString, bytes: text}, dir: c.ULEB("directory index")})
		c.ULEB("modification time")
		c.ULEB("length")
	}
}

// inlineText is a string in the table, with its zero; empty without a string.
func inlineText(c *wire.Cursor) []byte {
	u := unit{c: c}
	text := u.inlineString()
	if len(text) <= 1 {
		return nil
	}
	return text
}

// The parts of a directory or file (DWARF 5 §7.22).
const (
	lnctPath           = 1
	lnctDirectoryIndex = 2
	lnctLLVMSource     = 0x2001
)

// readEntries reads the directories and files of version 5.
func (t *lineTable) readEntries(c *wire.Cursor, u *unit) {
	read := func(count string, add func(fileEntry)) {
		type part struct {
			kind uint64
			form form
		}
		var parts []part
		for range c.U8("entry_format_count") {
			parts = append(parts, part{c.ULEB("content type"), form(c.ULEB("form"))})
		}
		reader := unit{encoding: t.encoding, d: u.d, c: c, strOffsetsBase: u.strOffsetsBase}
		for range c.Count(count, c.ULEB(count), 1) {
			var f fileEntry
			for _, p := range parts {
				v := reader.read(p.form)
				switch p.kind {
				case lnctPath:
					f.name = v
				case lnctDirectoryIndex:
					f.dir = v.number
				case lnctLLVMSource:
					if v.form == formLineStrp {
						f.text = v.number + 1
					}
				}
			}
			if c.Err() != nil {
				return
			}
			add(f)
		}
	}
	read("directories_count", func(f fileEntry) { t.dirs = append(t.dirs, f.name) })
	read("file_names_count", func(f fileEntry) { t.files = append(t.files, f) })
}

// mark runs the program and keeps its sequences.
func (t *lineTable) mark(c *wire.Cursor) error {
	m := t.start()
	var seq sequence
	open, rows, ops := false, 0, 0
	for m.step() {
		if ops++; ops > maxOpsPerMark {
			return c.Fail(model.KindTooLarge, "opcode", "the line table has more operations than rows need", "", "")
		}
		if !m.made {
			continue
		}
		r := m.row
		if !open {
			open, seq, rows = true, sequence{low: r.address, marks: [2]int{len(t.marks), 0}}, 0
		}
		if r.end {
			seq.high, seq.marks[1] = r.address, len(t.marks)
			if seq.low < seq.high && seq.marks[0] < seq.marks[1] {
				t.sequences = append(t.sequences, seq)
			} else {
				t.marks = t.marks[:seq.marks[0]]
			}
			open, ops = false, 0
			continue
		}
		if rows%rowsPerMark == 0 {
			t.marks, ops = append(t.marks, r), 0
		}
		rows++
	}
	slices.SortStableFunc(t.sequences, func(a, b sequence) int { return cmp.Compare(a.high, b.high) })
	if m.failed {
		return c.Fail(model.KindTruncated, "opcode", "the line table ends inside an operation", "", "")
	}
	return nil
}

// find is the last row at or before an address of code.
func (t *lineTable) find(addr uint64) (row, bool) {
	n, found := slices.BinarySearchFunc(t.sequences, addr, func(s sequence, addr uint64) int {
		return cmp.Compare(s.high, addr)
	})
	for found && n < len(t.sequences) && t.sequences[n].high == addr {
		n++
	}
	if n == len(t.sequences) || addr < t.sequences[n].low {
		return row{}, false
	}
	seq := t.sequences[n]
	marks := t.marks[seq.marks[0]:seq.marks[1]]
	at, found := slices.BinarySearchFunc(marks, addr, func(r row, addr uint64) int { return cmp.Compare(r.address, addr) })
	for found && at+1 < len(marks) && marks[at+1].address == addr {
		at++
	}
	if !found {
		at = max(at-1, 0)
	}
	last := marks[at]
	m := t.resume(last)
	for ops := 0; ops < maxOpsPerMark && m.step(); ops++ {
		if !m.made {
			continue
		}
		if r := m.row; r.address > addr || r.end {
			break
		}
		last = m.row
	}
	return last, true
}
