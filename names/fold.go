package names

import (
	"encoding/binary"
	"math/bits"
	"strings"
)

// folded is a byte string to be found without regard to ASCII case.
//
// The search compares two bytes of the needle, its rarest in symbol names, with
// eight positions of the text at a time, and looks closer only where both agree.
type folded struct {
	needle []byte // in lower case
	at     [2]int // offsets of the two bytes within needle
	word   [2]uint64
}

const (
	everyByte = 0x0101010101010101
	highBits  = 0x8080808080808080
	caseBits  = 0x2020202020202020
)

// byFrequency are the bytes of mangled names, the most frequent first.
const byFrequency = "eins1_latcr u0o:42536m7#8pv9dhbkfgzx./ywj$;q=*,-"

func newFolded(needle []byte) *folded {
	f := &folded{needle: make([]byte, len(needle))}
	for i, c := range needle {
		f.needle[i] = lower(c)
	}
	rarity := func(i int) int {
		if n := strings.IndexByte(byFrequency, f.needle[i]); n >= 0 {
			return n
		}
		return len(byFrequency)
	}
	for i := range f.needle {
		if rarity(i) > rarity(f.at[0]) {
			f.at[0] = i
		}
	}
	second := -1
	for i := range f.needle {
		if i != f.at[0] && (second < 0 || rarity(i) > rarity(second)) {
			second = i
		}
	}
	f.at[1] = max(second, 0)
	for i, at := range f.at {
		f.word[i] = uint64(f.needle[at]|0x20) * everyByte
	}
	return f
}

// index is the offset of the first occurrence in text, or -1.
func (f *folded) index(text []byte) int {
	last := len(text) - len(f.needle) // the last offset where it can stand
	i := 0
	for a, b := f.at[0], f.at[1]; i+7 <= last; i += 8 {
		x := binary.LittleEndian.Uint64(text[i+a:]) | caseBits
		y := binary.LittleEndian.Uint64(text[i+b:]) | caseBits
		differ := (x ^ f.word[0]) | (y ^ f.word[1])
		// The lowest bit set marks a byte of 0; those above may be echoes of
		// it, which the comparison sorts out.
		for equal := (differ - everyByte) &^ differ & highBits; equal != 0; equal &= equal - 1 {
			if at := i + bits.TrailingZeros64(equal)/8; f.standsAt(text[at:]) {
				return at
			}
		}
	}
	for ; i <= last; i++ {
		if f.standsAt(text[i:]) {
			return i
		}
	}
	return -1
}

// standsAt reports whether text, long enough, begins with the needle.
func (f *folded) standsAt(text []byte) bool {
	for i, c := range f.needle {
		if lower(text[i]) != c {
			return false
		}
	}
	return true
}
