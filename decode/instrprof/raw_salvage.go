package instrprof

import (
	"bytes"
	"errors"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// SalvageRaw is OpenCorrelated for a file that may end too soon: a program was
// killed while it wrote, or a disk was full. It reads the records whose
// counters are wholly in the file (in versions 1 and 2, whose records have no
// NameRef, their names too), the names that can be read, and the value data
// before the end; of several profiles the whole ones and the beginning of the
// last. Info then says what of the file it is, and a finding too.
//
// A whole file is read as OpenCorrelated reads it. A file that ends inside its
// first header, or that is damaged otherwise, is the error that it is there.
func SalvageRaw(data []byte, correlators []*Correlator, rec *wire.Recorder) (*Raw, error) {
	return openRaw(data, rec, rawOptions{correlators: correlators, salvage: true})
}

// CutOf says how much of a raw file could be salvaged, or nil when it does not
// end too soon. It is for a file that could not be read whole. What it says of
// a file that ends inside its first header is only that.
func CutOf(data []byte) *model.Partial {
	r, err := SalvageRaw(data, nil, nil)
	if err == nil {
		if len(r.info.Partial) == 0 {
			return nil
		}
		return &r.info.Partial[0]
	}
	h, err := readRawHeader(wire.New("file", data, 0), "header")
	if fault, ok := model.FaultIn(err); h == nil || !ok || fault.Kind != model.KindBadHeader {
		return nil
	}
	fields := headerV1[:2]
	if h.format != nil {
		fields = h.format.header
	}
	return &model.Partial{
		Section: "header", End: uint64(len(data)), Missing: 8*uint64(len(fields)) - uint64(len(data)), Leading: true,
	}
}

// OutlineRaw records where the sections of a raw file are and what stands in
// them, as far as the recorder asks; it reads neither names nor counts. The
// error is for a file that cannot be read so far; what was read is recorded.
func OutlineRaw(data []byte, rec *wire.Recorder) error {
	_, err := openRaw(data, rec, rawOptions{salvage: true, outline: true})
	return err
}

// maxLost is the most that a file may have lost to be taken for cut. A header
// that promises more is damaged.
const maxLost = 1 << 38

// errPastEnd says that what a record points at is after the end of a file that
// is being salvaged.
var errPastEnd = errors.New("past the end of the file")

// endsIn notes that the file ends inside a section, or before it, and reports
// whether to go on with what there is.
func (p *rawPart) endsIn(name string, lost uint64) bool {
	if !p.salvage || lost > maxLost-p.lost {
		return false
	}
	if p.cut == "" {
		p.cut = p.section(name)
	}
	p.lost += lost
	return true
}

// readable reports whether what record i needs is in the file.
func (p *rawPart) readable(i int, record []byte) bool {
	if p.cut == "" {
		return true
	}
	if p.records.size[namePtrField] > 0 {
		if _, _, err := p.pointedName(i, record); err != nil {
			return false
		}
	}
	_, err := p.counterBytes(i, record)
	return err == nil
}

// moreValueData reports whether a record that owns value data has it in the
// file.
func (p *rawPart) moreValueData(blocks *wire.Cursor) bool {
	return len(p.values.bytes) > 0 && (p.cut == "" || blocks.Remaining() > 0)
}

// addNames adds the names of a section of that size. Of one that the file ends
// in it adds those that can be read.
func (p *rawPart) addNames(c *wire.Cursor, size uint64) error {
	if p.cut == "" || size <= c.Remaining() {
		return p.table.addSection(c, size)
	}
	end := c.Offset() + c.Remaining()
	var z inflater
	for c.Remaining() > 0 {
		whole := *c
		whole.Record(nil)
		text, offset, err := z.blob(&whole)
		if err != nil {
			text, offset = z.beginning(c), c.Offset()
			whole = *c
		}
		if len(text) > 0 && p.table.addBlob(&whole, text, offset) != nil || err != nil {
			return nil
		}
		*c = whole
		c.SkipZeros(end)
	}
	return nil
}

// beginning is the names of the blob at the cursor that are in the file whole.
// A name that is cut off, or spoilt, would be no function's: records find
// theirs by hash.
func (z *inflater) beginning(c *wire.Cursor) []byte {
	size, stored := c.ULEB("uncompressed size"), c.ULEB("compressed size")
	text := c.Rest()
	if stored > 0 {
		text, _ = z.Inflate(text, size, c.Allowance())
	}
	if uint64(len(text)) >= size {
		return text[:size]
	}
	return text[:max(bytes.LastIndexByte(text, nameSeparator), 0)]
}

// cutBefore reports whether all that follows the last profile is the beginning
// of another one's header, and notes it.
func (r *Raw) cutBefore(c wire.Cursor) bool {
	c.Record(nil)
	c.SkipZeros(c.Offset() + c.Remaining())
	at, rest := c.Offset(), c.Rest()
	first := r.parts[0].rawHeader
	var magic [8]byte
	byteOrder(first.bigEndian).PutUint64(magic[:], first.word[magicField])
	n := min(len(rest), len(magic))
	if n == 0 || at%8 != 0 || !bytes.Equal(rest[:n], magic[:n]) {
		return false
	}
	h := rawHeader{bigEndian: first.bigEndian}
	if h.format = first.format; len(rest) >= 16 {
		h.pickFormat(rest)
	}
	if h.format == nil || len(rest) >= 8*len(h.format.header) {
		return false
	}
	next := rawPart{number: len(r.parts)}
	r.cut, r.lost = next.section("header"), uint64(8*len(h.format.header)-len(rest))
	return true
}

// fillPartial says in the Info what of a file of size bytes was read, when that
// is not all.
func (r *Raw) fillPartial(size uint64) {
	last := r.parts[len(r.parts)-1]
	partial := model.Partial{Section: r.cut, Missing: r.lost, End: size, Promised: r.info.Records, Leading: true}
	if last.cut != "" {
		partial.Section, partial.Missing = last.cut, last.lost
	}
	if partial.Section == "" {
		return
	}
	for _, p := range r.parts[:len(r.parts)-1] {
		partial.Records += uint64(p.numRecords())
	}
	for i, gap := 0, false; i < last.numRecords(); i++ {
		if !last.readable(i, last.record(i)) {
			gap = true
			continue
		}
		partial.Records++
		partial.Leading = partial.Leading && !gap
	}
	r.info.Partial = []model.Partial{partial}
}

// partialFinding says that the records are not all.
func (r *Raw) partialFinding() []model.Finding {
	if len(r.info.Partial) == 0 {
		return nil
	}
	p := &r.info.Partial[0]
	return []model.Finding{{
		Severity: model.Warning, Code: "raw.partial", Kind: model.KindTruncated, Section: p.Section, Offset: p.End,
		Expected: "at least " + wire.Plural(p.Missing, "more byte"),
		Message:  "the file is cut short, and only its readable beginning was decoded: " + p.String(),
		Cause:    "the program was killed while writing its profile, the disk was full, or a copy was interrupted",
		Remedy:   "compare and merge it with care: functions without a record may have run",
	}}
}
