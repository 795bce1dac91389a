package instrdb

import (
	"cmp"
	"fmt"

	"proflens/analyze"
	"proflens/decode/instrprof"
	"proflens/decode/model"
	"proflens/profile/figure"
	"proflens/profile/stored"
)

// Overview is everything about the function records that is not a row of a
// table.
type Overview struct {
	Info instrprof.Info // of the first input, with binary ids and vtable names of all

	Counts       `api:"-"`
	Quality      analyze.QualityFigures
	Summary      instrprof.Summary   `api:"summary"` // of the plain records
	CSSummary    *instrprof.Summary  `api:"cs_summary"`
	Thresholds   analyze.Thresholds  `api:"thresholds"`
	CSThresholds *analyze.Thresholds `api:"cs_thresholds"`

	Repeats uint64 // records that the only file has again, and that were added to the first of their name and hash
	Beside  bool   // another part of the profile says where they are, and has more by line
	MaxAt   *Row   // the record with the largest counter; nil when there is none

	// Histogram counts the counters by magnitude: [0] those that are 0, [i]
	// those in 2^(i-1) .. 2^i-1.
	Histogram [65]uint64 `api:"histogram" is:"list 65..65"`
	// Curve is the share of the total held by the first n records of the
	// default order, at about 200 values of n spread evenly over log n, the
	// first and the last among them.
	Curve []analyze.CurvePoint `api:"curve"`
	// Hot90 and Hot99 are the least n whose share reaches 90 % and 99 %.
	Hot90 int `api:"hot90" doc:"Functions that hold 90 % of the total."`
	Hot99 int `api:"hot99" doc:"Functions that hold 99 % of the total."`
}

// Counts are how many there are of something.
type Counts struct {
	Functions   int                `api:"functions"`      // records
	Names       int                `api:"names"`          // distinct names with a record
	NeverRan    int                `api:"never_executed"` // records with every counter 0
	Placed      int                `api:"placed" doc:"Function records of which file and line are known."`
	Classes     Classes            `api:"classes"`
	Counters    uint64             `api:"counters"`
	Zero        uint64             `api:"zero"` // counters that are 0
	Total       analyze.Sum        `api:"total"`
	Max         uint64             `api:"max,exact"`
	Sites       analyze.ValueSites `api:"value_sites"`
	BitmapBytes uint64             `api:"bitmap_bytes"`
	Traces      int                `api:"traces"`
}

// Classes are how many records have a class.
type Classes map[analyze.Class]int

// API implements [figure.Presenter].
func (c Classes) API() any {
	classes := map[string]int{}
	for class, n := range c {
		classes[cmp.Or(string(class), "none")] = n
	}
	return classes
}

// Tells implements [figure.Teller].
func (o *Overview) Tells(field string) bool {
	switch field {
	case "AllOnes":
		return !o.Info.Variant.Has(instrprof.ByteCoverage)
	case "EntryZero":
		return analyze.HasEntry(o.Info.Variant)
	case "Total", "Functions-NeverRan":
		return o.Functions > 0
	case "Thresholds.Hot", "Thresholds.Cold":
		return o.Thresholds.Hot > 0
	case "CSThresholds.Hot", "CSThresholds.Cold":
		return o.CSThresholds != nil && o.CSThresholds.Hot > 0
	}
	return true
}

