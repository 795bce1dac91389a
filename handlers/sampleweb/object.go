package sampleweb

import (
	"context"
	"strconv"

	"proflens/analyze"
	"proflens/decode/sampleprof"
	"proflens/handlers/site"
	"proflens/profiledb/sampledb"
	"proflens/profiledb/stored"
)

// sampleObject is what the API says of a sample profile as a whole.
type sampleObject struct {
	Flags     []string      `json:"flags"`
	Reader    *int          `json:"reader"` // newest release of LLVM that reads the file; null for today's
	Functions int           `json:"functions"`
	Entries   int           `json:"entries"` // functions, or contexts of them
	Sampled   int           `json:"sampled"` // functions with counts of their own, inlined ones too
	Samples   site.Exact    `json:"samples"` // all counts
	Inlined   site.Exact    `json:"inlined"` // of these, counts of inlined functions
	Max       site.Exact    `json:"max"`
	MaxFID    *string       `json:"max_fid"` // of the function that it is in; null for none
	HotCount  site.Exact    `json:"hot_count"`
	ColdCount site.Exact    `json:"cold_count"`
	Places    placesObject  `json:"places"`
	Summary   summaryObject `json:"summary"`
	Quality   qualityObject `json:"quality"`
	Symbols   *int          `json:"symbols"` // null where the file has no list
	Program   *program      `json:"program"` // null where none was given
}

// placesObject are the places that have a count.
type placesObject struct {
	All     int `json:"all"`
	Zero    int `json:"zero"`
	One     int `json:"one"`
	Targets int `json:"targets"`
}

// summaryObject is the summary without its cutoffs, which are a table.
type summaryObject struct {
	InFile      bool       `json:"in_file"`
	TotalCount  site.Exact `json:"total_count"`
	MaxCount    site.Exact `json:"max_count"`
	MaxFunction site.Exact `json:"max_function"`
	NumCounts   site.Exact `json:"num_counts"`
	Functions   site.Exact `json:"functions"`
}

// qualityObject are the figures by which a profile is trusted.
type qualityObject struct {
	Hashed        int        `json:"hashed"`
	Named         int        `json:"named"`
	HashedSamples site.Exact `json:"hashed_samples"`
	Heads         site.Exact `json:"heads"`
	HeadFunctions int        `json:"head_functions"`
	EqualHeads    int        `json:"equal_heads"`
	Empty         int        `json:"empty"`
	EmptyTotal    site.Exact `json:"empty_total"`
	AboveLine     int        `json:"above_line"`
	Unlisted      *int       `json:"unlisted"` // null without a list of symbols
	Never         *int       `json:"never"`    // likewise
}

// program is how the profile stands in the programs that were given.
type program struct {
	Files          []string             `json:"files"`
	Probes         int                  `json:"probes"`
	Defined        int                  `json:"defined"`
	DefinedSampled int                  `json:"defined_sampled"`
	Fits           map[string]fitObject `json:"fits"`
}

type fitObject struct {
	Samples   site.Exact `json:"samples"`
	Functions int        `json:"functions"`
}

func objectOf(_ context.Context, p *stored.Profile, quote bool) (any, error) {
	m, err := sampledb.Of(p)
	if err != nil {
		return nil, err
	}
	largest, err := m.Largest() // all names may be too much
	if err != nil {
		return nil, err
	}
	return struct {
		Sample *sampleObject `json:"sample"`
	}{newObject(m.Overview, largest, quote)}, nil
}

func newObject(o *sampledb.Overview, largest *sampledb.Name, quote bool) *sampleObject {
	count := func(n uint64) site.Exact { return site.Exactly(quote)(strconv.FormatUint(n, 10)) }
	sum := func(s analyze.Sum) site.Exact { return site.Exactly(quote)(s.String()) }
	s, q := &o.Summary, &o.Quality
	m := &sampleObject{
		Flags: append([]string{}, o.Flags.Words()...), Functions: o.Functions, Entries: o.Entries, Sampled: o.Sampled,
		Samples: sum(o.Samples), Inlined: sum(o.Inlined), Max: count(o.Max), HotCount: count(o.HotCount), ColdCount: count(o.ColdCount),
		Places:  placesObject{o.Places.All, o.Places.Zero, o.Places.One, o.Places.Targets},
		Summary: summaryObject{o.OwnSummary, count(s.Total), count(s.MaxCount), count(s.MaxFunction), count(s.Counts), count(s.Functions)},
		Quality: qualityObject{
			Hashed: q.Hashed, Named: q.Named, HashedSamples: count(q.HashedOwn), Heads: count(q.Heads), HeadFunctions: q.HeadFunctions, EqualHeads: q.EqualHeads,
			Empty: q.Empty, EmptyTotal: count(q.EmptyTotal), AboveLine: q.Odd,
		},
	}
	if o.Reader > 0 {
		m.Reader = &o.Reader
	}
	if largest != nil {
		fid := site.FID(largest.GUID)
		m.MaxFID = &fid
	}
	if o.Symbols >= 0 {
		m.Symbols, m.Quality.Unlisted, m.Quality.Never = &o.Symbols, &q.Unlisted, &q.Never
	}
	if g := &o.Program; g.Given() {
		m.Program = &program{Files: g.Files, Probes: g.Probes, Defined: g.Defined, DefinedSampled: g.DefinedSampled, Fits: map[string]fitObject{}}
		for word, fit := range fitWords {
			m.Program.Fits[word] = fitObject{count(g.Fits[fit].Samples), g.Fits[fit].Functions}
		}
	}
	return m
}

// lost are the samples that compilers cannot use on the programs that were given, as a
// share of all.
func lost(o *sampledb.Overview) (samples uint64, share float64) {
	samples = sampleprof.Add(o.Program.Fits[sampleprof.FitStale].Samples, o.Program.Fits[sampleprof.FitGone].Samples)
	return samples, site.Part(float64(samples), o.Samples.Float64())
}
