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

// objectsSay is what the objects are.
const objectsSay = `
	=sampleweb.qualityObject
	.unlisted: Functions with counts that the list of symbols lacks; null without a list.
	=sampleweb.sampleObject SampleFigures: Figures of sample profiles only.
	.program: How the profile stands in the programs given with it; null if none was.`

// sampleObject is what the API says of a sample profile as a whole.
type sampleObject struct {
	Flags     []string      `json:"flags"`
	Reader    *int          `json:"reader" doc:"Newest release of LLVM that reads the file; null for today's."`
	Functions int           `json:"functions"`
	Entries   int           `json:"entries" doc:"Functions, or contexts of them."`
	Sampled   int           `json:"sampled" doc:"Functions with counts of their own, inlined ones too."`
	Samples   site.Exact    `json:"samples" doc:"Sum of all counts."`
	Inlined   site.Exact    `json:"inlined" doc:"Of these, counts of inlined functions."`
	Max       site.Exact    `json:"max"`
	MaxFID    *string       `json:"max_fid" is:"fid" doc:"Function with the largest count."`
	HotCount  site.Exact    `json:"hot_count" doc:"Smallest hot count, by the summary; 0 if it does not say."`
	ColdCount site.Exact    `json:"cold_count" doc:"Largest cold count."`
	Places    placesObject  `json:"places"`
	Summary   summaryObject `json:"summary"`
	Quality   qualityObject `json:"quality"`
	Symbols   *int          `json:"symbols" doc:"Symbols in the list; null without a list."`
	Program   *program      `json:"program"` // null where none was given
}

// placesObject are the places that have a count.
type placesObject struct {
	All     int `json:"all" doc:"Places with a count."`
	Zero    int `json:"zero" doc:"Of these, with 0."`
	One     int `json:"one" doc:"Of these, with 1."`
	Targets int `json:"targets" doc:"Functions called from them, place by place."`
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
	Hashed        int        `json:"hashed" doc:"Names known by their MD5."`
	Named         int        `json:"named" doc:"Of these, names that a program or a list gave back."`
	HashedSamples site.Exact `json:"hashed_samples" doc:"Counts of functions that stay without a name."`
	Heads         site.Exact `json:"heads" doc:"Head samples of all functions."`
	HeadFunctions int        `json:"head_functions" doc:"Functions with head samples."`
	EqualHeads    int        `json:"equal_heads" doc:"Of these, functions with the commonest number."`
	Empty         int        `json:"empty" doc:"Functions with a total and no count."`
	EmptyTotal    site.Exact `json:"empty_total"`
	AboveLine     int        `json:"above_line" doc:"Places that stand for lines above the function."`
	Unlisted      *int       `json:"unlisted"` // null without a list of symbols
	Never         *int       `json:"never" doc:"Symbols of the list without a count; null without a list."`
}

// program is how the profile stands in the programs that were given.
type program struct {
	Files          []string             `json:"files"`
	Probes         int                  `json:"probes" doc:"Functions with a pseudo-probe descriptor."`
	Defined        int                  `json:"defined" doc:"Functions that the programs define."`
	DefinedSampled int                  `json:"defined_sampled" doc:"Of these, functions with counts."`
	Fits           map[string]fitObject `json:"fits"`
}

type fitObject struct {
	Samples   site.Exact `json:"samples"`
	Functions int        `json:"functions"`
}

// inProfile is what it adds to the object of a profile.
type inProfile struct {
	Sample *sampleObject `json:"sample" is:"!"`
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
	return inProfile{newObject(m.Overview, largest, quote)}, nil
}

func newObject(o *sampledb.Overview, largest *sampledb.Name, quote bool) *sampleObject {
	count := func(n uint64) site.Exact { return site.Exactly(quote)(strconv.FormatUint(n, 10)) }
	sum := func(s analyze.Sum) site.Exact { return site.Exactly(quote)(s.String()) }
	s, q := &o.Summary, &o.Quality
	m := &sampleObject{
		Flags: append([]string{}, o.Flags.Words()...), Functions: o.Functions, Entries: o.Entries, Sampled: o.Sampled,
		Samples: sum(o.Samples), Inlined: sum(o.Inlined), Max: count(o.Max), HotCount: count(o.HotCount),
		ColdCount: count(o.ColdCount),
		Places:    placesObject{o.Places.All, o.Places.Zero, o.Places.One, o.Places.Targets},
		Summary: summaryObject{
			o.OwnSummary, count(s.Total), count(s.MaxCount), count(s.MaxFunction), count(s.Counts), count(s.Functions),
		},
		Quality: qualityObject{
			Hashed: q.Hashed, Named: q.Named, HashedSamples: count(q.HashedOwn), Heads: count(q.Heads),
			HeadFunctions: q.HeadFunctions, EqualHeads: q.EqualHeads,
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
		m.Program = &program{
			Files: g.Files, Probes: g.Probes, Defined: g.Defined, DefinedSampled: g.DefinedSampled, Fits: map[string]fitObject{},
		}
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
