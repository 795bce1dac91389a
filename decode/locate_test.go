package decode_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"proflens/decode"
	"proflens/decode/format"
	"proflens/decode/instrprof"
	"proflens/decode/model"
)

// term is the value of a sum's last line of a name.
func term(t testing.TB, s *model.Sum, name string) uint64 {
	t.Helper()
	for _, line := range s.Terms {
		if line.Name != name {
			continue
		}
		v, err := strconv.ParseUint(line.Value, 0, 64)
		if err != nil {
			t.Fatalf("%s: %s is %q", s.Of, name, line.Value)
		}
		return v
	}
	t.Fatalf("%s has no line %q: %+v", s.Of, name, s.Terms)
	return 0
}

func sum(l *model.Location, of string) *model.Sum {
	for i := range l.Sums {
		if l.Sums[i].Of == of {
			return &l.Sums[i]
		}
	}
	return nil
}

// heldTo holds the location of a function to what the decoder read of it: every
// number stands in the file where it is said to, every sum adds up, and at its
// result are the counters, the bitmap and the name.
func heldTo(t *testing.T, file string, data []byte, l *model.Location, f *instrprof.Function, info *instrprof.Info,
	temporal int) {
	t.Helper()
	if l == nil {
		t.Fatalf("%s: %s is nowhere", file, f.Name)
	}
	if l.Function != string(f.Name) || l.NameRef != fmt.Sprintf("%016x", f.NameRef) ||
		l.FuncHash != fmt.Sprintf("%016x", f.FuncHash) {
		t.Fatalf("%s: %+v is not %s, %x", file, l, f.Name, f.FuncHash)
	}
	order := binary.ByteOrder(binary.LittleEndian)
	if info.BigEndian {
		order = binary.BigEndian
	}
	for i := range l.Sums {
		s := &l.Sums[i]
		for _, line := range s.Terms {
			if line.Size != 4 && line.Size != 8 {
				continue
			}
			stored := order.Uint64(append(append(make([]byte, 0, 8), data[line.Offset:line.Offset+line.Size]...),
				make([]byte, 8-line.Size)...))
			if line.Size == 4 {
				stored = uint64(order.Uint32(data[line.Offset:]))
			}
			base := 0
			text := line.Value
			if line.Name == "NameRef" || line.Name == "hash of the item" {
				base = 16
			}
			v, err := strconv.ParseUint(text, base, 64)
			known := line.Name == "num_buckets − 1" || line.Name == "NumCounts" || line.Name == "offset in the file"
			if !known && (err != nil || v != stored) {
				t.Errorf("%s, %s: %s is %s, at 0x%x stands 0x%x", file, s.Of, line.Name, line.Value, line.Offset, stored)
			}
		}
	}
	counters := sum(l, "counters")
	at := data[counters.Offset:][:counters.Size]
	size := 8
	if info.Variant.Has(instrprof.ByteCoverage) && info.Format == instrprof.FormatRaw {
		size = 1
	}
	at = at[temporal:]
	if len(at) != size*len(f.Counters) {
		t.Fatalf("%s: %d bytes of counters at 0x%x for %d", file, len(at), counters.Offset, len(f.Counters))
	}
	for n, want := range f.Counters {
		got := uint64(0)
		if size == 8 {
			got = order.Uint64(at[8*n:])
		} else if at[n] == 0 {
			got = 1
		}
		if got != want {
			t.Fatalf("%s: counter %d of %s at 0x%x is %d, want %d", file, n, f.Name, counters.Offset, got, want)
		}
		if n < len(counters.Values) && size == 8 && counters.Values[n] != fmt.Sprint(want) {
			t.Errorf("%s: counter %d of %s is listed as %s, want %d", file, n, f.Name, counters.Values[n], want)
		}
	}
	if s := sum(l, "bitmap"); s != nil && !bytes.Equal(data[s.Offset:s.Offset+s.Size], f.Bitmap) || s == nil &&
		info.Format == instrprof.FormatRaw && len(f.Bitmap) > 0 {
		t.Errorf("%s: the bitmap of %s is not at %+v", file, f.Name, s)
	}
	if s := sum(l, "name"); s.Size > 0 && string(data[s.Offset:s.Offset+s.Size]) != string(f.Name) {
		t.Errorf("%s: the name of %s is not at 0x%x", file, f.Name, s.Offset)
	}
	if s := sum(l, "value data"); (s != nil) != f.HasSites() && info.Format == instrprof.FormatRaw && s != nil &&
		len(s.Values) > 0 {
		t.Errorf("%s: %s has sites: %v, a sum: %+v", file, f.Name, f.HasSites(), s)
	}
	if info.Format != instrprof.FormatRaw || counters.Terms[0].Note != "" {
		return
	}
	// The sum of the counters adds up, modulo the size of a pointer.
	want := term(t, counters, "CounterPtr") - term(t, counters, "CountersDelta")
	for _, line := range counters.Terms {
		if line.Name == "i × record size" {
			want += term(t, counters, line.Name)
		}
	}
	got := term(t, counters, "offset in counters")
	if narrow := info.PointerSize == 4 || strings.Contains(fmt.Sprint(counters.Terms), "2^32"); narrow &&
		uint32(got) != uint32(want) || !narrow && got != want {
		t.Errorf("%s: the sum of %s is 0x%x, and said to be 0x%x", file, f.Name, want, got)
	}
}

