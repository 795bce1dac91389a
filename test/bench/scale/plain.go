package scale

import (
	"bufio"
	"io"
	"math/rand/v2"
	"strconv"
)

// WritePlain writes n functions in LLVM's text format that cost their readers little:
// short mangled names, 1 to 18 counters of few values, no value sites. The same program and
// run give the same bytes; runs of one program differ in their counts.
func WritePlain(w io.Writer, n int, program uint64, run int) error {
	rng := rand.New(rand.NewPCG(program, 0x9e3779b97f4a7c15))
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
			put(uint64((rng.IntN(1000) + run*i) % 1000))
		}
		line = append(line, '\n')
		if _, err := out.Write(line); err != nil {
			return err
		}
	}
	return out.Flush()
}
