package covmap_test

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"proflens/decode/covmap"
)

// real is a file of testdata.
func real(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// llvmCase is what llvm-cov says of the functions of objects, whose counts are left out.
type llvmCase struct {
	Objects, Arguments []string
	Functions          []struct {
		Name              string
		Files             []string
		Regions, Branches [][]uint32 // from line, column, to line, column, file id, expanded file id, kind
	}
}

func llvmCases(t testing.TB) map[string]llvmCase {
	t.Helper()
	f, err := os.Open("testdata/regions.json.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var cases map[string]llvmCase
	if err := json.NewDecoder(z).Decode(&cases); err != nil {
		t.Fatal(err)
	}
	return cases
}

// options are those of llvm-cov's arguments.
func (c llvmCase) options() (o covmap.Options) {
	for _, a := range c.Arguments {
		name, value, _ := strings.Cut(a, "=")
		switch name {
		case "-arch":
			o.Arch = value
		case "-compilation-dir":
			o.CompilationDir = value
		}
	}
	return o
}

// said is a mapping as the cases have it. llvm-cov leaves out some of the branches that
// are constant.
func said(m *covmap.Mapping) (regions, branches [][]uint32, constant []bool) {
	for _, r := range m.Regions {
		row := []uint32{r.Start.Line, r.Start.Column, r.End.Line, r.End.Column, r.File, r.Expanded, uint32(r.Kind)}
		switch r.Kind {
		case covmap.Branch, covmap.MCDCBranch:
			branches, constant = append(branches, row), append(constant, r.Counter == 0 || r.False == 0)
		case covmap.Decision:
		default:
			regions = append(regions, row)
		}
	}
	return regions, branches, constant
}

func TestRegionsAreThoseOfLLVM(t *testing.T) {
	for name, c := range llvmCases(t) {
		t.Run(name, func(t *testing.T) {
			found := map[string]covmap.Mapping{}
			for _, file := range c.Objects {
				list, err := covmap.Open(file, real(t, file), c.options())
				if err != nil {
					t.Fatal(err)
				}
				for _, o := range list {
					for _, f := range o.Functions {
						var m covmap.Mapping
						if err := f.Read(&m); err != nil {
							t.Fatal(err)
						}
						display := f.Name
						if rest, ok := strings.CutPrefix(display, m.Files[0]); ok {
							display = rest[1:]
						}
						found[display+fmt.Sprint(m.Files)] = m
					}
				}
			}
			if len(found) != len(c.Functions) {
				t.Errorf("%d functions; llvm-cov has %d", len(found), len(c.Functions))
			}
			for _, f := range c.Functions {
				m, ok := found[f.Name+fmt.Sprint(f.Files)]
				if !ok {
					t.Errorf("no function %s of %v", f.Name, f.Files)
					continue
				}
				regions, branches, constant := said(&m)
				if fmt.Sprint(regions) != fmt.Sprint(f.Regions) {
					t.Errorf("%s:\n%v\nllvm-cov:\n%v", f.Name, regions, f.Regions)
				}
				for n, b := range branches {
					if len(f.Branches) > 0 && slices.Equal(b, f.Branches[0]) {
						f.Branches = f.Branches[1:]
					} else if !constant[n] {
						t.Errorf("%s: llvm-cov has not the branch %v", f.Name, b)
					}
				}
				if len(f.Branches) > 0 {
					t.Errorf("%s: llvm-cov has branches %v", f.Name, f.Branches)
				}
			}
		})
	}
}

func TestObjectsOfRealFiles(t *testing.T) {
	for _, test := range []struct {
		file, arch       string
		objects, version int
		names            int
		id               bool
	}{
		{"recoded/version1/version1.covmapping", "", 1, 1, 14, false},
		{"recoded/version3/version3.covmapping", "", 1, 3, 14, false},
		{"clang-14/calc/calc.exe", "x86_64", 1, 6, 16, true},
		{"clang-22/rules/rules.exe", "", 1, 7, 11, true},
		{"clang-22/archive/libcalc.a", "", 2, 7, 8, false},
		{"clang-22/fat/fat.dylib", "arm64", 1, 7, 6, true},
		{"clang-22/m32/m32.exe", "i386", 1, 7, 14, true},
		{"clang-22/wasm/wasm.wasm", "wasm32", 1, 7, 6, false},
	} {
		list, err := covmap.Open(test.file, real(t, test.file), covmap.Options{Arch: test.arch})
		if err != nil || len(list) != test.objects {
			t.Errorf("%s: %d objects, %v", test.file, len(list), err)
			continue
		}
		if o := list[0]; o.Version != test.version || len(o.Names) != test.names || (o.BuildID != nil) != test.id ||
			len(o.Faults) > 0 {
			t.Errorf("%s: version %d, %d names, build id %x, faults %v", test.file, o.Version, len(o.Names), o.BuildID, o.Faults)
		}
	}
}

func TestMembersAreNamedInTheirArchive(t *testing.T) {
	list, err := covmap.Open("lib/libcalc.a", real(t, "clang-22/archive/libcalc.a"), covmap.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if list[0].Name != "lib/libcalc.a(main.c.o)" || list[1].Name != "lib/libcalc.a(eval.c.o)" {
		t.Errorf("%s, %s", list[0].Name, list[1].Name)
	}
}

func TestUniversalFilesNeedAnArchitecture(t *testing.T) {
	for _, arch := range []string{"", "armv7"} {
		_, err := covmap.Open("fat", real(t, "clang-22/fat/fat.dylib"), covmap.Options{Arch: arch})
		if fault(t, err).Kind != "invalid_or_missing_arch_specifier" || !strings.Contains(err.Error(), "x86_64, arm64") {
			t.Errorf("%q: %v", arch, err)
		}
	}
	_, err := covmap.Open("calc", real(t, "clang-14/calc/calc.exe"), covmap.Options{Arch: "arm64"})
	if fault(t, err).Kind != "invalid_or_missing_arch_specifier" {
		t.Error(err)
	}
}

func TestWithoutAMappingItIsSaidWhatIsThere(t *testing.T) {
	for file, want := range map[string]string{
		"clang-22/stripped/stripped.exe": "compiled without -fcoverage-mapping or stripped",
		"clang-22/wasm/wasm.o":           "give the linked module",
	} {
		_, err := covmap.Open(file, real(t, file), covmap.Options{})
		if f := fault(t, err); f.Kind != "no_data_found" || !strings.Contains(f.Msg, want) {
			t.Errorf("%s: %v", file, err)
		}
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	_, err = covmap.Open("a program", data, covmap.Options{})
	if f := fault(t, err); f.Kind != "no_data_found" || !strings.Contains(f.Msg, "compile with") {
		t.Error(err)
	}
	_, err = covmap.Open("a text", []byte("int main;\n"), covmap.Options{})
	if fault(t, err).Kind != "unrecognized_format" {
		t.Error(err)
	}
}

// TestDamagedRecords: what llvm-cov refuses is refused, with its kind of fault; a lenient
// reader goes on and says what it leaves out.
func TestDamagedRecords(t *testing.T) {
	for name, want := range map[string]string{
		"backwards":   "malformed: mapping: a region ends before it starts; found 1:14 to 1:13",
		"covsize":     "malformed: covmap: the size of mappings is not zero",
		"data_size":   "malformed: covfun: a mapping passes the end of its section; expected at most 12, found 4000",
		"expansion":   "malformed: mapping: an expansion is of a file id that there is not",
		"expression":  "malformed: mapping: a counter is an expression that there is not",
		"file_index":  "malformed: mapping: the number is too large; expected less than 2, found 2",
		"files_ref":   "malformed: covfun: no list of file names has the hash that a record names; found 0x6d35bd59baa5afb3",
		"files_short": "truncated: file names", "files_zlib": "uncompress_failed: file names",
		"header_cut":  "malformed: covmap: the header of a block passes the end",
		"kind":        "malformed: mapping: the kind of region is not known",
		"mapping_cut": "truncated: mapping: the mapping ends where a number is due",
		"mcdc_id":     "malformed: mapping: a condition has no id", "names_zlib": "uncompress_failed: names",
		"no_files":    "malformed: file names: a translation unit has no file names",
		"no_name":     "malformed: covfun: the function name is empty",
		"record_cut":  "malformed: covfun: a mapping passes the end of its section",
		"too_many":    "malformed: mapping: the count exceeds the bytes that are left",
		"version_7":   "unsupported_version: covmap: the coverage mapping is of a newer version",
		"version_old": "malformed: testing format: records follow", "good": "", "zero_length": "", "whole_lines": "",
	} {
		data := real(t, "malformed/"+name+"/"+name+".covmapping")
		_, err := covmap.Open(name, data, covmap.Options{})
		if want == "" {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if f := fault(t, err); !strings.HasPrefix(err.Error(), want) || f.Offset == 0 || f.File != name {
			t.Errorf("%s: %q of %s; want %q", name, err, f.File, want)
		}
		list, err := covmap.Open(name, data, covmap.Options{Lenient: true})
		if strings.HasPrefix(name, "version_") {
			if err == nil {
				t.Errorf("%s was read", name)
			}
		} else if err != nil || len(list[0].Faults) == 0 || !strings.HasPrefix(list[0].Faults[0].Err.Error(), want) {
			t.Errorf("%s: lenient: %v, %+v", name, err, list)
		}
	}
}
