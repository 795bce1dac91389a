package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// memprofProgram is the small real program whose addresses the generated heap
// profile has; its files are beside the decoder.
const memprofProgram = "decode/memprof/testdata/clang-22_mem_pie"

// heaps measures heap profiles: a raw one of n contexts with its program, shown
// and written as an indexed one, and that.
func (b bench) heaps(dir string, n int) error {
	raw, program, err := generatedMemProf(dir, n)
	if err != nil {
		return err
	}
	st, err := os.Stat(raw)
	if err != nil {
		return err
	}
	fmt.Printf("\n%s, %d contexts, %.1f MB\n", raw, n, float64(st.Size())/1e6)
	indexed := raw + ".profdata"
	for _, m := range []struct {
		ours, theirs []string
	}{
		{[]string{"export", "-f", "memprof-dump", raw, program}, []string{"show", "--memory", "--profiled-binary=" + program, raw}},
		{[]string{"export", "-f", "profdata", "-o", indexed, raw, program}, []string{"merge", "--memprof-full-schema", "--profiled-binary=" + program, raw, "-o", raw + ".peer"}},
		{[]string{"export", "-f", "memprof-yaml", indexed}, []string{"show", "--memory", indexed}},
	} {
		ours, theirs, err := pair(b.runs,
			func() (cost, error) { return process(b.proflens, m.ours...) },
			func() (cost, error) { return process(b.tool, m.theirs...) })
		if err != nil {
			return err
		}
		b.print(fmt.Sprintf("%s %s %s", m.ours[0], m.ours[1], m.ours[2]), fmt.Sprintf("%s %s", m.theirs[0], m.theirs[1][:min(len(m.theirs[1]), 12)]), ours, theirs)
	}
	return nil
}

// generatedMemProf is a raw profile of n contexts and its program, made on first
// use: stacks of 30 frames that branch as those of programs do, from addresses
// of a real run. It is never in memory: what this program has taken counts as the
// memory of those that it starts.
func generatedMemProf(dir string, n int) (raw, program string, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", "", err
	}
	raw, program = filepath.Join(dir, fmt.Sprintf("heap%d.memprofraw", n)), filepath.Join(dir, "heap.exe")
	if _, err := os.Stat(raw); err == nil {
		return raw, program, nil
	}
	exe, err := unpacked(memprofProgram + ".exe.gz")
	if err != nil {
		return "", "", err
	}
	run, err := unpacked(memprofProgram + ".memprofraw.gz")
	if err != nil {
		return "", "", err
	}
	if err := os.WriteFile(program, exe, 0o755); err != nil {
		return "", "", err
	}
	f, err := os.Create(raw + ".new")
	if err != nil {
		return "", "", err
	}
	w := bufio.NewWriter(f)
	multiply(w, run, n)
	if err := errors.Join(w.Flush(), f.Close()); err != nil {
		return "", "", err
	}
	return raw, program, os.Rename(f.Name(), raw)
}

func unpacked(path string) ([]byte, error) {
	packed, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

// depth is how many addresses a generated stack has: what the runtime records
// unless it is told otherwise.
const depth = 30

// multiply writes a raw profile of version 5 with n contexts: the header and the
// segments of a real one, its first MIB again and again, and its addresses in
// new stacks. It leaves errors to w.
func multiply(w *bufio.Writer, run []byte, n int) {
	word := func(at uint64) uint64 { return binary.LittleEndian.Uint64(run[at:]) }
	segments, mibs, stacks := word(24), word(32), word(40)
	const mibSize = 144
	mib := bytes.Clone(run[mibs+16:][:mibSize])
	clear(mib[mibSize-12:]) // no histogram
	var pcs []uint64
	var leaves [][]uint64
	for at, i := stacks+8, uint64(0); i < word(stacks); i++ {
		var stack []uint64
		for range word(at + 8) {
			stack = append(stack, word(at+16+8*uint64(len(stack))))
		}
		at += 16 + 8*uint64(len(stack))
		pcs, leaves = append(pcs, stack...), append(leaves, stack[:min(len(stack), 3)])
	}
	write := func(words ...uint64) {
		for _, v := range words {
			_, _ = w.Write(binary.LittleEndian.AppendUint64(w.AvailableBuffer(), v))
		}
	}
	stacksAt := mibs + 8 + uint64(n)*(8+mibSize)
	end := stacksAt + 8 + uint64(n)*(16+8*depth)
	_, _ = w.Write(run[:8])
	write(word(8), end, segments, mibs, stacksAt)
	_, _ = w.Write(run[48:mibs])
	rng := rand.New(rand.NewPCG(1, 2))
	write(uint64(n))
	for i := range n {
		binary.LittleEndian.PutUint32(mib, 1+rng.Uint32N(1000))
		write(uint64(i) + 1)
		_, _ = w.Write(mib)
	}
	write(uint64(n))
	for i := range n {
		write(uint64(i)+1, depth)
		stack := leaves[rng.IntN(len(leaves))]
		write(stack...)
		// From the middle on towards the root a few of the frames lead on.
		for k := len(stack); k < depth; k++ {
			of := len(pcs)
			if k > depth/2 {
				of = 2
			}
			write(pcs[rng.IntN(of)])
		}
	}
}
