package covmap_test

import (
	"bytes"
	"compress/zlib"
	"strings"
	"testing"

	"proflens/decode/covmap"
	"proflens/internal/memtest"
)

// bound is what opening may take: decoding's (docs/pages/limits.md).
var bound = memtest.Bound{Base: 96 << 20, Rate: 256}

// sound opens a file both ways and reads what there is; it fails for faults that do not
// say what is wrong, and for functions that cannot be read.
func sound(t testing.TB, name string, data []byte) {
	t.Helper()
	for _, o := range []covmap.Options{{}, {Lenient: true}, {Lenient: true, Arch: "x86_64"}} {
		list, err := covmap.Open(name, data, o)
		if err != nil {
			if f := fault(t, err); f.Offset > uint64(len(data)) {
				t.Fatalf("%v is past the end of %d bytes", err, len(data))
			}
			continue
		}
		var m covmap.Mapping
		for _, object := range list {
			for n := range object.Functions {
				if err := object.Functions[n].Read(&m); err != nil {
					t.Fatal(err)
				}
				if len(m.Files) == 0 || len(m.Regions) == 0 {
					t.Fatal("a function without files or regions")
				}
				for _, r := range m.Regions {
					if int(r.File) >= len(m.Files) || int(r.Expanded) >= len(m.Files) {
						t.Fatalf("%+v of %d file ids", r, len(m.Files))
					}
				}
			}
			for _, f := range object.Faults {
				fault(t, f.Err)
			}
		}
	}
}

var samples = []string{
	"clang-14/calc/calc.exe", "clang-22/rules/rules.exe", "clang-22/coff/coff.o", "clang-22/macho_arm/macho_arm.o",
	"clang-22/elf_be/elf_be.o",
	"clang-22/wasm/wasm.wasm", "clang-22/pe/pe.exe", "clang-22/testing/calc.covmapping",
	"clang-22/correlate/correlate.exe", "rustc-stable/shop/shop.exe",
	"recoded/version1/version1.covmapping", "recoded/version2/version2.covmapping", "recoded/version5/version5.covmapping",
}

func TestTruncatedFiles(t *testing.T) {
	for _, name := range samples {
		data := real(t, name)
		step := 1 + len(data)/200
		for end := 0; end < len(data); end += step {
			sound(t, name, data[:end:end])
		}
	}
	data := real(t, "clang-22/archive/libcalc.a")
	for end := 0; end < len(data); end += 61 {
		sound(t, "libcalc.a", data[:end:end])
	}
}

func TestChangedBytes(t *testing.T) {
	for _, name := range samples {
		data := bytes.Clone(real(t, name))
		step := 1 + len(data)/200
		for at := 0; at < len(data); at += step {
			old := data[at]
			data[at] = []byte{0, 0xff, old + 1}[at%3]
			sound(t, name, data)
			data[at] = old
		}
	}
}

// TestMemoryIsOfTheSizeOfTheFile: what a hostile file asks for is held against its bytes.
func TestMemoryIsOfTheSizeOfTheFile(t *testing.T) {
	file := []string{"", "t.c"}
	one := func(mapping []byte) []byte {
		return built{version: 6, files: file, records: []record{{"f", 1, mapping}}}.bytes()
	}
	const many = 1 << 19
	deep := ulebs(1, 1, many) // expressions of the next one
	circle := ulebs(1, 1, 3, 1<<2|2, 1, 2<<2|3, 1, 0<<2|2, 1, 1, 2, 1, 1, 0, 1)
	for n := range uint64(many - 1) {
		deep = append(deep, ulebs((n+1)<<2|2, 1)...)
	}
	deep = append(deep, ulebs(1, 1, 1, 1, 1, 1, 0, 9)...)
	ring := ulebs(many) // file ids, each beginning with an expansion of the next
	for range many {
		ring = append(ring, 1)
	}
	ring = append(ring, 0)
	for n := range uint64(many) {
		ring = append(ring, ulebs(1, (n+1)%many<<3|4, 1, 1, 0, 9)...)
	}
	long := []string{"/" + strings.Repeat("d", 1<<16)} // directory of many short names
	for range 1 << 16 {
		long = append(long, "a")
	}
	var z bytes.Buffer
	w := zlib.NewWriter(&z)
	zeros := make([]byte, 1<<20)
	for range 40 {
		_, _ = w.Write(zeros)
	}
	_ = w.Close()
	bomb := append(ulebs(1<<10, 40<<20, uint64(z.Len())), z.Bytes()...)
	for name, test := range map[string]struct {
		data []byte
		want string
	}{
		"deep expressions":   {one(deep), "too deeply"},
		"circle":             {one(circle), "made of itself"},
		"ring of expansions": {one(ring), ""},
		"long directory":     {built{version: 6, files: long, records: []record{{"f", 1, line(1)}}}.bytes(), "memory limit"},
		"bomb": {
			built{version: 6, packed: bomb, records: []record{{"f", 1, line(1)}}}.bytes(), "impossible size",
		},
		"claimed file ids":    {one(ulebs(1 << 40)), "exceeds the bytes"},
		"claimed expressions": {one(ulebs(1, 1, 1<<40)), "exceeds the bytes"},
		"claimed regions":     {one(ulebs(1, 1, 0, 1<<40)), "exceeds the bytes"},
		"no regions":          {one(ulebs(1, 1, 0, 0)), "no regions"},
		"long number":         {one([]byte("\x01\x01\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01")), "64 bits"},
	} {
		bound.Check(t, name, len(test.data), func() any {
			list, err := covmap.Open(name, test.data, covmap.Options{})
			if test.want == "" && err != nil || test.want != "" && !strings.Contains(fault(t, err).Msg, test.want) {
				t.Errorf("%s: %v", name, err)
			}
			if err == nil {
				_ = list[0].Functions[0].Read(&covmap.Mapping{})
			}
			return list
		})
	}
}
