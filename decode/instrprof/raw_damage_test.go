package instrprof_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"proflens/decode/instrprof"
	"proflens/decode/model"
	"proflens/decode/wire"
	"proflens/internal/memtest"
)

// readAllRaw opens a file and reads all of it. It fails the test for an error
// that is no FormatError or has an offset outside of the file.
func readAllRaw(t testing.TB, data []byte) error {
	t.Helper()
	r, err := instrprof.OpenCorrelated(data, nil, nil)
	if err == nil {
		_, _, _, err = drain(r)
		r.Findings()
	}
	if err == nil {
		return nil
	}
	fault, ok := errors.AsType[*model.FormatError](err)
	if !ok {
		t.Fatalf("not a FormatError: %v", err)
	}
	if fault.Offset > uint64(len(data)) {
		t.Fatalf("offset past the file of %d bytes: %v", len(data), err)
	}
	return err
}

// damageable are files that the tests below cut and change everywhere.
func damageable(t testing.TB) map[string][]byte {
	files := map[string][]byte{
		"v1":  rawSample("1", 4, true).bytes(),
		"v2":  rawSample("2", 8, false).bytes(),
		"v5b": rawSample("5b", 8, true).bytes(),
		"v7":  rawSample("7", 8, false).bytes(),
		"v10": rawSample("10", 8, false).bytes(),
		"v11": rawSample("11", 4, false).bytes(),
		"two": append(rawSample("10", 8, false).bytes(), rawSample("10", 8, false).bytes()...),
	}
	for _, name := range []string{"clang-22_ir_zero", "clang-13_ir_hostile"} {
		data, err := os.ReadFile("testdata/raw/" + name + ".profraw")
		if err != nil {
			t.Fatal(err)
		}
		files[name] = data
	}
	return files
}

func TestRawCutAtEveryByte(t *testing.T) {
	for name, data := range damageable(t) {
		for n := range data {
			cut := data[:n:n]
			err := readAllRaw(t, cut)
			if err != nil || len(bytes.TrimRight(data[n:], "\x00")) == 0 {
				continue
			}
			// What is left may be whole without what was cut: the second
			// profile, or value data that is wholly absent.
			r, _ := instrprof.OpenCorrelated(cut, nil, nil)
			if r.Info().Profiles == 1 && name != "two" && len(r.Findings()) == 0 {
				t.Errorf("%s cut at 0x%x of 0x%x is read without a finding", name, n, len(data))
			}
		}
	}
}

func TestRawEveryByteChanged(t *testing.T) {
	for _, data := range damageable(t) {
		for i := range data {
			for _, flip := range []byte{0x01, 0x80, 0xff} {
				bad := bytes.Clone(data)
				bad[i] ^= flip
				_ = readAllRaw(t, bad)
			}
		}
	}
}

