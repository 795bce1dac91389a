package unpack

import (
	"encoding/binary"
	"io"
)

// zstdGuard follows the framing of a zstd stream (RFC 8878) as it is read, only to
// see how large a window each frame asks for: the decoder makes pool for it before
// there is any data. It passes everything on unchanged; framing it does not
// understand, the decoder refuses in its own words, and the guard stops looking.
type zstdGuard struct {
	r      io.Reader
	memory *memory
	step   func(g *zstdGuard) error // what to do once need bytes of a field are there; nil: look no more
	need   int
	skip   uint64 // bytes to pass before that
	buf    []byte // of the field being read

	checksum bool // of the frame
}

func newZstdGuard(r io.Reader, m *memory) *zstdGuard {
	g := &zstdGuard{r: r, memory: m}
	g.next(5, (*zstdGuard).frame)
	return g
}

func (g *zstdGuard) Read(p []byte) (int, error) {
	n, err := g.r.Read(p)
	for b := p[:n]; len(b) > 0 && g.step != nil; {
		if g.skip > 0 {
			k := min(g.skip, uint64(len(b)))
			g.skip -= k
			b = b[k:]
			continue
		}
		k := min(g.need-len(g.buf), len(b))
		g.buf, b = append(g.buf, b[:k]...), b[k:]
		if len(g.buf) == g.need {
			if err := g.step(g); err != nil {
				return 0, err
			}
		}
	}
	return n, err
}

// next goes on to another field, of need bytes.
func (g *zstdGuard) next(need int, step func(*zstdGuard) error) {
	g.buf, g.need, g.step = g.buf[:0], need, step
}

// frame: magic and descriptor, or the magic and a byte of the size of a frame to
// pass over.
func (g *zstdGuard) frame() error {
	switch magic := binary.LittleEndian.Uint32(g.buf); {
	case magic == 0xfd2fb528:
		g.need += headerSize(g.buf[4])
		g.step = (*zstdGuard).header
		if g.need == len(g.buf) {
			return g.header()
		}
	case magic&^0xf == 0x184d2a50:
		g.need, g.step = 8, (*zstdGuard).skippable
	default:
		g.step = nil
	}
	return nil
}

func (g *zstdGuard) skippable() error {
	g.skip = uint64(binary.LittleEndian.Uint32(g.buf[4:]))
	g.next(5, (*zstdGuard).frame)
	return nil
}

// The parts of a descriptor.
func singleSegment(descriptor byte) bool { return descriptor&0x20 != 0 }
func dictionaryID(descriptor byte) int   { return [4]int{0, 1, 2, 4}[descriptor&3] }

func contentSize(descriptor byte) int {
	if descriptor>>6 == 0 && singleSegment(descriptor) {
		return 1
	}
	return [4]int{0, 2, 4, 8}[descriptor>>6]
}

// headerSize is how many bytes of a frame's header follow its descriptor.
func headerSize(descriptor byte) int {
	n := dictionaryID(descriptor) + contentSize(descriptor)
	if !singleSegment(descriptor) {
		n++
	}
	return n
}

// header: the window's size, or that of the content, which is then the window.
func (g *zstdGuard) header() error {
	descriptor, rest := g.buf[4], g.buf[5:]
	g.checksum = descriptor&4 != 0
	var window uint64
	if singleSegment(descriptor) {
		var size [8]byte
		n := copy(size[:], rest[dictionaryID(descriptor):])
		if window = binary.LittleEndian.Uint64(size[:]); n == 2 {
			window += 256
		}
	} else {
		base := uint64(1) << (10 + rest[0]>>3)
		window = base + base/8*uint64(rest[0]&7)
	}
	g.next(3, (*zstdGuard).block)
	if window > MaxDictionary {
		return dictionaryTooLarge(MaxDictionary, nil)
	}
	return g.memory.take(int64(window))
}

// block: the header of a block, which says its size.
func (g *zstdGuard) block() error {
	head := uint32(g.buf[0]) | uint32(g.buf[1])<<8 | uint32(g.buf[2])<<16
	last, kind, size := head&1 != 0, head>>1&3, uint64(head>>3)
	if kind == 1 {
		size = 1 // a byte that comes many times
	}
	g.skip = size
	if !last {
		g.next(3, (*zstdGuard).block)
		return nil
	}
	if g.checksum {
		g.skip += 4
	}
	g.next(5, (*zstdGuard).frame)
	return nil
}
