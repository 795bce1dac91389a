package covmap

import (
	"encoding/binary"
	"fmt"
	"math"

	"proflens/decode/model"
)

// Read decodes the function's mapping (formats/covmap.md, section 4) into one whose
// slices it uses again. It fails for no function of an object that was opened.
func (f *Function) Read(into *Mapping) error {
	m := mappingReader{data: f.data, base: f.at}
	into.Files, into.Expressions, into.Regions = into.Files[:0], into.Expressions[:0], into.Regions[:0]
	for range m.size("number of file ids") {
		index := m.number("file name index", uint64(len(f.names)))
		if m.err != nil {
			break
		}
		into.Files = append(into.Files, f.names[index])
	}
	expressions := m.size("number of expressions")
	for range expressions {
		e := Expression{m.counter(expressions), m.counter(expressions)}
		if m.err != nil {
			break
		}
		into.Expressions = append(into.Expressions, e)
	}
	for file := range into.Files {
		line := uint32(0)
		for range m.size("number of regions") {
			into.Regions = append(into.Regions, Region{File: uint32(file)})
			r := &into.Regions[len(into.Regions)-1]
			m.region(r, line, expressions, uint64(len(into.Files)))
			if m.err != nil {
				return m.err
			}
			line = r.Start.Line
		}
	}
	if m.err == nil && len(into.Regions) == 0 {
		m.fail(m.pos, model.KindMalformed, "number of regions", "the function has no regions", "1 or more", "0")
	}
	if m.err != nil {
		return m.err
	}
	into.countExpansions()
	return nil
}

// mappingReader reads the numbers of a mapping. The first fault is kept, and no data
// after it.
type mappingReader struct {
	data []byte
	pos  int
	base uint64 // where data begins in the file
	err  error
}

// past is the bound of most numbers, which LLVM keeps in 32 bits.
const past = math.MaxUint32

func (m *mappingReader) fail(at int, kind model.Kind, field, msg string, expected, found any) {
	if m.err == nil {
		m.err = &model.FormatError{
			Kind: kind, Section: "mapping", Field: field, Offset: m.base + uint64(at), Msg: msg,
			Expected: fmt.Sprint(expected), Found: fmt.Sprint(found),
		}
		m.data = nil
	}
}

func (m *mappingReader) uleb(field string) uint64 {
	if m.err != nil {
		return 0
	}
	v, n := binary.Uvarint(m.data[m.pos:])
	switch {
	case n > 0:
		m.pos += n
		return v
	case m.pos == len(m.data):
		m.fail(m.pos, model.KindTruncated, field, "the mapping ends where a number is due", "1 byte or more", "0")
	default:
		m.fail(m.pos, model.KindMalformed, field, "the LEB128 passes the end of the mapping, or 64 bits", "", "")
	}
	return 0
}

// number reads a number below a bound. Nearly all are of one byte.
func (m *mappingReader) number(field string, bound uint64) uint64 {
	if m.pos < len(m.data) {
		if b := m.data[m.pos]; b < 0x80 && uint64(b) < bound {
			m.pos++
			return uint64(b)
		}
	}
	return m.longNumber(field, bound)
}

func (m *mappingReader) longNumber(field string, bound uint64) uint64 {
	at := m.pos
	v := m.uleb(field)
	if v >= bound && m.err == nil {
		m.fail(at, model.KindMalformed, field, "the number is too large", fmt.Sprintf("less than %d", bound), v)
	}
	if m.err != nil {
		return 0
	}
	return v
}

// size reads how many follow, of one byte each at least.
func (m *mappingReader) size(field string) uint64 {
	at := m.pos
	v := m.uleb(field)
	if left := uint64(len(m.data) - m.pos); v > left && m.err == nil {
		m.fail(at, model.KindMalformed, field, "the count exceeds the bytes that are left", fmt.Sprintf("at most %d", left),
			v)
	}
	if m.err != nil {
		return 0
	}
	return v
}

func (m *mappingReader) counter(expressions uint64) Counter {
	at := m.pos
	return m.checked(at, m.number("counter", past), expressions)
}

