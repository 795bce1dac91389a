package store

import (
	"context"
	"encoding/binary"
	"strings"

	"proflens/analyze"
	"proflens/decode/dcpi"
	"proflens/store/btree"
)

// sampleBlock is about how many counts a row of sample_chunk holds.
const sampleBlock = 4096

// maxBridged is how many zeros cost less than another run.
const maxBridged = 2

// writeDCPI writes the tables of a database of samples; of other families
// nothing.
func (c *contents) writeDCPI(ctx context.Context) error {
	if c.dcpi == nil {
		return nil
	}
	blocks, err := c.writeSampleChunks(ctx)
	if err != nil {
		return err
	}
	for _, step := range []func() error{
		c.writeImages, func() error { return c.writeDCPIProfiles(blocks) }, c.writeHeaderLines, func() error { return c.writeSymbols(ctx) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func (c *contents) writeImages() error {
	return c.table("image", func(r *btree.Record, add func(int64) error) error {
		for i := range c.dcpi.Images {
			image := &c.dcpi.Images[i]
			if image.HasTextStart {
				r.Uint(image.TextStart)
			} else {
				r.Null()
			}
			r.Uint(image.TextSize)
			r.Uint(image.Base)
			if image.Listing >= 0 {
				r.Int(int64(len(c.dcpi.Listings[image.Listing].Procedures)))
			} else {
				r.Int(0)
			}
			text(r, image.ID, image.Label)
			if image.Listing >= 0 {
				text(r, c.dcpi.Listings[image.Listing].File)
			} else {
				r.Null()
			}
			text(r, strings.Join(image.Paths, "\n"))
			if err := add(int64(i) + 1); err != nil {
				return err
			}
		}
		return nil
	})
}

// blockRange is which rows of sample_chunk are a profile's.
type blockRange struct{ first, n int64 }

func (c *contents) writeDCPIProfiles(blocks []blockRange) error {
	return c.table("dcpi_profile", func(r *btree.Record, add func(int64) error) error {
		id := int64(0)
		for p := range c.dcpi.Profiles() {
			block := blocks[id]
			r.Int(int64(p.ImageIndex) + 1)
			r.Uint(p.Period)
			r.Uint(p.Fraction)
			r.Uint(p.CPUSpeed)
			for _, v := range []*uint64{p.CPUAMask, p.CPUImplVer, p.CPUCount} {
				if v == nil {
					r.Null()
				} else {
					r.Uint(*v)
				}
			}
			r.Int(int64(p.Chunks))
			for _, v := range []uint64{p.Addresses, p.Nonzero, p.Samples, p.Stride} {
				r.Uint(v)
			}
			r.Int(block.first)
			r.Int(block.n)
			r.Int(int64(p.Dump))
			text(r, p.Version, p.Start, p.Epoch, p.Platform, p.Event, p.File)
			id++
			if err := add(id); err != nil {
				return err
			}
		}
		return nil
	})
}

func (c *contents) writeHeaderLines() error {
	return c.table("header_line", func(r *btree.Record, add func(int64) error) error {
		id, profile := int64(0), int64(0)
		for p := range c.dcpi.Profiles() {
			profile++
			for _, l := range p.Lines {
				r.Int(profile)
				r.Uint(l.Offset)
				text(r, l.Kind, l.Key, l.Value)
				id++
				if err := add(id); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

func (c *contents) writeSymbols(ctx context.Context) error {
	return c.table("symbol", func(r *btree.Record, add func(int64) error) error {
		id := int64(0)
		for i := range c.dcpi.Images {
			if c.dcpi.Images[i].Listing < 0 {
				continue
			}
			procedures := analyze.NewProcedureMap(c.dcpi.Listings[c.dcpi.Images[i].Listing].Procedures, 0)
			for n := range procedures.Len() {
				p, _ := procedures.At(n)
				r.Int(int64(i) + 1)
				r.Uint(p.Address)
				r.Uint(p.Size)
				name(r, []byte(p.Name))
				id++
				if id%checkEvery == 0 && ctx.Err() != nil {
					return ctx.Err()
				}
				if err := add(id); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// writeSampleChunks writes the counts of all profiles, and says where each
// one's are.
func (c *contents) writeSampleChunks(ctx context.Context) ([]blockRange, error) {
	var blocks []blockRange
	err := c.table("sample_chunk", func(r *btree.Record, add func(int64) error) error {
		b := blockWriter{r: r, add: add}
		for p := range c.dcpi.Profiles() {
			first := b.id + 1
			b.begin(p, int64(len(blocks))+1)
			for chunk := range p.Each {
				if err := b.chunk(chunk); err != nil {
					return err
				}
				if ctx.Err() != nil {
					return ctx.Err()
				}
			}
			if err := b.flush(); err != nil {
				return err
			}
			blocks = append(blocks, blockRange{first, b.id + 1 - first})
		}
		return nil
	})
	return blocks, err
}

// blockWriter makes rows of sample_chunk.
type blockWriter struct {
	r       *btree.Record
	add     func(int64) error
	id      int64
	profile int64
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

func (b *blockWriter) begin(p *dcpi.Profile, profile int64) {
	b.profile, b.stride = profile, max(p.Stride, 1)
}

func (b *blockWriter) chunk(chunk dcpi.Chunk) error {
	for i, n := range chunk.Counts {
		if n == 0 {
			continue
		}
		offset := chunk.Offset + b.stride*uint64(i)
		if b.counts >= sampleBlock {
			if err := b.flush(); err != nil {
				return err
			}
		}
		b.count(offset, n)
	}
	return nil
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

func (b *blockWriter) flush() error {
	if b.counts == 0 {
		return nil
	}
	b.endRun()
	b.r.Int(b.profile)
	b.r.Uint(b.first)
	b.r.Uint(b.last)
	b.r.Uint(b.samples)
	b.r.Blob(b.packed)
	b.id++
	b.packed, b.counts, b.samples = b.packed[:0], 0, 0
	return b.add(b.id)
}

// figuresOfDCPI is how many procedures are known, and all samples.
func figuresOfDCPI(db *dcpi.Database) (procedures int, samples string) {
	var sum analyze.Sum
	for p := range db.Profiles() {
		sum.Add(p.Samples)
	}
	for i := range db.Images {
		if l := db.Images[i].Listing; l >= 0 {
			procedures += len(db.Listings[l].Procedures)
		}
	}
	return procedures, sum.String()
}
