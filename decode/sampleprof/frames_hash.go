package sampleprof

import "math/bits"

// The multipliers and the seed of LLVM's hashes, as its releases have them.
const (
	hashA    = 0xc3a5c85c97cb3127
	hashB    = 0xb492b66fbe98f273
	hashC    = 0x9ae16a3b2f90404f
	hashD    = 0xc949d7c7509e6557
	hashPair = 0x9ddfea08eb382d69
	hashSeed = 0xff51afd7ed558ccd
)

// Hash is that of a call's frame, by the GUID of its function.
func (l Loc) Hash(guid uint64) uint64 {
	return guid + 33*(uint64(l.Discriminator)<<32|uint64(l.Offset))
}

// hashFrames is the hash of a context: its frames' hashes, hashed as llvm/ADT/Hashing.h of LLVM 14 to 22 does, which
// is CityHash64 with a seed and another step for long texts. Guids are by name.
func hashFrames(frames []Frame, guids []uint64) uint64 {
	words := make([]uint64, len(frames))
	for i, f := range frames {
		if i == len(frames)-1 {
			f.Loc = Loc{}
		}
		words[i] = f.Loc.Hash(guids[f.Name])
	}
	n, size := len(words), uint64(8*len(words))
	switch {
	case n == 0:
		return hashC ^ hashSeed
	case n == 1:
		return hashTwo(size+words[0]<<32>>29, hashSeed^words[0]>>32)
	case n == 2:
		return hashTwo(hashSeed^words[0], rotate(words[1]+size, 16)) ^ words[1]
	case n <= 4:
		a, c := words[0]*hashB, words[n-1]*hashC
		return hashTwo(rotate(a-words[1], 43)+rotate(c^hashSeed, 30)+words[n-2]*hashA,
			a+rotate(words[1]^hashD, 20)-c+size+hashSeed)
	case n <= 8:
		a, b := hashFour(words[0]+(size+words[n-2])*hashA, words[1], words[2], words[3])
		c, d := hashFour(words[2]+words[n-4], words[n-3], words[n-2], words[n-1])
		return fold(hashSeed^fold((a+d)*hashC+(c+b)*hashA)*hashA+b) * hashC
	}
	seed := uint64(hashSeed)
	state := [7]uint64{0, seed, hashTwo(seed, hashB), rotate(seed^hashB, 49), seed * hashB, fold(seed)}
	state[6] = hashTwo(state[4], state[5])
	for at := 0; at < n; at += 8 {
		mix(&state, words[min(at, n-8):]) // the last eight, where fewer are left
	}
	return hashTwo(hashTwo(state[3], state[5])+fold(state[1])*hashB+state[2],
		hashTwo(state[4], state[6])+fold(size)*hashB+state[0])
}

// hashFour takes four words in, the first with what was before it.
func hashFour(a, b, c, d uint64) (low, high uint64) {
	low = a + b + c + d
	return low, rotate(a+d, 52) + rotate(a, 37) + rotate(a+b, 7) + rotate(a+b+c, 31)
}

// mix takes eight words into the state of a long text's hash.
func mix(s *[7]uint64, w []uint64) {
	zero := rotate(s[0]+s[1]+s[3]+w[1], 37)*hashB ^ s[6]
	one := rotate(s[1]+s[4]+w[6], 42)*hashB + s[3] + w[5]
	two := rotate(s[2]+s[5], 33) * hashB
	three, four := mixFour(s[4]*hashB, zero+s[5], w)
	five, six := mixFour(two+s[6], one+w[2], w[4:])
	*s = [7]uint64{two, one, zero, three, four, five, six}
}

func mixFour(a, b uint64, w []uint64) (uint64, uint64) {
	sum := a + w[0] + w[1] + w[2]
	return sum + w[3], rotate(b+a+w[0]+w[3], 21) + rotate(sum, 44) + a + w[0]
}

// hashTwo is the hash of two words.
func hashTwo(low, high uint64) uint64 {
	return fold((high^fold((low^high)*hashPair))*hashPair) * hashPair
}

func fold(n uint64) uint64 { return n ^ n>>47 }

func rotate(n uint64, right int) uint64 { return bits.RotateLeft64(n, -right) }
