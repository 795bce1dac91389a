package sampledb

import (
	"strings"

	"proflens/analyze"
	"proflens/analyze/sample"
	"proflens/decode/model"
	"proflens/decode/sampleprof"
	"proflens/profile/figure"
	"proflens/profile/stored"
)

// Overview is what the overview says of a sample profile (sampleprof.md).
type Overview struct {
	Format  model.Format
	Version uint64
	Flags   sampleprof.Flags `api:"flags"`
	Reader  int              `api:"reader,null" doc:"Newest release of LLVM that reads the file; null for today's."`

	Functions  int           `api:"functions"` // names that entries have
	Entries    int           `api:"entries" doc:"Functions, or contexts of them."`
	Sampled    int           `api:"sampled" doc:"Functions with counts of their own, inlined ones too."`
	Samples    analyze.Sum   `api:"samples" doc:"Sum of all counts."` // all counts
	Inlined    analyze.Sum   `api:"inlined" doc:"Of these, counts of inlined functions."`
	Max        uint64        `api:"max,exact"` // the largest count
	MaxName    int           // id of the name of the function that it is in; 0 for none
	HotCount   uint64        `api:"hot_count,exact" doc:"Smallest hot count, by the summary; 0 if it does not say."`
	ColdCount  uint64        `api:"cold_count,exact" doc:"Largest cold count."` // the largest cold one
	Places     sample.Places `api:"places"`
	OwnSummary bool          // the file has a summary; else it is computed
	Summary    sampleprof.Summary
	Quality    sample.Quality `api:"quality"`
	// Symbols are -1 where the file has no list.
	Symbols  int `api:"symbols,optional" doc:"Symbols in the list; null without a list."`
	Sections []Section
	Program  Program `api:"program,optional"`
}

// Tells implements [figure.Teller].
func (o *Overview) Tells(field string) bool {
	switch field {
	case "Program":
		return o.Program.Given()
	case "Symbols", "Unlisted", "Never":
		return o.Symbols >= 0
	case "Inlined":
		return !o.Program.CanTell()
	}
	return !strings.HasPrefix(field, "Program.") || o.Program.Given() && o.Program.CanTell()
}

// Figures are those of a sample profile.
var Figures = figure.Declare(figure.List{
	Object:    "sample",
	Overview:  figure.Overview(Of),
	Tiles:     "samples functions max hot inlined",
	Text:      "samples functions inlined max hot lost? symbols?",
	Card:      "samples functions inlined? lost?",
	Functions: `one:"function" many:"functions"`,
	Total:     `one:"sample" many:"samples" unit:"count"`,
	Figures: []string{
		`name:"samples" label:"Samples" one:"sample" of:"Samples" unit:"count" note:"sum of all counts"
			how:"sample-total a total" measure:"total" better:"more"
			counts:"samples, of all functions"`,
		`name:"functions" label:"Functions" one:"function" of:"Functions" note:"{Sampled} with inlined ones"
			url:"/functions?among=sampled" measure:"functions" better:"more"
			counts:"functions of the profile, by name"`,
		`label:"Hot functions" measure:"hot_functions"
			counts:"functions that are [hot](#sample-hot)"`,
		`label:"Samples of stale functions" of:"Program.Fits.2.Samples" whole:"Samples"
			measure:"stale?" better:"less" needs:"the program"
			counts:"part of the samples that are [lost](#sample-lost) because functions changed"`,
		`label:"Samples of functions that are gone" of:"Program.Fits.3.Samples" whole:"Samples"
			measure:"gone?" better:"less" needs:"the program"
			counts:"part of the samples that are lost because functions are not in the program"`,
		`name:"max" label:"Maximum" of:"Max" unit:"count" text:"largest count"`,
		`name:"hot" label:"Hot threshold" of:"HotCount" unit:"least" note:"99 % cutoff" url:"/functions?heat=hot"
			how:"sample-hot hot and cold" text:"hot from" text-note:"by the summary"`,
		`name:"inlined" label:"Inlined" of:"Inlined" whole:"Samples" unit:"share" how:"sample-body a number of own samples"
			note:"of the samples are in inlined bodies" text-note:"of the samples, {Inlined/Samples}"`,
		`name:"lost" label:"Lost on the program" of:"Program.Fits.2.Samples+Program.Fits.3.Samples" whole:"Samples"
			unit:"share" text:"lost"
			text-note:"{Program.Fits.2.Samples+Program.Fits.3.Samples/Samples}, of functions that are stale or gone"`,
		`name:"symbols" label:"Symbols" of:"Symbols" note:"{Quality.Never} without a sample"`,
	},
})

