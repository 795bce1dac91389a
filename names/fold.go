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
		f.word[i] = uint64(f.needle[at]) * everyByte
	}
	return f
}

// index is the offset of the first occurrence in text, or -1.
func (f *folded) index(text []byte) int {
	places := len(text) - len(f.needle) + 1 // where it can stand
	if places <= 0 {
		return -1
	}
	x, y := text[f.at[0]:][:places], text[f.at[1]:][:places]
	u, v := f.word[0], f.word[1]
	for len(x) >= 8 && len(y) >= 8 {
		here := ^unlike(eight(x)^u, eight(y)^v) & highBits
		for ; here != 0; here &= here - 1 {
			if at := places - len(x) + bits.TrailingZeros64(here)/8; f.standsAt(text[at:]) {
				return at
			}
		}
		x, y = x[8:], y[8:]
		for len(x) >= 16 && len(y) >= 16 &&
			unlike(eight(x)^u, eight(y)^v)&unlike(eight(x[8:])^u, eight(y[8:])^v)&highBits == highBits {
			x, y = x[16:], y[16:]
		}
	}
	for at := places - len(x); at < places; at++ {
		if f.standsAt(text[at:]) {
			return at
		}
	}
	return -1
}

// eight are the next eight bytes of a text.
func eight(text []byte) uint64 { return binary.LittleEndian.Uint64(text) }

// unlike has the highest bit of each of eight bytes set where x and y, what differs from the two bytes
// of the needle, are not both 0. It leaves out the highest bit and that of case, so that adding what
// takes all others over 127 carries nothing into the next: letters are alike in either case, and a
// comparison sorts out what is not.
func unlike(x, y uint64) uint64 { return (x|y)&^(highBits|caseBits) + ^uint64(highBits) }

// standsAt reports whether text, long enough, begins with the needle.
func (f *folded) standsAt(text []byte) bool {
	for i, c := range f.needle {
		if lower(text[i]) != c {
			return false
		}
	}
	return true
}