// Figures are those of an instrumentation profile.
var Figures = figure.Declare(figure.List{
	Overview:  figure.Overview(Of),
	Tiles:     "functions counters total max hot cold sites",
	Text:      "functions counters total max hot? cold? cs-hot? cs-cold? sites",
	Card:      "functions executed? total?",
	Functions: `one:"function" many:"functions"`,
	Total:     `one:"count" many:"counts" unit:"count"`,
	Figures: []string{
		`name:"total" label:"Total count" of:"Total" unit:"count" how:"total the total" measure:"total" better:"more"
			counts:"sum of all counters"`,
		`name:"functions" label:"Functions" one:"function" of:"Functions" how:"functions the number of functions"
			note:"{NeverRan|all executed|# never executed|# never executed}" text-note:"{NeverRan} never executed"
			url:"{NeverRan?/functions?class=never}" measure:"functions" better:"more"
			counts:"function records"`,
		`name:"executed" label:"Executed" of:"Functions-NeverRan" whole:"Functions" unit:"share"
			measure:"functions_run" measured:"Functions that ran" better:"more"
			counts:"part of the records with a counter above 0"`,
		`label:"Counters above zero" of:"Counters-Zero" whole:"Counters" measure:"counters_run" better:"more"
			counts:"part of the counters above 0"`,
		`label:"Hot functions" of:"Classes.hot" measure:"hot_functions"
			counts:"records whose [class](#class) is hot"`,
		`name:"counters" label:"Counters" of:"Counters" how:"counters the number of counters" text-note:"{Zero} are zero"`,
		`name:"max" label:"Maximum counter" of:"Max" unit:"count" how:"max the maximum"`,
		`name:"hot" label:"Hot threshold" of:"Thresholds.Hot" unit:"count"
			how:"thresholds the hot threshold" note:"99 % cutoff"
			text-note:"99 % cutoff, reached by {Thresholds.NumHot|# counter|# counters}"
			title:"the compiler treats a function as hot if any counter reaches this"`,
		`name:"cold" label:"Cold threshold" of:"Thresholds.Cold" unit:"count" how:"thresholds the cold threshold"
			note:"99.9999 % cutoff" title:"the compiler treats a function as cold if no counter exceeds this"`,
		`name:"cs-hot" text:"hot threshold, CS" of:"CSThresholds.Hot"
			note:"99 % cutoff, reached by {CSThresholds.NumHot|# counter|# counters}"`,
		`name:"cs-cold" text:"cold threshold, CS" of:"CSThresholds.Cold" note:"99.9999 % cutoff"`,
		`name:"sites" label:"Value sites" of:"Sites.0+Sites.1+Sites.2" how:"values a value site's share"`,
	},
})

// Classify gives a record's class by the thresholds of its own summary.
func (o *Overview) Classify(s *analyze.Stats) analyze.Class {
	if s.CS && o.CSThresholds != nil {
		return o.CSThresholds.Classify(s)
	}
	return o.Thresholds.Classify(s)
}

// HasVTables reports whether the profile names, places or saw vtables.
func (o *Overview) HasVTables() bool {
	return len(o.Info.VTableNames)+len(o.Info.VTables) > 0 || o.Sites[instrprof.VTableTarget] > 0
}

// FileRecords is how many records the file has, those of one name and FuncHash
// counted one by one, as llvm-profdata show does. Of several files it is Functions.
func (o *Overview) FileRecords() uint64 { return uint64(o.Functions) + o.Repeats }

// number is a number of the overview that stands in the table meta, and where it
// is kept.
type number struct {
	key   string
	value *uint64
}

// numbers are those that are kept as they are.
func (o *Overview) numbers() []number {
	q := &o.Quality
	list := []number{
		{"records", &o.Info.Records}, {"trace_stream_size", &o.Info.TraceStreamSize},
		{"memprof_offset", &o.Info.MemProfSection.Offset}, {"memprof_size", &o.Info.MemProfSection.Size},
		{"counters", &o.Counters}, {"zero", &o.Zero}, {"total_low", &o.Total.Lo}, {"total_high", &o.Total.Hi},
		{"max", &o.Max}, {"bitmap_bytes", &o.BitmapBytes}, {"repeats", &o.Repeats},
		{"quality_saturated_counters", &q.SaturatedCounters}, {"quality_saturated", &q.Saturated},
		{"quality_all_ones", &q.AllOnes},
		{"quality_entry_zero", &q.EntryZero}, {"quality_no_name", &q.NoName},
		{"quality_several_hashes", &q.SeveralHashes}, {"quality_hash_records", &q.HashRecords},
	}
	for kind := range o.Sites {
		list = append(list, number{fmt.Sprintf("sites_%d", kind), &o.Sites[kind]},
			number{fmt.Sprintf("quality_full_sites_%d", kind), &q.FullSites[kind]},
			number{fmt.Sprintf("quality_short_sites_%d", kind), &q.ShortSites[kind]})
	}
	return list
}

// count is a count of records that stands in the table meta.
type count struct {
	key   string
	value *int
}

func (o *Overview) counts() []count {
	return []count{
		{"functions", &o.Functions}, {"names", &o.Names}, {"never_ran", &o.NeverRan}, {"placed", &o.Placed},
		{"traces", &o.Traces}, {"hot90", &o.Hot90}, {"hot99", &o.Hot99},
	}
}

