package memprofweb

import (
	"context"
	"net/http"
	"strconv"

	"proflens/analyze"
	"proflens/analyze/sources"
	"proflens/decode/memprof"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/names"
	"proflens/profile/memprofdb"
)

// frameNames writes the functions of call stacks, and what stands for them.
type frameNames struct {
	site.Symbols
	modules []memprofdb.Module
	base    string // "/p/{id}", for links to lines; empty for none
}

// LineURL implements [memprofview.Names].
func (n frameNames) LineURL(file string, line uint32) string {
	if n.base == "" || file == "" || line == 0 {
		return ""
	}
	return site.LineURL(n.base, sources.Clean(file), line)
}

// heapNames are the names of the request's profile.
func (s *handler) heapNames(ctx context.Context, p *memprofdb.Profile, mode site.Symbols) (frameNames, error) {
	modules, err := p.Modules(ctx)
	return frameNames{Symbols: mode, modules: modules}, err
}

// namesOf are the names of a page of a profile, whose lines have links.
func (s *handler) namesOf(ctx context.Context, r *http.Request, mode names.Mode) (frameNames, error) {
	n, err := s.heapNames(ctx, s.heap(r), s.Symbols(mode))
	n.base = s.Base(r)
	return n, err
}

// allContexts is what has no function.
const allContexts = "all allocation contexts"

// Short implements [memprofview.Names].
func (n frameNames) Short(f *memprofdb.Function) string {
	n.Mode = names.NoTemplates
	return n.Function(f).Whole()
}

// Function is a function's name, or its module and address.
func (n frameNames) Function(f *memprofdb.Function) humanize.Name {
	switch {
	case f == nil:
		return humanize.Name{Base: allContexts, Full: allContexts}
	case f.Name != "":
		return n.Name([]byte(f.Name), f.FID)
	case f.GUID != 0:
		return humanize.MissingName(f.GUID)
	case f.In != nil:
		text := f.In.Short() + "+0x" + strconv.FormatUint(f.Address, 16)
		return humanize.Name{Base: humanize.Printable(text), Full: humanize.Printable(text), Missing: true}
	}
	text := "0x" + strconv.FormatUint(f.Address, 16)
	return humanize.Name{Base: text, Full: text + " in no module", Missing: true}
}

// weightOf writes a weight of a flame graph.
func weightOf(w memprofdb.Weight, v analyze.Sum) humanize.Number {
	switch w {
	case memprofdb.WeightBytes:
		return humanize.SumBytes(v)
	case memprofdb.WeightLifetime:
		return humanize.ByteSeconds(v.String())
	}
	return humanize.SumCount(v)
}

// sumMeans are the means over the objects of totals, false where the profile
// lacks a field they need.
func sumMeans(t *analyze.MemProfTotals, schema memprof.MIBSchema) (lifetime, density float64, known [2]bool) {
	n := t.Allocations.Float64()
	if !schema.Has(memprof.AllocCount) || n == 0 {
		return 0, 0, known
	}
	known = [2]bool{schema.Has(memprof.TotalLifetime), schema.Has(memprof.TotalLifetimeAccessDensity)}
	return t.Lifetime.Float64() / n, t.Density.Float64() / n / 100, known
}