// checked is a counter whose expression there is; zero has no id.
func (m *mappingReader) checked(at int, v, expressions uint64) Counter {
	c := Counter(v)
	switch {
	case c.Tag() == Zero:
		return 0
	case c.Tag() != Profiled && v>>2 >= expressions:
		m.fail(at, model.KindMalformed, "counter", "a counter is an expression that there is not",
			fmt.Sprintf("less than %d", expressions), v>>2)
		return 0
	}
	return c
}

// The headers of regions that have no counter in it, without the three low bits.
const (
	codeHeader       = 0
	skippedHeader    = 2
	branchHeader     = 4
	decisionHeader   = 5
	mcdcBranchHeader = 6
)

const (
	expansionBit  = 4
	gapBit        = 1 << 31
	conditionsEnd = math.MaxInt16
)

// region reads a region; line is where the one before it starts.
func (m *mappingReader) region(r *Region, line uint32, expressions, files uint64) {
	at := m.pos
	v := m.number("header", past)
	switch {
	case v&3 != uint64(Zero):
		r.Counter = m.checked(at, v, expressions)
	case v&expansionBit != 0:
		r.Kind, r.Expanded = Expansion, uint32(v>>3)
		if v>>3 >= files {
			m.fail(at, model.KindMalformed, "header", "an expansion is of a file id that there is not",
				fmt.Sprintf("less than %d", files), v>>3)
		}
	case v>>3 == codeHeader:
	case v>>3 == skippedHeader:
		r.Kind = Skipped
	case v>>3 == branchHeader:
		r.Kind = Branch
		r.Counter, r.False = m.counter(expressions), m.counter(expressions)
	case v>>3 == decisionHeader:
		r.Kind = Decision
		r.Bitmap, r.Conditions = uint32(m.number("bitmap index", past)),
			uint16(m.number("number of conditions", conditionsEnd))
	case v>>3 == mcdcBranchHeader:
		r.Kind = MCDCBranch
		r.Counter, r.False = m.counter(expressions), m.counter(expressions)
		at := m.pos
		r.ID = int16(m.number("condition id", conditionsEnd)) - 1
		r.NextTrue, r.NextFalse = int16(m.number("next if true", conditionsEnd))-1,
			int16(m.number("next if false", conditionsEnd))-1
		if r.ID < 0 {
			m.fail(at, model.KindMalformed, "condition id", "a condition has no id", "1 or more", "0")
		}
	default:
		m.fail(at, model.KindMalformed, "header", "the kind of region is not known", "0, 2, 4, 5 or 6", v>>3)
	}
	m.place(r, line)
}

// place reads where a region is.
func (m *mappingReader) place(r *Region, line uint32) {
	at := m.pos
	r.Start.Line = line
	// nearly always
	if left := m.data[min(m.pos, len(m.data)):]; len(left) >= 4 && left[0]|left[1]|left[2]|left[3] < 0x80 {
		m.pos += 4
		r.Start.Line += uint32(left[0])
		r.Start.Column = uint32(left[1])
		r.End = Position{r.Start.Line + uint32(left[2]), uint32(left[3])}
	} else {
		r.Start.Line += uint32(m.number("line", past))
		r.Start.Column = uint32(m.number("column", past+1))
		r.End.Line = r.Start.Line + uint32(m.number("lines", past))
		end := m.number("end column", past)
		if end&gapBit != 0 {
			r.Kind = Gap
		}
		r.End.Column = uint32(end &^ gapBit)
	}
	if r.Start.Column == 0 && r.End.Column == 0 { // whole lines
		r.Start.Column, r.End.Column = 1, math.MaxUint32
	}
	if r.Start.Line > r.End.Line || r.Start.Line == r.End.Line && r.Start.Column > r.End.Column {
		m.fail(at, model.KindMalformed, "line", "a region ends before it starts", "",
			fmt.Sprintf("%d:%d to %d:%d", r.Start.Line, r.Start.Column, r.End.Line, r.End.Column))
	}
}
