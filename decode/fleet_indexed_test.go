package decode_test

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"proflens/decode"
	"proflens/decode/instrprof"
	"proflens/decode/instrprof/sums"
	"proflens/decode/llvm"
	"proflens/decode/model"
	"proflens/encode"
)

// indexedText is a text profile of n functions as an indexed file. change is called with each
// function's number and lines, and says what is written for it.
func indexedText(t *testing.T, version, n int, change func(i int, lines []string) []string) []byte {
	t.Helper()
	lines := []string{":ir"}
	for i := range n {
		f := []string{fmt.Sprintf("f%d", i), fmt.Sprint(7 * i), fmt.Sprint(1 + i%3)}
		for c := range 1 + i%3 {
			f = append(f, fmt.Sprint(i+c))
		}
		if i%5 == 0 {
			f = append(f, "1", "0", "2", "2", "a:10", "b:10", "0")
		}
		lines = append(lines, change(i, f)...)
	}
	src, err := instrprof.OpenText([]byte(strings.Join(lines, "\n")+"\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	sum, err := sums.Of(t.Context(), src)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := encode.Profdata(&b, sum, encode.ProfdataOptions{Version: version}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// However many goroutines add indexed files, and whether these are alike or not, the sum and
// what is told are those of adding one after the other.
func TestFleetOfIndexed(t *testing.T) {
	const functions = 300
	same := func(_ int, f []string) []string { return f }
	only := func(which int, g func([]string) []string) func(int, []string) []string {
		return func(i int, f []string) []string {
			if i == which {
				return g(f)
			}
			return f
		}
	}
	replace := func(at int, by string) func([]string) []string {
		return func(f []string) []string { f[at] = by; return f }
	}
	largest := fmt.Sprint(uint64(math.MaxUint64 - 2))
	plain := indexedText(t, 13, functions, same)
	files := []struct {
		name   string
		data   []byte
		weight uint64
	}{
		{"first", plain, 1},
		{"again", plain, 3},
		{"version 14", indexedText(t, 14, functions, same), 1},
		{"version 10", indexedText(t, 10, functions, same), 1},
		{"the largest count", indexedText(t, 13, functions, only(20, replace(3, largest))), 2},
		{"and more", plain, 1},
		{"other values", indexedText(t, 13, functions, only(5, replace(10, "c:900"))), 1},
		{"a weight that is too much", plain, math.MaxUint64},
		{"a hot function", indexedText(t, 13, functions, only(7, replace(3, fmt.Sprint(uint64(math.MaxUint64))))), 1},
		{"another shape", indexedText(t, 13, functions,
			only(8, func(f []string) []string { return append(f[:2], "1", "5") })), 1},
		{"no sites", indexedText(t, 13, functions, only(10, func(f []string) []string { return f[:len(f)-7] })), 1},
		{"sites", indexedText(t, 13, functions,
			only(11, func(f []string) []string { return append(f, "1", "0", "1", "0") })), 1},
		{"others missing", indexedText(t, 13, functions, func(i int, f []string) []string {
			if i%7 == 0 {
				return nil
			}
			return f
		}), 1},
		{"one more", indexedText(t, 13, functions+1, same), 1},
		{"cut", plain[:len(plain)/2], 1},
		{"another hash", indexedText(t, 13, functions, only(12, replace(1, "5"))), 1},
		{"one function", indexedText(t, 13, 1, same), 1},
		{"last", plain, 1},
	}
	type tell func(input string, function []byte, kind model.Kind, own bool)
	toldTo := func(list *[]string) tell {
		return func(input string, function []byte, kind model.Kind, own bool) {
			*list = append(*list, fmt.Sprintln(input, string(function), kind, own))
		}
	}
	var want, told, got []string
	m := sums.NewMerger()
	m.Tell(toldTo(&want))
	var lazy []decode.Lazy
	for _, f := range files {
		lazy = append(lazy, decode.Lazy{Name: f.name, Weight: f.weight, Open: func() ([]byte, func(), error) {
			return f.data, nil, nil
		}})
		if src, err := instrprof.OpenIndexed(f.data, nil); err == nil {
			_ = m.Add(t.Context(), f.name, src, f.weight)
		}
	}
	var sum bytes.Buffer
	if err := encode.Proftext(&sum, m.Source()); err != nil {
		t.Fatal(err)
	}
	for _, f := range m.Source().Findings() {
		want = append(want, fmt.Sprintln(f.Code, f.File, f.Count))
	}
	for procs := range 4 {
		told, got = nil, nil
		fleet := llvm.NewFleet(llvm.FleetOptions{Procs: procs + 1, Faulty: llvm.AsLLVM, StandIn: true, Tell: toldTo(&told)})
		if _, err := decode.AddTo(t.Context(), fleet, llvm.AsLLVM, lazy); err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := encode.Proftext(&b, fleet.Sum()); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(b.Bytes(), sum.Bytes()) {
			t.Errorf("%d goroutines: another sum", procs+1)
		}
		got = told
		for _, f := range fleet.Sum().Findings() {
			got = append(got, fmt.Sprintln(f.Code, f.File, f.Count))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d goroutines: told %q, want %q", procs+1, got, want)
		}
	}
}