func TestRawFaults(t *testing.T) {
	version := func(v uint64) func(*rawSections) {
		return func(s *rawSections) { binary.LittleEndian.PutUint64(s.header[8:], v) }
	}
	word := func(field string, v uint64) func(*rawSections) {
		return func(s *rawSections) { binary.LittleEndian.PutUint64(s.header[8*headerWords["10"][field]:], v) }
	}
	record := func(i int, field string, size int, v uint64) func(*rawSections) {
		return func(s *rawSections) {
			x := &builtRaw{version: "10", pointerSize: 8}
			x.put(s.data[64*i:], x.offsets(), field, size, v)
		}
	}
	// Where the sections of the sample begin.
	const (
		ids      = 0x80
		data     = ids + 32
		counters = data + 3*64
		bitmap   = counters + 6*8
		names    = bitmap + 8
	)
	for _, test := range []struct {
		name   string
		change func(*rawSections)
		kind   model.Kind
		field  string
		offset uint64
	}{
		{"a version from the future", version(12), model.KindRawVersionMismatch, "Version", 8},
		{"version 0", version(0), model.KindRawVersionMismatch, "Version", 8},
		{"binary ids of 12 bytes", word("BinaryIdsSize", 12), model.KindBadHeader, "BinaryIdsSize", ids},
		{"binary ids past the end", word("BinaryIdsSize", 1<<40), model.KindBadHeader, "BinaryIdsSize", ids},
		{"a binary id of no bytes", func(s *rawSections) { s.binaryIDs[0] = 0 }, model.KindMalformed, "length", ids},
		{"a binary id past its section", func(s *rawSections) { s.binaryIDs[0] = 200 }, model.KindMalformed, "length", ids},
		{"a binary id near 2^64 bytes", func(s *rawSections) {
			copy(s.binaryIDs, bytes.Repeat([]byte{0xff}, 8))
		}, model.KindMalformed, "length", ids},
		{"records past the end", word("NumData", 1<<40), model.KindBadHeader, "NumData", data},
		{"records that wrap", word("NumData", 1<<58+1<<20), model.KindBadHeader, "NumData", data},
		{"counters past the end", word("NumCounters", 1<<61+1<<20), model.KindBadHeader, "NumCounters", counters},
		{"padding past the end", word("PadBefore", 1<<63), model.KindBadHeader, "PaddingBytesBeforeCounters", counters},
		{"bitmap past the end", word("NumBitmapBytes", 1<<20), model.KindBadHeader, "NumBitmapBytes", bitmap},
		{"names past the end", word("NamesSize", 1<<20), model.KindBadHeader, "NamesSize", names},
		{"vtables that wrap", word("NumVTables", 1<<61+1<<20), model.KindBadHeader, "NumVTables", names + 32},
		{"a record without counters", record(1, "NumCounters", 4, 0), model.KindMalformed, "NumCounters", data + 64 + 48},
		{
			"a record of 2^32-1 counters", record(1, "NumCounters", 4, 1<<32-1), model.KindMalformed, "NumCounters",
			data + 64 + 48,
		},
		{"counters before their section", record(0, "CounterPtr", 8, 0), model.KindMalformed, "CounterPtr", data + 16},
		{
			"counters after their section", record(2, "CounterPtr", 8, 1<<50+1<<31-64), model.KindMalformed, "CounterPtr",
			data + 128 + 16,
		},
		{
			"bitmap bytes past their section", record(0, "NumBitmapBytes", 4, 77), model.KindMalformed, "NumBitmapBytes",
			data + 60,
		},
		{"an empty name", func(s *rawSections) { copy(s.names[2:], "\x01") }, model.KindMalformed, "names", names + 2},
		{"names of no bytes", func(s *rawSections) { s.names[0] = 0 }, model.KindMalformed, "names", names + 2},
		{"an unterminated LEB128", func(s *rawSections) {
			copy(s.names, bytes.Repeat([]byte{0x80}, 12))
		}, model.KindMalformed, "uncompressed size", names},
		{
			"names that do not inflate", func(s *rawSections) { copy(s.names[1:], "\x05nonsense") }, model.KindUncompressFailed,
			"names", names + 2,
		},
		{"value data past the end", func(s *rawSections) { s.values[2] = 1 }, model.KindTooLarge, "TotalSize", 0},
		{"value data of an odd size", func(s *rawSections) { s.values[56+72] -= 4 }, model.KindMalformed, "TotalSize", 0},
		{"value data cut", func(s *rawSections) { s.values = s.values[:2] }, model.KindTruncated, "TotalSize", 0},
		{"a value kind that is none", func(s *rawSections) { s.values[8] = 3 }, model.KindMalformed, "Kind", 0},
		{
			"garbage after the profile", func(s *rawSections) { s.values = append(s.values, "abc"...) }, model.KindMalformed,
			"", 0,
		},
		{"a header out of place", func(s *rawSections) {
			s.values = append(append(s.values, 0, 0, 0), bytes.Repeat([]byte("x"), 61)...)
		}, model.KindMalformed, "", 0},
		{"another format after the profile", func(s *rawSections) {
			s.values = append(s.values, bytes.Repeat([]byte("\xfflprofi\x81"), 8)...)
		}, model.KindBadMagic, "Magic", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := rawSample("10", 8, false).build()
			test.change(s)
			data := s.join()
			err := readAllRaw(t, data)
			fault, ok := errors.AsType[*model.FormatError](err)
			if !ok {
				t.Fatalf("no fault: %v", err)
			}
			if fault.Kind != test.kind || fault.Field != test.field || test.offset != 0 && fault.Offset != test.offset {
				t.Errorf("got %s in field %q at 0x%x: %v\nwant %s in %q at 0x%x",
					fault.Kind, fault.Field, fault.Offset, err, test.kind, test.field, test.offset)
			}
			if _, err := instrprof.OpenCorrelated(data, nil, &wire.Recorder{}); err != nil && err.Error() != fault.Error() {
				t.Errorf("with a recorder: %v", err)
			}
		})
	}
}

// allocated is how many bytes f allocates, one on another.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func TestRawZlibBombStaysSmall(t *testing.T) {
	s := rawSample("10", 8, false).build()
	bomb := deflate([]byte(strings.Repeat("a", 32<<20)))
	s.names = append(binary.AppendUvarint(binary.AppendUvarint(nil, 32<<20), uint64(len(bomb))), bomb...)
	rawSample("10", 8, false).header(s, headerWords["10"], 2)
	data := s.join()
	var err error
	if n := allocated(func() { err = readAllRaw(t, data) }); n > 128<<20 {
		t.Errorf("allocated %d bytes for a file of %d", n, len(data))
	}
	if model.KindOf(err) != model.KindTooLarge {
		t.Error(err)
	}
}

