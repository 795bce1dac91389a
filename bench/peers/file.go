package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"proflens/bench/scale"
)

// bench is one run of the program.
type bench struct {
	tool, cov, proflens string // cov is llvm-cov; empty until it is needed
	runs                int
}

// shape is a kind of generated profile.
type shape struct {
	name  string // in its file's name
	write func(w io.Writer, n int, seed uint64) error
}

// The shapes: one as large programs are, of which the peer reads little, and a plain one
// that costs its readers little.
var (
	asPrograms = shape{"", scale.Write}
	plain      = shape{"plain-", scale.WritePlain}
)

// generated returns the indexed profile of n functions, made on first use.
func generated(dir string, of shape, n int, tool string) (string, error) {
	path := filepath.Join(dir, fmt.Sprintf("%s%d.profdata", of.name, n))
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
	if err := of.write(f, n, 1); err != nil {
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
	if err := b.exports(path); err != nil {
		return err
	}
	return b.pages(path, shown.wall)
}

// exports measures the other forms in which functions are written.
func (b bench) exports(path string) error {
	out := path + ".out"
	defer os.Remove(out)
	indexed, merged, err := pair(b.runs,
		func() (cost, error) { return process(b.proflens, "export", "-f", "profdata", "-o", out, path) },
		func() (cost, error) { return process(b.tool, "merge", path, "-o", out) })
	if err != nil {
		return err
	}
	b.print("export -f profdata", "merge", indexed, merged)
	demangler := filepath.Join(filepath.Dir(b.tool), strings.Replace(filepath.Base(b.tool), "profdata", "cxxfilt", 1))
	if _, err := os.Stat(demangler); err != nil {
		fmt.Println("  no", demangler, "to show demangled functions")
		return nil
	}
	for _, form := range []string{"csv", "json", "ndjson"} {
		ours, theirs, err := pair(b.runs,
			func() (cost, error) { return process(b.proflens, "export", "-f", form, path) },
			func() (cost, error) {
				return process("sh", "-c", `"$0" show --all-functions --counts "$1" | "$2"`, b.tool, path, demangler)
			})
		if err != nil {
			return err
		}
		b.print("export -f "+form, "show --counts | llvm-cxxfilt", ours, theirs)
	}
	return nil
}

func (b bench) print(ours, theirs string, a, c cost) {
	fmt.Printf("  %-28s wall %8v  cpu %8v  %6.1f MB\n", ours, round(a.wall), round(a.cpu), float64(a.rss)/1024)
	fmt.Printf("  %-28s wall %8v  cpu %8v  %6.1f MB    ours: wall %s, cpu %s\n",
		theirs, round(c.wall), round(c.cpu), float64(c.rss)/1024, ratio(a.wall, c.wall), ratio(a.cpu, c.cpu))
}
