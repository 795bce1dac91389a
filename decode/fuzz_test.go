package decode_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"proflens/decode"
	"proflens/decode/decodetest"
	"proflens/decode/format"
	"proflens/decode/model"
	"proflens/internal/memtest"
)

// small are the files of the tests of all formats, of at most size bytes.
func small(tb testing.TB, size int64) (list [][]byte) {
	tb.Helper()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil || info.Size() > size || filepath.Ext(path) == ".go" || filepath.Ext(path) == ".md" ||
			filepath.Base(filepath.Dir(filepath.Dir(path))) == "fuzz" {
			return err
		}
		data, err := os.ReadFile(path)
		if r := decode.Recognise(path, data); !r.Foreign() || r.Companion != nil {
			list = append(list, data)
		}
		return err
	})
	if err != nil || len(list) < 50 {
		tb.Fatal(len(list), err)
	}
	return list
}

// readEverything reads all that can be read of files, in every way that there is.
func readEverything(t *testing.T, files ...format.File) {
	t.Helper()
	for _, o := range []format.Options{{}, {Record: true, Salvage: true}} {
		p, err := decodetest.Open(t.Context(), files, o)
		if (p == nil) == (err == nil) {
			t.Fatalf("%v, %v", p, err)
		}
		if err != nil {
			if f := format.FindingOf("x", err); f.Kind == model.KindInternal || f.Message == "" {
				t.Fatalf("%#v", err)
			}
			continue
		}
		for f, err := range p.Functions() {
			if err == nil && len(f.Name) > model.MaxName {
				t.Fatalf("a name of %d bytes", len(f.Name))
			}
		}
		for range p.Names() {
		}
		for range p.Traces() {
		}
		for _, in := range p.Inputs {
			checkSections(t, in.Sections, in.Size)
		}
	}
}

func checkSections(t *testing.T, sections []model.Section, size uint64) {
	t.Helper()
	fields := 0
	for _, s := range sections {
		fields += len(s.Fields)
		if s.Offset > size || s.Size > size-s.Offset {
			t.Fatalf("section %s at %d+%d of %d", s.Name, s.Offset, s.Size, size)
		}
	}
	if len(sections) > 1<<15 || fields > 1<<17 {
		t.Fatalf("%d sections, %d fields", len(sections), fields)
	}
}

// FuzzEveryFormat reads whatever any decoder reads, and finds its sections.
func FuzzEveryFormat(f *testing.F) {
	for _, data := range small(f, 2<<10) {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		defer memtest.Watch(t, len(data))()
		file := format.File{Name: "x", Data: data}
		readEverything(t, file)
		a := decode.Inspect(file)
		checkSections(t, a.Sections, uint64(len(data)))
		for _, s := range a.Sections[:min(len(a.Sections), 4)] {
			more, _ := decode.Fields(file, s.Name, 7, "")
			checkSections(t, more, uint64(len(data)))
		}
	})
}

// FuzzTogether reads two files as one profile: a profile and a program, a map and a
// run, samples and a listing.
func FuzzTogether(f *testing.F) {
	var profiles, companions [][]byte
	for _, data := range small(f, 6<<10) {
		r := decode.Recognise("x", data)
		switch {
		case r.Companion != nil || r.Sole || r.Single:
			companions = append(companions, data)
		case r.Claim != nil:
			profiles = append(profiles, data)
		}
	}
	for i, p := range profiles {
		for j, c := range companions {
			if (i+7*j)%25 == 0 {
				f.Add(p, c)
			}
		}
	}
	f.Fuzz(func(t *testing.T, a, b []byte) {
		defer memtest.Watch(t, len(a)+len(b))()
		readEverything(t, format.File{Name: "a", Data: a}, format.File{Name: "b", Data: b, Optional: true})
	})
}

// FuzzHead recognises the head of whatever any decoder reads as all of it is, or as less.
func FuzzHead(f *testing.F) {
	for _, data := range small(f, 2*decode.HeadBytes) {
		f.Add("x", data)
	}
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		defer memtest.Watch(t, len(data))()
		whole, head := decode.Recognise(name, data), headOf(name, data).Recognise()
		if len(data) <= decode.HeadBytes && decode.IsOf(&whole) != decode.IsOf(&head) {
			t.Fatalf("%q is %v; its head says %v", whole.Describe, decode.IsOf(&whole), decode.IsOf(&head))
		}
		decode.Doubt(name, &head)
		format.Group([]format.Recognised{head, whole})
	})
}
