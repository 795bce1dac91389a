package dcpidb

import (
	"encoding/binary"

	"proflens/decode/dcpi"
	"proflens/profile/stored"
)

// sampleBlock is about how many counts a row of sample_chunk holds.
const sampleBlock = 4096

// maxBridged is how many zeros cost less than another run.
const maxBridged = 2

// blockRange is which rows of sample_chunk are a profile's.
type blockRange struct{ first, n int }

// writeChunks writes the counts of all profiles, and finds where each one's are.
func (d *database) writeChunks(w *stored.Writer) error {
	return w.List("sample_chunk", func(r *stored.Record, add func()) {
		b := blockWriter{r: r, add: add}
		for p := range d.Profiles() {
			first := b.id + 1
			b.profile, b.stride = len(d.blocks)+1, max(p.Stride, 1)
			for chunk := range p.Each {
				b.chunk(chunk)
			}
			b.flush()
			d.blocks = append(d.blocks, blockRange{first, b.id + 1 - first})
		}
	})
}

// blockWriter makes rows of sample_chunk.
type blockWriter struct {
	r       *stored.Record
	add     func()
	id      int
	profile int
	stride  uint64

	packed  []byte
	run     []uint32 // counts of the run that is being made, which ends with one above zero
	start   uint64   // offset of the run
	first   uint64   // offset of the block's first count
	before  uint64   // of the last count of the run before
	last    uint64   // of the last count
	counts  int
	samples uint64
}

func (b *blockWriter) chunk(chunk dcpi.Chunk) {
	for i, n := range chunk.Counts {
		if n == 0 {
			continue
		}
		if b.counts >= sampleBlock {
			b.flush()
		}
		b.count(chunk.Offset+b.stride*uint64(i), n)
	}
}

// count adds one count: to the run, over a few zeros, or to a new one.
func (b *blockWriter) count(offset uint64, n uint32) {
	if b.counts == 0 {
		b.first, b.start, b.before = offset, offset, offset
	}
	next := b.start + b.stride*uint64(len(b.run))
	switch gap := (offset - next) / b.stride; {
	case len(b.run) > 0 && (offset < next || (offset-next)%b.stride != 0 || gap > maxBridged):
		b.endRun()
		b.start = offset
	case len(b.run) == 0:
		b.start = offset
	default:
		for range gap {
			b.run = append(b.run, 0)
			b.counts++
		}
	}
	b.run = append(b.run, n)
	b.last, b.samples = offset, b.samples+uint64(n)
	b.counts++
}

func (b *blockWriter) endRun() {
	b.packed = binary.AppendUvarint(b.packed, b.start-b.before)
	b.packed = binary.AppendUvarint(b.packed, uint64(len(b.run)))
	for _, n := range b.run {
		b.packed = binary.AppendUvarint(b.packed, uint64(n))
	}
	b.before = b.last
	b.run = b.run[:0]
}

func (b *blockWriter) flush() {
	if b.counts == 0 {
		return
	}
	b.endRun()
	b.r.Ints(b.profile)
	b.r.Uints(b.first, b.last, b.samples)
	b.r.Blob(b.packed)
	b.id++
	b.packed, b.counts, b.samples = b.packed[:0], 0, 0
	b.add()
}