func TestRawPromisesAllocateNothing(t *testing.T) {
	for _, field := range []string{
		"BinaryIdsSize", "NumData", "NumCounters", "NumBitmapBytes", "NamesSize", "NumVTables", "VNamesSize",
	} {
		for _, v := range []uint64{1 << 30, 1 << 40, 1 << 60, 1<<63 - 1, 1<<64 - 9} {
			s := rawSample("10", 8, false).build()
			binary.LittleEndian.PutUint64(s.header[8*headerWords["10"][field]:], v)
			data := s.join()
			if n := allocated(func() { _ = readAllRaw(t, data) }); n > 1<<20 {
				t.Errorf("%s %d: allocated %d bytes for a file of %d", field, v, n, len(data))
			}
		}
	}
}

func TestRawRecordsThatShareCounters(t *testing.T) {
	x := &builtRaw{version: "4", pointerSize: 8, functions: []rawFunction{
		{name: "f", hash: 1, counters: []uint64{1, 2, 3}}, {name: "g", hash: 2, counters: []uint64{4}},
	}}
	s := x.build()
	binary.LittleEndian.PutUint64(s.data[48+16:], x.countersAt()+8) // g's counters are the end of f's
	binary.LittleEndian.PutUint32(s.data[48+40:], 2)
	_, got, _ := openRaw(t, s.join())
	if !slices.Equal(got[0].Counters, []uint64{1, 2, 3}) || !slices.Equal(got[1].Counters, []uint64{2, 3}) {
		t.Errorf("%v, %v", got[0].Counters, got[1].Counters)
	}
}

func TestRawRecordsThatClaimCountersOverAndOver(t *testing.T) {
	x := &builtRaw{
		version: "4", pointerSize: 8, functions: []rawFunction{{name: "f", hash: 1, counters: make([]uint64, 1<<14)}},
	}
	for range 200 {
		x.functions = append(x.functions, rawFunction{name: "f", hash: 1, counters: []uint64{1}})
	}
	s := x.build()
	for i := range x.functions {
		binary.LittleEndian.PutUint64(s.data[48*i+16:], x.countersAt())
		binary.LittleEndian.PutUint32(s.data[48*i+40:], 1<<14)
	}
	if err := readAllRaw(t, s.join()); model.KindOf(err) != model.KindTooLarge {
		t.Error(err)
	}
}

func FuzzRaw(f *testing.F) {
	for _, data := range damageable(f) {
		f.Add(data)
	}
	for _, file := range rawFiles(f) {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		if len(data) < 8<<10 {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		defer memtest.Watch(t, len(data))()
		rec := &wire.Recorder{}
		r, err := instrprof.OpenCorrelated(data, nil, rec)
		if (r == nil) == (err == nil) {
			t.Fatalf("profile %v, error %v", r, err)
		}
		plain := readAllRaw(t, data)
		if err != nil {
			if plain == nil || plain.Error() != err.Error() {
				t.Fatalf("with a recorder %v, without %v", err, plain)
			}
			return
		}
		var first, again int
		for range r.Functions() {
			first++
		}
		for range r.Functions() {
			again++
		}
		if first != again || plain == nil && uint64(first) != r.Info().Records {
			t.Fatalf("%d functions, then %d, of %d", first, again, r.Info().Records)
		}
	})
}

// benchRaw is a file of many functions.
func benchRaw(n int) []byte {
	x := &builtRaw{version: "10", pointerSize: 8, flags: irFlag, compress: true}
	for i := range n {
		f := rawFunction{
			name: "_ZN4some9namespace8function" + strings.Repeat("x", i%20) + string(rune('a'+i%26)), hash: uint64(i),
			counters: make([]uint64, 1+i%20), address: uint64(0x400000 + 16*i),
		}
		f.name += hexOf(i)
		if i%4 == 0 {
			f.sites[0] = [][][2]uint64{{{0x400000, 5}, {0x400010, 3}}}
		}
		x.functions = append(x.functions, f)
	}
	return x.bytes()
}

func hexOf(i int) string {
	const digits = "0123456789abcdef"
	return string([]byte{digits[i>>16&15], digits[i>>12&15], digits[i>>8&15], digits[i>>4&15], digits[i&15]})
}

func TestRawIterationDoesNotAllocatePerRecord(t *testing.T) {
	r, err := instrprof.OpenCorrelated(benchRaw(2000), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	allocs := testing.AllocsPerRun(3, func() {
		for _, err := range r.Functions() {
			if err != nil {
				t.Fatal(err)
			}
		}
	})
	if allocs > 100 {
		t.Errorf("%.0f allocations for 2000 records", allocs)
	}
}

func BenchmarkRawOpen(b *testing.B) {
	data := benchRaw(20_000)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := instrprof.OpenCorrelated(data, nil, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRawFunctions(b *testing.B) {
	data := benchRaw(20_000)
	r, err := instrprof.OpenCorrelated(data, nil, nil)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		for _, err := range r.Functions() {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}
