package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"proflens/test/bench/scale"
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
	b.begin(heapContexts, fmt.Sprintf("%s, %d contexts, %.1f MB", raw, n, float64(st.Size())/1e6))
	indexed := raw + ".profdata"
	for _, m := range []struct {
		ours, theirs []string
	}{
		{
			[]string{"export", "-f", "memprof-dump", raw, program},
			[]string{"show", "--memory", "--profiled-binary=" + program, raw},
		},
		{
			[]string{"export", "-f", "profdata", "-o", indexed, raw, program},
			[]string{"merge", "--memprof-full-schema", "--profiled-binary=" + program, raw, "-o", raw + ".peer"},
		},
		{[]string{"export", "-f", "memprof-yaml", indexed}, []string{"show", "--memory", indexed}},
	} {
		ours, theirs, err := pair(b.runs,
			func() (cost, error) { return process(b.proflens, m.ours...) },
			func() (cost, error) { return process(b.tool, m.theirs...) })
		if err != nil {
			return err
		}
		b.costs(strings.Join(m.ours[:3], " "), fmt.Sprintf("%s %s", m.theirs[0], m.theirs[1][:min(len(m.theirs[1]), 12)]),
			ours, theirs)
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
	if err := errors.Join(scale.WriteHeap(f, run, n), f.Close()); err != nil {
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
