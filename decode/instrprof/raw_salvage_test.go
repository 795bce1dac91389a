package instrprof_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"proflens/decode/instrprof"
	"proflens/decode/instrprof/sums"
	"proflens/decode/model"
	"proflens/internal/memtest"
)

// cuttable are files of every version, pointer size and byte order, and real ones.
func cuttable(t testing.TB) map[string][]byte {
	files := map[string][]byte{}
	for _, version := range []string{"1", "2", "3", "4", "5a", "5b", "6", "7", "8", "9", "10", "11"} {
		for _, pointerSize := range []int{4, 8} {
			for _, bigEndian := range []bool{false, true} {
				x := rawSample(version, pointerSize, bigEndian)
				name := fmt.Sprintf("v%s, %d-bit, big-endian %v", version, 8*pointerSize, bigEndian)
				files[name] = x.bytes()
				x.compress = true
				files[name+", compressed"] = x.bytes()
			}
		}
	}
	two := rawSample("10", 8, false).bytes()
	files["two"] = slices.Concat(two, two)
	real, err := filepath.Glob("testdata/raw/*.profraw")
	if err != nil || len(real) == 0 {
		t.Fatal(err, "no real files")
	}
	for _, name := range real {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if len(data) < 8000 {
			files[filepath.Base(name)] = data
		}
	}
	return files
}

// Wherever a file is cut, what is salvaged is a beginning of the whole: the
// same records with equal counters, and names, bitmaps and sites that are equal
// or missing.
func TestSalvageCutAnywhere(t *testing.T) {
	for name, data := range cuttable(t) {
		r, err := instrprof.OpenCorrelated(data, nil, nil)
		if err != nil {
			t.Fatal(name, err)
		}
		whole, _, _, err := drain(r)
		if err != nil {
			t.Fatal(name, err)
		}
		step := max(1, len(data)/100)
		records, opened := 0, false
		for n := len(name) % step; n < len(data); n += step {
			cut := data[:n:n]
			s, err := instrprof.SalvageRaw(cut, nil, nil)
			if err != nil {
				if opened {
					t.Errorf("%s cut at 0x%x: %v", name, n, err)
				}
				continue
			}
			opened = true
			got, traces, _, err := drain(s)
			if err != nil {
				t.Errorf("%s cut at 0x%x: %v", name, n, err)
				continue
			}
			checkBeginning(t, fmt.Sprintf("%s cut at 0x%x", name, n), got, whole)
			if len(got) < records {
				t.Errorf("%s cut at 0x%x: %d records, %d from fewer bytes", name, n, len(got), records)
			}
			records = len(got)
			for _, trace := range traces {
				if len(trace.NameRefs) > len(got) {
					t.Errorf("%s cut at 0x%x: a trace of %d of %d functions", name, n, len(trace.NameRefs), len(got))
				}
			}
			checkPartial(t, fmt.Sprintf("%s cut at 0x%x", name, n), s, cut, len(got))
		}
		if last, err := instrprof.SalvageRaw(data[:len(data)-1], nil, nil); err != nil {
			t.Errorf("%s without its last byte: %v", name, err)
		} else if got, _, _, err := drain(last); err != nil || len(got) != len(whole) {
			t.Errorf("%s without its last byte: %d records of %d, %v", name, len(got), len(whole), err)
		}
		s, err := instrprof.SalvageRaw(data, nil, nil)
		if err != nil {
			t.Fatal(name, err)
		}
		if got, _, _, err := drain(s); err != nil || !reflect.DeepEqual(got, whole) || s.Info().Partial != nil {
			t.Errorf("%s: a whole file is salvaged as %v, %v", name, s.Info().Partial, err)
		}
	}
}

// checkBeginning fails unless got are the first of whole, as far as they go.
func checkBeginning(t *testing.T, what string, got, whole []instrprof.Function) {
	t.Helper()
	if len(got) > len(whole) {
		t.Fatalf("%s: %d records of %d", what, len(got), len(whole))
	}
	for i := range got {
		g, w := got[i], whole[i]
		if g.NameRef != w.NameRef || g.FuncHash != w.FuncHash || !slices.Equal(g.Counters, w.Counters) {
			t.Fatalf("%s: record %d is %+v, want %+v", what, i, g, w)
		}
		if len(g.Name) > 0 && !bytes.Equal(g.Name, w.Name) {
			t.Fatalf("%s: record %d is called %q, want %q", what, i, g.Name, w.Name)
		}
		if len(g.Bitmap) > 0 && !bytes.Equal(g.Bitmap, w.Bitmap) {
			t.Fatalf("%s: record %d has bitmap % x, want % x", what, i, g.Bitmap, w.Bitmap)
		}
		if g.HasSites() && !reflect.DeepEqual(g.Sites, w.Sites) {
			t.Fatalf("%s: record %d has sites %v, want %v", what, i, g.Sites, w.Sites)
		}
	}
}

