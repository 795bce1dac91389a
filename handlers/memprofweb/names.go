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

// lineURL is the page of a source file at a line; empty where either is not known.
func (n frameNames) lineURL(file string, line uint32) string {
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

// function is a function's name, or its module and address.
func (n frameNames) function(f *memprofdb.Function) humanize.Name {
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

func hexDigits(b []byte) string {
	const digits = "0123456789abcdef"
	out := make([]byte, 0, 2*len(b))
	for _, c := range b {
		out = append(out, digits[c>>4], digits[c&15])
	}
	return string(out)
}

// place is where a frame is in its source, or as much of it as is known.
func place(f *memprofdb.Frame) string {
	var text string
	switch {
	case f.File != "" && f.Line > 0:
		text = f.File + ":" + strconv.FormatUint(uint64(f.Line), 10)
	case f.File != "":
		text = f.File + " +" + strconv.FormatUint(uint64(f.LineOffset), 10)
	case f.GUID != 0 || f.Name != "":
		text = "line +" + strconv.FormatUint(uint64(f.LineOffset), 10)
	}
	if text != "" && f.Column > 0 {
		text += ":" + strconv.FormatUint(uint64(f.Column), 10)
	}
	return humanize.Printable(text)
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
