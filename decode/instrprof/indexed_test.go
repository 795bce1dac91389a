package instrprof_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"proflens/decode/instrprof"
	"proflens/decode/model"
	"proflens/decode/wire"
	"proflens/encode"
)

// drain reads everything a source has and returns copies of its records.
func drain(src instrprof.Source) (functions []instrprof.Function, traces []instrprof.Trace, names map[uint64]string,
	err error) {
	for f, err := range src.Functions() {
		if err != nil {
			return nil, nil, nil, err
		}
		functions = append(functions, clone(f))
	}
	for t, err := range src.Traces() {
		if err != nil {
			return nil, nil, nil, err
		}
		traces = append(traces, instrprof.Trace{Weight: t.Weight, NameRefs: slices.Clone(t.NameRefs)})
	}
	names = map[uint64]string{}
	for ref, name := range src.Names() {
		names[ref] = string(name)
	}
	return functions, traces, names, nil
}

func clone(f *instrprof.Function) instrprof.Function {
	g := *f
	g.Name, g.Counters = bytes.Clone(f.Name), slices.Clone(f.Counters)
	g.Bitmap, g.Uniformity = bytes.Clone(f.Bitmap), bytes.Clone(f.Uniformity)
	g.UniformCounters = slices.Clone(f.UniformCounters)
	for k, sites := range f.Sites {
		g.Sites[k] = nil
		for _, s := range sites {
			g.Sites[k] = append(g.Sites[k], append(instrprof.ValueSite{}, s...))
		}
	}
	return g
}

func proftext(t testing.TB, src instrprof.Source) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := encode.Proftext(&b, src); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func compareGolden(t *testing.T, path string, got []byte) {
	t.Helper()
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("not what llvm-profdata writes, %s (-want +got):\n%s", path, diff)
	}
}

// TestIndexedVersions reads a file of every version, built from the reference.
// Up to version 13, which LLVM 22 knows, the goldens are its own output.
func TestIndexedVersions(t *testing.T) {
	for version := uint64(1); version <= 14; version++ {
		t.Run(fmt.Sprint(version), func(t *testing.T) {
			built := builtSample(version)
			data := built.bytes()
			if dir := os.Getenv("BUILT_DIR"); dir != "" {
				if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("built-v%02d", version)), data, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			x, err := instrprof.OpenIndexed(data, nil)
			if err != nil {
				t.Fatal(err)
			}
			checkBuilt(t, built, x)
			golden := min(version, 13) // version 14 adds only what text cannot hold
			compareGolden(t, fmt.Sprintf("testdata/indexed/built-v%02d.golden", golden), proftext(t, x))
		})
	}
}

