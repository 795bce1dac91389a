package instrdb

import (
	"context"

	"proflens/analyze"
	"proflens/decode/format"
	"proflens/decode/instrprof"
	"proflens/profiledb/query"
)

// Unstored is the function records of a decoded profile in the default order, without a
// file of tables: what a list of all of them needs, and no more. It may be used by several
// goroutines.
type Unstored struct {
	Overview *Overview // without what only a stored profile has: quality, histogram, curve
	records  *collection
	ranked   []uint32
	sums     []analyze.Sum // of all records before every sumEvery-th
}

// CanList reports whether a profile's functions can be had without storing it: they can
// not where something beside the records says where functions are declared.
func CanList(p *format.Profile) bool {
	_, ok := format.PartOf[instrprof.Source](p)
	return ok && len(p.Parts) == 1 && p.Declared == nil
}

// List reads the function records of a profile that [CanList], and ranks them. A million
// take about 150 MB. Errors are those of the records, or the context's.
func List(ctx context.Context, p *format.Profile) (*Unstored, error) {
	src, _ := format.PartOf[instrprof.Source](p)
	info := *src.Info()
	c := &collection{info: &info}
	o := &Overview{Info: info}
	var plain, cs analyze.Summarizer
	for f, err := range src.Functions() {
		if err != nil {
			return nil, err
		}
		if err := c.room(ctx, f); err != nil {
			return nil, err
		}
		r := record{Stats: analyze.StatsOf(f, info.Variant), nameRef: f.NameRef, funcHash: f.FuncHash, repeats: f.Repeats, name: uint32(len(f.Name))}
		r.at = c.arena.add(f.Name)
		c.records.add(&r)
		if o.Total.AddSum(r.Total); r.CS {
			cs.Add(f)
		} else {
			plain.Add(f)
		}
	}
	o.Functions = c.records.n
	o.Summary = *plain.Summary()
	o.Thresholds = analyze.ThresholdsOf(&o.Summary)
	if summary := cs.Summary(); summary.NumFunctions > 0 {
		o.CSSummary, o.CSThresholds = summary, new(analyze.ThresholdsOf(summary))
	}
	u := &Unstored{Overview: o, records: c, ranked: query.All(c.records.n)}
	if err := c.sortByDefault(ctx, u.ranked); err != nil {
		return nil, err
	}
	var sum analyze.Sum
	for i, index := range u.ranked {
		if i%sumEvery == 0 {
			u.sums = append(u.sums, sum)
		}
		sum.AddSum(c.records.at(index).Total)
	}
	return u, ctx.Err()
}

// Page returns rows in the default order, from an offset on; they have no Shape.
func (u *Unstored) Page(offset, limit int) *Page {
	from, to := query.Clamp(offset, limit, len(u.ranked))
	all := len(u.ranked)
	page := &Page{All: all, Matching: all, Records: all, MatchingTotal: u.Overview.Total, Scanned: all, Complete: true, Rows: make([]Row, to-from)}
	if from == to {
		return page
	}
	sum := u.sums[from/sumEvery]
	for i := from / sumEvery * sumEvery; i < to; i++ {
		r := u.records.records.at(u.ranked[i])
		if sum.AddSum(r.Total); i < from {
			continue
		}
		row := &page.Rows[i-from]
		row.Rank, row.Ordinal, row.Records = i+1, uint64(u.ranked[i]), 1
		row.Name, row.NameRef, row.FuncHash, row.Repeats = u.records.nameOf(r), r.nameRef, r.funcHash, r.repeats
		row.Stats, row.Class = r.Stats, u.Overview.Classify(&r.Stats)
		row.Share, row.Cum = query.Share(r.Total, u.Overview.Total), query.Share(sum, u.Overview.Total)
		row.SiteCount = r.NumSites[0] + r.NumSites[1] + r.NumSites[2]
	}
	return page
}