// Every function of real raw and indexed files, of every version, class and byte
// order, is where its sum says.
func TestLocateFindsWhatIsDecoded(t *testing.T) {
	versions := map[string]int{}
	for _, dir := range []string{"raw", "indexed"} {
		paths, _ := filepath.Glob("instrprof/testdata/" + dir + "/*.prof*")
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			file := format.File{Name: filepath.Base(path), Data: data}
			src, err := source(data)
			if err != nil {
				continue // tests of damage have those
			}
			info := src.Info()
			n := uint64(0)
			for f, err := range src.Functions() {
				if err != nil || n >= 200 {
					break
				}
				l, _, err := decode.Locate(t.Context(), []format.File{file}, 0, model.Wanted{Record: &n})
				if err != nil {
					t.Fatal(err)
				}
				temporal := 0
				if info.Format == instrprof.FormatRaw && info.Variant.Has(instrprof.TemporalProf) &&
					!info.Variant.Has(instrprof.FunctionEntryOnly) {
					temporal = 8
				}
				heldTo(t, file.Name, data, l, f, info, temporal)
				n++
			}
			if n > 0 {
				versions[fmt.Sprintf("%s v%d, %d-bit, big-endian %v", dir, info.Version, 8*info.PointerSize, info.BigEndian)]++
			}
		}
	}
	if len(versions) < 8 {
		t.Errorf("only %v", versions)
	}
	t.Log(versions)
}

func source(data []byte) (instrprof.Source, error) {
	if instrprof.IsRaw(data) {
		return instrprof.OpenCorrelated(data, nil, nil)
	}
	return instrprof.OpenIndexed(data, nil)
}

// A function is found by its number, its NameRef, its name, and words of it.
func TestLocateByWhatIsKnown(t *testing.T) {
	file := real(t, "raw/clang-22_ir_c.profraw")
	p := open(t, file)
	var some instrprof.Function
	for f := range p.Functions() {
		some = instrprof.Function{Name: bytes.Clone(f.Name), NameRef: f.NameRef}
	}
	for name, wanted := range map[string]model.Wanted{"ref": {Ref: &some.NameRef}, "name": {Name: string(some.Name)}} {
		l, _, err := decode.Locate(t.Context(), []format.File{file}, 0, wanted)
		if err != nil || l == nil || l.Function != string(some.Name) {
			t.Errorf("%s: %+v, %v", name, l, err)
		}
	}
	l, matches, err := decode.Locate(t.Context(), []format.File{file}, 0, model.Wanted{
		Name: string(some.Name[1 : len(some.Name)-1]),
	})
	if err != nil || l != nil || len(matches) == 0 {
		t.Errorf("%+v, %+v, %v", l, matches, err)
	}
	none := uint64(1 << 40)
	if l, matches, err := decode.Locate(t.Context(), []format.File{file}, 0, model.Wanted{Record: &none}); l != nil ||
		matches != nil || err != nil {
		t.Errorf("%+v, %+v, %v", l, matches, err)
	}
	if l, matches, err := decode.Locate(t.Context(), []format.File{text("a.proftext", record)}, 0,
		model.Wanted{Name: "f"}); l != nil || matches != nil || err != nil {
		t.Errorf("of text: %+v, %+v, %v", l, matches, err)
	}
}

// The records of a correlated profile are in its program; the offsets are not
// differences.
func TestLocateWithTheProgram(t *testing.T) {
	for _, name := range []string{"clang-22_dbg", "clang-22_bin_pe", "clang-22_dbg_macho", "clang-22_cov_pe"} {
		profile, program := correlated(t, name)
		p := open(t, profile, program)
		for f, err := range p.Functions() {
			if err != nil {
				t.Fatal(err)
			}
			l, _, err := decode.Locate(t.Context(), []format.File{profile, program}, 0, model.Wanted{Name: string(f.Name)})
			if err != nil {
				t.Fatal(err)
			}
			info, _ := instrprof.OpenCorrelated(profile.Data, nil, nil)
			heldTo(t, name, profile.Data, l, f, info.Info(), 0)
			if s := sum(l, "counters"); len(s.Terms) == 0 || s.Terms[0].Note != "from the program" || len(s.Terms) > 5 {
				t.Errorf("%+v", s)
			}
		}
	}
}

// A file that is damaged or cut anywhere gives what can be found, or a fault.
func TestLocateInDamagedFiles(t *testing.T) {
	zero := uint64(1)
	for _, path := range []string{"raw/clang-22_ir_c.profraw", "indexed/clang-22_ir_c.profdata"} {
		if _, err := os.Stat("instrprof/testdata/" + path); err != nil {
			continue
		}
		file := real(t, path)
		whole := file.Data
		step := max(1, len(whole)/300)
		for n := 0; n < len(whole); n += step {
			for _, data := range [][]byte{whole[:n:n], append(append(bytes.Clone(whole[:n]), whole[n]^0xff), whole[n+1:]...)} {
				file.Data = data
				l, _, err := decode.Locate(t.Context(), []format.File{file}, 0, model.Wanted{Record: &zero})
				if f := format.FindingOf("", err); err != nil && (f.Kind == model.KindInternal || f.File == "") {
					t.Fatalf("%+v", f)
				}
				_ = l
			}
		}
	}
}
