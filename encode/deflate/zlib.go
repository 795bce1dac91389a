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

// compressor finds what is repeated. zlib tries places with the same hash of three bytes, the nearest first, up to so
// many. What is longer than three is found by a hash of four, which fewer places have; they count if zlib tries them.
type compressor struct {
	data    []byte
	three   chains          // by zlib's hash
	four    chains          // by one of four bytes
	number  [1 << 15]uint16 // by place in the window: how many before it have zlib's hash
	symbols []symbol        // of the block
	start   int             // of the block
	bitWriter
}

// chains are the places of each hash. The first place of all is zlib's word for none: what begins there is not found
// again.
type chains struct {
	head [1 << 16]int32  // by hash: where it was last
	back [1 << 15]uint16 // by place in the window: how far before it its hash was, or further than the window
}

// add puts a place before the others of its hash, and returns where that was before.
func (c *chains) add(at int, hash uint16) int {
	seen := int(c.head[hash])
	c.back[at%len(c.back)], c.head[hash] = uint16(min(at-seen, math.MaxUint16)), int32(at)
	return seen
}

// symbol is a byte, or what is repeated.
type symbol struct {
	length, distance uint16 // 0 for a byte
	literal          byte
}

// insert remembers what stands at a place, behind whose end are zeros.
func (c *compressor) insert(at int) {
	var word uint32
	if at+4 <= len(c.data) {
		word = binary.LittleEndian.Uint32(c.data[at:])
	} else {
		for i, letter := range c.data[at:] {
			word |= uint32(letter) << (8 * i)
		}
	}
	seen := c.three.add(at, uint16(word<<10^word>>8&0xff<<5^word>>16&0xff)&0x7fff)
	c.number[at%len(c.number)] = c.number[seen%len(c.number)] + 1
	c.four.add(at, uint16(word*0x9e3779b1>>16))
}

// compress writes every block. A match is taken only if the next place has no longer one.
func (c *compressor) compress() {
	length, from := minMatch-1, 0
	waits := false // the byte before
	for at := 0; at < len(c.data); at++ {
		before, beforeFrom := length, from
		length = minMatch - 1
		if c.insert(at); before < maxMatch {
			length, from = c.longest(at, before, from)
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
func (c *compressor) longest(at, length, from int) (int, int) {
	tries := mostTried
	if length >= goodLength {
		tries /= 4
	}
	if length < minMatch {
		if length, from, _ = c.try(&c.three, at, length, from, tries, minMatch); length < minMatch {
			return length, from
		}
	}
	longer, place, all := c.try(&c.four, at, length, from, tries, maxMatch)
	if !all { // many places have the hash of other bytes
		longer, place, _ = c.try(&c.three, at, length, from, tries, maxMatch)
	}
	return longer, place
}

// try looks for a longer match than that of a length, until one is long enough. It reports whether no more places than
// it may try were left.
func (c *compressor) try(of *chains, at, length, from, tries, enough int) (int, int, bool) {
	data, oldest := c.data, max(1, at-maxDistance)
	text := data[at:min(at+maxMatch, len(data))]
	if length >= len(text) {
		return len(text), from, true
	}
	last := binary.LittleEndian.Uint16(text[length-1:])
	seen, left := at, tries
	for ; left > 0; left-- {
		if seen -= int(of.back[seen&(len(of.back)-1)]); seen < oldest {
			break
		}
		// What is longer has these two bytes, too, and most have not.
		if binary.LittleEndian.Uint16(data[seen+length-1:]) != last {
			continue
		}
		n := same(data[seen:], text)
		if n <= length || n < minMatch {
			continue
		}
		before := int(c.number[at%len(c.number)] - c.number[seen%len(c.number)])
		if before > tries || before > 1 && at-seen == maxDistance { // so far zlib tries only the nearest
			break
		}
		if length, from = n, seen; length >= min(enough, len(text)) {
			break
		}
		last = binary.LittleEndian.Uint16(text[length-1:])
	}
	return length, from, left > 0
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
