package instrprof_test

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"proflens/decode/instrprof"
	"proflens/decode/instrprof/sums"
	"proflens/decode/model"
	"proflens/decode/wire"
)

const (
	irFlag       = uint64(instrprof.IRProf)
	coverageFlag = uint64(instrprof.ByteCoverage)
	temporalFlag = uint64(instrprof.TemporalProf)
)

// rawSample is a program of three functions; beta is called through a pointer.
func rawSample(version string, pointerSize int, bigEndian bool) *builtRaw {
	x := &builtRaw{
		version: version, pointerSize: pointerSize, bigEndian: bigEndian, flags: irFlag,
		functions: []rawFunction{
			{name: "alpha", hash: 0x1122334455, counters: []uint64{7, 3}, address: 0x401000},
			{name: "main.c;beta", hash: 0x99, counters: []uint64{9, 0, 2}, address: 0x402000},
			{name: "gamma", hash: 1 << 60, counters: []uint64{1 << 40}},
		},
	}
	if x.kinds() > 0 {
		x.functions[0].sites[0] = [][][2]uint64{{{0x402000, 6}, {0xdead, 1}}, {}}
	}
	if x.kinds() > 1 {
		x.functions[2].sites[1] = [][][2]uint64{{{8, 2}, {513, 1}}}
	}
	if x.number() >= 6 {
		x.binaryIDs = [][]byte{[]byte("0123456789abcdef0123")}
	}
	if x.number() >= 9 {
		x.functions[0].bitmap = []byte{5, 0x80}
	}
	if x.number() >= 10 {
		x.vtables = []rawVTable{{"_ZTV1A", 0x500000, 0x20}, {"_ZTV1B", 0x500020, 0x20}}
		x.functions[1].sites[2] = [][][2]uint64{{{0x500010, 4}, {0x50003f, 3}, {0x500040, 2}}}
	}
	if x.number() >= 11 {
		x.functions[1].uniform = []uint64{4, 5, 6}
	}
	return x
}

// want is what the functions of a built profile must come out as.
func (x *builtRaw) want() []instrprof.Function {
	addresses := map[uint64]uint64{}
	for _, f := range x.functions {
		if f.address != 0 {
			addresses[f.address] = md5of(f.name)
		}
	}
	var out []instrprof.Function
	for _, f := range x.functions {
		m := instrprof.Function{
			Name: []byte(f.name), NameRef: md5of(f.name), FuncHash: f.hash,
			Counters: f.counters, Bitmap: f.bitmap, UniformCounters: f.uniform,
		}
		for k, sites := range f.sites {
			for _, site := range sites {
				values := instrprof.ValueSite{}
				for _, v := range site {
					value := v[0]
					switch instrprof.ValueKind(k) {
					case instrprof.IndirectCallTarget:
						value = addresses[value]
					case instrprof.VTableTarget:
						value = 0
						for _, t := range x.vtables {
							if t.address <= v[0] && v[0] < t.address+uint64(t.size) {
								value = md5of(t.name)
							}
						}
					}
					values = append(values, instrprof.Value{Value: value, Count: v[1]})
				}
				m.Sites[k] = append(m.Sites[k], values)
			}
		}
		out = append(out, m)
	}
	return out
}

