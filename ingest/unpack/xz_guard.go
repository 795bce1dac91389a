package unpack

import "io"

// xzGuard follows the framing of an xz file (xz-file-format-1.0.4.txt) as it is
// read, only to see how large a dictionary each block asks for: the decoder
// allocates what the block header says, up to 4 GiB, before there is any data.
// Nor may many small blocks each ask for a large one, for it is cleared each time.
// It passes everything on unchanged; framing it does not understand, the
// decoder refuses in its own words, and the guard stops looking.
type xzGuard struct {
	r    io.Reader
	step func(g *xzGuard, b byte) error // what to do with the next byte once skip is used up; nil: look no more
	skip uint64                         // bytes to pass without looking

	buf    []byte // of the field being read
	check  uint64 // size of a block's checksum
	block  uint64 // bytes of the current block's or index's fields so far, for padding
	fields uint64 // varints left in the index
	shift  uint   // of the varint being read
	value  uint64

	total  *dictionaries
	memory *memory
}

// dictionaries adds up what the xz blocks of a whole upload ask for.
type dictionaries struct {
	asked uint64 // bytes, by all blocks so far
	out   uint64 // bytes that their chunks unpack to
}

// All dictionaries together may have dictionaryBase bytes, and dictionaryRate
// more for each byte that comes out: xz itself asks for no more than one, but for
// 64 with --block-size=1MiB -9.
const (
	dictionaryBase = 4 << 30
	dictionaryRate = 64
)

func newXZGuard(r io.Reader, total *dictionaries, m *memory) *xzGuard {
	return &xzGuard{r: r, step: (*xzGuard).streamHeader, total: total, memory: m}
}

func (g *xzGuard) Read(p []byte) (int, error) {
	n, err := g.r.Read(p)
	for b := p[:n]; len(b) > 0 && g.step != nil; {
		if g.skip > 0 {
			k := min(g.skip, uint64(len(b)))
			g.skip -= k
			b = b[k:]
			continue
		}
		if err := g.step(g, b[0]); err != nil {
			return 0, err
		}
		b = b[1:]
	}
	return n, err
}

// streamHeader: magic, flags, CRC; between streams also padding of zeros.
func (g *xzGuard) streamHeader(b byte) error {
	if len(g.buf) == 0 && b == 0 {
		return nil // stream padding
	}
	if g.buf = append(g.buf, b); len(g.buf) < 12 {
		return nil
	}
	sizes := [16]uint64{0, 4, 4, 4, 8, 8, 8, 16, 16, 16, 32, 32, 32, 64, 64, 64}
	g.check = sizes[g.buf[7]&15]
	g.next((*xzGuard).blockStart)
	return nil
}

// next goes on to another field.
func (g *xzGuard) next(step func(*xzGuard, byte) error) { g.buf, g.step = g.buf[:0], step }

// blockStart: a block header's size in words, or 0 for the index.
func (g *xzGuard) blockStart(b byte) error {
	if b == 0 {
		g.block, g.fields, g.value, g.shift = 1, 0, 0, 0
		g.next((*xzGuard).indexCount)
		return nil
	}
	g.next((*xzGuard).blockHeader)
	g.buf = append(g.buf, b)
	return nil
}

// blockHeader: flags, sizes, one LZMA2 filter, CRC. The decoder knows no other
// filter, so the dictionary's size is the filter's one property byte.
func (g *xzGuard) blockHeader(b byte) error {
	if g.buf = append(g.buf, b); len(g.buf) < (int(g.buf[0])+1)*4 {
		return nil
	}
	rest := g.buf[2:]
	for _, present := range []byte{0x40, 0x80} { // compressed size, uncompressed size
		if g.buf[1]&present != 0 {
			for len(rest) > 0 && rest[0]&0x80 != 0 {
				rest = rest[1:]
			}
			rest = rest[min(1, len(rest)):]
		}
	}
	if len(rest) < 3 || rest[0] != 0x21 || rest[1] != 1 {
		g.step = nil // not LZMA2: the decoder refuses it
		return nil
	}
	size := dictionarySize(rest[2])
	g.total.asked += size
	if size > MaxDictionary || g.total.asked > dictionaryBase+dictionaryRate*g.total.out {
		return dictionaryTooLarge(MaxDictionary, nil)
	}
	g.block = 0
	g.next((*xzGuard).chunk)
	return g.memory.take(int64(size))
}

// dictionarySize is 2^n or 3·2^(n-1) by the property's bits.
func dictionarySize(bits byte) uint64 {
	if bits > 40 {
		return 0 // not valid
	}
	return (2 | uint64(bits&1)) << (bits/2 + 11)
}

// chunk: an LZMA2 chunk's control byte and sizes, or the end of the block.
func (g *xzGuard) chunk(b byte) error {
	g.buf = append(g.buf, b)
	control := g.buf[0]
	switch {
	case control == 0:
		g.block++
		g.skip = (4-g.block%4)%4 + g.check
		g.next((*xzGuard).blockStart)
	case control < 0x80 && len(g.buf) == 3: // stored
		size := uint64(g.buf[1])<<8 + uint64(g.buf[2]) + 1
		g.total.out += size
		g.endChunk(3, size)
	case control >= 0x80 && len(g.buf) == 5: // LZMA; a properties byte from 0xc0 on
		data := uint64(g.buf[3])<<8 + uint64(g.buf[4]) + 1
		if control >= 0xc0 {
			data++
		}
		g.total.out += uint64(control&0x1f)<<16 + uint64(g.buf[1])<<8 + uint64(g.buf[2]) + 1
		g.endChunk(5, data)
	}
	return nil
}

func (g *xzGuard) endChunk(head, data uint64) {
	g.block += head + data
	g.skip = data
	g.next((*xzGuard).chunk)
}

// indexCount: how many records the index has, two varints each.
func (g *xzGuard) indexCount(b byte) error {
	if !g.varint(b) {
		return nil
	}
	g.fields = 2 * g.value
	g.value, g.shift = 0, 0
	g.next((*xzGuard).indexRecords)
	if g.fields == 0 {
		g.endIndex()
	}
	return nil
}

func (g *xzGuard) indexRecords(b byte) error {
	if !g.varint(b) {
		return nil
	}
	g.value, g.shift = 0, 0
	if g.fields--; g.fields == 0 {
		g.endIndex()
	}
	return nil
}

// endIndex: padding and CRC of the index, the footer, then another stream.
func (g *xzGuard) endIndex() {
	g.skip = (4-g.block%4)%4 + 4 + 12
	g.next((*xzGuard).streamHeader)
}

// varint adds a byte and reports whether it was the last.
func (g *xzGuard) varint(b byte) bool {
	g.block++
	g.value |= uint64(b&0x7f) << (g.shift & 63)
	g.shift += 7
	return b&0x80 == 0
}
