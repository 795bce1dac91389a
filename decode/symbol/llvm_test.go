package symbol_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"debug/dwarf"
	"debug/elf"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"proflens/decode/symbol"
)

// unpacked is a file of testdata that is packed.
func unpacked(t testing.TB, path string) []byte {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(read(t, path)))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// told are the names of the programs of which testdata/llvm has what a tool says.
func told(t testing.TB, suffix string) (names []string) {
	t.Helper()
	paths, _ := filepath.Glob("testdata/llvm/*" + suffix)
	for _, path := range paths {
		names = append(names, strings.TrimSuffix(filepath.Base(path), suffix))
	}
	if len(names) == 0 {
		t.Fatal("there is no", suffix)
	}
	return names
}

// Sections and segments are those that llvm-readelf prints, of both classes and
// byte orders.
func TestHeadersAreThoseOfLLVM(t *testing.T) {
	classes := map[string]bool{}
	for _, name := range told(t, ".headers.json.gz") {
		var want []struct {
			FileSummary struct{ AddressSize string }
			Sections    []struct {
				Section struct {
					Name            struct{ Name string }
					Type, Flags     struct{ Value uint64 }
					Address, Offset uint64
					Size            uint64
				}
			}
			ProgramHeaders []struct {
				ProgramHeader struct {
					Type, Flags                                          struct{ Value uint64 }
					Offset, VirtualAddress, FileSize, MemSize, Alignment uint64
				}
			}
		}
		if err := json.Unmarshal(unpacked(t, "testdata/llvm/"+name+".headers.json.gz"), &want); err != nil {
			t.Fatal(name, err)
		}
		i := image(t, name, read(t, "testdata/frames/"+name+".elf"))
		if bits := fmt.Sprintf("%dbit", 8*i.PointerSize); bits != want[0].FileSummary.AddressSize {
			t.Errorf("%s has addresses of %s", name, bits)
		}
		classes[fmt.Sprint(i.PointerSize, i.BigEndian)] = true
		seen := map[string]bool{}
		for _, w := range want[0].Sections {
			if w := w.Section; w.Name.Name != "" && !seen[w.Name.Name] {
				seen[w.Name.Name] = true
				s, ok := i.Section(w.Name.Name)
				if !ok || uint64(s.Type) != w.Type.Value || uint64(s.Flags) != w.Flags.Value || s.Addr != w.Address ||
					s.Offset != w.Offset || s.Size != w.Size {
					t.Errorf("%s: %s is %+v, want %+v", name, w.Name.Name, s, w)
				}
			}
		}
		var segments []symbol.Segment
		for _, w := range want[0].ProgramHeaders {
			p := w.ProgramHeader
			segments = append(segments, symbol.Segment{Type: elf.ProgType(p.Type.Value), Flags: elf.ProgFlag(p.Flags.Value),
				Offset: p.Offset, Addr: p.VirtualAddress,
				FileSize: p.FileSize, Size: p.MemSize, Align: p.Alignment})
		}
		if diff := cmp.Diff(segments, i.Segments()); diff != "" {
			t.Errorf("%s: segments: %s", name, diff)
		}
	}
	if len(classes) != 4 {
		t.Errorf("not every class and byte order was tried: %v", classes)
	}
}

var (
	entryLine = regexp.MustCompile(`^0x([0-9a-f]{8,16}):( +)DW_TAG_(\w+)`)
	namePart  = regexp.MustCompile(`^ +DW_AT_name\t\("(.*)"\)$`)
	lowPart   = regexp.MustCompile(`^ +DW_AT_low_pc\t\(0x([0-9a-f]+)\)$`)
)

// llvmEntries are the entries that llvm-dwarfdump prints: where each stands, in
// what, its tag, its name and its address.
func llvmEntries(t testing.TB, name string) (list []string) {
	t.Helper()
	var at, tag, label, low string
	var parents []string
	end := func() {
		if at != "" {
			parent := "0"
			if len(parents) > 1 {
				parent = parents[len(parents)-2]
			}
			list = append(list, fmt.Sprintf("%s in %s %s %q%s", at, parent, tag, label, low))
		}
		at, label, low = "", "", ""
	}
	for line := range strings.Lines(string(unpacked(t, "testdata/llvm/"+name+".entries.gz"))) {
		line = strings.TrimRight(line, "\n")
		if m := entryLine.FindStringSubmatch(line); m != nil {
			end()
			offset, err := strconv.ParseUint(m[1], 16, 64)
			if err != nil {
				t.Fatal(err)
			}
			at, tag = strconv.FormatUint(offset, 10), camel(m[3])
			depth := (len(m[2]) - 1) / 2
			parents = append(parents[:min(depth, len(parents))], at)
		} else if m := namePart.FindStringSubmatch(line); m != nil {
			label = m[1]
		} else if m := lowPart.FindStringSubmatch(line); m != nil {
			low = " at 0x" + strings.TrimLeft(m[1], "0")
			if low == " at 0x" {
				low = " at 0x0"
			}
		}
	}
	end()
	return list
}

