package scale

import (
	"bufio"
	"crypto/md5"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
)

// The layout of raw version 10: sizes in bytes.
const (
	rawMagic   = 0xFF6C70726F667281
	rawVersion = 10 | 1<<56 // IR instrumentation
	rawRecord  = 64
	rawName    = len("_ZN4test9fn0000000Ev\x01")
)

// rawCounters is how many counters a function has, where they have mean each on average.
func rawCounters(i, mean int) int { return 1 + i*7%(2*mean-1) }

// WriteRaw writes a raw profile of n functions, at most ten million, with mean counters each on
// average, as a program of clang 22 does: the names of WritePlain, not compressed, no value
// sites. The same program and run give the same bytes; runs of one program differ in their
// counts. It holds nothing, however large the file.
func WriteRaw(w io.Writer, n, mean int, program uint64, run int) error {
	out := bufio.NewWriterSize(w, 1<<20)
	var all int
	for i := range n {
		all += rawCounters(i, mean)
	}
	names := n*rawName - 1
	prefix := append(binary.AppendUvarint(nil, uint64(names)), 0) // not compressed
	delta := uint64(n * rawRecord)                                // the counters stand behind the records
	words := func(list ...uint64) {
		for _, v := range list {
			out.Write(binary.LittleEndian.AppendUint64(out.AvailableBuffer(), v)) // errors come with Flush
		}
	}
	words(rawMagic, rawVersion, 0, uint64(n), 0, uint64(all), 0, 0, 0, uint64(len(prefix)+names), delta, 0, 0, 0, 0, 2)
	at := 0
	for i := range n {
		sum := md5.Sum(fmt.Appendf(nil, "_ZN4test9fn%07dEv", i))
		counters := rawCounters(i, mean)
		words(binary.LittleEndian.Uint64(sum[:]), (program<<40^uint64(i)*0x9e3779b97f4a7c15)>>4,
			delta+uint64(8*at)-uint64(i*rawRecord), 0, 0, 0, uint64(counters), 0)
		at += counters
	}
	rng := rand.New(rand.NewPCG(program, uint64(run)))
	for range all {
		words(uint64(rng.IntN(1000)))
	}
	out.Write(prefix)
	for i := range n {
		if i > 0 {
			out.WriteByte(1)
		}
		fmt.Fprintf(out, "_ZN4test9fn%07dEv", i)
	}
	out.Write(make([]byte, -(len(prefix)+names)&7))
	return out.Flush()
}
