package dcpi

import (
	"fmt"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// Padding is how many blanks the header is short of a multiple of four bytes. The
// format advises such a length, for speed alone: the samples then are aligned to
// 32 bits. It is 0 for text of dcpicat, which has no such header.
func (h *Header) Padding() uint64 { return -h.Bytes % wordSize }

// Alignment says how a header stands to the advice.
func (h *Header) Alignment() string {
	if n := h.Padding(); n > 0 {
		return wire.Plural(n, "byte") + " short of a multiple of 4, which the format recommends for speed only"
	}
	return "a multiple of 4, as the format recommends for speed"
}

// unaligned is the finding about the profiles of a database whose headers are not
// as long as is advised; nil when all are.
func unaligned(db *Database) []model.Finding {
	var first *Profile
	all, short := uint64(0), uint64(0)
	for p := range db.Profiles() {
		all++
		if p.Padding() == 0 {
			continue
		}
		if short++; first == nil {
			first = p
		}
	}
	if short == 0 {
		return nil
	}
	f := model.Finding{
		Severity: model.Note, Code: "dcpi.unaligned_header", File: first.File, Section: "header", Field: "samples",
		Offset: first.Bytes - uint64(len(first.Terminator)), Expected: "a multiple of 4 bytes",
		Found: fmt.Sprint(first.Bytes), Count: short,
		Message: fmt.Sprintf("the header has %d bytes, %d short of a multiple of four: the samples are not aligned to 32 "+
			"bits", first.Bytes, first.Padding()),
		Cause:  "the writer did not pad the header, as the format recommends for speed",
		Remedy: "nothing: only speed is lost; spaces at the end of the line “samples” would align them",
	}
	if short > 1 {
		f.Message = fmt.Sprintf("of %d profiles, %d have a header whose length is not a multiple of 4 bytes, so their "+
			"samples are not aligned to 32 bits; "+
			"that of the first has %d bytes and is %d short", all, short, first.Bytes, first.Padding())
	}
	return []model.Finding{f}
}
