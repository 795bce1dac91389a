package decode_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"proflens/analyze"
	"proflens/decode"
	"proflens/decode/format"
	"proflens/decode/instrprof"
	"proflens/decode/instrprof/sums"
	"proflens/decode/llvm"
	"proflens/decode/model"
	"proflens/encode"
	"proflens/internal/memtest"
)

const fleetDir = "instrprof/sums/testdata/fleet/"

func fleetFile(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(fleetDir, name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// lazily is a file whose bytes are spoilt once it is closed: nothing may point into it.
func lazily(t testing.TB, name string, weight uint64) decode.Lazy {
	return decode.Lazy{Name: name, Weight: weight, Open: func() ([]byte, func(), error) {
		data := fleetFile(t, name)
		return data, func() {
			for i := range data {
				data[i] = 0xA5
			}
		}, nil
	}}
}

func tenRuns(t testing.TB, kind string) []decode.Lazy {
	var files []decode.Lazy
	for i := range 10 {
		files = append(files, lazily(t, fmt.Sprintf("%s/%d.profraw", kind, i+1), 1))
	}
	return files
}

func indexedOf(t testing.TB, p *format.Profile) []byte {
	t.Helper()
	var b bytes.Buffer
	if _, err := encode.Profdata(&b, llvm.SourceOf(p), encode.ProfdataOptions{Version: 13}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// The sum has the bytes of llvm-profdata merge, however many goroutines add; see the
// README beside the files.
func TestFleetGolden(t *testing.T) {
	for _, test := range []struct {
		golden string
		files  []decode.Lazy
		sparse bool
		faulty llvm.Faulty
		faults int
	}{
		{golden: "ir.profdata", files: tenRuns(t, "ir")},
		{golden: "ir.proftext", files: tenRuns(t, "ir")},
		{golden: "fe.profdata", files: tenRuns(t, "fe")},
		{golden: "ir_sparse.profdata", files: tenRuns(t, "ir"), sparse: true},
		{golden: "fe_sparse.proftext", files: tenRuns(t, "fe"), sparse: true},
		{
			golden: "ir_weighted.profdata",
			files: []decode.Lazy{
				lazily(t, "ir/1.profraw", 3), lazily(t, "ir/2.profraw", 1), lazily(t, "ir/3.profraw", 7),
				lazily(t, "ir/1.profraw", 2),
			},
		},
		{golden: "ir_all.profdata", faulty: llvm.AsLLVM, faults: 2,
			files: []decode.Lazy{lazily(t, "ir/1.profraw", 1), lazily(t, "cut_values.profraw", 1),
				lazily(t, "ir/2.profraw", 1), lazily(t, "cut_data.profraw", 1), lazily(t, "ir/4.profraw", 1)}},
	} {
		for _, procs := range []int{1, 2, 7} {
			fleet := llvm.NewFleet(llvm.FleetOptions{Procs: procs, Faulty: test.faulty})
			errs, err := decode.AddTo(t.Context(), fleet, test.faulty, test.files)
			if err != nil {
				t.Fatal(err)
			}
			faults := 0
			for _, err := range errs {
				if err != nil {
					faults++
				}
			}
			p := fleet.Profile(test.sparse)
			var got []byte
			if strings.HasSuffix(test.golden, "text") {
				var b bytes.Buffer
				if err := encode.Proftext(&b, llvm.SourceOf(p)); err != nil {
					t.Fatal(err)
				}
				got = b.Bytes()
			} else {
				got = indexedOf(t, p)
			}
			if !bytes.Equal(got, fleetFile(t, test.golden)) {
				t.Errorf("%s by %d goroutines: the bytes differ", test.golden, procs)
			}
			if left := len(leftOut(p.Findings())); faults != test.faults || left != test.faults {
				t.Errorf("%s: %d files are faulty, %d findings name them; want %d", test.golden, faults, left, test.faults)
			}
		}
	}
}

func leftOut(findings []model.Finding) []string {
	var names []string
	for _, f := range findings {
		if f.Code == "merge.left_out" {
			names = append(names, f.File)
		}
	}
	return names
}

// A faulty file ends a merge, or is left out whole, with nothing of it in the sum.
func TestFleetFaults(t *testing.T) {
	files := []decode.Lazy{lazily(t, "ir/1.profraw", 1), lazily(t, "cut_values.profraw", 1), lazily(t, "ir/2.profraw", 1)}
	_, err := decode.AddTo(t.Context(), llvm.NewFleet(llvm.FleetOptions{}), llvm.Fail, files)
	if fault, ok := errors.AsType[*model.FormatError](err); !ok || fault.File != "cut_values.profraw" {
		t.Errorf("the error is %v", err)
	}
	sum := func(o llvm.Faulty, files ...decode.Lazy) []byte {
		fleet := llvm.NewFleet(llvm.FleetOptions{Faulty: o})
		if _, err := decode.AddTo(t.Context(), fleet, o, files); err != nil {
			t.Fatal(err)
		}
		return indexedOf(t, fleet.Profile(false))
	}
	if !bytes.Equal(sum(llvm.LeaveOut, files...), sum(llvm.Fail, files[0], files[2])) {
		t.Error("something of the file that was left out is in the sum")
	}
	other := decode.Lazy{
		Name: "heap", Open: func() ([]byte, func(), error) { return []byte("---\nHeapProfileRecords:\n"), nil, nil },
	}
	if _, err := decode.AddTo(t.Context(), llvm.NewFleet(llvm.FleetOptions{}), llvm.LeaveOut,
		[]decode.Lazy{other}); !errors.Is(err, llvm.ErrNotCounters) {
		t.Errorf("a heap profile gives %v", err)
	}
}

// What a run has in the sum: its overlap with the rest is that of llvm-profdata, and
// what only it ran is what a sum without it lacks.
func TestContributions(t *testing.T) {
	files := tenRuns(t, "ir")
	fleet := llvm.NewFleet(llvm.FleetOptions{})
	if _, err := decode.AddTo(t.Context(), fleet, llvm.Fail, files); err != nil {
		t.Fatal(err)
	}
	of := analyze.NewContributions(fleet.Sum())
	got := make([]analyze.Contribution, len(files))
	if err := decode.Again(t.Context(), fleet, files, func(i int, src instrprof.Source) (err error) {
		got[i], err = of.Of(t.Context(), src, 1)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	golden := string(fleetFile(t, "overlap_3.txt"))
	for _, line := range []string{
		fmt.Sprintf("Edge profile overlap: %.3f%%", 100*got[2].Overlap),
		fmt.Sprintf("Edge profile test count sum: %s", got[2].Count),
	} {
		if !strings.Contains(golden, line) {
			t.Errorf("%q is not in\n%s", line, golden)
		}
	}
	for i := range files {
		rest := llvm.NewFleet(llvm.FleetOptions{})
		if _, err := decode.AddTo(t.Context(), rest, llvm.Fail,
			append(append([]decode.Lazy{}, files[:i]...), files[i+1:]...)); err != nil {
			t.Fatal(err)
		}
		functions, counters := executed(fleet.Sum())
		without, countersWithout := executed(rest.Sum())
		if got[i].OnlyFunctions != functions-without || got[i].OnlyCounters != counters-countersWithout {
			t.Errorf("%s alone ran %d functions and %d counters; without it %d and %d are gone", files[i].Name,
				got[i].OnlyFunctions, got[i].OnlyCounters,
				functions-without, counters-countersWithout)
		}
	}
}

// executed are the functions and the counters with a count.
func executed(sum *sums.Merged) (functions, counters uint64) {
	for f := range sum.Functions() {
		ran := uint64(0)
		for _, c := range f.Counters {
			if c > 0 {
				counters, ran = counters+1, 1
			}
		}
		functions += ran
	}
	return functions, counters
}

// manyRuns are runs that differ in their counts, made of one.
func manyRuns(t testing.TB, n int) []decode.Lazy {
	base := fleetFile(t, "ir/5.profraw")
	word := func(i int) uint64 { return binary.LittleEndian.Uint64(base[8*i:]) }
	// Version 10: the sizes of build IDs, records and counters are words 2, 3 and 5.
	at := 16*8 + word(2) + 64*word(3)
	files := make([]decode.Lazy, n)
	for i := range files {
		files[i] = decode.Lazy{Name: fmt.Sprintf("%d.profraw", i), Open: func() ([]byte, func(), error) {
			data := bytes.Clone(base)
			for c := range word(5) {
				binary.LittleEndian.PutUint64(data[at+8*c:], (uint64(i)*2654435761>>7+c)%1000)
			}
			return data, nil, nil
		}}
	}
	return files
}

// Ten thousand raw profiles take no more memory than a few, and their sum is that of
// adding one after the other.
func TestTenThousandRuns(t *testing.T) {
	const n = 10_000
	files := manyRuns(t, n)
	fleet := llvm.NewFleet(llvm.FleetOptions{Procs: 2})
	memtest.Bound{Base: 12 << 20}.Check(t, "a merge", 0, func() any {
		if _, err := decode.AddTo(t.Context(), fleet, llvm.Fail, files); err != nil {
			t.Error(err)
		}
		return fleet
	})
	m := sums.NewMerger()
	for _, f := range files {
		data, _, _ := f.Open()
		src, err := instrprof.OpenCorrelated(data, nil, nil)
		if err == nil {
			err = m.Add(t.Context(), f.Name, src, 1)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var want bytes.Buffer
	if _, err := encode.Profdata(&want, m.Source(), encode.ProfdataOptions{Version: 13}); err != nil {
		t.Fatal(err)
	}
	if p := fleet.Profile(false); !bytes.Equal(indexedOf(t, p), want.Bytes()) {
		t.Errorf("the sum of %d files differs from adding one after the other", n)
	}
}