// openRaw opens a file that must be good and returns its records without their places.
func openRaw(t testing.TB, data []byte) (*instrprof.Raw, []instrprof.Function, []instrprof.Trace) {
	t.Helper()
	r, err := instrprof.OpenCorrelated(data, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	functions, traces, _, err := drain(r)
	if err != nil {
		t.Fatal(err)
	}
	for i := range functions {
		f := &functions[i]
		if f.Offset+f.Size > uint64(len(data)) || f.Size == 0 {
			t.Errorf("record %d is at 0x%x, %d bytes", i, f.Offset, f.Size)
		}
		f.Offset, f.Size, f.Run = 0, 0, 0
		if len(f.UniformCounters) == 0 {
			f.UniformCounters = nil
		}
	}
	return r, functions, traces
}

func checkRaw(t *testing.T, x *builtRaw, data []byte) *instrprof.Raw {
	t.Helper()
	r, got, _ := openRaw(t, data)
	if diff := cmp.Diff(x.want(), got); diff != "" {
		t.Error(diff)
	}
	return r
}

var rawVersions = []string{"1", "2", "3", "4", "5a", "5b", "6", "7", "8", "9", "10", "11"}

func TestRawEveryVersionPointerSizeAndByteOrder(t *testing.T) {
	for _, version := range rawVersions {
		for _, pointerSize := range []int{8, 4} {
			for _, bigEndian := range []bool{false, true} {
				x := rawSample(version, pointerSize, bigEndian)
				t.Run(fmt.Sprintf("v%s/%d-bit/big-endian=%v", version, 8*pointerSize, bigEndian), func(t *testing.T) {
					r := checkRaw(t, x, x.bytes())
					info := r.Info()
					want := instrprof.Info{
						Info: model.Info{Format: instrprof.FormatRaw, Families: []model.Family{instrprof.Family},
							Version: uint64(x.number()), PointerSize: pointerSize, BigEndian: bigEndian, Profiles: 1,
							BinaryIDs: x.binaryIDs}, Variant: instrprof.IRProf, Records: 3,
					}
					want.Name()
					for _, v := range x.vtables {
						want.VTableNames = append(want.VTableNames, []byte(v.name))
						want.VTables = append(want.VTables, instrprof.VTable{
							NameRef: instrprof.NameRef([]byte(v.name)), Address: v.address, Size: uint64(v.size),
						})
					}
					if diff := cmp.Diff(&want, info); diff != "" {
						t.Error(diff)
					}
				})
			}
		}
	}
}

func TestRawCompressedNames(t *testing.T) {
	for _, version := range []string{"3", "4", "8", "10"} {
		x := rawSample(version, 8, false)
		x.compress = true
		checkRaw(t, x, x.bytes())
	}
}

func TestRawNamesOfSeveralObjectFiles(t *testing.T) {
	x := rawSample("10", 8, true)
	s := x.build()
	s.names = slices.Concat(nameBlob([]string{"alpha", "dead"}, true), make([]byte, 3),
		nameBlob([]string{"gamma"}, false), nameBlob([]string{"main.c;beta", "alpha"}, true), make([]byte, 5))
	x.header(s, headerWords["10"], 2)
	r := checkRaw(t, x, s.join())
	var names []string
	for _, name := range r.Names() {
		names = append(names, string(name))
	}
	if diff := cmp.Diff([]string{"alpha", "dead", "gamma", "main.c;beta", "_ZTV1A", "_ZTV1B"}, names); diff != "" {
		t.Error(diff)
	}
}

func TestRawV7OfTrunkHasRelativePointers(t *testing.T) {
	for _, pointerSize := range []int{8, 4} {
		x := rawSample("7", pointerSize, false)
		x.relative = true
		checkRaw(t, x, x.bytes())
	}
}

func TestRawWindowsCutsPointersTo32Bits(t *testing.T) {
	for _, version := range []string{"8", "9", "10", "11"} {
		x := rawSample(version, 8, false)
		x.narrow = true
		r := checkRaw(t, x, x.bytes())
		if codes := findingCodes(r); !slices.Contains(codes, "raw.narrow_pointers") {
			t.Errorf("findings: %v", codes)
		}
	}
}

func TestRawOfAForkWithMoreValueKinds(t *testing.T) {
	x := rawSample("10", 4, false)
	x.valueKindLast = 4
	checkRaw(t, x, x.bytes())
}

func TestRawIgnoresAnUnbelievableValueKindLast(t *testing.T) {
	x := rawSample("10", 8, false)
	x.valueKindLast = 1 << 40
	s := rawSample("10", 8, false).build()
	x.header(s, headerWords["10"], 2)
	r := checkRaw(t, rawSample("10", 8, false), s.join())
	if codes := findingCodes(r); !slices.Contains(codes, "raw.value_kind_last") {
		t.Errorf("findings: %v", codes)
	}
}

func TestRawPageAlignedSections(t *testing.T) {
	x := rawSample("10", 8, false)
	x.padding, x.noValueData = 24, true
	for i := range x.functions {
		x.functions[i].sites = [3][][][2]uint64{}
	}
	checkRaw(t, x, append(x.bytes(), make([]byte, 4096)...))
}

func TestRawUnpaddedBinaryIDsOfLLVM13(t *testing.T) {
	x := rawSample("7", 4, false)
	x.unpadded = true
	r := checkRaw(t, x, x.bytes())
	if diff := cmp.Diff(x.binaryIDs, r.Info().BinaryIDs); diff != "" {
		t.Error(diff)
	}
}

func TestRawByteCoverageCountsZeroAsExecuted(t *testing.T) {
	x := &builtRaw{version: "10", pointerSize: 8, flags: coverageFlag, functions: []rawFunction{
		{name: "f", hash: 1, coverage: []byte{0, 0xff, 0}},
		{name: "g", hash: 2, coverage: []byte{0xff}},
	}}
	_, got, _ := openRaw(t, x.bytes())
	if diff := cmp.Diff([][]uint64{{1, 0, 1}, {0}}, [][]uint64{got[0].Counters, got[1].Counters}); diff != "" {
		t.Error(diff)
	}
}

func TestRawTemporalTimestampsMakeATrace(t *testing.T) {
	x := &builtRaw{version: "10", pointerSize: 8, flags: irFlag | temporalFlag, functions: []rawFunction{
		{name: "late", hash: 1, counters: []uint64{30, 1}},
		{name: "early", hash: 2, counters: []uint64{10, 2}},
		{name: "never", hash: 3, counters: []uint64{0, 3}},
		{name: "unset", hash: 4, counters: []uint64{1<<64 - 1, 4}},
	}}
	r, got, traces := openRaw(t, x.bytes())
	for i, f := range got {
		if !slices.Equal(f.Counters, []uint64{uint64(i + 1)}) {
			t.Errorf("%s: counters %v", f.Name, f.Counters)
		}
	}
	want := []instrprof.Trace{{Weight: 1, NameRefs: []uint64{md5of("early"), md5of("late")}}}
	if diff := cmp.Diff(want, traces); diff != "" {
		t.Error(diff)
	}
	if n := r.Info().TraceStreamSize; n != 1 {
		t.Errorf("stream size %d", n)
	}
}

func TestRawTemporalByteCoverageHasAnEightByteTimestamp(t *testing.T) {
	for _, bigEndian := range []bool{false, true} {
		x := &builtRaw{version: "10", pointerSize: 8, bigEndian: bigEndian, flags: irFlag | temporalFlag | coverageFlag}
		stamp := func(n uint64, coverage ...byte) []byte { return append(x.order().AppendUint64(nil, n), coverage...) }
		x.functions = []rawFunction{
			{name: "late", hash: 1, coverage: stamp(500, 0, 0xff)},
			{name: "early", hash: 2, coverage: stamp(300, 0)},
		}
		_, got, traces := openRaw(t, x.bytes())
		if diff := cmp.Diff([][]uint64{{1, 0}, {1}}, [][]uint64{got[0].Counters, got[1].Counters}); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff([]instrprof.Trace{{Weight: 1, NameRefs: []uint64{md5of("early"), md5of("late")}}},
			traces); diff != "" {
			t.Error(diff)
		}
	}
}

func TestRawSeveralProfilesInOneFile(t *testing.T) {
	x, y := rawSample("10", 8, false), rawSample("8", 8, false)
	y.functions[1].address = 0x409000 // so that 0x402000 is unknown in this part
	data := slices.Concat(x.bytes(), make([]byte, 16), y.bytes(), make([]byte, 3))
	r, got, _ := openRaw(t, data)
	if diff := cmp.Diff(append(x.want(), y.want()...), got); diff != "" {
		t.Error(diff)
	}
	if i := r.Info(); i.Profiles != 2 || i.Records != 6 || i.Version != 10 {
		t.Errorf("%+v", i)
	}
}

func TestRawOfAProgramWithoutFunctions(t *testing.T) {
	x := &builtRaw{version: "10", pointerSize: 8}
	r, got, _ := openRaw(t, x.bytes())
	if len(got) != 0 || len(r.Findings()) != 0 {
		t.Errorf("%d functions, %v", len(got), r.Findings())
	}
}

func TestRawCorrelatedSaysWhatIsMissing(t *testing.T) {
	x := &builtRaw{version: "9", pointerSize: 8, flags: uint64(instrprof.DbgCorrelate)}
	s := x.build()
	s.counters = make([]byte, 24)
	x.header(s, headerWords["9"], 0)
	r, got, _ := openRaw(t, s.join())
	findings := r.Findings()
	if len(got) != 0 || len(findings) != 1 || findings[0].Kind != model.KindMissingCorrelation {
		t.Errorf("%d functions, %v", len(got), findings)
	}
}

func TestRawContinuousModeHasNoValueData(t *testing.T) {
	x := rawSample("10", 8, false)
	x.noValueData = true
	r, got, _ := openRaw(t, x.bytes())
	if len(got) != 3 || got[0].HasSites() {
		t.Errorf("%d functions, sites %v", len(got), got[0].Sites)
	}
	if codes := findingCodes(r); !slices.Contains(codes, "raw.no_value_data") {
		t.Errorf("findings: %v", codes)
	}
}

func TestRawFindsImplausibleCountsAndNamelessFunctions(t *testing.T) {
	x := rawSample("10", 8, false)
	x.functions[1].counters[1] = 1<<56 + 1
	s := x.build()
	copy(s.data, "nonsense")
	r, _, _ := openRaw(t, s.join())
	if diff := cmp.Diff([]string{"raw.unnamed_function", "raw.counter_value_too_large"}, findingCodes(r)); diff != "" {
		t.Error(diff)
	}
}

// TestImplausibleCountIsNamed is of a program by clang 22 with two functions, whose
// counter at 0x120 was overwritten.
func TestImplausibleCountIsNamed(t *testing.T) {
	data, err := os.ReadFile("testdata/counter-above-2-56.profraw")
	if err != nil {
		t.Fatal(err)
	}
	want := "counter 0 of f is 12297829382473034410, above 2^56 counters counter 0 288 12297829382473034410"
	say := func(found []model.Finding) string {
		if len(found) != 1 {
			return fmt.Sprintf("%+v", found)
		}
		f := found[0]
		return fmt.Sprint(f.Message, " ", f.Section, " ", f.Field, " ", f.Offset, " ", f.Found)
	}
	r, _, _ := openRaw(t, data)
	if got := say(r.Findings()); got != want {
		t.Error(got)
	}
	m := sums.NewMerger()
	for range 2 { // the second is known to be a run of the program of the first
		src, err := m.OpenRun(data, nil, nil, false)
		if err != nil {
			t.Fatal(err)
		}
		if err := m.AddAll(t.Context(), []sums.Input{{Name: "run", Source: src}}, 1); err != nil {
			t.Fatal(err)
		}
	}
	found := m.Source().Findings()
	if len(found) < 2 || say(found[1:2]) != want {
		t.Errorf("%+v", found)
	}
}

func findingCodes(r *instrprof.Raw) []string {
	var codes []string
	for _, f := range r.Findings() {
		codes = append(codes, f.Code)
	}
	return codes
}

// The vector of instrprof.md §9, which llvm-profdata 22 reads.
const vector = `
81 72 66 6f 72 70 6c ff 0a 00 00 00 00 00 00 01 00 00 00 00 00 00 00 00 02 00 00 00 00 00 00 00
00 00 00 00 00 00 00 00 05 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 02 00 00 00 00 00 00 00
06 00 00 00 00 00 00 00 13 00 00 00 00 00 00 00 80 00 00 00 00 00 00 00 a8 00 00 00 00 00 00 00
00 50 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 02 00 00 00 00 00 00 00
2c 17 43 a3 91 30 5f bf 55 44 33 22 11 00 00 00 80 00 00 00 00 00 00 00 a8 00 00 00 00 00 00 00
00 10 40 00 00 00 00 00 00 00 00 00 00 00 00 00 02 00 00 00 01 00 00 00 00 00 00 00 02 00 00 00
bf 7d 1c 7b 17 8a 01 cd 99 00 00 00 00 00 00 00 50 00 00 00 00 00 00 00 6a 00 00 00 00 00 00 00
00 20 40 00 00 00 00 00 00 00 00 00 00 00 00 00 03 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
07 00 00 00 00 00 00 00 03 00 00 00 00 00 00 00 09 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
02 00 00 00 00 00 00 00 05 80 00 00 00 00 00 00 11 00 61 6c 70 68 61 01 6d 61 69 6e 2e 63 3b 62
65 74 61 00 00 00 00 00 38 00 00 00 01 00 00 00 00 00 00 00 01 00 00 00 02 00 00 00 00 00 00 00
00 20 40 00 00 00 00 00 06 00 00 00 00 00 00 00 ad de 00 00 00 00 00 00 01 00 00 00 00 00 00 00`

const vectorText = `# IR level Instrumentation Flag
:ir
alpha
# Func Hash:
73588229205
# Num Counters:
2
# Counter Values:
7
3
# Num Bitmap Bytes:
$2
# Bitmap Byte Values:
0x5
0x80

# Num Value Kinds:
1
# ValueKind = IPVK_IndirectCallTarget:
0
# NumValueSites:
1
2
main.c;beta:6
** External Symbol **:1

main.c;beta
# Func Hash:
153
# Num Counters:
3
# Counter Values:
9
0
2

`

// referenceVector is the bytes of the vector.
func referenceVector(t *testing.T) []byte {
	t.Helper()
	data, err := hex.DecodeString(strings.NewReplacer(" ", "", "\n", "").Replace(vector))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestRawReferenceVector(t *testing.T) {
	r, err := instrprof.OpenCorrelated(referenceVector(t), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(vectorText, string(proftext(t, r))); diff != "" {
		t.Error(diff)
	}
}

// rawFiles are the real profiles of testdata/raw.
func rawFiles(t testing.TB) []string {
	files, err := filepath.Glob("testdata/raw/*.profraw")
	if err != nil || len(files) < 40 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	return files
}

func TestRawRealFilesAsLLVMReadsThem(t *testing.T) {
	for _, file := range rawFiles(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			r, err := instrprof.OpenCorrelated(data, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			compareGolden(t, strings.TrimSuffix(file, ".profraw")+".proftext", proftext(t, r))
		})
	}
}

func TestRawAnatomyCoversTheFile(t *testing.T) {
	files := map[string][]byte{
		"built v11":  rawSample("11", 8, false).bytes(),
		"built v6":   rawSample("6", 4, true).bytes(),
		"two in one": append(rawSample("10", 8, false).bytes(), rawSample("10", 8, false).bytes()...),
	}
	for _, file := range rawFiles(t) {
		if strings.Contains(file, "damaged") {
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		files[file] = data
	}
	for name, data := range files {
		rec := &wire.Recorder{}
		if _, err := instrprof.OpenCorrelated(data, nil, rec); err != nil {
			t.Fatal(name, err)
		}
		end := uint64(0)
		for _, s := range rec.Sections() {
			if s.Offset != end && len(bytes.Trim(data[end:s.Offset], "\x00")) > 0 || s.Offset < end {
				t.Errorf("%s: section %s begins at 0x%x, the one before ends at 0x%x", name, s.Name, s.Offset, end)
			}
			end = s.Offset + s.Size
			for _, f := range s.Fields {
				if f.Offset < s.Offset || f.Offset+f.Size > end {
					t.Errorf("%s: field %s is not in section %s", name, f.Name, s.Name)
				}
				if strings.HasPrefix(s.Name, "header") && f.Meaning == "" {
					t.Errorf("%s: header field %s has no meaning", name, f.Name)
				}
			}
		}
		if len(bytes.Trim(data[end:], "\x00")) > 0 {
			t.Errorf("%s: the anatomy ends at 0x%x of 0x%x", name, end, len(data))
		}
	}
}
