package instrprof_test

import (
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"proflens/decode/instrprof"
)

// listed are the records of iterators one after another, and the error that ends them.
func listed(parts ...iter.Seq2[*instrprof.Function, error]) (list []string, err error) {
	for _, part := range parts {
		for f, err := range part {
			if err != nil {
				return list, err
			}
			list = append(list, fmt.Sprint(f.Offset, f.Size, string(f.Name), f.FuncHash, f.Counters, f.Bitmap, f.Sites))
		}
	}
	return list, nil
}

// Parts together are the whole, however many they are, of files that are cut short too:
// there the first error is the same.
func TestPartsOfAnIndexedFile(t *testing.T) {
	files, _ := filepath.Glob("testdata/indexed/*.profdata")
	for _, file := range files {
		whole, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		opened := 0
		for _, size := range []int{len(whole), len(whole) - 100, len(whole) / 2} {
			x, err := instrprof.OpenIndexed(whole[:max(0, size)], nil)
			if err != nil {
				continue // the tail says what there is
			}
			opened++
			want, wantErr := listed(x.Functions())
			for _, n := range []int{1, 2, 3, 7} {
				got, err := listed(x.Parts(n)...)
				if !slices.Equal(got, want) || fmt.Sprint(err) != fmt.Sprint(wantErr) {
					t.Errorf("%s, %d bytes in %d parts: %d records, %v; want %d, %v", file, size, n, len(got), err, len(want), wantErr)
				}
			}
		}
		if opened == 0 {
			t.Errorf("%s was never open", file)
		}
	}
}

// A damaged item ends every part that has to pass it.
func TestPartsOfADamagedFile(t *testing.T) {
	whole, err := os.ReadFile("testdata/indexed/clang-22_cs_merged.profdata")
	if err != nil {
		t.Fatal(err)
	}
	for at := 100; at < len(whole); at += 37 {
		damaged := slices.Clone(whole)
		damaged[at] ^= 0xff
		x, err := instrprof.OpenIndexed(damaged, nil)
		if err != nil {
			continue
		}
		want, wantErr := listed(x.Functions())
		got, err := listed(x.Parts(3)...)
		if !slices.Equal(got, want) || fmt.Sprint(err) != fmt.Sprint(wantErr) {
			t.Errorf("damaged at %d: %d records, %v; want %d, %v", at, len(got), err, len(want), wantErr)
		}
	}
}
