package symbol_test

import (
	"bytes"
	"debug/elf"
	"io"
	"os"
	"path/filepath"
	"testing"

	"proflens/decode/model"
	"proflens/decode/symbol"
)

// programs are real ELF files of several compilers, classes, DWARF versions and
// compressions. See the README beside them.
func programs(t testing.TB) map[string][]byte {
	t.Helper()
	paths, _ := filepath.Glob("../instrprof/testdata/correlate/*.elf")
	if len(paths) == 0 {
		t.Fatal("no programs")
	}
	files := map[string][]byte{}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(path)] = data
	}
	return files
}

func image(t testing.TB, name string, data []byte) *symbol.Image {
	t.Helper()
	i, err := symbol.Open(name, data, nil)
	if err != nil {
		t.Fatal(err)
	}
	return i
}

func TestSectionsAreThoseOfTheStandardLibrary(t *testing.T) {
	for name, data := range programs(t) {
		want, err := elf.NewFile(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		i := image(t, name, data)
		for _, w := range want.Sections {
			if w.Name == "" || want.Section(w.Name) != w {
				continue
			}
			s, ok := i.Section(w.Name)
			if !ok || s.Addr != w.Addr || s.Offset != w.Offset || s.Type != w.Type || s.Flags != w.Flags {
				t.Errorf("%s: %s: %+v", name, w.Name, s)
				continue
			}
			got, packed, err := i.Contents(w.Name, s)
			if w.Type == elf.SHT_NOBITS {
				if model.KindOf(err) != model.KindTruncated || err == nil {
					t.Errorf("%s: %s: %v", name, w.Name, err)
				}
				continue
			}
			plain, _ := w.Data()
			if err != nil || !bytes.Equal(got, plain) || packed != (w.Flags&elf.SHF_COMPRESSED != 0) {
				t.Errorf("%s: %s: %d bytes, want %d: %v", name, w.Name, len(got), len(plain), err)
			}
		}
		var id []byte
		if s := want.Section(".note.gnu.build-id"); s != nil {
			note, _ := io.ReadAll(s.Open())
			id = note[16:]
		}
		if !bytes.Equal(i.BuildID(), id) || i.BigEndian ||
			i.PointerSize != map[elf.Class]int{elf.ELFCLASS32: 4, elf.ELFCLASS64: 8}[want.Class] {
			t.Errorf("%s: build ID %x, want %x", name, i.BuildID(), id)
		}
	}
}

func TestBuildIDOfAProgramWithoutSections(t *testing.T) {
	data := bytes.Clone(programs(t)["clang-22_bin.elf"])
	want := image(t, "whole", data).BuildID()
	f, _ := elf.NewFile(bytes.NewReader(data))
	for n, p := range f.Progs { // objcopy --only-keep-debug leaves segments of no bytes
		if s := f.Section(".note.gnu.build-id"); p.Type == elf.PT_NOTE {
			at := 64 + 56*n
			put64(data[at+8:], s.Offset)
			put64(data[at+32:], s.Size)
			break
		}
	}
	put64(data[0x28:], 0) // e_shoff
	i := image(t, "stripped", data)
	if _, ok := i.Section(".debug_info"); ok || !bytes.Equal(i.BuildID(), want) || want == nil {
		t.Errorf("build ID %x, want %x", i.BuildID(), want)
	}
}

func TestSectionsOfZdebug(t *testing.T) {
	text := bytes.Repeat([]byte("debug info "), 100)
	stream := append([]byte("ZLIB\x00\x00\x00\x00\x00\x00\x04\x4c"), deflate(text)...)
	i := image(t, "old", builtELF{sections: []builtSection{{name: ".zdebug_str", data: stream},
		{name: ".zdebug_info", data: stream}}}.bytes())
	s, _ := i.Section(".zdebug_str")
	got, packed, err := i.Contents(".debug_str", s)
	if err != nil || !packed || !bytes.Equal(got, text) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if !i.HasDebugInfo() {
		t.Error("no debug info")
	}
}