// Has reports whether the profile has all of some flags.
func (o *Overview) Has(f sampleprof.Flags) bool { return o.Flags.Has(f) }

// Listed is how many symbols of the program are known, and how many of them have no sample: by the list
// in the file or, without one, by the programs; -1 where there is neither.
func (o *Overview) Listed() (symbols, never int) {
	if defined := o.Program.Defined; o.Symbols < 0 && defined > 0 {
		return defined, defined - o.Program.DefinedSampled
	}
	return o.Symbols, o.Quality.Never
}

// Hot reports whether a largest count makes a function hot.
func (o *Overview) Hot(most uint64) bool { return o.HotCount > 0 && most >= o.HotCount }

// Cold reports whether a largest count makes a function cold.
func (o *Overview) Cold(most uint64) bool { return most <= o.ColdCount }

// Program is how a profile's functions stand in the programs that were given with it.
type Program struct {
	Files          []string `api:"files"` // programs and lists of symbols; none were given
	Probes         int      `api:"probes" doc:"Functions with a pseudo-probe descriptor."`
	Defined        int      `api:"defined" doc:"Functions that the programs define."` // functions
	DefinedSampled int      `api:"defined_sampled" doc:"Of these, functions with counts."`
	Fits           Fits     `api:"fits"`
}

// Fits are by sampleprof.Fit.
type Fits [4]Fit

// API implements [figure.Presenter].
func (f Fits) API() any {
	return map[string]Fit{
		"unknown": f[sampleprof.FitUnknown], "same": f[sampleprof.FitSame], "stale": f[sampleprof.FitStale],
		"gone": f[sampleprof.FitGone],
	}
}

// Fit is what stands so in the programs.
type Fit struct {
	Samples   uint64 `api:"samples,exact"`
	Functions int    `api:"functions"` // with counts of their own
}

// Given reports whether there are any.
func (p *Program) Given() bool { return len(p.Files) > 0 }

// CanTell reports whether they say anything of the profile's functions.
func (p *Program) CanTell() bool {
	return p.Fits[sampleprof.FitSame].Functions+p.Fits[sampleprof.FitStale].Functions+
		p.Fits[sampleprof.FitGone].Functions > 0
}

// columns are those of the table sample, in the schema's order; files are the programs', a
// line each.
func (o *Overview) columns(files *string) []any {
	places, s, q, of := &o.Places, &o.Summary, &o.Quality, &o.Program
	return []any{
		&o.Format, &o.Version, &o.Flags, &o.Reader, &o.Entries, &o.Functions, &o.Sampled, &o.Samples, &o.Inlined, &o.Max,
		&o.MaxName, &places.All, &places.Zero, &places.One, &places.Targets, &o.HotCount, &o.ColdCount, &o.OwnSummary,
		&s.Total, &s.MaxCount, &s.MaxFunction, &s.Counts, &s.Functions, &o.Symbols,
		&q.Hashed, &q.Named, &q.HashedOwn, &q.Heads, &q.HeadFunctions, &q.EqualHeads, &q.Empty, &q.EmptyTotal, &q.Odd,
		&q.Unlisted, &q.Never, files, &of.Probes, &of.Defined, &of.DefinedSampled,
	}
}

// entryColumns are those of sample_summary, and columns those of sample_section.
func entryColumns(e *sampleprof.SummaryEntry) []any { return []any{&e.Cutoff, &e.MinCount, &e.Counts} }

func (s *Section) columns() []any { return []any{&s.Type, &s.Name, &s.Flags, &s.Offset, &s.Size} }

func readOverview(p *stored.Profile) (*Overview, error) {
	var files string
	o, err := stored.FillOne(p, "sample", func(o *Overview) []any { return o.columns(&files) })
	if err != nil {
		return nil, err
	}
	if files != "" {
		o.Program.Files = strings.Split(files, "\n")
	}
	if uint64(o.Entries) > maxRows {
		return nil, stored.Damaged("%d functions with samples", o.Entries)
	}
	err = p.Walk("sample_fit", func(row *stored.Row) {
		if i := row.ID - 1; i >= 0 && i < int64(len(o.Program.Fits)) {
			o.Program.Fits[i] = Fit{row.Uint(2), int(row.Int(3))}
		}
	})
	if err != nil {
		return nil, err
	}
	if o.Summary.Entries, err = stored.FillRows(p, "sample_summary", entryColumns); err != nil {
		return nil, err
	}
	o.Sections, err = stored.FillRows(p, "sample_section", (*Section).columns)
	return o, err
}
