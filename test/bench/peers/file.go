package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"proflens/test/bench/scale"
)

// bench is one run of the program.
type bench struct {
	*report
	tool, cov, proflens string // cov is llvm-cov; empty until it is needed
	runs                int
}

// shape is a kind of generated profile.
type shape struct {
	aims  string // the input that it is for the aims
	name  string // in its file's name
	words filters
	write func(w io.Writer, n int, program uint64, run int) error
}

// The shapes: one as large programs are, of which the peer reads little, and a plain one
// that costs its readers little.
var (
	asPrograms = shape{
		programFunctions, "", filters{words: []string{"HashTable", "stream", "std::vector"},
			patterns: []string{"merge.*[Ss]ort", `::get\w+\(int`}}, scale.Write,
	}
	plain = shape{
		plainFunctions, "plain-", filters{words: []string{"fn00012", "test", "test::fn00"},
			patterns: []string{`fn\d+99\(`, "^test::fn[0-4]+"}}, scale.WritePlain,
	}
)

// generated returns the indexed profile of a run of n functions, made on first use.
func generated(dir string, of shape, n, run int, tool string) (string, error) {
	path := filepath.Join(dir, fmt.Sprintf("%s%d.profdata", of.name, n))
	if run > 0 {
		path = filepath.Join(dir, fmt.Sprintf("%s%d-run%d.profdata", of.name, n, run))
	}
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
	if err := of.write(f, n, 1, run); err != nil {
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

// file measures everything on one profile; of is what it is for the aims.
func (b bench) file(of, path string) error {
	st, err := os.Stat(path)
	if err != nil {
		return err
	}
	b.begin(of, fmt.Sprintf("%s, %.1f MB", path, float64(st.Size())/1e6))
	self, err := os.Executable()
	if err != nil {
		return err
	}
	show := func() (cost, error) { return process(b.tool, "show", "--all-functions", "--counts", path) }
	decode, shown, err := pair(b.runs, func() (cost, error) { return process(self, "-only", path) }, show)
	if err != nil {
		return err
	}
	b.costs("decode + statistics", "show --all-functions --counts", decode, shown)
	export, merged, err := pair(b.runs,
		func() (cost, error) { return process(b.proflens, "export", "-f", "proftext", path) },
		func() (cost, error) { return process(b.tool, "merge", "--text", path, "-o", "-") })
	if err != nil {
		return err
	}
	b.costs("export -f proftext", "merge --text", export, merged)
	if err := b.standIn(path); err != nil {
		return err
	}
	if err := b.exports(path, show); err != nil {
		return err
	}
	return b.pages(path, shown.wall)
}

// standIn measures the commands that stand in for the peer's own.
func (b bench) standIn(path string) error {
	out := path + ".out"
	defer os.Remove(out)
	for _, args := range [][]string{
		{"show", "--all-functions", "--counts", path},
		{"show", "--all-functions", "--counts", "--text", path},
		{"overlap", path, path},
		{"merge", path, path, "-o", out},
	} {
		ours, theirs, err := pair(b.runs,
			func() (cost, error) { return process(b.proflens, append([]string{"profdata"}, args...)...) },
			func() (cost, error) { return process(b.tool, args...) })
		what := standsIn(args)
		if b.fail(what, err); err == nil {
			b.costs(what, "llvm-profdata", ours, theirs)
		}
	}
	return nil
}

// standsIn is what a command of the peer is called in the report, without its files.
func standsIn(args []string) string {
	what := "profdata " + args[0]
	for _, arg := range args[1:] {
		if strings.HasPrefix(arg, "--") {
			what += " " + arg
		}
	}
	return what
}

// exports measures the other forms in which functions are written. show is the peer that
// does not demangle.
func (b bench) exports(path string, show func() (cost, error)) error {
	out := path + ".out"
	defer os.Remove(out)
	indexed, merged, err := pair(b.runs,
		func() (cost, error) { return process(b.proflens, "export", "-f", "profdata", "-o", out, path) },
		func() (cost, error) { return process(b.tool, "merge", path, "-o", out) })
	if err != nil {
		return err
	}
	b.costs("export -f profdata", "merge", indexed, merged)
	mangled, shown, err := pair(b.runs,
		func() (cost, error) { return process(b.proflens, "export", "-f", "csv", "-names", "mangled", path) }, show)
	if b.fail("export -f csv -names mangled", err); err == nil {
		b.costs("export -f csv -names mangled", "show --all-functions --counts", mangled, shown)
	}
	demangler, err := b.demangler()
	if err != nil {
		b.fail("demangled functions", err)
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
		b.costs("export -f "+form, "show --counts | llvm-cxxfilt", ours, theirs)
	}
	return nil
}

// demangler is the llvm-cxxfilt beside the peer.
func (b bench) demangler() (string, error) {
	tool := filepath.Join(filepath.Dir(b.tool), strings.Replace(filepath.Base(b.tool), "profdata", "cxxfilt", 1))
	_, err := os.Stat(tool)
	return tool, err
}
