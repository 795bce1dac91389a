package dcpi

import (
	"encoding/binary"
	"fmt"
	"iter"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// Sizes in bytes.
const (
	wordSize   = 4
	headSize   = 2 * wordSize // of a chunk: offset and number
	footerSize = 2 * wordSize
)

// body is the binary part while it is checked.
type body struct {
	c    *wire.Cursor
	data []byte
	p    *Profile

	last     span
	aligned  bool // every offset is a multiple of 4 and no chunks overlap at 4
	disorder error
}

// span is where a chunk stands in the text.
type span struct{ offset, number uint64 }

// readBody walks the chunks and the footer and holds every rule of the format
// against them. Nothing of them is kept but where they are.
func readBody(c *wire.Cursor, p *Profile) (warnings []string, err error) {
	b := body{c: c, data: c.Peek(), p: p, aligned: true}
	if size := uint64(len(b.data)); size < footerSize || size%wordSize != 0 {
		return nil, c.Fail(model.KindTruncated, "", "the binary part is incomplete", "words of 4 bytes, two at least",
			wire.Plural(size, "byte"))
	}
	for c.Remaining() > footerSize && c.Err() == nil {
		b.chunk()
	}
	if c.Err() != nil {
		return nil, c.Err()
	}
	if b.disorder != nil {
		return nil, b.disorder
	}
	warnings = b.stride()
	at := c.Offset()
	offsets, samples := c.U32("total_offsets"), c.U32("total_samples")
	if uint64(offsets) != p.Nonzero || samples != uint32(p.Samples) {
		return nil, c.FailAt(at, KindFooterMismatch, "total_offsets", "the footer's totals do not match the samples",
			model.Amount(p.Nonzero, "address", "addresses")+" with samples, "+model.Amount(p.Samples, "sample",
				"samples"),
			fmt.Sprintf("%d and %d", offsets, samples))
	}
	if p.Samples > 1<<32-1 {
		warnings = append(warnings, "total_wrapped")
	}
	p.Each = chunks(b.data[:len(b.data)-footerSize])
	return warnings, nil
}

// chunk reads one chunk. A count is not recorded: there may be millions.
func (b *body) chunk() {
	c, p := b.c, b.p
	at, left := c.Offset(), c.Remaining()
	if left < headSize+wordSize+footerSize {
		c.Fail(model.KindTruncated, "chunk", fmt.Sprintf("the file ends inside chunk %d", p.Chunks),
			fmt.Sprintf("%d bytes for a chunk and the footer", headSize+wordSize+footerSize), left)
		return
	}
	s := span{uint64(c.U32("offset")), uint64(c.U32("number"))}
	room := (left - headSize - footerSize) / wordSize
	switch {
	case s.number > room && p.Chunks > 0 && s.offset == p.Nonzero&(1<<32-1) && s.number == p.Samples&(1<<32-1):
		c.FailAt(at+footerSize, model.KindTrailingData, "", "bytes follow the footer", "the end of the file",
			wire.Plural(left-footerSize, "byte"))
		return
	case s.number > room:
		c.FailAt(at, model.KindTruncated, "number", fmt.Sprintf("chunk %d runs past the end of the file", p.Chunks),
			fmt.Sprintf("at most %d counts", room), s.number)
		return
	case s.number == 0:
		c.FailAt(at, KindBadChunk, "number", fmt.Sprintf("chunk %d has no counts", p.Chunks), "1 or more", "0")
		return
	}
	counts := c.Bytes("count", s.number*wordSize)
	for i := 0; i < len(counts); i += wordSize {
		if n := binary.LittleEndian.Uint32(counts[i:]); n > 0 {
			p.Nonzero++
			p.Samples += uint64(n)
		}
	}
	b.order(s, at)
	p.Chunks++
	p.Addresses += s.number
}

// order holds a chunk against the one before; the first fault is told when the
// chunks are all there.
func (b *body) order(s span, at uint64) {
	b.aligned = b.aligned && s.offset%wordSize == 0
	if b.p.Chunks > 0 {
		fault := &model.FormatError{Section: "samples", Field: "offset", Offset: at,
			Expected: fmt.Sprintf("an offset from %d on", b.last.offset+b.last.number), Found: fmt.Sprint(s.offset)}
		switch {
		case b.disorder != nil:
		case s.offset < b.last.offset:
			fault.Kind, fault.Msg = KindUnsorted, fmt.Sprintf("chunk %d begins before the one before it", b.p.Chunks)
			b.disorder = fault
		case s.offset < b.last.offset+b.last.number:
			fault.Kind, fault.Msg = KindOverlap, fmt.Sprintf("chunk %d begins inside the one before it", b.p.Chunks)
			b.disorder = fault
		}
		b.aligned = b.aligned && s.offset >= b.last.offset+wordSize*b.last.number
	}
	b.last = s
}

// stride finds how many bytes lie between two counts: 4, the size of an Alpha
// instruction, unless only 1 makes sense of the chunks: the description speaks of a
// range of instruction addresses, which can be read as one of bytes.
func (b *body) stride() (warnings []string) {
	b.p.Stride = wordSize
	size, last := b.p.TextSize, b.last
	endsAt := func(stride uint64) uint64 { return last.offset + stride*last.number }
	fitsOnlyBytes := b.p.Chunks > 0 && size > 0 && endsAt(wordSize) > size && endsAt(1) <= size
	if !b.aligned || fitsOnlyBytes {
		b.p.Stride = 1
		warnings = append(warnings, "stride_1")
	}
	if b.p.Chunks > 0 && size > 0 && endsAt(b.p.Stride) > size {
		warnings = append(warnings, "beyond_tsize")
	}
	return warnings
}

// chunks yields the chunks of a body that has been checked, without its footer.
func chunks(data []byte) iter.Seq[Chunk] {
	return func(yield func(Chunk) bool) {
		var counts []uint32
		for rest := data; len(rest) > 0; {
			number := int(binary.LittleEndian.Uint32(rest[wordSize:]))
			chunk := Chunk{Offset: uint64(binary.LittleEndian.Uint32(rest))}
			counts = counts[:0]
			for i := range number {
				counts = append(counts, binary.LittleEndian.Uint32(rest[headSize+i*wordSize:]))
			}
			chunk.Counts = counts
			rest = rest[headSize+number*wordSize:]
			if !yield(chunk) {
				return
			}
		}
	}
}
