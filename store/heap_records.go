package store

import (
	"cmp"
	"context"
	"encoding/binary"
	"slices"

	"proflens/decode/memprof"
)

// HeapCallSite is a call on the way to an allocation, as an indexed profile has
// it of a function (memprof.md §3.8).
type HeapCallSite struct {
	Index    int           // from 0, in the file's order
	Function *HeapFunction // that has it
	Stack    []HeapFrame   // frames that one address was inlined from, leaf first, at most MaxRowFrames
	Callees  []*HeapFunction
}

// HeapCallSites returns some call sites from an offset on, in the file's order.
// The error is ErrNotFound for a profile without a heap profile, the context's,
// or about the file.
func (p *Profile) HeapCallSites(ctx context.Context, offset, limit int) ([]HeapCallSite, error) {
	h, err := p.heapIndex(ctx)
	if err != nil {
		return nil, err
	}
	table, err := p.r.Table("heap_call_site")
	if err != nil {
		return nil, err
	}
	from, to := clamp(offset, limit, h.overview.CallSites)
	sites := make([]HeapCallSite, 0, to-from)
	c := table.Cursor()
	for i := from; i < to; i++ {
		if i%checkEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		row, err := find(c, i+1)
		if err != nil {
			return nil, err
		}
		stack := row.Int(2) - 1
		if stack >= int64(len(h.frame)) || stack < -1 {
			return nil, errOr(nil, "call site %d has stack %d of %d", row.ID, stack+1, len(h.frame))
		}
		site := HeapCallSite{Index: i, Function: h.byGUID(row.Uint(1)), Stack: h.frames(int32(stack), MaxRowFrames)}
		callees, err := row.Bytes(3)
		if err != nil {
			return nil, err
		}
		for ; len(callees) >= 8; callees = callees[8:] {
			site.Callees = append(site.Callees, h.byGUID(binary.LittleEndian.Uint64(callees)))
		}
		sites = append(sites, site)
	}
	return sites, nil
}

// byGUID is the function with a GUID, which need not be in any stack.
func (h *heapIndex) byGUID(guid uint64) *HeapFunction {
	if n, ok := h.byFID[guid]; ok {
		return &h.functions[n]
	}
	return &HeapFunction{FID: guid, GUID: guid, Module: -1}
}

// HeapData is the data access profile, the most accessed data first and cold
// data in order; nil where there is none. It is shared: do not change it. The
// error is the context's, or about the file.
func (p *Profile) HeapData(ctx context.Context) (*memprof.DataAccess, error) {
	o, err := p.Overview(ctx)
	if err != nil || o.MemProf == nil || !o.MemProf.DataAccess {
		return nil, err
	}
	v, err := p.cached(ctx, "heap data", func() (any, int64, error) {
		d := &memprof.DataAccess{}
		records := map[int64]int{}
		size := int64(0)
		err := walk(p.r, "data_access", func(row *rowReader) {
			r := memprof.DataAccessRecord{Symbol: row.text(3), Hash: row.Uint(4), IsString: row.Int(2) != 0, AccessCount: row.Uint(5)}
			size += int64(len(r.Symbol)) + 80
			switch {
			case row.Int(1) == 0:
				records[row.ID] = len(d.Records)
				d.Records = append(d.Records, r)
			case r.IsString:
				d.ColdHashes = append(d.ColdHashes, r.Hash)
			default:
				d.ColdSymbols = append(d.ColdSymbols, r.Symbol)
			}
		})
		if err != nil {
			return nil, 0, err
		}
		err = walk(p.r, "data_location", func(row *rowReader) {
			if i, ok := records[row.Int(1)]; ok {
				l := memprof.DataLocation{File: row.text(2), Line: uint32(row.Uint(3))}
				size += int64(len(l.File)) + 24
				d.Records[i].Locations = append(d.Records[i].Locations, l)
			}
		})
		slices.SortStableFunc(d.Records, func(a, b memprof.DataAccessRecord) int { return cmp.Compare(b.AccessCount, a.AccessCount) })
		slices.Sort(d.ColdSymbols)
		slices.Sort(d.ColdHashes)
		return d, size, err
	})
	if err != nil {
		return nil, err
	}
	return v.(*memprof.DataAccess), nil
}
