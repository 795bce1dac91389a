package memprofdb_test

import (
	"fmt"
	"math"
	"testing"

	"proflens/decode/memprof"
	"proflens/profile/memprofdb"
)

type lineAt struct {
	file string
	line uint32
}

// Lines are what contexts come to that were added up one by one: on the line itself, and
// through it, once a stack however often it passes.
func TestLines(t *testing.T) {
	heap := heapProfile(300, 9, memprof.DefaultSchema)
	p := openHeap(t, heap)
	got, err := p.Lines(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	bytes, allocations, through := map[lineAt]uint64{}, map[lineAt]uint64{}, map[lineAt]uint64{}
	ofFile, functions := map[string]uint64{}, map[lineAt]map[string]uint64{}
	for i := range heap.Contexts {
		c := &heap.Contexts[i]
		size := c.MIB.Get(memprof.TotalSize)
		count := c.MIB.Get(memprof.AllocCount)
		lines, files, names := map[lineAt]bool{}, map[string]bool{}, map[string]bool{}
		leaf := true
		for f := range heap.Stack(c.Stack) {
			at := lineAt{f.File, f.Line}
			if leaf {
				bytes[at] += size
				allocations[at] += count
			}
			leaf = false
			if f.Line == 0 {
				continue
			}
			if !lines[at] {
				through[at] += size
			}
			if !files[f.File] {
				ofFile[f.File] += size
			}
			if key := fmt.Sprint(at, f.Name); !names[key] {
				if functions[at] == nil {
					functions[at] = map[string]uint64{}
				}
				functions[at][f.Name] += size
				names[key] = true
			}
			lines[at], files[f.File] = true, true
		}
	}
	seen := 0
	for i := range got.Files {
		f := &got.Files[i]
		if f.Sums[2] != ofFile[f.Name] {
			t.Errorf("%d bytes through %s, want %d", f.Sums[2], f.Name, ofFile[f.Name])
		}
		for row, line := range f.Lines {
			at := lineAt{f.Name, line}
			cells := f.At(row)
			if cells[0] != bytes[at] || cells[1] != allocations[at] || cells[2] != through[at] {
				t.Errorf("%v: %v, want %d, %d, %d", at, cells, bytes[at], allocations[at], through[at])
			}
			seen++
		}
	}
	if seen != len(through) {
		t.Errorf("%d lines, want %d", seen, len(through))
	}
	for at, want := range functions {
		list, all, err := p.AtLine(t.Context(), at.file, at.line, 1000)
		if err != nil || all != len(want) || len(list) != all {
			t.Fatalf("%v: %d of %d functions, want %d, %v", at, len(list), all, len(want), err)
		}
		last := uint64(math.MaxUint64)
		for _, f := range list {
			if f.Through != want[f.Name] || f.Through > last {
				t.Errorf("%v: %d bytes in %s, want %d, after %d", at, f.Through, f.Name, want[f.Name], last)
			}
			last = f.Through
		}
		if list, again, _ := p.AtLine(t.Context(), at.file, at.line, 1); len(list) != 1 || again != all {
			t.Errorf("%v: %d of %d at most 1", at, len(list), again)
		}
	}
	if list, all, err := p.AtLine(t.Context(), "/src/none.cc", 1, 10); len(list)+all != 0 || err != nil {
		t.Errorf("%v, %d, %v", list, all, err)
	}
}

// A profile without lines has none.
func TestNoLines(t *testing.T) {
	heap := heapProfile(20, 9, memprof.DefaultSchema)
	for i := range heap.Frames {
		heap.Frames[i].Line = 0
	}
	if got, err := openHeap(t, heap).Lines(t.Context()); got != nil || err != nil {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestFieldsOfColumns(t *testing.T) {
	if f, ok := memprofdb.Field(memprofdb.ColBytes); !ok || f != memprof.TotalSize {
		t.Errorf("%v, %v", f, ok)
	}
	if f, ok := memprofdb.Field(memprofdb.ColAvgSize); ok {
		t.Errorf("a mean is the field %v", f)
	}
	if _, ok := memprofdb.Field(memprofdb.ColDepth); ok {
		t.Error("the depth of a stack is a field")
	}
}
