package scale

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"math/rand/v2"
)

// heapDepth is how many addresses a generated stack has: what the runtime records unless
// it is told otherwise.
const heapDepth = 30

// mibSize is a MIB of version 5, in bytes.
const mibSize = 144

// WriteHeap writes a raw MemProf profile of version 5 with n contexts: the header and the
// segments of run, a real one, its first MIB again and again, and its addresses in new
// stacks. These branch as those of programs do. It holds nothing, however large the file.
func WriteHeap(w io.Writer, run []byte, n int) error {
	word := func(at uint64) uint64 { return binary.LittleEndian.Uint64(run[at:]) }
	segments, mibs, stacks := word(24), word(32), word(40)
	out := bufio.NewWriterSize(w, 1<<20)
	put := func(list ...uint64) {
		for _, v := range list {
			out.Write(binary.LittleEndian.AppendUint64(out.AvailableBuffer(), v)) // errors come with Flush
		}
	}
	first, second := uint64(8+n*(8+mibSize)), uint64(8+n*(16+8*heapDepth))
	at := segments + uint64(len(run[segments:mibs]))
	out.Write(run[:8])
	put(word(8), at+first+second, segments, at, at+first)
	out.Write(run[48:mibs])

	mib := bytes.Clone(run[mibs+16:][:mibSize])
	clear(mib[mibSize-12:]) // no histogram
	rng := rand.New(rand.NewPCG(1, 2))
	put(uint64(n))
	for i := range n {
		binary.LittleEndian.PutUint32(mib, 1+rng.Uint32N(1000))
		put(uint64(i) + 1)
		out.Write(mib)
	}

	pcs, leaves := addresses(run, stacks)
	put(uint64(n))
	for i := range n {
		put(uint64(i)+1, heapDepth)
		stack := leaves[rng.IntN(len(leaves))]
		put(stack...)
		// From the middle on towards the root a few of the frames lead on.
		for k := len(stack); k < heapDepth; k++ {
			of := len(pcs)
			if k > heapDepth/2 {
				of = 2
			}
			put(pcs[rng.IntN(of)])
		}
	}
	return out.Flush()
}

// addresses are those of the stacks of a raw profile, and the three frames at the top of each.
func addresses(run []byte, stacks uint64) (pcs []uint64, leaves [][]uint64) {
	word := func(at uint64) uint64 { return binary.LittleEndian.Uint64(run[at:]) }
	for at, i := stacks+8, uint64(0); i < word(stacks); i++ {
		var stack []uint64
		for range word(at + 8) {
			stack = append(stack, word(at+16+8*uint64(len(stack))))
		}
		at += 16 + 8*uint64(len(stack))
		pcs, leaves = append(pcs, stack...), append(leaves, stack[:min(len(stack), 3)])
	}
	return pcs, leaves
}
