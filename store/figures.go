package store

import (
	"math/bits"

	"proflens/analyze"
	"proflens/decode/dcpi"
	"proflens/decode/instrprof"
	"proflens/decode/memprof"
	"proflens/decode/model"
)

// Figures is what the catalog shows of a profile.
type Figures struct {
	Families []model.Family
	Describe string
	Format   model.Format
	Version  uint64
	// Functions and Total are, of counters, records and their sum; of a heap
	// profile alone, functions that allocate and bytes; of Machine IR, functions and
	// calls; of samples, procedures that are known and samples.
	Functions int
	Total     string         // decimal
	Spark     []byte         // distribution by magnitude, 0..255 a bar, at most 24; see figuresOf
	Finding   *model.Finding // the worst, if it is a warning or an error
	// Partial is what of each file was read, in their order, nil for whole ones.
	Partial []*model.Partial
}

// figuresOf is what the catalog shows of a profile. Counters come before a heap
// profile that stands beside them.
func figuresOf(o *Overview, in ProfileInput, tables *contents) Figures {
	f := Figures{
		Families:  o.Info.Families,
		Describe:  o.Describe,
		Format:    o.Info.Format,
		Version:   o.Info.Version,
		Functions: o.Functions,
		Total:     o.Total.String(),
		Spark:     spark(&o.Histogram),
		Finding:   worst(o.Findings),
		Partial:   partialOf(in.Inputs),
	}
	switch {
	case o.Info.Has(instrprof.Family):
	case o.MIP != nil:
		f.Functions, f.Total = int(o.MIP.Functions), o.MIP.Calls.String()
	case in.DCPI != nil:
		f.Functions, f.Total = figuresOfDCPI(in.DCPI)
		f.Spark = spark(dcpiMagnitudes(in.DCPI))
	case tables.heap != nil:
		f.Functions, f.Total = o.MemProf.Owners, o.MemProf.Bytes.String()
		f.Spark = spark(tables.heap.magnitudes())
	}
	return f
}

// magnitudes counts contexts by the bytes that they allocate, as
// Overview.Histogram counts counters.
func (t *heapTables) magnitudes() *[65]uint64 {
	var histogram [65]uint64
	for i := range t.contexts {
		histogram[bits.Len64(t.contexts[i].MIB.Get(memprof.TotalSize))]++
	}
	return &histogram
}

// dcpiMagnitudes counts addresses by their samples of one profile, as
// Overview.Histogram counts counters.
func dcpiMagnitudes(db *dcpi.Database) *[65]uint64 {
	var histogram [65]uint64
	for p := range db.Profiles() {
		for chunk := range p.Each {
			for _, n := range chunk.Counts {
				histogram[bits.Len32(n)]++
			}
		}
	}
	return &histogram
}

// figures adds up what concerns all records.
type figures struct {
	variant   instrprof.Variant
	plain, cs analyze.Summarizer
	anyCS     bool
	quality   *analyze.Quality
	paths     analyze.PathTree

	counters, zero uint64
	total          analyze.Sum
	max            uint64
	maxAt          int // index of the record with the largest counter, the first in file order
	sites          [instrprof.NumValueKinds]uint64
	bitmapBytes    uint64
	histogram      analyze.Histogram
}

func (f *figures) begin(info *instrprof.Info) {
	f.variant, f.quality, f.maxAt = info.Variant, analyze.NewQuality(info), -1
}

func (f *figures) add(fn *instrprof.Function, r *record, index int) {
	f.quality.Add(fn, &r.Stats)
	f.counters += uint64(r.NumCounters)
	f.bitmapBytes += uint64(len(fn.Bitmap))
	for k, n := range r.NumSites {
		f.sites[k] += uint64(n)
	}
	if r.CS {
		f.anyCS = true
		f.cs.Add(fn)
	} else {
		f.plain.Add(fn)
	}
	if r.Pseudo {
		return
	}
	f.zero += uint64(r.NumZero)
	f.total.AddSum(r.Total)
	if r.Max > f.max {
		f.max, f.maxAt = r.Max, index
	}
	f.histogram.Add(fn.Counters)
}

// spark squeezes the histogram of executed counters into at most 24 bars, the
// tallest 255.
func spark(histogram *[65]uint64) []byte {
	last := 64
	for last > 0 && histogram[last] == 0 {
		last--
	}
	if last == 0 {
		return nil
	}
	bars := min(last, 24)
	heights := make([]uint64, bars)
	var tallest uint64
	for i := range last {
		b := i * bars / last
		heights[b] += histogram[i+1]
		tallest = max(tallest, heights[b])
	}
	out := make([]byte, bars)
	for i, h := range heights {
		if out[i] = byte(h * 255 / tallest); h > 0 && out[i] == 0 {
			out[i] = 1 // something is not nothing
		}
	}
	return out
}

// worst is the most severe finding that asks for a look.
func worst(findings []model.Finding) *model.Finding {
	var w *model.Finding
	for i, f := range findings {
		if f.Severity == model.Error {
			return &findings[i]
		}
		if f.Severity == model.Warning && w == nil {
			w = &findings[i]
		}
	}
	return w
}
