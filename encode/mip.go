package encode

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"

	"proflens/decode/mip"
	"proflens/decode/model"
)

// MIPOptions say how a .mip is laid out.
type MIPOptions struct {
	// Layout is documented, the default, or tool64, for people with the old tool
	// (mip.md §6).
	Layout mip.Layout
}

// MIPLayouts are those that can be written.
var MIPLayouts = []mip.Layout{mip.Documented, mip.Tool64}

// MIPPlan is a .mip about to be written.
type MIPPlan struct {
	m     *mip.Profile
	wide  bool
	names [][]byte
}

// PlanMIP finds what stands against writing a profile as a .mip. One that was a
// single .mip in that layout comes out as it was, byte for byte.
//
// The error is a [*model.FormatError]: incompatible for raw files without a
// map, lossy for numbers that the layout cannot hold.
func PlanMIP(m *mip.Profile, o MIPOptions) (*MIPPlan, error) {
	if m.Form == mip.FormatRaw {
		return nil, needsMap()
	}
	p := &MIPPlan{m: m, wide: o.Layout == mip.Tool64}
	for i := range m.Functions {
		if err := p.holds(i); err != nil {
			return nil, err
		}
	}
	if m.Names == nil {
		p.names = namesOfMIP(m)
	}
	return p, nil
}

func needsMap() error {
	return model.Faultf(model.KindIncompatible, "raw files need the map of their program; give it with them")
}

// holds refuses numbers that have no room.
func (p *MIPPlan) holds(i int) error {
	f := &p.m.Functions[i]
	lossy := func(field string, value any, most uint64) error {
		return &model.FormatError{Kind: model.KindLossy, Section: "functions", Field: field,
			Msg:      fmt.Sprintf("the layout has 32 bits for a number of function %d that takes more", i),
			Expected: fmt.Sprintf("at most %d", most), Found: fmt.Sprint(value)}
	}
	switch {
	case f.MergeCount > math.MaxUint32:
		return lossy("MergeCount", f.MergeCount, math.MaxUint32)
	case !p.wide && f.RawOffset > math.MaxUint32:
		return lossy("RawProfileDataOffset", f.RawOffset, math.MaxUint32)
	case !p.wide && (f.Offset > math.MaxInt32 || f.Offset < math.MinInt32):
		return lossy("FunctionStartOffset", f.Offset, math.MaxInt32)
	}
	return nil
}

// namesOfMIP are the names to write: sorted, each once; or by position, when
// that is how the functions came by them.
func namesOfMIP(m *mip.Profile) [][]byte {
	var names [][]byte
	positional := false
	for i := range m.Functions {
		f := &m.Functions[i]
		if f.NameSource != mip.NameNone {
			names = append(names, f.Name)
		}
		positional = positional || f.NameSource == mip.NamePositional
	}
	if positional {
		return names
	}
	slices.SortFunc(names, bytes.Compare)
	return slices.CompactFunc(names, bytes.Equal)
}

// Write writes the file.
func (p *MIPPlan) Write(w io.Writer) error {
	b := bufio.NewWriterSize(w, 1<<16)
	b.Write(p.header())
	le := binary.LittleEndian
	b.Write(le.AppendUint64(nil, uint64(len(p.m.Functions))))
	var record []byte
	for i := range p.m.Functions {
		f := &p.m.Functions[i]
		record = le.AppendUint64(record[:0], f.Signature)
		if p.wide {
			record = le.AppendUint64(record, f.RawOffset)
			record = le.AppendUint64(record, uint64(f.Offset))
		} else {
			record = le.AppendUint32(record, uint32(f.RawOffset))
			record = le.AppendUint32(record, uint32(int32(f.Offset)))
		}
		for _, v := range []uint32{f.Size, f.CFGSignature, uint32(len(f.Blocks)), uint32(f.MergeCount)} {
			record = le.AppendUint32(record, v)
		}
		record = le.AppendUint64(record, f.CallCount)
		record = le.AppendUint64(record, f.TimestampSum)
		for _, block := range f.Blocks {
			record = le.AppendUint32(record, block.Offset)
			record = append(record, boolByte(block.Covered))
		}
		record = le.AppendUint32(record, 0) // call edges
		if _, err := b.Write(record); err != nil {
			return err
		}
	}
	p.writeNames(b)
	return b.Flush()
}

func boolByte(b bool) byte {
	if b {
		return 1
	}
	return 0
}

func (p *MIPPlan) header() []byte {
	h := profileHeader(p.m)
	le := binary.LittleEndian
	b := []byte("\xfbMIP")
	b = le.AppendUint16(b, h.Version)
	b = le.AppendUint16(b, uint16(h.FileType))
	b = le.AppendUint32(b, uint32(h.ProfileType))
	b = le.AppendUint32(b, h.ModuleHash)
	b = le.AppendUint64(b, uint64(h.RawSectionOffset))
	b = le.AppendUint32(b, h.Reserved)
	return le.AppendUint32(b, 32) // offset to data
}

// profileHeader is the header as that of a .mip, which has no width when it is
// made of a map, and then names what was measured alone.
func profileHeader(m *mip.Profile) mip.Header {
	h := m.Header
	if h.FileType&mip.FileProfile == 0 {
		h.ProfileType, h.FileType, h.RawSectionOffset, h.Reserved, h.OffsetToData = m.Measured(), mip.FileProfile, 0, 0, 32
	}
	return h
}

// writeNames writes the names as they were, or each with a NUL behind it.
func (p *MIPPlan) writeNames(b *bufio.Writer) {
	var names []byte
	if p.m.Names != nil {
		names = p.m.Names.Bytes
	}
	for _, name := range p.names {
		names = append(append(names, name...), 0)
	}
	size := uint64(len(names))
	end := 0
	if p.wide {
		if len(names) > 0 && names[len(names)-1] != 0 {
			end = 1
		}
		size = uint64(bytes.Count(names, []byte{0}) + end)
	}
	b.Write(binary.LittleEndian.AppendUint64(nil, size))
	b.Write(names)
	b.Write(make([]byte, end))
}
