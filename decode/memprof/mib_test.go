package memprof_test

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"proflens/decode/memprof"
)

// mib is a block of some fields.
func mib(values map[memprof.MIBField]uint64, histogram ...uint64) memprof.MIB {
	var m memprof.MIB
	for f := range values {
		m.Schema |= 1 << f
	}
	for f := range m.Schema.Fields() {
		m.Values = append(m.Values, values[f])
	}
	m.Histogram = histogram
	return m
}

type fields = map[memprof.MIBField]uint64

// Two blocks of one stack become one by the rules of the runtime, field by field.
func TestBlocksAreMerged(t *testing.T) {
	const most32, most64 = math.MaxUint32, math.MaxUint64
	for _, test := range []struct {
		name       string
		a, b, want fields
	}{
		{"sums", fields{memprof.AllocCount: 1, memprof.TotalSize: 10, memprof.TotalAccessCount: 3},
			fields{memprof.AllocCount: 2, memprof.TotalSize: 20, memprof.TotalAccessCount: 4},
			fields{memprof.AllocCount: 3, memprof.TotalSize: 30, memprof.TotalAccessCount: 7}},
		{"sums past their width", fields{memprof.AllocCount: most32 - 1, memprof.TotalSize: most64 - 1},
			fields{memprof.AllocCount: 2, memprof.TotalSize: 2},
			fields{memprof.AllocCount: most32, memprof.TotalSize: most64}},
		{"smallest and largest", fields{memprof.MinSize: 4, memprof.MaxSize: 8, memprof.MinLifetime: 1,
			memprof.MaxLifetime: 1}, fields{memprof.MinSize: 6, memprof.MaxSize: 6, memprof.MinLifetime: 0,
			memprof.MaxLifetime: 9},
			fields{memprof.MinSize: 4, memprof.MaxSize: 8, memprof.MinLifetime: 0, memprof.MaxLifetime: 9}},
		{"the last", fields{memprof.DeallocTimestamp: 5, memprof.DeallocCPUID: 1},
			fields{memprof.DeallocTimestamp: 3, memprof.DeallocCPUID: 2},
			fields{memprof.DeallocTimestamp: 3, memprof.DeallocCPUID: 2}},
		{"the first", fields{memprof.NumMigratedCPU: 7, memprof.DataTypeID: 9},
			fields{memprof.NumMigratedCPU: 1, memprof.DataTypeID: 1},
			fields{memprof.NumMigratedCPU: 7, memprof.DataTypeID: 9}},
		{"alive at once", fields{memprof.AllocTimestamp: 1, memprof.DeallocTimestamp: 10, memprof.NumLifetimeOverlaps: 2},
			fields{memprof.AllocTimestamp: 9, memprof.DeallocTimestamp: 20, memprof.NumLifetimeOverlaps: 50},
			fields{memprof.AllocTimestamp: 9, memprof.DeallocTimestamp: 20, memprof.NumLifetimeOverlaps: 3}},
		{"one after another", fields{memprof.AllocTimestamp: 1, memprof.DeallocTimestamp: 10,
			memprof.NumLifetimeOverlaps: 2},
			fields{memprof.AllocTimestamp: 10, memprof.DeallocTimestamp: 20, memprof.NumLifetimeOverlaps: 0},
			fields{memprof.AllocTimestamp: 10, memprof.DeallocTimestamp: 20, memprof.NumLifetimeOverlaps: 2}},
		{"on one processor", fields{memprof.AllocCPUID: 3, memprof.NumSameAllocCPU: most32, memprof.DeallocCPUID: 3,
			memprof.NumSameDeallocCPU: 0},
			fields{memprof.AllocCPUID: 3, memprof.NumSameAllocCPU: 0, memprof.DeallocCPUID: 4, memprof.NumSameDeallocCPU: 9},
			fields{memprof.AllocCPUID: 3, memprof.NumSameAllocCPU: most32, memprof.DeallocCPUID: 4,
				memprof.NumSameDeallocCPU: 0}},
		{"what both know", fields{memprof.AllocCount: 1, memprof.TotalSize: 10, memprof.MinSize: 3},
			fields{memprof.AllocCount: 1, memprof.MaxSize: 5, memprof.MinSize: 2},
			fields{memprof.AllocCount: 2, memprof.MinSize: 2}},
		{"nothing in common", fields{memprof.AllocCount: 1}, fields{memprof.TotalSize: 1}, fields{}},
	} {
		a, b := mib(test.a), mib(test.b)
		before := b.Clone()
		a.Merge(&b)
		if diff := cmp.Diff(mib(test.want).Values, a.Values); diff != "" && len(test.want) > 0 ||
			a.Schema != mib(test.want).Schema || len(a.Values) != len(test.want) {
			t.Errorf("%s: %s", test.name, diff)
		}
		if diff := cmp.Diff(before, b); diff != "" {
			t.Errorf("%s: the other was changed: %s", test.name, diff)
		}
	}
	a, b := mib(fields{memprof.AllocCount: 1}, 1, math.MaxUint64), mib(fields{memprof.AllocCount: 1}, 2, 1, 7)
	a.Merge(&b)
	if !slices.Equal(a.Histogram, []uint64{3, math.MaxUint64, 7}) || len(b.Histogram) != 3 {
		t.Errorf("%v", a.Histogram)
	}
	longer := mib(fields{memprof.AllocCount: 1}, 1, 2, 3)
	shorter := mib(fields{memprof.AllocCount: 1}, 1)
	longer.Merge(&shorter)
	if !slices.Equal(longer.Histogram, []uint64{2, 2, 3}) {
		t.Errorf("%v", longer.Histogram)
	}
}

