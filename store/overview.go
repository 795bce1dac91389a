package store

import (
	"proflens/analyze"
	"proflens/decode/instrprof"
	"proflens/decode/model"
)

// Overview is everything about a profile that is not a row of a table.
type Overview struct {
	Info     instrprof.Info // of the first input, with binary ids and vtable names of all
	Describe string         // Info.Describe
	Inputs   []InputInfo
	Findings []model.Finding

	Summary      instrprof.Summary // of the plain records
	CSSummary    *instrprof.Summary
	Thresholds   analyze.Thresholds
	CSThresholds *analyze.Thresholds

	Functions   int // records
	Names       int // distinct names with a record
	NeverRan    int // records with every counter 0
	Classes     map[analyze.Class]int
	Counters    uint64
	Zero        uint64 // counters that are 0
	Total       analyze.Sum
	Max         uint64
	MaxAt       *FunctionRow // the record with the largest counter; nil when there is none
	Sites       [instrprof.NumValueKinds]uint64
	BitmapBytes uint64
	Traces      int

	Quality analyze.QualityFigures

	// Histogram counts the counters by magnitude: [0] those that are 0, [i]
	// those in 2^(i-1) .. 2^i-1.
	Histogram [65]uint64
	// Curve is the share of the total held by the first n records of the
	// default order, at about 200 values of n spread evenly over log n, the
	// first and the last among them.
	Curve []CurvePoint
	// Hot90 and Hot99 are the least n whose share reaches 90 % and 99 %.
	Hot90, Hot99 int

	// MIP is what there is to say of a Machine IR Profile; nil in other families.
	MIP *MIPOverview
	// DCPI is what there is to say of a database of samples; nil in other families.
	DCPI *DCPIOverview
	// MemProf is what there is to say of a heap profile; nil where there is none.
	MemProf *HeapOverview

	// Storing is set on the preview of a profile whose tables are still being
	// written: it holds the first rows of the default order only.
	Storing bool
}

// CurvePoint is one point of the cumulative-share curve.
type CurvePoint = analyze.CurvePoint

// InputInfo is one file of a profile.
type InputInfo struct {
	Name     string
	SHA256   string // hex
	Size     int64  // bytes, unpacked
	Describe string // as recognised
	Format   model.Format
	Version  uint64
	Sections []model.Section // for the file card: name, offset, size
	Partial  *model.Partial  // what of it was read; nil for a whole file
}
