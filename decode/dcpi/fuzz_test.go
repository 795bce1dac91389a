package dcpi_test

import (
	"path/filepath"
	"testing"

	"proflens/decode"
	"proflens/decode/dcpi"
	"proflens/decode/format"
	"proflens/decode/model"
	"proflens/internal/memtest"
)

// notOurs fails the test when an error is a fault of the reader, and not of the file.
func notOurs(t *testing.T, err error) {
	t.Helper()
	if err != nil && model.KindOf(err) == model.KindInternal {
		t.Fatal(err)
	}
}

// FuzzHeader reads headers of any version: what can be known of a file whose samples
// nobody can read.
func FuzzHeader(f *testing.F) {
	f.Add(later("later.prof").Data)
	f.Add([]byte(built{lines: with(headLines, "version pdb-1.01", "epoch", "platform "+string(make([]byte, 300)))}.head()))
	for _, folder := range []string{"optional", "bad"} {
		paths, err := filepath.Glob("testdata/" + folder + "/*")
		if err != nil || len(paths) == 0 {
			f.Fatal(folder, err)
		}
		for _, path := range paths {
			f.Add(read(f, path))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		defer memtest.Watch(t, len(data))()
		h, err := dcpi.Peek(data)
		notOurs(t, err)
		if h.Bytes > uint64(len(data)) {
			t.Fatalf("a header of %d bytes in %d", h.Bytes, len(data))
		}
		file := format.File{Name: "x.prof", Data: data}
		size := uint64(0)
		for _, s := range decode.Inspect(file).Sections {
			if s.Offset < size || s.Offset+s.Size > uint64(len(data)) {
				t.Fatalf("section %s: %d bytes from %d of %d", s.Name, s.Size, s.Offset, len(data))
			}
			size = s.Offset + s.Size
			_, err := decode.Fields(file, s.Name, 7, "")
			notOurs(t, err)
		}
	})
}

// FuzzDatabase reads samples, as DCPI's own files or as dcpicat's text, and a listing of
// nm as one profile: every sample is of an image, and procedures do not overlap.
func FuzzDatabase(f *testing.F) {
	samples := [][]byte{read(f, "testdata/cat/dump0.txt"), read(f, "testdata/cat/dump1.txt"), later("later.prof").Data}
	for _, path := range profiles(f, "hand")[:8] {
		samples = append(samples, read(f, path))
	}
	for _, data := range samples {
		for _, listing := range []string{"testdata/db/app.nm", "testdata/db/app.nmS"} {
			f.Add(data, read(f, listing))
		}
	}
	f.Fuzz(func(t *testing.T, data, listing []byte) {
		defer memtest.Watch(t, len(data)+len(listing))()
		p, err := decode.Open(t.Context(),
			[]format.File{{Name: "x.prof", Data: data}, {Name: "x.nm", Data: listing, Optional: true}}, format.Options{})
		notOurs(t, err)
		if err != nil {
			return
		}
		db, ok := format.PartOf[*dcpi.Database](p)
		if !ok {
			return // another family's
		}
		for i := range db.Files {
			holds(t, &db.Files[i])
		}
		for _, l := range db.Listings {
			for i, procedure := range l.Procedures {
				if i > 0 && procedure.Address < l.Procedures[i-1].Address { // several may stand at one
					t.Fatalf("procedures at 0x%x and 0x%x", l.Procedures[i-1].Address, procedure.Address)
				}
			}
		}
	})
}
