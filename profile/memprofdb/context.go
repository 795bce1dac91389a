package memprofdb

import (
	"context"
	"slices"

	"proflens/analyze"
	"proflens/profile/stored"
)

// Context is one allocation context, whole.
type Context struct {
	Row // with all frames, and the access histogram
	// Siblings are the other contexts of its site, those of the most bytes first,
	// at most MaxSiblings, of Contexts that the site has.
	Siblings []Row
	Contexts int
	// Recorded are the functions under which an indexed profile has the context:
	// that of the leaf, and those that it is inlined into.
	Recorded []*Function
}

// MaxSiblings is how many other contexts of its site a context has.
const MaxSiblings = 100

// maxContextFrames bounds the frames of one context.
const maxContextFrames = 10_000

// Context finds a context by its address. Thresholds are those of Filter. The
// error is stored.ErrNoPart when there is none, the context's, or about the
// file.
func (p *Profile) Context(ctx context.Context, address uint64, t analyze.MemProfThresholds) (*Context, error) {
	x, all, err := p.selected(ctx, &Filter{Thresholds: t})
	if err != nil {
		return nil, err
	}
	i := slices.Index(x.contexts.address, address)
	if i < 0 {
		return nil, stored.ErrNoPart
	}
	c := &Context{Row: x.row(uint32(i), all, maxContextFrames), Contexts: 1}
	if c.MIB.Histogram, err = p.histogram(i + 1); err != nil {
		return nil, err
	}
	for _, f := range c.Stack {
		c.Recorded = append(c.Recorded, f.Function)
		if !f.Inline {
			break
		}
	}
	if len(c.Stack) == 0 {
		return c, nil
	}
	site, err := p.Contexts(ctx, Query{Filter: Filter{Site: &c.Site, Thresholds: t}, Limit: MaxSiblings + 1})
	if err != nil {
		return nil, err
	}
	c.Contexts = site.Matching
	for _, row := range site.Rows {
		if row.Index != c.Index && len(c.Siblings) < MaxSiblings {
			c.Siblings = append(c.Siblings, row)
		}
	}
	return c, nil
}

// histogram is the accesses of a context's objects, eight bytes each; nil where
// none were recorded.
func (p *Profile) histogram(id int) ([]uint64, error) {
	row, err := p.RowOf("mib", id)
	if err != nil {
		return nil, err
	}
	return stored.Vector(nil, row, mibHistogram), row.Err()
}

// FunctionFigures is what a heap profile says of a function.
type FunctionFigures struct {
	*Function
	Own  analyze.MemProfTotals // contexts that it allocates
	All  analyze.MemProfTotals // contexts that go through it
	Rows []Row                 // of Own, those of the most bytes first
}

// Function finds what is said of a function, by its FID; rows are at most limit.
// The error is stored.ErrNoPart when no stack has the function, the context's,
// or about the file.
func (p *Profile) Function(ctx context.Context, fid uint64, limit int) (*FunctionFigures, error) {
	x, err := p.index(ctx)
	if err != nil {
		return nil, err
	}
	n, ok := x.byFID[fid]
	if !ok {
		return nil, stored.ErrNoPart
	}
	_, all, err := p.selected(ctx, &Filter{Function: &fid})
	if err != nil {
		return nil, err
	}
	own, err := p.Contexts(ctx, Query{Filter: Filter{Owner: &fid}, Limit: limit})
	if err != nil {
		return nil, err
	}
	return &FunctionFigures{Function: &x.functions[n], Own: own.Totals, All: all.totals, Rows: own.Rows}, nil
}
