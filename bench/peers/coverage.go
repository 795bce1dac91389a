package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// coverage measures llvm-cov's commands on a C++ program of n functions, half of which
// run, made on first use. It needs clang and llvm-cov of the peer's version beside it.
func (b bench) coverage(dir string, n int) error {
	beside := func(tool string) string { return strings.Replace(b.tool, "llvm-profdata", tool, 1) }
	cov, clang := beside("llvm-cov"), beside("clang++")
	for _, tool := range []string{cov, clang} {
		if _, err := os.Stat(tool); err != nil {
			fmt.Printf("\nno coverage: %v\n", err)
			return nil
		}
	}
	program := filepath.Join(dir, fmt.Sprintf("coverage-%d", n))
	profile := program + ".profdata"
	if err := covered(program, profile, clang, b.tool, n); err != nil {
		return err
	}
	fmt.Printf("\n%s, %d functions\n", program, n)
	for _, args := range [][]string{{"report"}, {"export"}, {"export", "-format=lcov"}, {"show"}} {
		asked := append(args, program, "-instr-profile="+profile)
		ours, theirs, err := pair(b.runs,
			func() (cost, error) { return process(b.proflens, append([]string{"cov"}, asked...)...) },
			func() (cost, error) { return process(cov, asked...) })
		if err != nil {
			return err
		}
		b.print("cov "+strings.Join(args, " "), "llvm-cov "+strings.Join(args, " "), ours, theirs)
	}
	return nil
}

// perFile is how many functions stand in one file.
const perFile = 100

// covered builds the program and records its profile, unless they are there.
func covered(program, profile, clang, merge string, n int) error {
	if _, err := os.Stat(profile); err == nil {
		return nil
	}
	sources := program + ".src"
	if err := os.MkdirAll(sources, 0o755); err != nil {
		return err
	}
	write := func(name, text string) error { return os.WriteFile(filepath.Join(sources, name), []byte(text), 0o644) }
	run := func(name string, args ...string) error {
		cmd := exec.Command(name, args...)
		cmd.Dir = sources
		cmd.Env = append(os.Environ(), "LLVM_PROFILE_FILE=run.profraw")
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%s %v: %w: %s", name, args, err, out)
		}
		return nil
	}
	flags := []string{"-O0", "-fprofile-instr-generate", "-fcoverage-mapping"}
	err := write("all.h", `#define LIMIT(v, lo, hi) ((v) < (lo) ? (lo) : (v) > (hi) ? (hi) : (v))
template <int N> int step(int v) { if (v > N) return v - N; return v + 1; }
inline int shared(int v) { return v && v < 100 ? v * 2 : 0; }
`)
	var objects []string
	var main, calls bytes.Buffer
	for file := 0; file*perFile < n && err == nil; file++ {
		var text, last bytes.Buffer
		text.WriteString("#include \"all.h\"\n")
		for i := file * perFile; i < min(n, (file+1)*perFile); i++ {
			fmt.Fprintf(&text, `int f%d(int a, int b) {
  int s = 0;
  for (int i = 0; i < a %% 5; i++) {
    if (i %% 2 == 0 && b > i)
      s += LIMIT(i, 1, %d);
    else
      s -= shared(i);
  }
  switch (b %% 4) {
  case 0: s += step<%d>(s); break;
  case 1: s ^= %[1]d; break;
  default: s++;
  }
  return s ? s : %[1]d;
}
`, i, i%7+2, i%50)
			if i%2 == 0 {
				fmt.Fprintf(&last, " + f%d(a, %[1]d)", i)
			}
		}
		fmt.Fprintf(&text, "int run%d(int a) { return 0%s; }\n", file, last.String())
		name := fmt.Sprintf("f%d.cpp", file)
		objects = append(objects, name+".o")
		fmt.Fprintf(&main, "int run%d(int);\n", file)
		fmt.Fprintf(&calls, " + run%d(%[1]d)", file)
		if err = write(name, text.String()); err == nil {
			err = run(clang, append(flags, "-c", name, "-o", name+".o")...)
		}
	}
	if err == nil {
		err = write("main.cpp", main.String()+"int main() { return (0"+calls.String()+") & 0; }\n")
	}
	absolute, e := filepath.Abs(program)
	for _, step := range [][]string{
		append(append([]string{clang}, flags...), append(objects, "main.cpp", "-o", absolute)...), {absolute}, {merge, "merge", "run.profraw", "-o", absolute + ".profdata"},
	} {
		if err == nil && e == nil {
			err = run(step[0], step[1:]...)
		}
	}
	if err == nil {
		err = e
	}
	return err
}
