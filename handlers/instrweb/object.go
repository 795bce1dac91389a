package instrweb

import (
	"context"
	"strconv"

	"proflens/analyze"
	"proflens/decode/instrprof"
	"proflens/handlers/site"
	"proflens/profiledb/instrdb"
	"proflens/profiledb/stored"
)

// objectsSay is what the objects are.
const objectsSay = `
	=instrweb.comparedObject ComparedProfile
	=instrweb.comparisonObject Comparison
	.hotter: Matched records with a larger share in the test profile.
	.warning: Why the figures mean little, if they do: the counters count different things.
	=instrweb.countsObject
	.file_records: Records in the file, as llvm-profdata show counts them: records with the same name and FuncHash
	count separately. Equals functions in most files.
	=instrweb.instrTables Profile
	.histogram: Number of counters that are 0, then of those in 2^(i-1) .. 2^i-1.
	=instrweb.overlapObject Overlap: What llvm-profdata overlap computes.
	.score: Overlap of the counters in the sums only. Differs from edge.overlap if a profile has both plain and
	context-sensitive records.
	=instrweb.overlapPart OverlapPart: Fractions of 1, and the sums of counts.
	=instrweb.qualityObject Quality: What to know before you trust the profile. Figures that do not apply are null.
	.all_ones: Functions with several counters, all of them 1. Null for byte coverage.
	.entry_zero: Functions that ran but have entry count 0. Null if there are no entry counts.
	.short_sites: Value sites whose counts add up to less than their function's only counter, by kind.
	.counters_of_99_percent: How many of the largest counters hold 99 % of the total.
	=instrweb.summaryObject Summary
	=instrweb.thresholdsObject Thresholds`

// instrTables is what the tables of an instrumentation profile say.
type instrTables struct {
	Counts       countsObject      `json:"counts"`
	Quality      qualityObject     `json:"quality"`
	Summary      summaryObject     `json:"summary"`
	CSSummary    *summaryObject    `json:"cs_summary"`
	Thresholds   thresholdsObject  `json:"thresholds"`
	CSThresholds *thresholdsObject `json:"cs_thresholds"`
	Histogram    []uint64          `json:"histogram" is:"list 65..65"` // counters that are 0, then those in 2^(i-1) .. 2^i-1
	// share of the total that the first n functions hold
	Curve []curveObject `json:"curve"`
	Hot90 int           `json:"hot90" doc:"Functions that hold 90 % of the total."`
	Hot99 int           `json:"hot99" doc:"Functions that hold 99 % of the total."`
}

type countsObject struct {
	Functions     int                   `json:"functions"`    // records
	FileRecords   uint64                `json:"file_records"` // with those of one name and FuncHash that the only file has again
	Names         int                   `json:"names"`        // distinct
	NeverExecuted int                   `json:"never_executed"`
	Placed        int                   `json:"placed" doc:"Function records of which file and line are known."`
	Classes       map[analyze.Class]int `json:"classes"`
	Counters      uint64                `json:"counters"`
	Zero          uint64                `json:"zero"`
	Total         site.Exact            `json:"total"`
	Max           site.Exact            `json:"max"`
	MaxFID        *string               `json:"max_fid"` // where the maximum is
	ValueSites    map[string]uint64     `json:"value_sites"`
	BitmapBytes   uint64                `json:"bitmap_bytes"`
	Traces        int                   `json:"traces"`
}

type summaryObject struct {
	NumFunctions     uint64         `json:"num_functions"`
	NumCounts        uint64         `json:"num_counts"`
	MaxFunctionCount site.Exact     `json:"max_function_count"`
	MaxCount         site.Exact     `json:"max_count"`
	MaxInternalCount site.Exact     `json:"max_internal_count"`
	TotalCount       site.Exact     `json:"total_count" doc:"Modulo 2^64, as in LLVM."`
	Detailed         []cutoffObject `json:"detailed"`
}

type cutoffObject struct {
	Cutoff    uint64     `json:"cutoff" doc:"Parts per million."`
	MinCount  site.Exact `json:"min_count"`
	NumCounts uint64     `json:"num_counts"`
}

type thresholdsObject struct {
	Hot    site.Exact `json:"hot"`
	Cold   site.Exact `json:"cold"`
	NumHot uint64     `json:"num_hot" doc:"Counters that reach the hot threshold."`
}

type curveObject struct {
	N     int     `json:"n" doc:"Number of functions in the default order."`
	Share float64 `json:"share"`
}

func instrObject(_ context.Context, p *stored.Profile, quote bool) (any, error) {
	records, err := instrdb.Of(p)
	if err != nil {
		return nil, err
	}
	return newInstrTables(records, quote), nil
}

func newInstrTables(p *instrdb.Profile, quote bool) *instrTables {
	o := p.Overview
	count := func(n uint64) site.Exact { return site.Exactly(quote)(strconv.FormatUint(n, 10)) }
	t := &instrTables{
		Counts: countsObject{
			Functions: o.Functions, FileRecords: o.FileRecords(), Names: o.Names, NeverExecuted: o.NeverRan, Placed: o.Placed,
			Classes:  map[analyze.Class]int{},
			Counters: o.Counters, Zero: o.Zero, Total: site.Exactly(quote)(o.Total.String()), Max: count(o.Max),
			ValueSites: map[string]uint64{}, BitmapBytes: o.BitmapBytes, Traces: o.Traces,
		},
		Quality: newQualityObject(o),
		Summary: summaryOf(&o.Summary, count), Thresholds: thresholdsOf(o.Thresholds, count),
		Histogram: o.Histogram[:], Curve: make([]curveObject, len(o.Curve)), Hot90: o.Hot90, Hot99: o.Hot99,
	}
	for class, n := range o.Classes {
		if class == analyze.NoClass {
			class = "none"
		}
		t.Counts.Classes[class] = n
	}
	for kind, n := range o.Sites {
		t.Counts.ValueSites[instrprof.ValueKind(kind).String()] = n
	}
	if o.MaxAt != nil {
		at := site.FID(o.MaxAt.NameRef)
		t.Counts.MaxFID = &at
	}
	if o.CSSummary != nil {
		cs := summaryOf(o.CSSummary, count)
		t.CSSummary = &cs
	}
	if o.CSThresholds != nil {
		cs := thresholdsOf(*o.CSThresholds, count)
		t.CSThresholds = &cs
	}
	for i, point := range o.Curve {
		t.Curve[i] = curveObject(point)
	}
	return t
}

func summaryOf(s *instrprof.Summary, count func(uint64) site.Exact) summaryObject {
	object := summaryObject{
		NumFunctions: s.NumFunctions, NumCounts: s.NumCounts,
		MaxFunctionCount: count(s.MaxFunctionCount), MaxCount: count(s.MaxCount),
		MaxInternalCount: count(s.MaxInternalCount), TotalCount: count(s.TotalCount),
		Detailed: make([]cutoffObject, len(s.Detailed)),
	}
	for i, e := range s.Detailed {
		object.Detailed[i] = cutoffObject{Cutoff: e.Cutoff, MinCount: count(e.MinCount), NumCounts: e.NumCounts}
	}
	return object
}

func thresholdsOf(t analyze.Thresholds, count func(uint64) site.Exact) thresholdsObject {
	return thresholdsObject{Hot: count(t.Hot), Cold: count(t.Cold), NumHot: t.NumHot}
}
