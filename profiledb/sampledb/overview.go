package sampledb

import (
	"strings"

	"proflens/analyze"
	"proflens/analyze/sample"
	"proflens/decode/model"
	"proflens/decode/sampleprof"
	"proflens/profiledb/stored"
)

// Overview is what the overview says of a sample profile (sampleprof.md).
type Overview struct {
	Format  model.Format
	Version uint64
	Flags   sampleprof.Flags
	Reader  int // newest release of LLVM that reads the file; 0 for today's

	Entries   int         // functions or, with calling contexts, contexts of them
	Functions int         // names that these have
	Sampled   int         // names with counts of their own, inlined or not
	Samples   analyze.Sum // all counts
	Inlined   analyze.Sum // of these, counts of inlined functions
	Max       uint64      // the largest count
	MaxName   int         // id of the name of the function that it is in; 0 for none
	Places    sample.Places
	// HotCount is the smallest hot count, ColdCount the largest cold one, by the summary.
	HotCount, ColdCount uint64
	OwnSummary          bool // the file has a summary; else it is computed
	Summary             sampleprof.Summary
	Symbols             int // -1 where the file has no list
	Quality             sample.Quality
	Sections            []Section
	Program             Program
}

// Has reports whether the profile has all of some flags.
func (o *Overview) Has(f sampleprof.Flags) bool { return o.Flags.Has(f) }

// Hot reports whether a largest count makes a function hot.
func (o *Overview) Hot(most uint64) bool { return o.HotCount > 0 && most >= o.HotCount }

// Cold reports whether a largest count makes a function cold.
func (o *Overview) Cold(most uint64) bool { return most <= o.ColdCount }

// Program is how a profile's functions stand in the programs that were given with it.
type Program struct {
	Files          []string // programs and lists of symbols; none were given
	Probes         int      // functions with a pseudo-probe descriptor
	Defined        int      // functions
	DefinedSampled int      // of these, functions with counts
	Fits           [4]Fit   // by sampleprof.Fit
}

// Fit is what stands so in the programs.
type Fit struct {
	Samples   uint64
	Functions int // with counts of their own
}

// Given reports whether there are any.
func (p *Program) Given() bool { return len(p.Files) > 0 }

// CanTell reports whether they say anything of the profile's functions.
func (p *Program) CanTell() bool {
	return p.Fits[sampleprof.FitSame].Functions+p.Fits[sampleprof.FitStale].Functions+p.Fits[sampleprof.FitGone].Functions > 0
}

func readOverview(p *stored.Profile) (*Overview, error) {
	var o *Overview
	err := p.Walk("sample", func(row *stored.Row) {
		at := 0
		number := func() uint64 { at++; return row.Uint(at) }
		count := func() int { return int(number()) }
		sum := func() analyze.Sum { low := number(); return analyze.Sum{Lo: low, Hi: number()} }
		word := func() string { at++; return row.String(at) }
		o = &Overview{Format: model.Format(word()), Version: number(), Flags: sampleprof.Flags(number()), Reader: count(),
			Entries: count(), Functions: count(), Sampled: count(), Samples: sum(), Inlined: sum(), Max: number(),
			MaxName:  count(),
			Places:   sample.Places{All: count(), Zero: count(), One: count(), Targets: count()},
			HotCount: number(), ColdCount: number(), OwnSummary: number() != 0,
			Summary: sampleprof.Summary{
				Total: number(), MaxCount: number(), MaxFunction: number(), Counts: number(), Functions: number(),
			},
			Symbols: count(),
			Quality: sample.Quality{Hashed: count(), Named: count(), HashedOwn: number(), Heads: number(),
				HeadFunctions: count(), EqualHeads: count(),
				Empty: count(), EmptyTotal: number(), Odd: count(), Unlisted: count(), Never: count()},
		}
		if files := word(); files != "" {
			o.Program.Files = strings.Split(files, "\n")
		}
		o.Program.Probes, o.Program.Defined, o.Program.DefinedSampled = count(), count(), count()
		if uint64(o.Entries) > maxRows {
			row.Fail(stored.Damaged("%d functions with samples", o.Entries))
		}
	})
	if err == nil && o == nil {
		err = stored.Damaged("sample has no row")
	}
	if err != nil {
		return nil, err
	}
	err = p.Walk("sample_fit", func(row *stored.Row) {
		if i := row.ID - 1; i >= 0 && i < int64(len(o.Program.Fits)) {
			o.Program.Fits[i] = Fit{row.Uint(2), int(row.Int(3))}
		}
	})
	if err != nil {
		return nil, err
	}
	err = p.Walk("sample_summary", func(row *stored.Row) {
		o.Summary.Entries = append(o.Summary.Entries, sampleprof.SummaryEntry{
			Cutoff: row.Uint(1), MinCount: row.Uint(2), Counts: row.Uint(3),
		})
	})
	if err != nil {
		return nil, err
	}
	return o, p.Walk("sample_section", func(row *stored.Row) {
		o.Sections = append(o.Sections, Section{
			Type: row.Uint(1), Name: row.String(2), Flags: row.String(3), Offset: row.Uint(4), Size: row.Uint(5),
		})
	})
}
