package encode_test

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"proflens/decode/decodetest"
	"proflens/decode/format"
	"proflens/decode/instrprof"
	"proflens/decode/instrprof/sums"
	"proflens/decode/model"
	"proflens/encode"
	"proflens/internal/memtest"
)

// input opens a profile of the tests: of this package or of its decoder.
func input(t testing.TB, name string) *decodetest.Profile {
	t.Helper()
	for _, dir := range []string{
		"testdata/profdata", "testdata/memprof", "testdata/clang", "../decode/instrprof/testdata/raw",
		"../decode/instrprof/testdata/text", "../decode/instrprof/testdata/indexed",
	} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		return openData(t, name, data)
	}
	t.Fatalf("no input %s", name)
	return nil
}

func openData(t testing.TB, name string, data []byte) *decodetest.Profile {
	t.Helper()
	p, err := decodetest.Open(t.Context(), []format.File{{Name: name, Data: data}}, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func openText(t testing.TB, text string) *decodetest.Profile {
	t.Helper()
	return openData(t, "a.proftext", []byte(text))
}

// profdata is src as an indexed file, and the findings.
func profdata(t testing.TB, src instrprof.Source, o encode.ProfdataOptions) ([]byte, []model.Finding) {
	t.Helper()
	var b bytes.Buffer
	findings, err := encode.Profdata(&b, src, o)
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), findings
}

func proftext(t testing.TB, src instrprof.Source) string {
	t.Helper()
	var b bytes.Buffer
	if err := encode.Proftext(&b, src); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func codes(findings []model.Finding) []string {
	codes := []string{}
	for _, f := range findings {
		codes = append(codes, strings.TrimPrefix(f.Code, "profdata."))
	}
	return codes
}

// TestProfdataAsLLVM compares with what llvm-profdata 22 and 19 write.
func TestProfdataAsLLVM(t *testing.T) {
	goldens, err := filepath.Glob("testdata/profdata/*.profdata")
	if err != nil || len(goldens) < 20 {
		t.Fatal(goldens, err)
	}
	for _, golden := range goldens {
		var version int
		name, number, _ := strings.Cut(strings.TrimSuffix(filepath.Base(golden), ".profdata"), ".v")
		if _, err := fmt.Sscan(number, &version); err != nil {
			t.Fatal(golden, err)
		}
		in := name + ".proftext"
		if strings.HasPrefix(name, "clang-") || strings.HasPrefix(name, "rustc-") {
			in = name + ".profraw"
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		got, _ := profdata(t, input(t, in), encode.ProfdataOptions{Version: version})
		if !bytes.Equal(got, want) {
			at := 0
			for at < min(len(got), len(want)) && got[at] == want[at] {
				at++
			}
			t.Errorf("%s: %d bytes, want %d; they differ from offset 0x%x on", golden, len(got), len(want), at)
		}
		if name == "many_hashes" {
			continue // hashes that collide stand in the order met, which now is another
		}
		// A profile that is indexed already stays what it is.
		again, _ := profdata(t, openData(t, golden, want), encode.ProfdataOptions{Version: version})
		if !bytes.Equal(again, want) {
			t.Errorf("%s: written again it differs", golden)
		}
	}
}

// everything is a profile with all that a text file can say.
const everything = ":ir\n:entry_first\n:instrument_loop_entries\n:temporal_prof_traces\n1\n4\n2\nf,g\n" +
	"f\n7\n2\n10\n20\n$3\n1\n0xff\n3\n3\n0\n2\n1\ng:4\n0\n1\n1\n1\n8:5\n2\n1\n1\nvt:6\n\ng\n1152921504606846976\n1\n3\n"

func TestProfdataOfEveryVersion(t *testing.T) {
	for _, in := range []string{
		"clang-22_ir_c.profraw", "clang-22_cs_c.profraw", "clang-22_fe_mcdc.profraw", "clang-22_ir_buildid.profraw",
		"clang-22_ir_temporal.profraw", "clang-22_ir_vtable.profraw", "many_hashes.proftext", "pseudo.proftext",
		"utf8.proftext",
	} {
		for version := 5; version <= 14; version++ {
			src := input(t, in)
			plan, err := encode.PlanProfdata(src, encode.ProfdataOptions{Version: version})
			if lossy, ok := errors.AsType[*encode.LossError](err); ok {
				if version >= 12 {
					t.Errorf("%s version %d: %v", in, version, lossy)
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			var b bytes.Buffer
			if n, err := plan.WriteTo(&b); err != nil || n != int64(b.Len()) {
				t.Fatalf("%d bytes of %d, %v", n, b.Len(), err)
			}
			back := openData(t, in, b.Bytes())
			if info := back.Info(); info.Version != uint64(version) || !cmp.Equal(info.BinaryIDs, src.Info().BinaryIDs) {
				t.Errorf("%s: %s, %x", in, info.Describe, info.BinaryIDs)
			}
			if diff := cmp.Diff(proftext(t, src), proftext(t, back)); diff != "" {
				t.Errorf("%s version %d: %s", in, version, diff)
			}
			if f := back.Findings(); len(f) > 0 {
				t.Errorf("%s version %d: %+v", in, version, f)
			}
		}
	}
}

func TestProfdataSaysWhatItLoses(t *testing.T) {
	for _, test := range []struct {
		in      string
		version int
		lost    []string
	}{
		{everything, 14, nil},
		{everything, 12, nil},
		{everything, 11, []string{"vtable_values", "flag"}},
		{everything, 10, []string{"bitmap", "vtable_values", "flag"}},
		{everything, 9, []string{"bitmap", "vtable_values", "traces", "flag"}},
		{everything, 6, []string{"bitmap", "vtable_values", "traces", "flag", "flag"}},
		{"clang-22_ir_buildid.profraw", 9, nil},
		{"clang-22_ir_buildid.profraw", 8, []string{"binary_ids"}},
		{"clang-22_ir_block_cov.profraw", 6, []string{"binary_ids", "flag"}},
		{"clang-22_vtable_kept.profdata", 11, []string{"vtable_values", "vtable_names"}},
		{"mem_v4.profdata", 13, nil},
		{"mem_v4.profdata", 11, []string{"memprof"}},
		{"mem_v4.profdata", 7, []string{"memprof"}},
	} {
		open := func() *decodetest.Profile {
			if test.in == everything {
				return openText(t, test.in)
			}
			return input(t, test.in)
		}
		_, err := encode.Profdata(new(bytes.Buffer), open(), encode.ProfdataOptions{Version: test.version})
		var refused []string
		if lossy, ok := errors.AsType[*encode.LossError](err); ok {
			refused = codes(lossy.Losses)
			if model.KindOf(err) != model.KindLossy || !strings.Contains(err.Error(), lossy.Losses[0].Message) {
				t.Errorf("%v", err)
			}
		} else if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.lost, refused); diff != "" {
			t.Errorf("%.20q version %d: %s", test.in, test.version, diff)
		}
		out, findings := profdata(t, open(), encode.ProfdataOptions{Version: test.version, Lossy: true})
		if got := codes(findings); !slices.Equal(got, test.lost) {
			t.Errorf("%.20q version %d: findings %v, want %v", test.in, test.version, got, test.lost)
		}
		back := openData(t, "back", out)
		if f := back.Findings(); len(f) > 0 {
			t.Errorf("%.20q version %d: %+v", test.in, test.version, f)
		}
		// What was not left out is there, and writing it loses nothing more.
		again, findings := profdata(t, back, encode.ProfdataOptions{Version: test.version})
		if !bytes.Equal(again, out) || len(findings) > 0 {
			t.Errorf("%.20q version %d: written again it differs: %+v", test.in, test.version, findings)
		}
	}
}

func TestProfdataOfAnUnknownVersion(t *testing.T) {
	for _, version := range []int{-1, 1, 4, 15} {
		_, err := encode.PlanProfdata(openText(t, everything), encode.ProfdataOptions{Version: version})
		if model.KindOf(err) != model.KindUnsupportedVersion {
			t.Errorf("version %d: %v", version, err)
		}
	}
}

func TestProfdataKeepsVTableNames(t *testing.T) {
	raw := input(t, "clang-22_ir_vtable.profraw")
	_, findings := profdata(t, raw, encode.ProfdataOptions{})
	if got := codes(findings); !slices.Equal(got, []string{"vtable_names"}) {
		t.Error(got)
	}
	out, findings := profdata(t, raw, encode.ProfdataOptions{KeepVTableNames: true})
	kept := openData(t, "kept", out).Info().VTableNames
	if diff := cmp.Diff(raw.Info().VTableNames, kept); diff != "" || len(kept) == 0 || len(findings) > 0 {
		t.Error(diff, findings)
	}
}

func TestProfdataOfFunctionsWithoutAName(t *testing.T) {
	src := noNames{openText(t, ":ir\na\n5\n1\n1\nb\n5\n1\n2\nb\n6\n1\n3\n").Source}
	out, findings := profdata(t, src, encode.ProfdataOptions{})
	if got := codes(findings); !slices.Equal(got, []string{"unnamed"}) || findings[0].Count != 3 {
		t.Errorf("%+v", findings)
	}
	counters := map[uint64]uint64{}
	for f, err := range openData(t, "back", out).Functions() {
		if err != nil || len(f.Name) > 0 {
			t.Fatalf("%q, %v", f.Name, err)
		}
		counters[f.FuncHash] += f.Counters[0]
	}
	if diff := cmp.Diff(map[uint64]uint64{5: 3, 6: 3}, counters); diff != "" {
		t.Error(diff)
	}
}

// noNames is a profile whose names are lost.
type noNames struct{ instrprof.Source }

func (n noNames) Names() iter.Seq2[uint64, []byte] { return instrprof.Empty{}.Names() }

func (n noNames) Functions() iter.Seq2[*instrprof.Function, error] {
	return func(yield func(*instrprof.Function, error) bool) {
		for f, err := range n.Source.Functions() {
			bare := *f
			bare.Name = nil
			if !yield(&bare, err) {
				return
			}
		}
	}
}

// A FuncHash that LLVM's map keeps for itself is not lost here.
func TestProfdataKeepsEveryHash(t *testing.T) {
	src := openText(t, ":ir\nf\n18446744073709551615\n1\n3\nf\n18446744073709551614\n1\n4\nf\n1\n1\n5\n")
	out, _ := profdata(t, src, encode.ProfdataOptions{})
	var hashes []uint64
	for f, err := range openData(t, "back", out).Functions() {
		if err != nil {
			t.Fatal(err)
		}
		hashes = append(hashes, f.FuncHash)
	}
	if diff := cmp.Diff([]uint64{1, 1<<64 - 1, 1<<64 - 2}, hashes); diff != "" {
		t.Error(diff)
	}
}

func FuzzProfdata(f *testing.F) {
	for _, s := range []string{
		everything, ":ir\nf\n1\n1\n2\nf\n2\n1\n3\n", ":temporal_prof_traces\n0\n0\n", "a\n0\n2\n18446744073709551615\n7\n",
		":csir\nf\n1152921504606846977\n1\n1\n",
	} {
		f.Add([]byte(s), 13)
	}
	f.Fuzz(func(t *testing.T, text []byte, version int) {
		defer memtest.Watch(t, len(text))()
		src, err := instrprof.OpenText(text, nil)
		if err != nil {
			return
		}
		m := sums.NewMerger()
		if m.Add(t.Context(), "", src, 1) != nil {
			return
		}
		version = 5 + int(uint(version)%10)
		var out bytes.Buffer
		findings, err := encode.Profdata(&out, m.Source(), encode.ProfdataOptions{Version: version, Lossy: true})
		if err != nil {
			t.Fatal(err)
		}
		back, err := instrprof.OpenIndexed(out.Bytes(), nil)
		if err != nil {
			t.Fatal(err)
		}
		got := proftext(t, back)
		for _, lost := range findings {
			if lost.Kind == model.KindLossy {
				return
			}
		}
		if diff := cmp.Diff(proftext(t, m.Source()), got); diff != "" {
			t.Error(diff)
		}
	})
}

func BenchmarkProfdata(b *testing.B) {
	var s bytes.Buffer
	s.WriteString(":ir\n")
	for i := range 100_000 {
		fmt.Fprintf(&s, "dir/file.c;function_with_a_name_of_usual_length_%d\n%d\n10\n", i, i*7919)
		for j := range 10 {
			fmt.Fprintln(&s, i*j)
		}
	}
	src := openData(b, "a", s.Bytes())
	var size int64
	b.ReportAllocs()
	for b.Loop() {
		plan, err := encode.PlanProfdata(src, encode.ProfdataOptions{})
		if err != nil {
			b.Fatal(err)
		}
		if size, err = plan.WriteTo(discard{}); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(size)
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
