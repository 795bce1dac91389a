package memprofdb

import (
	"cmp"
	"context"
	"encoding/binary"
	"slices"

	"proflens/decode/memprof"
	"proflens/profiledb/query"
	"proflens/profiledb/stored"
)

// CallSite is a call on the way to an allocation, as an indexed profile has it of
// a function (memprof.md §3.8).
type CallSite struct {
	Index    int       // from 0, in the file's order
	Function *Function // that has it
	Stack    []Frame   // frames that one address was inlined from, leaf first, at most MaxRowFrames
	Callees  []*Function
}

// CallSites returns some call sites from an offset on, in the file's order. The
// error is the context's, or about the file.
func (p *Profile) CallSites(ctx context.Context, offset, limit int) ([]CallSite, error) {
	x, err := p.index(ctx)
	if err != nil {
		return nil, err
	}
	table, err := p.Table("heap_call_site")
	if err != nil {
		return nil, err
	}
	from, to := query.Clamp(offset, limit, p.Overview.CallSites)
	sites := make([]CallSite, 0, to-from)
	c := table.Cursor()
	for i := from; i < to; i++ {
		if i%stored.CheckEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		row, err := stored.Find(c, i+1)
		if err != nil {
			return nil, err
		}
		stack := row.Int(2) - 1
		if stack >= int64(len(x.frame)) || stack < -1 {
			return nil, stored.Damaged("call site %d has stack %d of %d", row.ID, stack+1, len(x.frame))
		}
		site := CallSite{Index: i, Function: x.byGUID(row.Uint(1)), Stack: x.frames(int32(stack), MaxRowFrames)}
		callees, err := row.Bytes(3)
		if err != nil {
			return nil, err
		}
		for ; len(callees) >= 8; callees = callees[8:] {
			site.Callees = append(site.Callees, x.byGUID(binary.LittleEndian.Uint64(callees)))
		}
		sites = append(sites, site)
	}
	return sites, nil
}

// byGUID is the function with a GUID, which need not be in any stack.
func (x *index) byGUID(guid uint64) *Function {
	if n, ok := x.byFID[guid]; ok {
		return &x.functions[n]
	}
	return &Function{FID: guid, GUID: guid, Module: -1}
}

// Data is the data access profile, the most accessed data first and cold data in
// order; nil where there is none. It is shared: do not change it. The error is
// the context's, or about the file.
func (p *Profile) Data(ctx context.Context) (*memprof.DataAccess, error) {
	if !p.Overview.DataAccess {
		return nil, nil
	}
	return stored.Cached(ctx, p.Profile, "memprof data", func() (*memprof.DataAccess, int64, error) {
		d := &memprof.DataAccess{}
		records := map[int64]int{}
		size := int64(0)
		err := p.Walk("data_access", func(row *stored.Row) {
			r := memprof.DataAccessRecord{Symbol: row.String(3), Hash: row.Uint(4), IsString: row.Int(2) != 0, AccessCount: row.Uint(5)}
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
		err = p.Walk("data_location", func(row *stored.Row) {
			if i, ok := records[row.Int(1)]; ok {
				l := memprof.DataLocation{File: row.String(2), Line: uint32(row.Uint(3))}
				size += int64(len(l.File)) + 24
				d.Records[i].Locations = append(d.Records[i].Locations, l)
			}
		})
		slices.SortStableFunc(d.Records, func(a, b memprof.DataAccessRecord) int { return cmp.Compare(b.AccessCount, a.AccessCount) })
		slices.Sort(d.ColdSymbols)
		slices.Sort(d.ColdHashes)
		return d, size, err
	})
}
