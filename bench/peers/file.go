package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"proflens/bench/scale"
)

// bench is one run of the program.
type bench struct {
	tool, cov, proflens string // cov is llvm-cov; empty until it is needed
	runs                int
}

// generated returns the indexed profile of n functions, made on first use.
func generated(dir string, n int, tool string) (string, error) {
	path := filepath.Join(dir, fmt.Sprintf("%d.profdata", n))
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	text := path + ".proftext"
	f, err := os.Create(text)
	if err != nil {
		return "", err
	}
	defer os.Remove(text)
	if err := scale.Write(f, n, 1); err != nil {
		return "", err
	}
	if err := f.Close(); err != nil {
		return "", err
	}
	out, err := exec.Command(tool, "merge", text, "-o", path).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s merge: %w: %s", tool, err, out)
	}
	return path, nil
}

// file measures everything on one profile.
func (b bench) file(path string) error {
	st, err := os.Stat(path)
	if err != nil {
		return err
	}
	fmt.Printf("\n%s, %.1f MB\n", path, float64(st.Size())/1e6)
	self, err := os.Executable()
	if err != nil {
		return err
	}
	show := func() (cost, error) { return process(b.tool, "show", "--all-functions", "--counts", path) }
	decode, shown, err := pair(b.runs, func() (cost, error) { return process(self, "-only", path) }, show)
	if err != nil {
		return err
	}
	b.print("decode + statistics", "show --all-functions --counts", decode, shown)
	export, merged, err := pair(b.runs,
		func() (cost, error) { return process(b.proflens, "export", "-f", "proftext", path) },
		func() (cost, error) { return process(b.tool, "merge", "--text", path, "-o", "-") })
	if err != nil {
		return err
	}
	b.print("export -f proftext", "merge --text", export, merged)
	return b.pages(path, shown.wall)
}

func (b bench) print(ours, theirs string, a, c cost) {
	fmt.Printf("  %-28s wall %8v  cpu %8v  %6.1f MB\n", ours, round(a.wall), round(a.cpu), float64(a.rss)/1024)
	fmt.Printf("  %-28s wall %8v  cpu %8v  %6.1f MB    ours: wall %s, cpu %s\n",
		theirs, round(c.wall), round(c.cpu), float64(c.rss)/1024, ratio(a.wall, c.wall), ratio(a.cpu, c.cpu))
}