// camel is a tag as the standard library spells it.
func camel(tag string) string {
	var words []string
	for word := range strings.SplitSeq(tag, "_") {
		words = append(words, strings.ToUpper(word[:1])+word[1:])
	}
	name := strings.Join(words, "")
	if short, ok := shortened[name]; ok {
		return short
	}
	return name
}

// shortened are the tags that the standard library spells otherwise.
var shortened = map[string]string{"StructureType": "StructType", "LexicalBlock": "LexDwarfBlock"}

// Entries of debug info are those that llvm-dwarfdump prints: of DWARF 2 to 5, of
// 32 and 64 bits, of either byte order, and compressed.
func TestEntriesAreThoseOfLLVM(t *testing.T) {
	for _, name := range told(t, ".entries.gz") {
		want := llvmEntries(t, name)
		d, err := image(t, name, read(t, "testdata/frames/"+name+".elf")).DWARF()
		if err != nil {
			t.Fatal(name, err)
		}
		var got []string
		for e, err := range d.Entries(context.Background(), anyTag) {
			if err != nil {
				t.Fatal(name, err)
			}
			label, _ := e.String(dwarf.AttrName)
			s := fmt.Sprintf("%d in %d %s %q", e.ID, e.Parent.ID, e.Tag, label)
			if low, ok := e.Address(dwarf.AttrLowpc); ok {
				s += fmt.Sprintf(" at 0x%x", low)
			}
			got = append(got, s)
		}
		for n := range want { // tags of vendors have no names in the standard library
			if n < len(got) && strings.Contains(got[n], " Tag(") || n < len(got) && strings.Contains(want[n], "GNU") {
				got[n], want[n] = "", ""
			}
		}
		if diff := cmp.Diff(want, got); diff != "" || len(want) < 30 {
			t.Errorf("%s, %d entries: %.2000s", name, len(want), diff)
		}
	}
}

// Procedures of a symbol table are those that llvm-nm lists, whichever way they are
// read.
func TestProceduresAreThoseOfLLVM(t *testing.T) {
	for _, name := range told(t, ".nm.gz") {
		listing := unpacked(t, "testdata/llvm/"+name+".nm.gz")
		data := unpacked(t, "../memprof/testdata/"+name+".exe.gz")
		listed, err := symbol.ParseNM(listing)
		if err != nil {
			t.Fatal(name, err)
		}
		sized := map[uint64]symbol.Procedure{} // those whose size is said
		for line := range strings.Lines(string(listing)) {
			words := strings.Fields(line)
			if len(words) != 4 || !strings.Contains("TtWi", words[2]) {
				continue
			}
			start, _ := strconv.ParseUint(words[0], 16, 64)
			size, _ := strconv.ParseUint(words[1], 16, 64)
			if size > 0 {
				sized[start] = symbol.Procedure{Name: words[3], Start: start, Size: size}
			}
		}
		if len(sized) < 20 {
			t.Fatalf("%s lists %d functions", name, len(sized))
		}
		ofImage := map[uint64]symbol.Procedure{}
		for _, p := range image(t, name, data).Procedures() {
			ofImage[p.Start] = p
		}
		ofListing := map[uint64]symbol.Procedure{}
		for _, p := range listed {
			ofListing[p.Start] = p
		}
		for start, want := range sized {
			for what, got := range map[string]symbol.Procedure{
				"the symbol table": ofImage[start], "the listing": ofListing[start],
			} {
				if got.Size != want.Size || got.Name != want.Name && !slices.Contains(namesAt(listing, start), got.Name) {
					t.Errorf("%s, 0x%x: %s has %+v, llvm-nm %+v", name, start, what, got, want)
				}
			}
		}
	}
}

// namesAt are all names that a listing has at an address.
func namesAt(listing []byte, start uint64) (names []string) {
	for line := range strings.Lines(string(listing)) {
		if words := strings.Fields(line); len(words) > 2 && words[0] == fmt.Sprintf("%016x", start) {
			names = append(names, words[len(words)-1])
		}
	}
	return names
}
