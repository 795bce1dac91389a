package sampledb

import (
	"context"
	"slices"

	"proflens/analyze/sample"
	"proflens/decode/model"
	"proflens/decode/sampleprof"
	"proflens/internal/recovery"
	"proflens/profile/stored"
)

// tables is a sample profile with all that its tables add to it.
type tables struct {
	p        *sampleprof.Profile
	whole    *sample.Whole
	quality  sample.Quality
	summary  *sampleprof.Summary
	given    []string // by name: that of a hash
	listed   []bool   // by name: in the list of symbols
	symbols  []string // of the list or, without one, of the programs
	named    []int32  // by symbol: its name, or -1
	overview Overview
}

// newTables computes what the tables hold beside the profile itself. Names that are
// hashes get those that a program or a list of symbols knows.
func newTables(ctx context.Context, p *sampleprof.Profile) (*tables, error) {
	t := &tables{p: p}
	g, working := recovery.WithContext(ctx)
	g.Go(func() error { t.whole = sample.Names(p); return working.Err() })
	g.Go(func() error { t.summary = sample.Summary(p); return working.Err() })
	if err := g.Wait(); err != nil {
		return nil, err
	}
	t.quality = sample.QualityOf(p, t.whole)
	t.giveNames()
	t.findListed()
	t.overview = t.figures()
	return t, ctx.Err()
}

// giveNames finds names for hashes.
func (t *tables) giveNames() {
	t.given = make([]string, len(t.p.Names))
	for i, n := range t.p.Names {
		if _, hashed := n.Hashed(); hashed {
			t.given[i], _ = t.p.Program.NameOf(n)
		}
	}
}

// findListed joins names with the list of symbols; without one, with the functions of the programs.
func (t *tables) findListed() {
	t.symbols = t.p.Symbols
	if t.symbols == nil {
		t.p.Program.EachFunction(func(name string) { t.symbols = append(t.symbols, name) })
		slices.Sort(t.symbols)
	}
	at := make(map[uint64]int32, len(t.p.Names))
	for i, n := range t.p.Names {
		at[n.GUID()] = int32(i)
	}
	t.listed, t.named = make([]bool, len(t.p.Names)), make([]int32, len(t.symbols))
	for i, s := range t.symbols {
		t.named[i] = -1
		if n, ok := at[sampleprof.Hash(s)]; ok {
			t.named[i], t.listed[n] = n, t.p.Symbols != nil
		}
	}
}

// figures are those of the whole profile.
func (t *tables) figures() Overview {
	w := t.whole
	o := Overview{
		Format: t.p.Format, Version: t.p.Version, Flags: t.p.Flags, Reader: t.p.Reader,
		Entries: len(t.p.Functions), Functions: w.Functions, Sampled: w.Sampled, Samples: w.Sum, Inlined: w.Inlined,
		Max: w.Max, MaxName: w.MaxName + 1,
		Places: w.Figures, HotCount: sample.HotCount(t.summary), OwnSummary: t.p.Summary != nil, Summary: *t.summary,
		Symbols: len(t.p.Symbols), Quality: t.quality,
	}
	if t.p.Symbols == nil {
		o.Symbols = -1
	}
	if cold, ok := t.summary.MinCount(sample.ColdCutoff); ok {
		o.ColdCount = cold
	}
	for i := range w.Lost {
		o.Program.Fits[i] = Fit{w.Lost[i], w.LostNames[i]}
	}
	if g := t.p.Program; g != nil {
		o.Program.Files, o.Program.Probes = g.Files, g.Probes
		sampled := make(map[uint64]bool, w.Sampled)
		for i := range w.Names {
			if w.Names[i].Own() > 0 {
				sampled[t.p.Names[i].GUID()] = true
			}
		}
		g.EachFunction(func(name string) {
			o.Program.Defined++
			if sampled[sampleprof.Hash(name)] {
				o.Program.DefinedSampled++
			}
		})
	}
	return o
}

// Meta implements [stored.Prepared].
func (t *tables) Meta(*stored.MetaWriter) {}

// Findings implements [stored.Prepared].
func (t *tables) Findings() []model.Finding { return sample.Findings(t.p, t.whole, &t.quality) }

// Figures implements [stored.Prepared].
func (t *tables) Figures() stored.Counts {
	return stored.Counts{Functions: t.overview.Functions, Total: t.overview.Samples.String(), Magnitudes: t.whole.Counts}
}

// SourceFiles implements [stored.Sourced].
func (t *tables) SourceFiles() []string { return t.p.Program.SourceFiles() }