// checkPartial holds what a salvaged file says of itself against what it gave,
// and against what plain opening says of the same bytes.
func checkPartial(t *testing.T, what string, s *instrprof.Raw, cut []byte, records int) {
	t.Helper()
	plain := readAllRaw(t, cut)
	list := s.Info().Partial
	if plain == nil != (len(list) == 0) {
		t.Fatalf("%s: opened plainly %v, salvaged as %v", what, plain, list)
	}
	if plain == nil {
		return
	}
	p := list[0]
	if len(list) != 1 || p.Records != uint64(records) || p.End != uint64(len(cut)) || p.Missing == 0 || p.Section == "" ||
		!p.Leading || p.Promised < p.Records {
		t.Fatalf("%s: %d records, said to be %+v", what, records, list)
	}
	if c := instrprof.CutOf(cut); c == nil || *c != p {
		t.Fatalf("%s: CutOf is %+v, salvaged as %+v", what, c, p)
	}
	if found := s.Findings(); len(found) == 0 || found[0].Code != "raw.partial" ||
		!strings.Contains(found[0].Message, p.String()) {
		t.Fatalf("%s: findings %+v", what, found)
	}
}

// The example of instrprof.md §9, cut by hand: its counters begin at 0x100, its
// names at 0x130 and its value data at 0x148.
func TestSalvagedSections(t *testing.T) {
	data := referenceVector(t)
	for _, test := range []struct {
		size            int
		names           string // of the records, in order
		bitmap, sites   bool   // of the first
		section, counts string
	}{
		{0x7f, "", false, false, "", ""},
		{0x80, "", false, false, "data", "none of 2 records"},
		{0xff, "", false, false, "data", "none of 2 records"},
		{0x10f, "", false, false, "counters", "none of 2 records"},
		{0x110, "-", false, false, "counters", "records 1-1 of 2"},
		{0x127, "-", false, false, "counters", "records 1-1 of 2"},
		{0x128, "--", false, false, "bitmap", "records 1-2 of 2"},
		{0x12a, "--", true, false, "padding", "records 1-2 of 2"},
		{0x137, "--", true, false, "names", "records 1-2 of 2"},
		{0x138, "alpha -", true, false, "names", "records 1-2 of 2"},
		{0x143, "alpha main.c;beta", true, false, "padding", "records 1-2 of 2"},
		{0x17f, "alpha main.c;beta", true, false, "value data", "records 1-2 of 2"},
		{0x180, "alpha main.c;beta", true, true, "", ""},
	} {
		s, err := instrprof.SalvageRaw(data[:test.size], nil, nil)
		if err != nil {
			if c := instrprof.CutOf(data[:test.size]); test.size >= 0x80 || c == nil || c.Section != "header" ||
				c.Missing != uint64(0x80-test.size) {
				t.Errorf("0x%x: %v, %+v", test.size, err, c)
			}
			continue
		}
		records, _, _, err := drain(s)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, f := range records {
			names = append(names, strings.ReplaceAll(string(f.Name)+" ", " ", ""))
		}
		text := ""
		for i, n := range names {
			if n == "" {
				n = "-"
			} else if i > 0 {
				n = " " + n
			}
			if n == "-" && strings.HasSuffix(text, "a") {
				n = " -"
			}
			text += n
		}
		if text != test.names {
			t.Errorf("0x%x: records %q, want %q", test.size, text, test.names)
		}
		if len(records) > 0 && (len(records[0].Bitmap) > 0 != test.bitmap || records[0].HasSites() != test.sites) {
			t.Errorf("0x%x: %+v", test.size, records[0])
		}
		section, counts := "", ""
		for _, p := range s.Info().Partial {
			section, counts = p.Section, p.Count(func(n uint64) string { return fmt.Sprint(n) }, "-")
		}
		if section != test.section || counts != test.counts {
			t.Errorf("0x%x: %q in %q, want %q in %q", test.size, counts, section, test.counts, test.section)
		}
	}
}

