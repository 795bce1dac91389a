package store

import (
	"context"

	"proflens/analyze"
	"proflens/decode/model"
)

// HeapContext is one allocation context, whole.
type HeapContext struct {
	HeapRow // with all frames, and the access histogram
	// Siblings are the other contexts of its site, those of the most bytes first,
	// at most MaxSiblings, of Contexts that the site has.
	Siblings []HeapRow
	Contexts int
	// Recorded are the functions under which an indexed profile has the context:
	// that of the leaf, and those that it is inlined into.
	Recorded []*HeapFunction
}

// MaxSiblings is how many other contexts of its site a context has.
const MaxSiblings = 100

// maxContextFrames bounds the frames of one context.
const maxContextFrames = 10_000

// HeapContext finds a context by its address. Thresholds are those of HeapQuery.
// The error is ErrNotFound when there is none, the context's, or about the file.
func (p *Profile) HeapContext(ctx context.Context, address uint64, t analyze.HeapThresholds) (*HeapContext, error) {
	h, err := p.heapIndex(ctx)
	if err != nil {
		return nil, err
	}
	for i, is := range h.contexts.address {
		if is == address {
			return p.heapContext(ctx, h, uint32(i), t)
		}
	}
	return nil, ErrNotFound
}

func (p *Profile) heapContext(ctx context.Context, h *heapIndex, i uint32, t analyze.HeapThresholds) (*HeapContext, error) {
	all, err := p.heapSelection(ctx, h, &HeapFilter{Thresholds: t})
	if err != nil {
		return nil, err
	}
	c := &HeapContext{HeapRow: h.row(i, all.classes, all.mixed, maxContextFrames), Contexts: 1}
	if c.MIB.Histogram, err = p.histogram(int(i) + 1); err != nil {
		return nil, err
	}
	for _, f := range c.Stack {
		c.Recorded = append(c.Recorded, f.HeapFunction)
		if !f.Inline {
			break
		}
	}
	if len(c.Stack) == 0 {
		return c, nil
	}
	site, err := p.Allocations(ctx, HeapQuery{HeapFilter: HeapFilter{Site: &c.Site, Thresholds: t}, Limit: MaxSiblings + 1})
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
	table, err := p.r.Table("mib")
	if err != nil {
		return nil, err
	}
	row, err := find(table.Cursor(), id)
	if err != nil || row.IsNull(mibHistogram) {
		return nil, err
	}
	packed, err := row.Bytes(mibHistogram)
	if err != nil {
		return nil, err
	}
	return readVector(nil, packed)
}

// HeapFunctionFigures is what a heap profile says of a function.
type HeapFunctionFigures struct {
	*HeapFunction
	Own  analyze.HeapTotals // contexts that it allocates
	All  analyze.HeapTotals // contexts that go through it
	Rows []HeapRow          // of Own, those of the most bytes first
}

// HeapOf finds what a heap profile says of a function, by its FID; rows are at
// most limit. The error is ErrNotFound when no stack has the function, the
// context's, or about the file.
func (p *Profile) HeapOf(ctx context.Context, fid uint64, limit int) (*HeapFunctionFigures, error) {
	h, err := p.heapIndex(ctx)
	if err != nil {
		return nil, err
	}
	n, ok := h.byFID[fid]
	if !ok {
		return nil, ErrNotFound
	}
	all, err := p.heapSelection(ctx, h, &HeapFilter{Function: &fid})
	if err != nil {
		return nil, err
	}
	own, err := p.Allocations(ctx, HeapQuery{HeapFilter: HeapFilter{Owner: &fid}, Limit: limit})
	if err != nil {
		return nil, err
	}
	return &HeapFunctionFigures{HeapFunction: &h.functions[n], Own: own.Totals, All: all.totals, Rows: own.Rows}, nil
}

// HeapFIDOf is the FID that a function has in heap profiles, by its linkage name.
func HeapFIDOf(linkage []byte) uint64 { return model.GUID(string(linkage)) }
