package collected

import (
	"proflens/analyze"
	"proflens/decode/instrprof"
	"proflens/decode/model"
)

// Sums add up what concerns all records.
type Sums struct {
	Plain, CS analyze.Summarizer
	AnyCS     bool
	Quality   *analyze.Quality // nil once its Findings are known: it has the NameRefs of all records
	Findings  []model.Finding

	Counters, Zero uint64
	Repeats        uint64
	Total          analyze.Sum
	Max            uint64
	MaxAt          int // index of the record with the largest counter, the first in file order; -1 where all are 0
	Sites          [instrprof.NumValueKinds]uint64
	BitmapBytes    uint64
	Histogram      analyze.Histogram
}

func newSums(info *instrprof.Info) Sums {
	return Sums{Quality: analyze.NewQuality(info), MaxAt: -1}
}

// addCounts adds what the thresholds and the shares of a list need.
func (f *Sums) addCounts(fn *instrprof.Function, s *analyze.Stats) {
	if s.CS {
		f.AnyCS = true
		f.CS.Add(fn)
	} else {
		f.Plain.Add(fn)
	}
	f.Total.AddSum(s.Total) // 0 of a pseudo count
}

// add adds all else.
func (f *Sums) add(fn *instrprof.Function, s *analyze.Stats, index int) {
	f.Quality.Add(fn, s)
	f.Counters += uint64(s.NumCounters)
	f.Repeats += fn.Repeats
	f.BitmapBytes += uint64(len(fn.Bitmap))
	for k, n := range s.NumSites {
		f.Sites[k] += uint64(n)
	}
	if s.Pseudo {
		return
	}
	f.Zero += uint64(s.NumZero)
	if s.Max > f.Max {
		f.Max, f.MaxAt = s.Max, index
	}
	f.Histogram.Add(fn.Counters)
}

// addAll adds up the figures of records that stand behind the first so many.
func (f *Sums) addAll(o *Sums, behind int) {
	f.Quality.AddAll(o.Quality)
	f.Plain.AddAll(&o.Plain)
	f.CS.AddAll(&o.CS)
	f.AnyCS = f.AnyCS || o.AnyCS
	f.Counters += o.Counters
	f.Zero += o.Zero
	f.Repeats += o.Repeats
	f.BitmapBytes += o.BitmapBytes
	for kind, n := range o.Sites {
		f.Sites[kind] += n
	}
	f.Total.AddSum(o.Total)
	if o.Max > f.Max {
		f.Max, f.MaxAt = o.Max, behind+o.MaxAt
	}
	f.Histogram.AddAll(&o.Histogram)
}

// AnySite reports whether a record has a value site.
func (f *Sums) AnySite() bool { return f.Sites != [instrprof.NumValueKinds]uint64{} }