// Records whose counters are not in their own order: those before the cut stay.
func TestSalvageOfUnorderedCounters(t *testing.T) {
	data := referenceVector(t)
	// Record 0 takes the last two counters, record 1 the first three.
	data[0x90], data[0xd0] = 0x80+0x18, 0x40
	s, err := instrprof.SalvageRaw(data[:0x120], nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	records, _, _, err := drain(s)
	if err != nil || len(records) != 1 || records[0].FuncHash != 153 {
		t.Fatalf("%+v, %v", records, err)
	}
	if p := s.Info().Partial[0]; p.Leading || p.String() != "1 of 2 records; the file ends at byte 288, in the counters" {
		t.Errorf("%+v: %s", p, &p)
	}
}

// What is damaged is not cut: salvage does not hide it.
func TestSalvageRefusesDamage(t *testing.T) {
	whole := rawSample("10", 8, false).bytes()
	for name, change := range map[string]func([]byte) []byte{
		"a counter pointer": func(b []byte) []byte { b[rawHeaderSize(b)+16+3] ^= 0x40; return b },
		"trailing garbage":  func(b []byte) []byte { return append(b, bytes.Repeat([]byte("junk"), 40)...) },
		"a huge section":    func(b []byte) []byte { b[5*8+6] = 1; return b },
	} {
		data := change(slices.Clone(whole))
		if s, err := instrprof.SalvageRaw(data, nil, nil); err == nil {
			t.Errorf("%s: salvaged as %+v", name, s.Info().Partial)
		}
		if c := instrprof.CutOf(data); c != nil {
			t.Errorf("%s: said to be cut: %+v", name, c)
		}
	}
}

// rawHeaderSize is where the records of a version 10 file begin.
func rawHeaderSize(b []byte) int { return 128 + int(b[16]) }

func FuzzSalvage(f *testing.F) {
	for _, data := range cuttable(f) {
		if len(data) < 2000 {
			f.Add(data, uint16(len(data)/2))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, size uint16) {
		defer memtest.Watch(t, len(data))()
		data = data[:min(int(size), len(data)):min(int(size), len(data))]
		s, err := instrprof.SalvageRaw(data, nil, nil)
		if err != nil {
			checkFault(t, err)
			instrprof.CutOf(data)
			return
		}
		n := 0
		for _, err := range s.Functions() {
			if err != nil {
				checkFault(t, err)
				return
			}
			n++
		}
		for _, p := range s.Info().Partial {
			if p.Records != uint64(n) || p.End != uint64(len(data)) {
				t.Fatalf("%d records of %d bytes, said to be %+v", n, len(data), p)
			}
		}
		s.Findings()
	})
}

// What is not whole is merged with others only when that was asked for, and the
// sum is then not whole either.
func TestMergingWhatWasSalvaged(t *testing.T) {
	data := referenceVector(t)
	cut, err := instrprof.SalvageRaw(data[:0x145], nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := instrprof.OpenCorrelated(data, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, order := range [][]*instrprof.Raw{{whole, cut}, {cut, whole}, {cut, cut}} {
		m := sums.NewMerger()
		if err := m.Add(t.Context(), "a", order[0], 1); err != nil {
			t.Fatal(err)
		}
		if err := m.Add(t.Context(), "b", order[1], 1); err == nil || model.KindOf(err) != model.KindIncompatible {
			t.Errorf("merged without being asked: %v", err)
		}
		m.TakePartial()
		if err := m.Add(t.Context(), "b", order[1], 1); err != nil {
			t.Fatal(err)
		}
		info := m.Source().Info()
		if len(info.Partial) == 0 || info.Partial[0].File == "" {
			t.Errorf("the sum is said to be %+v", info.Partial)
		}
		for f := range m.Source().Functions() {
			if f.FuncHash == 153 && !slices.Equal(f.Counters, []uint64{18, 0, 4}) {
				t.Errorf("%+v", f)
			}
		}
	}
	nameless, err := instrprof.SalvageRaw(data[:0x12a], nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	// Records that lost their names are added to those that have them.
	for _, order := range [][]*instrprof.Raw{{whole, nameless}, {nameless, whole}, {nameless, cut, nameless, whole}} {
		m := sums.NewMerger()
		m.TakePartial()
		for i, r := range order {
			if err := m.Add(t.Context(), fmt.Sprint(i), r, 1); err != nil {
				t.Fatal(err)
			}
		}
		records, _, names, err := drain(m.Source())
		if err != nil || len(records) != 2 || len(names) != 2 || string(records[0].Name) != "alpha" ||
			records[0].Counters[0] != 7*uint64(len(order)) {
			t.Errorf("%d inputs: %+v, %v, %v", len(order), records, names, err)
		}
	}
	m := sums.NewMerger()
	if err := m.Add(t.Context(), "cut.profraw", cut, 3); err != nil {
		t.Fatal(err)
	}
	if p := m.Source().Info().Partial; len(p) != 1 || p[0].File != "cut.profraw" {
		t.Errorf("alone it is %+v", p)
	}
}

func TestMergingManyLostNames(t *testing.T) {
	x := rawSample("10", 8, false)
	x.functions, x.vtables = nil, nil
	for i := range 3000 {
		x.functions = append(x.functions, rawFunction{name: fmt.Sprint("f", i), hash: 1, counters: []uint64{uint64(i), 1}})
	}
	s := x.build()
	data := s.join()
	whole, err := instrprof.OpenCorrelated(data, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	nameless, err := instrprof.SalvageRaw(data[:len(s.header)+len(s.binaryIDs)+len(s.data)+len(s.padding)+len(s.counters)],
		nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	m := sums.NewMerger()
	m.TakePartial()
	for _, r := range []*instrprof.Raw{nameless, whole, nameless} {
		if err := m.Add(t.Context(), "a", r, 1); err != nil {
			t.Fatal(err)
		}
	}
	records, _, _, err := drain(m.Source())
	if err != nil || len(records) != 3000 {
		t.Fatalf("%d records, %v", len(records), err)
	}
	for i, f := range records {
		if string(f.Name) != fmt.Sprint("f", i) || f.Counters[0] != 3*uint64(i) {
			t.Fatalf("record %d: %+v", i, f)
		}
	}
}
