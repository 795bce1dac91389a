package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"proflens/test/bench/scale"
)

// fleetFunctions is how many functions the program of a fleet has.
const fleetFunctions = 4000

// fleet measures a merge of n raw profiles, runs of one program whose addresses differ.
func (b bench) fleet(dir string, n int) error {
	clang, err := newest("clang++")
	if err != nil {
		fmt.Printf("\nthe merge of a fleet is not measured: %v\n", err)
		return nil
	}
	list, size, err := b.runsOf(filepath.Join(dir, fmt.Sprintf("fleet%d", n)), n, clang)
	if err != nil {
		return err
	}
	b.begin(fleetOfRuns, fmt.Sprintf("%d raw profiles of %d functions, %.1f MB", n, fleetFunctions, float64(size)/1e6))
	for _, m := range []struct {
		words        string
		ours, theirs []string
	}{
		{
			"merge", []string{"merge", "-input-files", list, "-o", list + ".profdata"},
			[]string{"merge", "-input-files=" + list, "-o", list + ".peer"},
		},
		{
			"profdata merge", []string{"profdata", "merge", "-input-files=" + list, "-o", list + ".profdata"},
			[]string{"merge", "-input-files=" + list, "-o", list + ".peer"},
		},
		{
			"merge -contributions", []string{"merge", "-input-files", list, "-o", list + ".profdata", "-contributions",
				os.DevNull}, []string{"merge", "-input-files=" + list, "-o", list + ".peer"},
		},
	} {
		ours, theirs, err := pair(b.runs,
			func() (cost, error) { return process(b.proflens, m.ours...) },
			func() (cost, error) { return process(b.tool, m.theirs...) })
		if err != nil {
			return err
		}
		b.costs(m.words, "llvm-profdata merge", ours, theirs)
	}
	return nil
}

// runsOf is a list of n raw profiles and their bytes, made on first use.
func (b bench) runsOf(dir string, n int, clang string) (list string, size int64, err error) {
	list = filepath.Join(dir, "list")
	if text, err := os.ReadFile(list); err == nil {
		for _, name := range strings.Fields(string(text)) {
			st, err := os.Stat(name)
			if err != nil {
				return "", 0, err
			}
			size += st.Size()
		}
		return list, size, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", 0, err
	}
	sources, err := scale.WriteProgram(dir, fleetFunctions)
	if err != nil {
		return "", 0, err
	}
	build := exec.Command(clang, append(slices.Clone(sources), "-O1", "-fprofile-generate", "-o", "program")...)
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		return "", 0, fmt.Errorf("%s: %w: %s", clang, err, out)
	}
	var names strings.Builder
	for i := range n {
		name, err := filepath.Abs(filepath.Join(dir, fmt.Sprintf("%d.profraw", i)))
		if err != nil {
			return "", 0, err
		}
		run := exec.Command("./program")
		run.Dir, run.Env = dir, append(os.Environ(), "LLVM_PROFILE_FILE="+name)
		if err := run.Run(); err != nil {
			return "", 0, err
		}
		names.WriteString(name + "\n")
	}
	if err := os.WriteFile(list, []byte(names.String()), 0o644); err != nil {
		return "", 0, err
	}
	return b.runsOf(dir, n, clang)
}
