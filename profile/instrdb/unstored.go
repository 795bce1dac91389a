package instrdb

import (
	"context"

	"proflens/analyze"
	"proflens/decode/format"
	"proflens/decode/instrprof"
	"proflens/profile/instrdb/collected"
	"proflens/profile/query"
	"proflens/profile/table"
)

// Unstored is the function records of a decoded profile in the default order, without a
// file of tables: what a list of all of them needs, and no more. It may be used by several
// goroutines.
type Unstored struct {
	overview *Overview // thresholds alone
	records  *collected.Collection
	ranked   []uint32
	totals   []analyze.Sum // of records, as they are ranked
	sums     []analyze.Sum // of all records before every sumEvery-th
}

// CanList reports whether a profile's functions can be had without storing it: they can
// not where something beside the records says where functions are declared.
func CanList(p *format.Profile) bool {
	_, ok := format.PartOf[instrprof.Source](p)
	return ok && len(p.Parts) == 1 && p.Declared == nil
}

// List reads the function records of a profile that [CanList], and ranks them. Those of a
// merged profile are gone afterwards. Errors are those of the records, or the context's.
func List(ctx context.Context, p *format.Profile) (*Unstored, error) {
	src, _ := format.PartOf[instrprof.Source](p)
	c, err := collected.Read(ctx, src, src.Info(), func(_, _ uint64) {})
	if err != nil {
		return nil, err
	}
	u := &Unstored{overview: thresholds(c), records: c}
	if u.ranked, u.totals, err = rankOnly(ctx, c); err != nil {
		return nil, err
	}
	var sum analyze.Sum
	for i, total := range u.totals {
		if i%sumEvery == 0 {
			u.sums = append(u.sums, sum)
		}
		sum.AddSum(total)
	}
	return u, nil
}

// Find finds rows in the default order; they have no Shape. It is a table.Find.
func (u *Unstored) Find(ctx context.Context, q table.Query) (table.Page, error) {
	page := u.page(q.Offset, q.Limit)
	return page.found(false), ctx.Err()
}

func (u *Unstored) page(offset, limit int) *Page {
	from, to := query.Clamp(offset, limit, len(u.ranked))
	all := len(u.ranked)
	page := &Page{
		All: all, Matching: all, Records: all, MatchingTotal: u.records.Sums.Total, Scanned: all, Complete: true,
		Rows: make([]Row, to-from),
	}
	if from == to {
		return page
	}
	sum, total := u.sums[from/sumEvery], u.records.Sums.Total
	for _, before := range u.totals[from/sumEvery*sumEvery : from] {
		sum.AddSum(before)
	}
	ahead := collected.NewAhead(u.records, u.ranked[:to])
	for i := from; i < to; i++ {
		r, row := ahead.At(i), &page.Rows[i-from]
		b := u.records.BodyOf(r)
		row.Rank, row.Ordinal, row.Records = i+1, uint64(u.ranked[i]), 1
		row.Name = table.Name{Ref: r.NameRef, PGO: string(u.records.NameOf(r))}
		row.FuncHash, row.Repeats = r.FuncHash, b.Repeats
		row.Stats, row.NumSites = r.Stats(), b.NumSites()
		row.Entry, row.MaxIndex = b.EntryAndMaxIndex(r)
		row.Class, row.Entered = u.overview.Classify(&row.Stats), u.overview.entered(&row.Stats)
		sum.AddSum(r.Total)
		row.Share, row.Cum = query.Share(r.Total, total), query.Share(sum, total)
		for _, n := range row.NumSites {
			row.SiteCount += n
		}
	}
	return page
}
