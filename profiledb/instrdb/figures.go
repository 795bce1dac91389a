package instrdb

import (
	"proflens/analyze"
	"proflens/decode/instrprof"
)

// figures adds up what concerns all records.
type figures struct {
	plain, cs analyze.Summarizer
	anyCS     bool
	quality   *analyze.Quality

	counters, zero uint64
	repeats        uint64
	total          analyze.Sum
	max            uint64
	maxAt          int // index of the record with the largest counter, the first in file order
	sites          [instrprof.NumValueKinds]uint64
	bitmapBytes    uint64
	histogram      analyze.Histogram
}

func newFigures(info *instrprof.Info) figures {
	return figures{quality: analyze.NewQuality(info), maxAt: -1}
}

func (f *figures) add(fn *instrprof.Function, s *analyze.Stats, index int) {
	f.quality.Add(fn, s)
	f.counters += uint64(s.NumCounters)
	f.repeats += fn.Repeats
	f.bitmapBytes += uint64(len(fn.Bitmap))
	for k, n := range s.NumSites {
		f.sites[k] += uint64(n)
	}
	if s.CS {
		f.anyCS = true
		f.cs.Add(fn)
	} else {
		f.plain.Add(fn)
	}
	if s.Pseudo {
		return
	}
	f.zero += uint64(s.NumZero)
	f.total.AddSum(s.Total)
	if s.Max > f.max {
		f.max, f.maxAt = s.Max, index
	}
	f.histogram.Add(fn.Counters)
}

// addAll adds up the figures of records that stand behind the first so many.
func (f *figures) addAll(o *figures, behind int) {
	f.quality.AddAll(o.quality)
	f.plain.AddAll(&o.plain)
	f.cs.AddAll(&o.cs)
	f.anyCS = f.anyCS || o.anyCS
	f.counters += o.counters
	f.zero += o.zero
	f.repeats += o.repeats
	f.bitmapBytes += o.bitmapBytes
	for kind, n := range o.sites {
		f.sites[kind] += n
	}
	f.total.AddSum(o.total)
	if o.max > f.max {
		f.max, f.maxAt = o.max, behind+o.maxAt
	}
	f.histogram.AddAll(&o.histogram)
}

// anySite reports whether a record has a value site.
func (f *figures) anySite() bool { return f.sites != [instrprof.NumValueKinds]uint64{} }

// overview is what is known of the records before they are ranked.
func (c *collection) overview() *Overview {
	f := &c.figures
	o := &Overview{
		Info: *c.info, Summary: *f.plain.Summary(),
		Functions: c.records.n, Names: f.quality.Names(), Classes: map[analyze.Class]int{},
		Repeats: f.repeats, Counters: f.counters, Zero: f.zero, Total: f.total, Max: f.max,
		Sites: f.sites, BitmapBytes: f.bitmapBytes, Traces: len(c.traces),
		Histogram: f.histogram, Quality: f.quality.Figures(),
	}
	o.Thresholds = analyze.ThresholdsOf(&o.Summary)
	if f.anyCS {
		o.CSSummary = f.cs.Summary()
		o.CSThresholds = new(analyze.ThresholdsOf(o.CSSummary))
	}
	var totals analyze.RecordTotals
	totals.Grow(c.records.n)
	for _, chunk := range c.records.chunks {
		for i := range chunk {
			totals.Add(chunk[i].total)
			stats := chunk[i].stats()
			class := o.Classify(&stats)
			o.Classes[class]++
			if class == analyze.Never {
				o.NeverRan++
			}
		}
	}
	curve := totals.Curve()
	o.Curve, o.Hot90, o.Hot99 = curve.Points, curve.Hot90, curve.Hot99
	return o
}
