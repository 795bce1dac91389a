package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"proflens/test/bench/scale"
)

// samples measures a sample profile of n functions: decoded, analysed and stored, and
// written as text.
func (b bench) samples(dir string, n int) error {
	file, err := b.sampled(dir, n, 0)
	if err != nil {
		return err
	}
	st, err := os.Stat(file)
	if err != nil {
		return err
	}
	b.begin(sampledFunctions, fmt.Sprintf("%s, %d functions with samples, %.1f MB", file, n, float64(st.Size())/1e6))
	for _, m := range []struct {
		words        string
		ours, theirs []string
	}{
		{
			"tables stored, one as CSV", []string{"export", "-f", "csv", "-table", "summary", file},
			[]string{"show", "--sample", "--all-functions", file},
		},
		{
			"export -f sample-text", []string{"export", "-f", "sample-text", file},
			[]string{"merge", "--sample", "--text", file, "-o", os.DevNull},
		},
		{
			"export -f sample-extbinary", []string{"export", "-f", "sample-extbinary", file},
			[]string{"merge", "--sample", "--extbinary", file, "-o", os.DevNull},
		},
	} {
		ours, theirs, err := pair(b.runs,
			func() (cost, error) { return process(b.proflens, m.ours...) },
			func() (cost, error) { return process(b.tool, m.theirs...) })
		if err != nil {
			return err
		}
		b.costs(m.words, "llvm-profdata "+strings.Join(slices.DeleteFunc(slices.Clone(m.theirs),
			func(arg string) bool { return arg == file }), " "), ours, theirs)
	}
	return b.comparedSamples(dir, n)
}

// comparedSamples measures the pages that compare two runs of a program.
func (b bench) comparedSamples(dir string, n int) error {
	var ids []string
	s, err := b.serve()
	if err != nil {
		return err
	}
	defer s.stop()
	for run := range 2 {
		file, err := b.sampled(dir, n, run)
		if err != nil {
			return err
		}
		id, err := s.uploaded(file)
		if err != nil {
			return err
		}
		ids = append(ids, id)
	}
	return b.visits(s, "/compare/"+strings.Join(ids, "..."), comparingFirst, comparingLater)
}

// sampled is an extensible binary sample profile of a run, made on first use.
func (b bench) sampled(dir string, n, run int) (string, error) {
	file := filepath.Join(dir, fmt.Sprintf("samples%d.afdo", n))
	if run > 0 {
		file = filepath.Join(dir, fmt.Sprintf("samples%d-run%d.afdo", n, run))
	}
	text := file + "text"
	if _, err := os.Stat(file); err == nil {
		return file, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	f, err := os.Create(text)
	if err != nil {
		return "", err
	}
	err = scale.WriteSamples(f, n, 1, run)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return "", err
	}
	_, err = process(b.tool, "merge", "--sample", "--extbinary", text, "-o", file)
	return file, err
}
