package deflate

import (
	"encoding/binary"
	"hash/adler32"
	"math"
	"math/bits"
)

// What zlib's level 9 is.
const (
	minMatch, maxMatch = 3, 258
	maxDistance        = 1<<15 - maxMatch - minMatch - 1
	tooFar             = 4096 // from where on a match of three bytes is not worth its distance
	goodLength         = 32   // of a match; where there is one, fewer places are tried for a longer one
	mostTried          = 4096
	mostSymbols        = 1<<14 - 1 // of a block
)

// Zlib is data as a stream of zlib's.
func Zlib(data []byte) []byte {
	c := compressor{data: data}
	c.out = []byte{0x78, 0xda}
	c.compress()
	return binary.BigEndian.AppendUint32(c.out, adler32.Checksum(data))
}

// compressor finds what is repeated.
type compressor struct {
	data []byte
	// The first place of all is zlib's word for none: what begins there is not found again.
	head    [1 << 15]int32  // by the hash of three bytes: where they were last
	back    [1 << 15]uint16 // by place in the window: how far before it its hash was, or further than the window
	symbols []symbol        // of the block
	start   int             // of the block
	bitWriter
}

// symbol is a byte, or what is repeated.
type symbol struct {
	length, distance uint16 // 0 for a byte
	literal          byte
}

// insert remembers what stands at a place, and returns where its hash was before.
func (c *compressor) insert(at int) int {
	if at+minMatch > len(c.data) {
		return 0
	}
	hash := (uint32(c.data[at])<<10 ^ uint32(c.data[at+1])<<5 ^ uint32(c.data[at+2])) % uint32(len(c.head))
	seen := int(c.head[hash])
	c.back[at%len(c.back)], c.head[hash] = uint16(min(at-seen, math.MaxUint16)), int32(at)
	return seen
}

// compress writes every block. A match is taken only if the next place has no longer one.
func (c *compressor) compress() {
	length, from := minMatch-1, 0
	waits := false // the byte before
	for at := 0; at < len(c.data); at++ {
		before, beforeFrom := length, from
		length = minMatch - 1
		if seen := c.insert(at); seen > 0 && before < maxMatch && at-seen <= maxDistance {
			length, from = c.longest(at, seen, before, from)
			if length == minMatch && at-from > tooFar {
				length = minMatch - 1
			}
		}
		switch {
		case before >= minMatch && length <= before:
			c.symbols = append(c.symbols, symbol{length: uint16(before), distance: uint16(at - 1 - beforeFrom)})
			for end := at + before - 2; at < end; {
				at++
				c.insert(at)
			}
			waits, length = false, minMatch-1
			c.flushFull(at + 1)
		case waits:
			c.symbols = append(c.symbols, symbol{literal: c.data[at-1]})
			c.flushFull(at)
		default:
			waits = true
		}
	}
	if waits {
		c.symbols = append(c.symbols, symbol{literal: c.data[len(c.data)-1]})
	}
	c.flush(len(c.data), true)
}

// longest is the longest match at a place, longer than the one before it, which it returns where there is none.
func (c *compressor) longest(at, seen, length, from int) (int, int) {
	tries := mostTried
	if length >= goodLength {
		tries /= 4
	}
	data, oldest := c.data, max(0, at-maxDistance)
	text := data[at:min(at+maxMatch, len(data))]
	if length >= len(text) {
		return len(text), from
	}
	last := binary.LittleEndian.Uint16(text[length-1:])
	for ; tries > 0; tries-- {
		// What is longer has these two bytes, too, and most have not.
		if binary.LittleEndian.Uint16(data[seen+length-1:]) == last {
			if n := same(data[seen:], text); n > length {
				if length, from = n, seen; length == len(text) {
					break
				}
				last = binary.LittleEndian.Uint16(text[length-1:])
			}
		}
		if seen -= int(c.back[seen&(len(c.back)-1)]); seen <= oldest {
			break
		}
	}
	return length, from
}

// same is how many bytes two texts begin with alike; the second is not the longer one.
func same(a, b []byte) (n int) {
	for ; n+8 <= len(b); n += 8 {
		if differ := binary.LittleEndian.Uint64(a[n:]) ^ binary.LittleEndian.Uint64(b[n:]); differ != 0 {
			return n + bits.TrailingZeros64(differ)/8
		}
	}
	for n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func (c *compressor) flushFull(end int) {
	if len(c.symbols) == mostSymbols {
		c.flush(end, false)
	}
}
