package encode

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"proflens/decode/dcpi"
	"proflens/decode/model"
)

// DCPI writes profiles as a profile of version 0. One file is
// written back byte for byte, lines that are not known included. Several of the
// same image, event and period are added up: what is written has the header of
// the first. The text of dcpicat becomes a profile of version 0.07, whose
// cpuspeed is 0, since the text does not say it.
//
// Profiles that cannot be added are [model.KindIncompatible]; a sum that 32
// bits do not hold is [model.KindLossy].
func DCPI(w io.Writer, db *dcpi.Database) error {
	profiles := slices.Collect(db.Profiles())
	if len(profiles) == 0 {
		return model.Faultf(model.KindIncompatible, "there is no profile to write")
	}
	first := profiles[0]
	for _, p := range profiles[1:] {
		if why := unlike(first, p); why != "" {
			return &model.FormatError{Kind: model.KindIncompatible, File: p.File,
				Msg: fmt.Sprintf("%s and %s cannot be added up: %s", first.File, p.File, why)}
		}
	}
	out := bufio.NewWriter(w)
	out.Write(dcpiHeader(first))
	body := dcpiBody{w: out, nonzero: first.Nonzero, samples: first.Samples}
	if len(profiles) == 1 {
		for chunk := range first.Each {
			if chunk.Offset > 1<<32-1 {
				return tooFar(chunk.Offset)
			}
			body.chunk(chunk)
		}
	} else if err := body.sum(profiles); err != nil {
		return err
	}
	body.words(uint32(body.nonzero), uint32(body.samples))
	return out.Flush()
}

func tooFar(offset uint64) error {
	return model.Faultf(model.KindLossy,
		"an address 0x%x bytes into the text has no place in a profile: offsets have 32 bits", offset)
}

// unlike says why two profiles cannot be added address by address.
func unlike(a, b *dcpi.Profile) string {
	differ := func(what string, x, y any) string { return fmt.Sprintf("their %s differ: %v and %v", what, x, y) }
	switch {
	case !strings.EqualFold(a.Image, b.Image):
		return differ("images", a.Image, b.Image)
	case a.Event != b.Event:
		return differ("events", a.Event, b.Event)
	case a.Period != b.Period:
		return differ("periods", a.Period, b.Period)
	case a.Fraction != b.Fraction:
		return differ("fractions", a.Fraction, b.Fraction)
	case a.TextStart != b.TextStart || a.HasTextStart != b.HasTextStart:
		return differ("text starts", hex(a.TextStart), hex(b.TextStart))
	case a.TextSize != b.TextSize:
		return differ("text sizes", a.TextSize, b.TextSize)
	case a.Stride != b.Stride:
		return differ("strides", a.Stride, b.Stride)
	}
	return ""
}

// dcpiHeader is the header as it was read, or one made of what dcpicat says.
func dcpiHeader(p *dcpi.Profile) []byte {
	var b []byte
	if p.Terminator != nil {
		for _, l := range p.Lines {
			b = append(b, l.Raw...)
		}
		return append(b, p.Terminator...)
	}
	line := func(key, format string, args ...any) {
		b = append(b, fmt.Sprintf("%-8s "+format+"\n", append([]any{key}, args...)...)...)
	}
	line("version", "pdb-0.07")
	line("image", "%s", p.Image)
	line("epoch", "%s", p.Epoch)
	line("platform", "%s", p.Platform)
	line("event", "%s", p.Event)
	line("period", "%d", p.Period)
	line("tstart", "%x", p.TextStart)
	line("tsize", "%d", p.TextSize)
	line("cpuspeed", "%d", p.CPUSpeed)
	for _, path := range p.Paths {
		line("path", "%s", path)
	}
	for _, l := range p.Lines {
		if dcpi.KindOfLine(l.Key) == dcpi.Unknown {
			line(l.Key, "%s", l.Value)
		}
	}
	b = append(b, "samples"...)
	for (len(b)+1)%4 != 0 { // the samples are best aligned
		b = append(b, ' ')
	}
	return append(b, '\n')
}

// dcpiBody writes chunks and counts what it writes.
type dcpiBody struct {
	w                *bufio.Writer
	nonzero, samples uint64
}

func (d *dcpiBody) words(words ...uint32) {
	var b [4]byte
	for _, n := range words {
		binary.LittleEndian.PutUint32(b[:], n)
		d.w.Write(b[:])
	}
}

func (d *dcpiBody) chunk(c dcpi.Chunk) {
	d.words(uint32(c.Offset), uint32(len(c.Counts)))
	d.words(c.Counts...)
}

// bridge is how many zero counts cost no more than the head of another chunk.
const bridge = 2

// sum writes the added profiles in chunks.
func (d *dcpiBody) sum(profiles []*dcpi.Profile) error {
	sum, stride := sumCounts(profiles), profiles[0].Stride
	var c dcpi.Chunk
	d.nonzero, d.samples = 0, 0
	for _, offset := range slices.Sorted(maps.Keys(sum)) {
		count := sum[offset]
		if count > 1<<32-1 {
			return model.Faultf(model.KindLossy,
				"the samples at offset 0x%x add up to %d, which 32 bits do not hold", offset, count)
		}
		if offset > 1<<32-1 {
			return tooFar(offset)
		}
		gap := (offset - c.Offset) / stride
		if n := uint64(len(c.Counts)); n == 0 || gap > n+bridge {
			if n > 0 {
				d.chunk(c)
			}
			c = dcpi.Chunk{Offset: offset}
		} else {
			c.Counts = append(c.Counts, make([]uint32, gap-n)...)
		}
		c.Counts = append(c.Counts, uint32(count))
		d.nonzero++
		d.samples += count
	}
	if len(c.Counts) > 0 {
		d.chunk(c)
	}
	return nil
}