// checkBuilt compares all that was read with what the file was built of.
func checkBuilt(t *testing.T, built *builtIndexed, x *instrprof.Indexed) {
	t.Helper()
	functions, traces, names, err := drain(x)
	if err != nil {
		t.Fatal(err)
	}
	var want []instrprof.Function
	wantNames := map[uint64]string{}
	for _, n := range built.names {
		wantNames[md5of(n.name)] = n.name
		for _, r := range n.records {
			want = append(want, instrprof.Function{
				Name: []byte(n.name), NameRef: md5of(n.name), FuncHash: r.hash, Counters: r.counters,
				Bitmap: r.bitmap, Uniformity: r.uniform,
				Sites: [instrprof.NumValueKinds][]instrprof.ValueSite{r.calls, r.memops, nil},
			})
		}
	}
	if built.version >= 12 {
		wantNames[md5of("_ZTV1A")], wantNames[md5of("_ZTV")] = "_ZTV1A", "_ZTV"
	}
	position := built.payload
	for i := range functions {
		f := &functions[i]
		if f.Offset < position || f.Offset+f.Size > built.table {
			t.Errorf("%s stands at %d+%d, outside %d..%d", f.Name, f.Offset, f.Size, position, built.table)
		}
		if got := x.Reader()(f.Item, f.Offset); !cmp.Equal(got, f, cmpopts.EquateEmpty()) ||
			!bytes.Equal(x.NameAt(f.Item), f.Name) {
			t.Errorf("%s is read again as %+v", f.Name, got)
		}
		position, f.Offset, f.Size, f.Item = f.Offset+f.Size, 0, 0, 0
		f.Bitmap, f.Uniformity = orNil(f.Bitmap), orNil(f.Uniformity)
	}
	if diff := cmp.Diff(want, functions); diff != "" {
		t.Errorf("functions (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(built.traces, traces); diff != "" {
		t.Errorf("traces (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(wantNames, names); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	checkBuiltInfo(t, built, x.Info())
	if f := x.Findings(); len(f) > 0 {
		t.Errorf("findings on a good file: %v", f)
	}
}

func orNil(b []byte) []byte {
	if len(b) == 0 {
		return nil
	}
	return b
}

func checkBuiltInfo(t *testing.T, built *builtIndexed, info *instrprof.Info) {
	t.Helper()
	want := instrprof.Info{
		Info: model.Info{Format: instrprof.FormatIndexed, Families: []model.Family{instrprof.Family}, Version: built.version,
			Profiles: 1}, Variant: built.flags, Records: uint64(len(built.names)),
	}
	want.Name()
	summary := func(first uint64) *instrprof.Summary {
		return &instrprof.Summary{
			NumFunctions: first, NumCounts: first + 1, MaxFunctionCount: first + 2, MaxCount: first + 3,
			MaxInternalCount: first + 4, TotalCount: first + 5,
			Detailed: []instrprof.SummaryEntry{
				{Cutoff: 990000, MinCount: 30, NumCounts: 2}, {Cutoff: 999999, MinCount: 3, NumCounts: 4},
			},
		}
	}
	if built.version >= 4 {
		want.Summary = summary(7)
	}
	if built.flags.Has(instrprof.CSIRProf) {
		want.CSSummary = summary(9)
	}
	if built.version >= 9 {
		want.BinaryIDs = [][]byte{{1, 2, 0xab, 0xcd, 0xef}}
	}
	if built.version >= 10 {
		want.TraceStreamSize = 5
	}
	if built.version >= 12 {
		want.VTableNames = [][]byte{[]byte("_ZTV1A"), []byte("_ZTV")}
	}
	if diff := cmp.Diff(&want, info); diff != "" {
		t.Errorf("info (-want +got):\n%s", diff)
	}
}

func TestIndexedGolden(t *testing.T) {
	files, _ := filepath.Glob("testdata/indexed/*.profdata")
	if len(files) < 10 {
		t.Fatal("the test data is gone")
	}
	for _, file := range files {
		if _, err := os.Stat(file + ".golden"); err != nil {
			continue
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			x, err := instrprof.OpenIndexed(data, nil)
			if err != nil {
				t.Fatal(err)
			}
			compareGolden(t, file+".golden", proftext(t, x))
		})
	}
}

func TestIndexedKeepsMemProf(t *testing.T) {
	data, err := os.ReadFile("testdata/indexed/text_mem_v4.profdata")
	if err != nil {
		t.Fatal(err)
	}
	x, err := instrprof.OpenIndexed(data, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := x.Info().MemProfSection
	if s.Size == 0 || s.Offset+s.Size > uint64(len(data)) || data[s.Offset] != 4 {
		t.Errorf("MemProf section at %d+%d, which does not start with version 4", s.Offset, s.Size)
	}
}

func TestIndexedAnatomy(t *testing.T) {
	built := builtSample(13)
	built.memProf, built.flags = le64(nil, 4, 0, 0), built.flags|instrprof.MemProf
	data := built.bytes()
	var rec wire.Recorder
	if _, err := instrprof.OpenIndexed(data, &rec); err != nil {
		t.Fatal(err)
	}
	var names []string
	end := uint64(0)
	for _, s := range rec.Sections() {
		names = append(names, s.Name)
		if s.Offset < end {
			t.Errorf("section %s at %d starts inside the one before, which ends at %d", s.Name, s.Offset, end)
		}
		end = s.Offset + s.Size
	}
	want := []string{
		"header", "summary", "context-sensitive summary", "hash table", "bucket table",
		"binary ids size", "binary ids", "vtable names size", "vtable names", "temporal traces",
	}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("sections (-want +got):\n%s", diff)
	}
	if end != uint64(len(data)) {
		t.Errorf("sections end at %d of %d", end, len(data))
	}
	if f := rec.Sections()[0].Fields; len(f) != 9 || f[4].Name != "HashOffset" || f[4].Offset != 32 ||
		f[4].Value != fmt.Sprint(built.table) {
		t.Errorf("header fields: %+v", f)
	}
}

// patch returns a copy of data with a word replaced.
func patch(data []byte, offset, word uint64) []byte {
	out := bytes.Clone(data)
	copy(out[offset:], le64(nil, word))
	return out
}

func TestIndexedErrors(t *testing.T) {
	built := builtSample(13)
	good := built.bytes()
	item := built.payload + 2                 // hash, key_length, data_length, "main", data
	record := item + 24 + uint64(len("main")) // FuncHash, NumCounts, 3 counters, NumBitmapBytes, value data
	size := uint64(len(good))
	for _, test := range []struct {
		name   string
		data   []byte
		kind   model.Kind
		offset uint64
		field  string
	}{
		{"cut in the magic", good[:7], model.KindTruncated, 0, "Magic"},
		{"cut in the version", good[:12], model.KindTruncated, 8, "Version"},
		{"cut in the header", good[:71], model.KindBadHeader, 71, ""},
		{"other magic", patch(good, 0, 1), model.KindBadMagic, 0, "Magic"},
		{"newer version", patch(good, 8, 15), model.KindUnsupportedVersion, 8, "Version"},
		{"other hash", patch(good, 24, 1), model.KindUnsupportedHashType, 24, "HashType"},
		{"hash table past the end", patch(good, 32, size-8), model.KindTruncated, size - 8, "HashOffset"},
		{"hash table far past the end", patch(good, 32, math.MaxUint64), model.KindTruncated, math.MaxUint64, "HashOffset"},
		{"cut in the summary", good[:100], model.KindTruncated, 88, "NumCutoffEntries"},
		{"summary of more cutoffs than bytes", patch(good, 80, 1<<40), model.KindTruncated, 88, "NumCutoffEntries"},
		{"key past the end", patch(good, item+8, size), model.KindTruncated, item + 24, "key"},
		{"key near 2^64", patch(good, item+8, math.MaxUint64), model.KindTruncated, item + 24, "key"},
		{"data past the end", patch(good, item+16, size&^7), model.KindTruncated, record, "data"},
		{"data of odd size", patch(good, item+16, 41), model.KindMalformed, record, "data_length"},
		{"data without a record", patch(good, item+16, 8), model.KindMalformed, record, "data_length"},
		{"no data", patch(good, item+16, 0), model.KindMalformed, record, "data_length"},
		{"counters past the item", patch(good, record+8, 100), model.KindTruncated, record + 16, "NumCounts"},
		{"counters that wrap around", patch(good, record+8, 1<<61+1), model.KindTruncated, record + 16, "NumCounts"},
		{"bitmap past the item", patch(good, record+40, 1<<61), model.KindTruncated, record + 48, "NumBitmapBytes"},
		{"value data past the item", patch(good, record+48, 1<<20), model.KindTooLarge, record + 48, "TotalSize"},
		{"more items than there are", patch(good, built.table+8, 1<<40), model.KindMalformed, 0, ""},
		{"binary ids past the end", patch(good, 48, size), model.KindTruncated, size, "BinaryIdOffset"},
		{"binary ids of odd size", patch(good, built.binaryIDsAt, 7), model.KindBadHeader, built.binaryIDsAt, "total_size"},
		{"vtable names past the end", patch(good, 64, size-7), model.KindTruncated, size - 7, "VTableNamesOffset"},
		{"traces past the end", patch(good, 56, size), model.KindTruncated, size, "TemporalProfTracesOffset"},
		{"more traces than bytes", patch(good, built.tracesAt, 1<<60), model.KindTruncated, built.tracesAt + 16, "NumTraces"},
		{
			"a trace longer than the file", patch(good, built.tracesAt+24, 1<<61), model.KindTruncated, built.tracesAt + 32,
			"NumFunctions",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := openAndDrain(test.data)
			fe, ok := errors.AsType[*model.FormatError](err)
			if !ok {
				t.Fatalf("error %v, want a FormatError of kind %s", err, test.kind)
			}
			if test.name == "more items than there are" {
				if fe.Offset < built.table-8 {
					t.Errorf("%v, which is before the end of the payload", err)
				}
				return
			}
			if fe.Kind != test.kind || fe.Offset != test.offset || fe.Field != test.field {
				t.Errorf("%v in %q; want %s at 0x%x in %q", err, fe.Field, test.kind, test.offset, test.field)
			}
		})
	}
}

func openAndDrain(data []byte) error {
	x, err := instrprof.OpenIndexed(data, nil)
	if err != nil {
		return err
	}
	_, _, _, err = drain(x)
	return err
}

// TestIndexedAsLLVM is about damage that llvm-profdata does not mind.
func TestIndexedAsLLVM(t *testing.T) {
	built := builtSample(13)
	good := built.bytes()
	x, err := instrprof.OpenIndexed(good, nil)
	if err != nil {
		t.Fatal(err)
	}
	whole := string(proftext(t, x))
	last := built.table
	for i := built.payload; i < built.table-26; i++ {
		if string(good[i+26:i+39]) == "_ZN3foo3barEv" {
			last = i
		}
	}
	for _, test := range []struct {
		name    string
		data    []byte
		finding string
	}{
		{"bytes after the end", append(bytes.Clone(good), "abc"...), ""},
		{"high half of the hash type", patch(good, 24, 1<<32), ""},
		{"word 2", patch(good, 16, math.MaxUint64), ""},
		{"stored hash of a name", patch(good, built.payload+2, 1), ""},
		{"number of buckets", patch(good, built.table, 1<<50), "indexed.bucket_table"},
		{"a bucket of no items, which is the last", slices.Concat(good[:last], []byte{0, 0}, good[last+2:]), ""},
		{"a bucket of many items, which is the last", slices.Concat(good[:last], []byte{9, 9}, good[last+2:]), ""},
		{"negative offset of vtable names", patch(good, 64, math.MaxUint64), "indexed.vtable_names"},
		{"vtable names longer than the file", patch(good, built.vtableNamesAt, 1<<40), "indexed.vtable_names"},
		{"vtable names that do not inflate", patch(good, built.vtableNamesAt+8, 0x0102030405060708), "indexed.vtable_names"},
	} {
		t.Run(test.name, func(t *testing.T) {
			x, err := instrprof.OpenIndexed(test.data, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := string(proftext(t, x)); got != whole {
				t.Errorf("another text than the whole file's:\n%s", cmp.Diff(whole, got))
			}
			var code string
			if f := x.Findings(); len(f) > 0 {
				code = f[0].Code
			}
			if code != test.finding {
				t.Errorf("finding %q, want %q", code, test.finding)
			}
		})
	}
}

// TestIndexedCutBeforeVersion9 is about files cut before their hash table, which
// llvm-profdata takes for empty: nothing in them can be found, so they are no
// profiles.
func TestIndexedCutBeforeVersion9(t *testing.T) {
	built := builtSample(7)
	_, err := instrprof.OpenIndexed(built.bytes()[:built.table-3], nil)
	fault, ok := errors.AsType[*model.FormatError](err)
	if !ok || fault.Kind != model.KindTruncated || fault.Section != "bucket table" || fault.Offset != built.table-3 {
		t.Errorf("%v; want truncated, at the end of the file", err)
	}
}

// TestIndexedTruncated cuts a file of every version at every byte: what is
// not an error is the whole profile, or has an error among its findings.
func TestIndexedTruncated(t *testing.T) {
	for version := uint64(1); version <= 14; version++ {
		built := builtSample(version)
		data := built.bytes()
		x, err := instrprof.OpenIndexed(data, nil)
		if err != nil {
			t.Fatal(err)
		}
		whole := string(proftext(t, x))
		for n := range data {
			cut := data[:n:n]
			err := openAndDrain(cut)
			if err != nil {
				if fe, ok := errors.AsType[*model.FormatError](err); !ok || fe.Kind == "" || fe.Msg == "" {
					t.Errorf("version %d cut to %d: error %v has no kind or message", version, n, err)
				}
				continue
			}
			x, err := instrprof.OpenIndexed(cut, nil)
			if err != nil {
				t.Fatal(err)
			}
			if len(x.Findings()) == 0 && string(proftext(t, x)) != whole {
				t.Errorf("version %d cut to %d is accepted in silence, as another profile", version, n)
			}
		}
	}
}

// TestIndexedHostile puts hostile numbers at every byte and wants neither a
// panic nor memory beyond a small multiple of the file.
func TestIndexedHostile(t *testing.T) {
	var before, after runtime.MemStats
	step := uint64(1)
	if testing.Short() {
		step = 5 // meets every place of every word, in turn
	}
	for _, version := range []uint64{1, 4, 7, 10, 13, 14} {
		data := builtSample(version).bytes()
		for offset := uint64(0); offset < uint64(len(data)-8); offset += step {
			for _, word := range []uint64{
				0, 1, 1 << 16, 1 << 31, 1<<32 - 1, 1 << 60, 1 << 61, math.MaxInt64, math.MaxUint64 - 7, math.MaxUint64,
			} {
				bad := patch(data, offset, word)
				runtime.ReadMemStats(&before)
				_ = openAndDrain(bad)
				runtime.ReadMemStats(&after)
				if got := after.TotalAlloc - before.TotalAlloc; got > 64*uint64(len(data))+1<<16 {
					t.Fatalf("version %d, %#x at %d: %d bytes allocated for a file of %d", version, word, offset, got, len(data))
				}
			}
		}
	}
}

func TestIndexedAllocatesNothingPerRecord(t *testing.T) {
	built := builtSample(13)
	for i := range 2000 {
		built.names = append(built.names, builtName{
			fmt.Sprintf("f%d", i), []builtRecord{{hash: 1, counters: []uint64{1, 2}}},
		})
	}
	x, err := instrprof.OpenIndexed(built.bytes(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(5, func() {
		for _, err := range x.Functions() {
			if err != nil {
				t.Fatal(err)
			}
		}
	}); n > 50 {
		t.Errorf("%v allocations for 2003 functions", n)
	}
}

// A name is found by its hash in its bucket, and not in a table that cannot be read.
func TestNameOf(t *testing.T) {
	data, err := os.ReadFile("testdata/indexed/clang-13_fe_vp.profdata")
	if err != nil {
		t.Fatal(err)
	}
	x, err := instrprof.OpenIndexed(data, nil)
	if err != nil {
		t.Fatal(err)
	}
	for ref, name := range x.Names() {
		if got := x.NameOf(ref); string(got) != string(name) {
			t.Errorf("the name with hash %x is %q, want %q", ref, got, name)
		}
	}
	if got := x.NameOf(5); got != nil {
		t.Errorf("%q is found for a hash that is not there", got)
	}
	table := binary.LittleEndian.Uint64(data[32:])
	for _, buckets := range []uint64{0, 3, 1 << 62} {
		copy(data[table:], le64(nil, buckets))
		if got := x.NameOf(md5of("main")); got != nil {
			t.Errorf("%q is found in a table of %d buckets", got, buckets)
		}
	}
}
