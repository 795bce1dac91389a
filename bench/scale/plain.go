package scale

import (
	"bufio"
	"io"
	"math/rand/v2"
	"strconv"
)

// WritePlain writes n functions in LLVM's text format that cost their readers little:
// short mangled names, 1 to 18 counters of few values, no value sites. The same seed gives the same
// bytes.
func WritePlain(w io.Writer, n int, seed uint64) error {
	rng := rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))
	out := bufio.NewWriterSize(w, 1<<20)
	out.WriteString(":ir\n")
	var line []byte
	put := func(v uint64) {
		line = append(strconv.AppendUint(line, v, 10), '\n')
	}
	for i := range n {
		digits := strconv.Itoa(i)
		line = append(line[:0], "_ZN4test9fn0000000Ev\n"...)
		copy(line[len("_ZN4test9fn0000000")-len(digits):], digits)
		put(rng.Uint64() >> 4)
		counters := 1 + rng.IntN(18)
		put(uint64(counters))
		for range counters {
			put(uint64(rng.IntN(1000)))
		}
		line = append(line, '\n')
		if _, err := out.Write(line); err != nil {
			return err
		}
	}
	return out.Flush()
}
