package deflate

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// The sizes of alphabets: bytes, the end of a block and lengths; distances; lengths of codes.
const (
	endOfBlock = 256
	literals   = endOfBlock + 1 + 29
	distances  = 30
	codeBits   = 19
)

// The letters of the alphabet of codes' lengths that repeat.
const (
	repeat    = 16 // the last one 3 to 6 times
	zeros     = 17 // 3 to 10
	manyZeros = 18 // 11 to 138
)

// The most bits of a code, and of one for lengths of codes.
const (
	mostBits   = 15
	mostOfBits = 7
)

// bitsOrder is the order in which the lengths of the codes for lengths stand.
var bitsOrder = [codeBits]int{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// letter is a letter of an alphabet with what stands behind it.
type letter struct {
	code, extra, value int // extra are the bits of value
}

// lengthLetter is the letter of a match's length.
func lengthLetter(length int) letter {
	if length == maxMatch {
		return letter{code: literals - 1}
	}
	l := stepped(length-minMatch, 4)
	l.code += endOfBlock + 1
	return l
}

// stepped is the letter of a number where each step of so many letters is twice as long as the one before.
func stepped(n, steps int) letter {
	extra := max(0, bits.Len(uint(n))-bits.Len(uint(steps)))
	return letter{code: steps*extra + n>>extra, extra: extra, value: n & (1<<extra - 1)}
}

// flush writes the block, which ends at a place of the data, in the form that takes least.
func (c *compressor) flush(end int, last bool) {
	var used [literals]int
	var usedDistances [distances]int
	used[endOfBlock] = 1
	extra := 0
	for _, s := range c.symbols {
		if s.length == 0 {
			used[s.literal]++
			continue
		}
		l, d := lengthLetter(int(s.length)), stepped(int(s.distance)-1, 2)
		used[l.code]++
		usedDistances[d.code]++
		extra += l.extra + d.extra
	}
	codes, distanceCodes := codesFor(used[:], mostBits), codesFor(usedDistances[:], mostBits)
	header := append(runs(codes), runs(distanceCodes)...)
	var usedBits [codeBits]int
	extraBits := 0
	for _, l := range header {
		usedBits[l.code]++
		extraBits += l.extra
	}
	bitsCodes := codesFor(usedBits[:], mostOfBits)
	kept := codeBits
	for kept > 4 && (bitsOrder[kept-1] >= len(bitsCodes) || bitsCodes[bitsOrder[kept-1]].bits == 0) {
		kept--
	}
	fixed, fixedDistances := fixedCodes()
	bytes := func(n int) int { return (n + 3 + 7) / 8 }
	own := bytes(cost(codes, used[:]) + cost(distanceCodes, usedDistances[:]) + extra +
		14 + 3*kept + cost(bitsCodes, usedBits[:]) + extraBits)
	known := bytes(cost(fixed, used[:]) + cost(fixedDistances, usedDistances[:]) + extra)
	final := 0
	if last {
		final = 1
	}
	switch stored := c.data[c.start:end]; {
	case len(stored)+4 <= min(own, known):
		c.write(final, 3)
		c.align()
		c.out = binary.LittleEndian.AppendUint16(c.out, uint16(len(stored)))
		c.out = binary.LittleEndian.AppendUint16(c.out, ^uint16(len(stored)))
		c.out = append(c.out, stored...)
	case known <= own:
		c.write(final|1<<1, 3)
		c.writeSymbols(fixed, fixedDistances)
	default:
		c.write(final|2<<1, 3)
		c.write(len(codes)-endOfBlock-1, 5)
		c.write(len(distanceCodes)-1, 5)
		c.write(kept-4, 4)
		for _, n := range bitsOrder[:kept] {
			length := 0
			if n < len(bitsCodes) {
				length = bitsCodes[n].bits
			}
			c.write(length, 3)
		}
		for _, l := range header {
			c.writeLetter(bitsCodes, l)
		}
		c.writeSymbols(codes, distanceCodes)
	}
	if last {
		c.align()
	}
	c.symbols, c.start = c.symbols[:0], end
}

// runs are the lengths of codes, those that repeat together.
func runs(codes []code) (list []letter) {
	for len(codes) > 0 {
		length, n := codes[0].bits, slices.IndexFunc(codes, func(c code) bool { return c.bits != codes[0].bits })
		if n < 0 {
			n = len(codes)
		}
		codes = codes[n:]
		if length > 0 {
			list = append(list, letter{code: length})
			n--
		}
		for n > 0 {
			part := min(n, 138)
			if length > 0 {
				part = min(n, 6)
			}
			n -= part
			switch {
			case part < 3:
				list = append(list, slices.Repeat([]letter{{code: length}}, part)...)
			case length > 0:
				list = append(list, letter{repeat, 2, part - 3})
			case part <= 10:
				list = append(list, letter{zeros, 3, part - 3})
			default:
				list = append(list, letter{manyZeros, 7, part - 11})
			}
		}
	}
	return list
}

func (c *compressor) writeSymbols(codes, distanceCodes []code) {
	for _, s := range c.symbols {
		if s.length == 0 {
			c.writeLetter(codes, letter{code: int(s.literal)})
			continue
		}
		c.writeLetter(codes, lengthLetter(int(s.length)))
		c.writeLetter(distanceCodes, stepped(int(s.distance)-1, 2))
	}
	c.writeLetter(codes, letter{code: endOfBlock})
}

// bitWriter writes bits, the lowest first.
type bitWriter struct {
	out   []byte
	left  uint64 // bits that are no whole byte yet
	count int    // of these
}

func (w *bitWriter) write(value, count int) {
	w.left |= uint64(value) << w.count
	for w.count += count; w.count >= 8; w.count -= 8 {
		w.out = append(w.out, byte(w.left))
		w.left >>= 8
	}
}

func (w *bitWriter) writeLetter(codes []code, l letter) {
	w.write(codes[l.code].word, codes[l.code].bits)
	w.write(l.value, l.extra)
}

// align begins a byte.
func (w *bitWriter) align() { w.write(0, -w.count&7) }