var classes = [...]analyze.Class{analyze.NoClass, analyze.Hot, analyze.Warm, analyze.Cold, analyze.Never}

func (p *Profile) readOverview() (*Overview, error) {
	m := p.Meta()
	o := &Overview{Counts: Counts{Classes: Classes{}}, Info: instrprof.Info{
		Info: p.Profile.Overview.Info, Variant: instrprof.Variant(m.Number("variant")),
		ExplicitFE:     m.Number("explicit_fe") != 0,
		MemProfSection: model.Section{Name: m.Word("memprof_section")},
	}}
	o.Beside = m.Number("placed_beside") != 0
	for _, n := range o.numbers() {
		*n.value = m.Number(n.key)
	}
	for _, n := range o.counts() {
		*n.value = m.Int(n.key)
	}
	for _, class := range classes {
		if n := m.Int("class_" + string(class)); n > 0 {
			o.Classes[class] = n
		}
	}
	for _, read := range []func(*Overview) error{p.readSummaries, p.readDistributions} {
		if err := read(o); err != nil {
			return nil, err
		}
	}
	return o, p.readVTables(o)
}

func (p *Profile) readVTables(o *Overview) error {
	err := p.Walk("vtable", func(row *stored.Row) { o.Info.VTableNames = append(o.Info.VTableNames, row.Blob(2)) })
	if err != nil {
		return err
	}
	o.Info.VTables, err = stored.FillRows(p.Profile, "vtable_range", rangeColumns)
	return err
}

// summaryColumns are those of the table summary, in the schema's order.
func summaryColumns(from *string, cs *bool, s *instrprof.Summary) []any {
	return []any{
		from, cs, &s.NumFunctions, &s.NumCounts, &s.MaxFunctionCount, &s.MaxCount, &s.MaxInternalCount, &s.TotalCount,
	}
}

// rangeColumns are those of the table vtable_range.
func rangeColumns(v *instrprof.VTable) []any { return []any{&v.NameRef, &v.Address, &v.Size} }

func (p *Profile) readSummaries(o *Overview) error {
	var all []*instrprof.Summary
	err := p.Walk("summary", func(row *stored.Row) {
		s, from, cs := &instrprof.Summary{}, "", false
		row.Fill(summaryColumns(&from, &cs, s)...)
		all = append(all, s)
		switch computed := from == "records"; {
		case computed && cs:
			o.CSSummary = s
		case computed:
			all[len(all)-1] = &o.Summary
			o.Summary = *s
		case cs:
			o.Info.CSSummary = s
		default:
			o.Info.Summary = s
		}
	})
	if err != nil {
		return err
	}
	err = p.Walk("summary_entry", func(row *stored.Row) {
		if i := row.Int(1) - 1; i >= 0 && i < int64(len(all)) {
			all[i].Detailed = append(all[i].Detailed, instrprof.SummaryEntry{
				Cutoff: row.Uint(2), MinCount: row.Uint(3), NumCounts: row.Uint(4),
			})
		}
	})
	o.Thresholds = analyze.ThresholdsOf(&o.Summary)
	if o.CSSummary != nil {
		o.CSThresholds = new(analyze.ThresholdsOf(o.CSSummary))
	}
	return err
}

func (p *Profile) readDistributions(o *Overview) error {
	err := p.Walk("histogram", func(row *stored.Row) {
		if row.ID >= 0 && row.ID < int64(len(o.Histogram)) {
			o.Histogram[row.ID] = row.Uint(1)
		}
	})
	if err != nil {
		return err
	}
	return p.Walk("curve", func(row *stored.Row) {
		o.Curve = append(o.Curve, analyze.CurvePoint{N: int(row.ID), Share: row.Real(1)})
	})
}

// maxAt reads the record with the largest counter, nil where there is none.
func (p *Profile) maxAt() (*Row, error) {
	rank := p.Meta().Int("max_at")
	if rank <= 0 {
		return nil, nil
	}
	row, err := stored.Find(p.function.Cursor(), rank)
	if err != nil {
		return nil, err
	}
	f, _, err := p.functionRow(row, nil)
	return &f, err
}
