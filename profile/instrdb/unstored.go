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
	c, err := collected.ReadFigures(ctx, src)
	if err != nil {
		return nil, err
	}
	u := &Unstored{overview: thresholds(c), records: c}
	u.ranked, u.sums, err = rankOnly(ctx, c)
	return u, err
}

// Find finds rows in the default order; they have no Shape. It is a table.Find.
func (u *Unstored) Find(ctx context.Context, q table.Query) (table.Page, error) {
	from, to := query.Clamp(q.Offset, q.Limit, len(u.ranked))
	page := &Page{All: len(u.ranked), MatchingTotal: u.records.Sums.Total, Complete: true}
	rows := &unstoredRows{Unstored: u, from: from, n: to - from, ahead: collected.NewAhead(u.records, u.ranked[:to])}
	if from < to {
		rows.sum = u.sums[from/sumEvery]
		for _, before := range u.ranked[from/sumEvery*sumEvery : from] {
			rows.sum.AddSum(u.records.At(before).Total)
		}
	}
	return table.Page{Set: table.Set{Rows: rows, Around: page}, All: page.All, Matching: page.All}, ctx.Err()
}

// unstoredRows are rows of a list in one after the other; sum is of those before.
type unstoredRows struct {
	*Unstored
	from, n int
	sum     analyze.Sum
	ahead   *collected.Ahead
	row     Row
}

// Len implements [table.OneByOne].
func (u *unstoredRows) Len() int { return u.n }

// Row implements [table.OneByOne].
func (u *unstoredRows) Row(i int) any {
	i += u.from
	r, row, total := u.ahead.At(i), &u.row, u.records.Sums.Total
	row.Rank, row.Ordinal, row.Records, row.FuncHash = i+1, uint64(u.ranked[i]), 1, r.FuncHash
	row.Ref, row.PGO, row.Stats = r.NameRef, u.records.TextOf(r), r.Stats() // what else a row has, no list has
	row.Entry, row.MaxIndex, row.SiteCount = u.records.FiguresOf(r)
	row.Class, row.Entered = u.overview.Classify(&row.Stats), u.overview.entered(&row.Stats)
	u.sum.AddSum(r.Total)
	row.Share, row.Cum = query.Share(r.Total, total), query.Share(u.sum, total)
	return row
}
