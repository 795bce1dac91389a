//go:build long

package names

import (
	"bufio"
	"debug/elf"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// libraries are where TestItaniumAsLLVMAtLength looks for symbol tables. More
// can be named in NAMES_FROM, separated by colons: directories, or text files
// with a name a line.
var libraries = []string{
	"/usr/lib/x86_64-linux-gnu", "/usr/lib/llvm-22/lib", "/usr/lib/llvm-14/lib", "/usr/lib/jvm",
	"/root/.rustup/toolchains",
}

// TestItaniumAsLLVMAtLength compares with llvm-cxxfilt on every C++ name in the
// symbol tables of this machine's libraries.
func TestItaniumAsLLVMAtLength(t *testing.T) {
	tool := cxxfilt(t)
	seen := make(map[string]bool)
	for _, dir := range append(libraries, filepath.SplitList(os.Getenv("NAMES_FROM"))...) {
		if strings.HasSuffix(dir, ".txt") {
			collectLines(t, dir, seen)
			continue
		}
		filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() && strings.Contains(d.Name(), ".so") {
				collectSymbols(path, seen)
			}
			return nil
		})
	}
	all := make([]string, 0, len(seen))
	for name := range seen {
		all = append(all, name)
	}
	t.Logf("%d names", len(all))
	if len(all) == 0 {
		t.Skip("no names here: say in NAMES_FROM where there are some")
	}
	differ, refused, cut := 0, 0, 0
	for i, want := range filtered(t, tool, all) {
		got := Demangle(all[i], Full)
		if want == all[i] {
			refused++ // what llvm-cxxfilt refuses is left to the library
			continue
		}
		if len(want) > maxText {
			want = want[:maxText]
			cut++
		}
		if got != want {
			differ++
			t.Errorf("%s\n got %s\nwant %s", all[i], got, want)
		}
	}
	t.Logf("%d differ; llvm-cxxfilt refuses %d; %d are longer than %d bytes and cut", differ, refused, cut, maxText)
}

// mutations are pieces of the grammar to put into names.
var mutations = strings.Fields(`sr Dp T_ T0_ S_ S0_ S1_ Ul E_ cv dv gt rs Li1E Lb1E J I X il tl cl dt pt nw da sp sZ sP
	fp_ fL0p_ fl fr fL Tn Ty Tt Tp Tk Q rq rQ DO Do Dw U3foo B3tag C1 D0 CI1 Dv4_ Dv DB8_ F M1A A3_ A P R O K N St Sa Ss NK NH
	W1m WP1p DC Ua9enable_ifI mc so di dx dX _Z L_Z LZ TA 1a 2bb 3foo v z TL0__ TL0_0_ Ts Te Dk1C DK DT Dt on dn gs srN aw ss
	qu u3foo u8__uuidoft nx tw tr st sz at az ti te Ld0000000000000000E LDnE LA3_cE LUlvE_E G C Ut_ Ub_ Z Ed_ Es _0 __12_ H E`)

// TestItaniumMutatedAsLLVM compares with llvm-cxxfilt on names that no compiler
// wrote: real ones with pieces of the grammar put in, left out and doubled. Most
// are none; the others reach into every corner.
func TestItaniumMutatedAsLLVM(t *testing.T) {
	tool := cxxfilt(t)
	var short []string
	for _, name := range first(sample(t)) {
		if len(name) < 200 {
			short = append(short, name)
		}
	}
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 22))
	var all []string
	for range 1_000_000 {
		name := short[rng.IntN(len(short))]
		for range 1 + rng.IntN(3) {
			at := 2 + rng.IntN(len(name)-2)
			piece := mutations[rng.IntN(len(mutations))]
			to := at + rng.IntN(len(name)-at)
			switch rng.IntN(5) {
			case 0:
				name = name[:at] + name[at+1:] + "v"
			case 1, 2:
				name = name[:at] + piece + name[at:]
			case 3:
				name = name[:to] + name[at:to] + name[to:]
			case 4:
				name = name[:at] + piece + name[min(at+len(piece), len(name)):]
			}
		}
		if legacyRustEnd(name) == 0 {
			all = append(all, name)
		}
	}
	accepted, differ := 0, 0
	for i, want := range filtered(t, tool, all) {
		if want == all[i] {
			continue
		}
		accepted++
		got := Demangle(all[i], Full)
		if got != want[:min(len(want), maxText)] && differ < 100 {
			differ++
			t.Errorf("%s\n got %s\nwant %s", all[i], got, want)
		}
	}
	t.Logf("%d names that llvm-cxxfilt accepts, %d differ; seed %d", accepted, differ, seed)
}

// collectSymbols adds the C++ names in the symbol tables of an ELF file.
func collectSymbols(path string, seen map[string]bool) {
	f, err := elf.Open(path)
	if err != nil {
		return
	}
	defer f.Close()
	dynamic, _ := f.DynamicSymbols()
	static, _ := f.Symbols()
	for _, s := range append(dynamic, static...) {
		collect(s.Name, seen)
	}
}

func collectLines(t *testing.T, path string, seen map[string]bool) {
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		collect(strings.TrimSpace(line), seen)
	}
}

// collect adds a name of C++ of a length that is demangled.
func collect(name string, seen map[string]bool) {
	name, _, _ = strings.Cut(name, "@")
	if strings.HasPrefix(name, "_Z") && legacyRustEnd(name) == 0 && len(name) <= maxLinkage && !seen[name] {
		seen[strings.Clone(name)] = true
	}
}

// filtered are the names as llvm-cxxfilt writes them.
func filtered(t *testing.T, tool string, names []string) []string {
	t.Helper()
	cmd := exec.Command(tool, "--no-strip-underscore")
	cmd.Stdin = strings.NewReader(strings.Join(names, "\n") + "\n")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<30)
	var texts []string
	for lines.Scan() {
		texts = append(texts, lines.Text())
	}
	if err := cmd.Wait(); err != nil || len(texts) != len(names) {
		t.Fatalf("%s wrote %d lines for %d names: %v", tool, len(texts), len(names), err)
	}
	return texts
}

// cxxfilt finds llvm-cxxfilt of LLVM 22, as Debian names it.
func cxxfilt(t *testing.T) string {
	for _, name := range []string{"llvm-cxxfilt-22", "/usr/lib/llvm-22/bin/llvm-cxxfilt"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("there is no llvm-cxxfilt-22 here")
	return ""
}
