package coverage_test

import (
	"encoding/binary"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"proflens/analyze/coverage"
	"proflens/decode/covmap"
	"proflens/encode/llvmcov"
	"proflens/internal/memtest"
)

// bound is what joining and all that is asked of it may allocate in all.
var bound = memtest.Bound{Base: 1 << 30, Rate: 16 << 10}

// counted is a profile with a record for each function of some objects: its counters and
// its bitmap are taken from bytes, over and over.
func counted(objects []*covmap.Object, bytes []byte) *coverage.Profile {
	p := &coverage.Profile{}
	if len(bytes) == 0 {
		return p
	}
	p.ConditionMasks, p.SingleByte = bytes[0]&1 != 0, bytes[0]&2 != 0
	at := 0
	next := func() byte {
		at++
		return bytes[at%len(bytes)]
	}
	for _, o := range objects {
		for i := range o.Functions {
			f := &o.Functions[i]
			r := coverage.Record{Hash: f.Hash, Bitmap: make([]byte, next()%16)}
			for range next() % 64 {
				n := uint64(next())
				if n == 0xff { // counts can be of any size
					n = binary.LittleEndian.Uint64([]byte{next(), next(), next(), next(), next(), next(), next(), next()})
				}
				r.Counters = append(r.Counters, n)
			}
			for i := range r.Bitmap {
				r.Bitmap[i] = next()
			}
			if next()%16 == 0 {
				r.Hash++
			}
			p.Add([]byte(f.Name), r)
		}
	}
	return p
}

// FuzzJoin joins what may be a mapping with counters that have nothing to do with it, and
// asks for all that there is to ask.
func FuzzJoin(f *testing.F) {
	const root = "../../decode/covmap/testdata"
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || filepath.Dir(path) == root || strings.Contains(path, ".prof") ||
			filepath.Ext(path) == ".dylib" {
			return err
		}
		data, err := os.ReadFile(path)
		f.Add(data, []byte("\x00\x05\x21\x07\x00\x01\xff\x03\x10\x33"))
		return err
	})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, mapping, counters []byte) {
		defer bound.Watch(t, len(mapping)+len(counters))()
		objects, err := covmap.Open("mapping", mapping, covmap.Options{Lenient: true})
		if err != nil {
			return
		}
		for _, o := range []coverage.Options{{}, {AsLLVM: true}} {
			c, err := coverage.Join(t.Context(), objects, counted(objects, counters), o)
			if err != nil {
				continue
			}
			other, err := coverage.Join(t.Context(), objects, counted(objects, slices.Concat(counters, []byte{1})), o)
			if err != nil {
				other = c
			}
			asked(t, c, other)
		}
	})
}

// asked asks for everything, and checks what must agree.
func asked(t *testing.T, c, other *coverage.Coverage) {
	summaries, unions := c.Totals()
	files := make([]int, len(c.Files))
	for i := range c.Files {
		files[i] = i
		v := c.UnionView(i)
		lines := coverage.Metric{}
		partly, conditions := 0, 0
		rows := v.Rows()
		for n := range rows {
			r := &rows[n]
			if r.Last < r.First || n > 0 && r.First <= rows[n-1].Last {
				t.Fatalf("rows of lines %d to %d after %d", r.First, r.Last, rows[max(n-1, 0)].Last)
			}
			conditions += len(r.Sides)
			if r.State == coverage.Unmapped {
				continue
			}
			if r.State == coverage.Partly {
				partly += int(r.Last-r.First) + 1
			}
			lines.Total += int(r.Last-r.First) + 1
			if r.Count > 0 {
				lines.Covered += int(r.Last-r.First) + 1
			}
		}
		if lines != unions[i].Lines {
			t.Fatalf("%+v of the rows, %+v of the union", lines, unions[i].Lines)
		}
		if u := &unions[i]; conditions > u.Conditions || partly != u.Partly {
			t.Fatalf("%d conditions and %d lines partly of the rows, %+v of the union", conditions, partly, u)
		}
		coverage.Gaps(rows)
		c.Groups(i)
		for _, e := range v.Expansions {
			c.ExpansionView(e).Rows()
		}
		same := coverage.CompareFiles(c, i, c, i)
		if same.Both != lines.Total || same.Turned() > 0 || same.Matching != coverage.ByNumber {
			t.Fatalf("compared with itself: %+v of %+v", same.Moved, lines)
		}
		for n := range other.Files {
			if other.Files[n].Name != c.Files[i].Name {
				continue
			}
			m := coverage.CompareFiles(c, i, other, n)
			ran := lines.Covered - m.BaseOnly.Covered - m.NewlyUncovered + m.NewlyCovered + m.TestOnly.Covered
			if m.Both+m.BaseOnly.Total != lines.Total || ran != coverage.CompareFiles(nil, 0, other, n).TestOnly.Covered {
				t.Fatalf("compared: %+v of %+v", m.Moved, lines)
			}
		}
	}
	for i := range c.Functions {
		f := &c.Functions[i]
		c.FunctionView(f)
		if s := c.Summary(f); s != summaries[i] {
			t.Fatalf("%s: %+v by itself, %+v among all", f.Name, s, summaries[i])
		}
		for n := range f.Decisions {
			f.Decisions[n].Wanted()
		}
	}
	if err := llvmcov.WriteJSON(io.Discard, c, files, llvmcov.JSONOptions{}); err != nil {
		t.Fatal(err)
	}
}