func TestClonesShareNothing(t *testing.T) {
	m := mib(fields{memprof.AllocCount: 1, memprof.TotalSize: 2}, 5)
	c := m.Clone()
	c.Values[0], c.Histogram[0] = 9, 9
	if m.Get(memprof.AllocCount) != 1 || m.Histogram[0] != 5 {
		t.Errorf("%+v", m)
	}
}

// A field that a schema lacks is not known; the others stand by their tags.
func TestFields(t *testing.T) {
	m := mib(fields{memprof.TotalSize: 7, memprof.AccessHistogram: 9})
	if v, ok := m.Value(memprof.TotalSize); v != 7 || !ok {
		t.Error(v, ok)
	}
	if v, ok := m.Value(memprof.AllocCount); v != 0 || ok || m.Get(memprof.AllocCount) != 0 ||
		m.Get(memprof.AccessHistogram) != 9 {
		t.Error(v, ok)
	}
	seen := map[string]bool{}
	for f := memprof.MIBField(1); f <= memprof.NumMIBFields; f++ {
		back, ok := memprof.MIBFieldOf(f.String())
		if !ok || back != f || seen[f.String()] || f.Size() != 4 && f.Size() != 8 {
			t.Errorf("%d is %s, of %d bytes, and back %d", f, f, f.Size(), back)
		}
		seen[f.String()] = true
	}
	for _, name := range []string{"", "allocCount", "Size"} {
		if f, ok := memprof.MIBFieldOf(name); ok {
			t.Errorf("%q is %s", name, f)
		}
	}
}

// The schemas of releases, as they are counted and listed.
func TestSchemas(t *testing.T) {
	for schema, want := range map[memprof.MIBSchema]int{
		0: 0, memprof.DefaultSchema: 4, memprof.SchemaToTag19: 19, memprof.SchemaToTag25: 25, memprof.CompleteSchema: 27,
		memprof.ReportedSchema: 14,
	} {
		n, last := 0, memprof.MIBField(0)
		for f := range schema.Fields() {
			if n++; f <= last || !schema.Has(f) {
				t.Errorf("%x: %s after %s", schema, f, last)
			}
			last = f
		}
		if n != want || schema.Len() != want {
			t.Errorf("%x has %d fields, counted as %d; want %d", schema, n, schema.Len(), want)
		}
	}
	if !memprof.DefaultSchema.Has(memprof.TotalLifetimeAccessDensity) ||
		memprof.SchemaToTag19.Has(memprof.TotalAccessDensity) || memprof.SchemaToTag25.Has(memprof.AccessHistogramSize) {
		t.Error("a schema has what it has not")
	}
	for f := range memprof.CompleteSchema.Fields() { // and stops when asked
		if f != memprof.AllocCount {
			t.Error(f)
		}
		break
	}
}
