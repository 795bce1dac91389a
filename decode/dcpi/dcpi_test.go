package dcpi_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"proflens/decode/dcpi"
	"proflens/decode/model"
	"proflens/decode/wire"
	"proflens/internal/memtest"
)

// profiles are the fixtures of a folder, without what stands beside them.
func profiles(t testing.TB, folder string) []string {
	t.Helper()
	all, err := filepath.Glob("testdata/" + folder + "/*.json")
	if err != nil || len(all) == 0 {
		t.Fatalf("no fixtures in %s: %v", folder, err)
	}
	for i := range all {
		all[i] = strings.TrimSuffix(all[i], ".json")
	}
	return all
}

func read(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestBadProfilesAreRefusedByKind(t *testing.T) {
	for _, path := range profiles(t, "bad") {
		var want struct {
			Error struct {
				Kinds []model.Kind `json:"kinds_ok"`
			}
			Note string
		}
		if err := json.Unmarshal(read(t, path+".json"), &want); err != nil {
			t.Fatal(err)
		}
		data := read(t, path)
		_, err := dcpi.Open(path, data, nil)
		if kind := model.KindOf(err); err == nil || !slices.Contains(want.Error.Kinds, kind) {
			t.Errorf("%s (%s): %v; want one of %v", path, want.Note, err, want.Error.Kinds)
		}
		if _, recorded := dcpi.Open(path, data, &wire.Recorder{}); err != nil && recorded.Error() != err.Error() {
			t.Errorf("%s: %v, recorded %v", path, err, recorded)
		}
	}
}

func TestRecognised(t *testing.T) {
	for _, path := range profiles(t, "hand") {
		if data := read(t, path); !dcpi.Is(data) || dcpi.IsCat(data) {
			t.Errorf("%s is not recognised", path)
		}
	}
	for _, path := range profiles(t, "cat") {
		if !dcpi.IsCat(read(t, path)) {
			t.Errorf("%s is not recognised", path)
		}
	}
	for _, text := range []string{
		"", "samples\n", "# a comment\nimage 12\n", "image\nepoch\n", "main\n123\n4\n", "image 12\nfoo\n", "\x00image 1\n",
	} {
		if dcpi.Is([]byte(text)) || dcpi.IsCat([]byte(text)) {
			t.Errorf("%q is taken for a profile", text)
		}
	}
}

func TestAnatomy(t *testing.T) {
	rec := &wire.Recorder{}
	if _, err := dcpi.Open("x", read(t, "testdata/hand/adjacent_chunks.prof"), rec); err != nil {
		t.Fatal(err)
	}
	sections := rec.Sections()
	if len(sections) != 2 || sections[0].Name != "header" || sections[0].Size != 156 || sections[1].Offset != 156 {
		t.Fatalf("%+v", sections)
	}
	epoch := sections[0].Fields[2]
	want := model.Field{
		Name: "epoch", Offset: 47, Size: 10, Value: "9612042334", Meaning: "start of the epoch, UTC: 1996-12-04T23:34:00Z",
	}
	if epoch != want {
		t.Errorf("%+v", epoch)
	}
	if last := sections[1].Fields[len(sections[1].Fields)-1]; last.Name != "total_samples" || last.Value != "15" {
		t.Errorf("%+v", last)
	}
}

func TestSeveralDumps(t *testing.T) {
	text := string(read(t, "testdata/cat/dump0.txt")) + string(read(t, "testdata/cat/dump1.txt"))
	f, err := dcpi.OpenCat("x", []byte(text), nil)
	if err != nil || f.Dumps != 2 || len(f.Profiles) != 3 {
		t.Fatalf("%d dumps, %d profiles, %v", f.Dumps, len(f.Profiles), err)
	}
	if p := f.Profiles[2]; p.Dump != 1 || p.Event != "imiss" || p.Period != 4096 || p.Label != "run 1" ||
		p.Samples != 1432 {
		t.Errorf("%+v", p.Header)
	}
}

const dumpHead = "image 12\nepoch 199805191724\nplatform walnut\ntext_start 0x1000\n"

func TestDumpFaults(t *testing.T) {
	for _, test := range []struct {
		text string
		kind model.Kind
	}{
		{"", dcpi.KindNotDCPI},
		{"image 12\n", dcpi.KindMissingRequired},
		{dumpHead + "event 3 cycles\n", dcpi.KindBadValue},
		{dumpHead + "0x1000 3\n", dcpi.KindMissingRequired},
		{dumpHead + "event 3 cycles:1:10000\n0x1000 2\n", dcpi.KindFooterMismatch},
		{dumpHead + "event 3 cycles:1:10000\n0x1000 2 1\n", dcpi.KindHeaderSyntax},
		{dumpHead + "event 3 cycles:1:10000\n0x1000 -3\n", dcpi.KindBadValue},
		{dumpHead + "event 3 cycles:1:10000\n0xfff 3\n", dcpi.KindBadValue},
		{dumpHead + "event 3 cycles:1:10000\n0x1004 1\n0x1000 2\n", dcpi.KindUnsorted},
		{dumpHead + "epoch 199805191725\nevent 0 cycles:1:10000\n", dcpi.KindDuplicateLine},
	} {
		if _, err := dcpi.OpenCat("x", []byte(test.text), nil); err == nil || model.KindOf(err) != test.kind {
			t.Errorf("%q: %v", test.text, err)
		}
	}
	// An event of ProfileMe has a set of bits and a counter in its name.
	f, err := dcpi.OpenCat("x", []byte(dumpHead+"event 3 retired^notrap:m0count:64:5000\n0x1000 3\n"), nil)
	if err != nil || f.Profiles[0].Event != "retired^notrap:m0count" || f.Profiles[0].Fraction != 5000 {
		t.Errorf("%+v, %v", f, err)
	}
}

// holds checks what every profile that was accepted must be.
func holds(t *testing.T, f *dcpi.File) {
	for _, p := range f.Profiles {
		var nonzero, samples uint64
		end := uint64(0)
		for chunk := range p.Each {
			if len(chunk.Counts) == 0 || chunk.Offset < end {
				t.Fatalf("a chunk of %d counts at %d, after %d", len(chunk.Counts), chunk.Offset, end)
			}
			end = chunk.Offset + p.Stride*uint64(len(chunk.Counts))
			for _, n := range chunk.Counts {
				if n > 0 {
					nonzero++
					samples += uint64(n)
				}
			}
		}
		if nonzero != p.Nonzero || samples != p.Samples {
			t.Fatalf("%d addresses, %d samples; told %d, %d", nonzero, samples, p.Nonzero, p.Samples)
		}
	}
}

func FuzzOpen(f *testing.F) {
	for _, folder := range []string{"hand", "bad"} {
		for _, path := range profiles(f, folder) {
			f.Add(read(f, path))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		defer memtest.Watch(t, len(data))()
		dcpi.Is(data)
		file, err := dcpi.Open("x", data, &wire.Recorder{})
		if err == nil {
			holds(t, file)
			return
		}
		if kind := model.KindOf(err); kind == model.KindInternal {
			t.Fatal(err)
		}
	})
}

func FuzzOpenCat(f *testing.F) {
	for _, path := range profiles(f, "cat") {
		f.Add(read(f, path))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		defer memtest.Watch(t, len(data))()
		dcpi.IsCat(data)
		file, err := dcpi.OpenCat("x", data, nil)
		if err == nil {
			holds(t, file)
			return
		}
		if kind := model.KindOf(err); kind == model.KindInternal {
			t.Fatal(err)
		}
	})
}
