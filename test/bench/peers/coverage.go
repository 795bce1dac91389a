package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"proflens/test/bench/scale"
)

// coverage measures source coverage of a program of n functions: joined and summed up,
// written as JSON and as LCOV, and on the way to stored tables.
func (b bench) coverage(dir string, n int) error {
	clang, err := newest("clang++")
	if err == nil {
		b.cov, err = newest("llvm-cov")
	}
	if err != nil {
		fmt.Printf("\nsource coverage is not measured: %v\n", err)
		return nil
	}
	program, profile, err := b.program(filepath.Join(dir, fmt.Sprintf("program%d", n)), n, clang)
	if err != nil {
		return err
	}
	st, err := os.Stat(program)
	if err != nil {
		return err
	}
	b.begin(coveredFunctions, fmt.Sprintf("%s, %d functions, %.1f MB; peer: %s", program, n, float64(st.Size())/1e6,
		b.cov))
	instr := "-instr-profile=" + profile
	report := []string{"report", program, instr}
	for _, m := range []struct {
		words        string
		ours, theirs []string
	}{
		{"cov report", append([]string{"cov"}, report...), report},
		{"cov export", []string{"cov", "export", program, instr}, []string{"export", program, instr}},
		{
			"cov export -format=lcov", []string{"cov", "export", "-format=lcov", program, instr},
			[]string{"export", "-format=lcov", program, instr},
		},
		{"tables stored, one as CSV", []string{"export", "-f", "csv", "-table", "coverage-files", profile, program}, report},
	} {
		ours, theirs, err := pair(b.runs,
			func() (cost, error) { return process(b.proflens, m.ours...) },
			func() (cost, error) { return process(b.cov, m.theirs...) })
		if err != nil {
			return err
		}
		b.costs(m.words, "llvm-cov "+strings.Join(slices.DeleteFunc(slices.Clone(m.theirs),
			func(arg string) bool { return arg == program || arg == instr }), " "), ours, theirs)
	}
	return nil
}

// program is a program with coverage and its indexed profile, made on first use.
func (b bench) program(dir string, n int, clang string) (program, profile string, err error) {
	program, profile = filepath.Join(dir, "program"), filepath.Join(dir, "program.profdata")
	if _, err := os.Stat(profile); err == nil {
		return program, profile, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", "", err
	}
	sources, err := scale.WriteProgram(dir, n)
	if err != nil {
		return "", "", err
	}
	run := func(name string, args ...string) error {
		cmd := exec.Command(name, args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "LLVM_PROFILE_FILE=program.profraw")
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%s %v: %w: %s", name, args, err, out)
		}
		return nil
	}
	flags := []string{"-O0", "-fprofile-instr-generate", "-fcoverage-mapping"}
	faults := make([]error, len(sources))
	room := make(chan struct{}, runtime.NumCPU())
	var all sync.WaitGroup
	for i, source := range sources {
		all.Go(func() {
			room <- struct{}{}
			faults[i] = run(clang, append(slices.Clone(flags), "-c", source, "-o", source+".o")...)
			<-room
		})
	}
	all.Wait()
	link := append(slices.Clone(flags), "-o", "program")
	for _, source := range sources {
		link = append(link, source+".o")
	}
	err = errors.Join(faults...)
	for _, step := range [][]string{
		append([]string{clang}, link...), {"./program"}, {b.tool, "merge", "program.profraw", "-o", "program.profdata"},
	} {
		if err == nil {
			err = run(step[0], step[1:]...)
		}
	}
	return program, profile, err
}
