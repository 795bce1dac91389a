package names

import (
	"bufio"
	"compress/gzip"
	"os"
	"strings"
	"testing"
	"time"
)

// sample is C++ names, and what llvm-cxxfilt writes.
func sample(t testing.TB) (linkage, llvm []string) { return filteredNames(t, "cxxfilt.tsv.gz") }

// filteredNames reads a packed file of testdata: names, and what llvm-cxxfilt writes.
func filteredNames(t testing.TB, file string) (linkage, llvm []string) {
	t.Helper()
	f, err := os.Open("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	rows := bufio.NewScanner(z)
	rows.Buffer(nil, 1<<20)
	for rows.Scan() {
		name, text, _ := strings.Cut(rows.Text(), "\t")
		linkage, llvm = append(linkage, name), append(llvm, text)
	}
	if rows.Err() != nil {
		t.Fatal(rows.Err())
	}
	return linkage, llvm
}

// TestItaniumAsLLVM compares with llvm-cxxfilt on real names, in full, and sees
// that the short modes do as the full one does: none takes another way.
func TestItaniumAsLLVM(t *testing.T) {
	linkage, llvm := sample(t)
	if len(linkage) < 40_000 {
		t.Fatalf("%d names", len(linkage))
	}
	for i, name := range linkage {
		if _, _, ok := demangleCpp(name, Full); !ok {
			t.Errorf("%s is left to the library", name)
		}
		if got := Demangle(name, Full); got != llvm[i] {
			t.Errorf("%s\n got %s\nwant %s", name, got, llvm[i])
		}
	}
}

// TestItaniumShortAsLibrary compares the forms that LLVM does not have with the
// library's, where the library and LLVM agree on the whole name.
func TestItaniumShortAsLibrary(t *testing.T) {
	compared := 0
	for i, name := range first(sample(t)) {
		if i%8 != 0 {
			continue
		}
		ours, _, _ := demangleCpp(name, Full)
		theirs, _, _ := demangleByLibrary(name, Full)
		if ours != theirs {
			continue
		}
		compared++
		for _, m := range []Mode{Short, NoTemplates} {
			got, _, _ := demangleCpp(name, m)
			if want, _, _ := demangleByLibrary(name, m); got != want {
				t.Errorf("%s, %s\n got %s\nwant %s", name, m, got, want)
			}
		}
	}
	if compared < 4000 {
		t.Errorf("only %d names compared", compared)
	}
}

func first(names, _ []string) []string { return names }

// TestItaniumBounds gives the demangler of C++ what could exhaust it: it has to
// refuse soon, or to write no more than 64 KiB. The time allowed is a hundred
// times what it takes, for slow machines and the race detector.
func TestItaniumBounds(t *testing.T) {
	many := func(s string, n int) string { return strings.Repeat(s, n) }
	for name, linkage := range map[string]string{
		"pointers":        "_Z1f" + many("P", 8000) + "i",
		"qualifiers":      "_Z1f" + many("U1a", 2600) + "i",
		"templates":       "_Z1f" + many("1AI", 1300) + "i" + many("E", 1300),
		"packs":           "_Z1fI" + many("J", 8000),
		"locals":          "_Z" + many("ZN1aE", 1500),
		"closures":        "_Z1fI" + many("Ul", 4000),
		"parameters":      "_Z1fI" + many("Tp", 4000),
		"templates of it": "_Z1fI" + many("Tt", 4000),
		"expressions":     "_Z1fIX" + many("ps", 4000),
		"braces":          "_Z1fIXil" + many("di1a", 2000),
		"inherited":       "_ZN1A" + many("CI1N1A", 1000),
		"doubling":        "_Z1f1AIiiE" + substitutions(2000),
		"empty expansion": "_Z1fIJEEv" + many("Dp", 900) + "T_",
		"empty packs":     "_Z1fIJEEvPF" + emptyPacks(400) + "E",
		"packs of packs":  "_Z1fIJ" + many("i", 1500) + "EEv" + many("DpPFvDpT_E", 600),
		"conversions":     "_ZN1aI" + many("NcvT_I", 60) + "spsp",
		"a cycle":         "_ZN1AcvR" + "T_IS0_EEv",
		"references":      "_ZN1Acv" + many("R", 900) + "T_IS1_EEv",
		"cycles":          "_ZN1Acv" + many("RP", 400) + "T_I" + many("S1_", 400) + "EEv",
		"chains again":    "_Z1f" + many("R", 900) + "i" + many("S9_", 2300),
		"shape of packs":  "_Z1fIJ" + many("A1_i", 1000) + "EEvDp" + many("PK", 450) + "T_",
	} {
		for _, m := range []Mode{Full, Short, NoTemplates} {
			start := time.Now()
			text, _, ok := demangleItanium(linkage, m)
			if took := time.Since(start); took > time.Minute {
				t.Errorf("%s, %s: took %v", name, m, took)
			}
			if ok && len(text) > maxText {
				t.Errorf("%s, %s: %d bytes", name, m, len(text))
			}
		}
	}
}

// emptyPacks doubles a function type n times that has but empty packs for
// parameters: a great deal of work that writes next to nothing.
func emptyPacks(n int) string {
	var b strings.Builder
	b.WriteString("vDpT_")
	for i := range n {
		b.WriteString("PFvDp" + seqID(i+1) + "Dp" + seqID(i+1) + "E")
	}
	return b.String()
}
