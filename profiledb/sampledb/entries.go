package sampledb

import (
	"context"

	"proflens/decode/sampleprof"
	"proflens/profiledb/btree"
	"proflens/profiledb/budget"
	"proflens/profiledb/query"
	"proflens/profiledb/stored"
)

// ColEntered orders entries by how often they were entered, estimated. ColDepth is the
// number of frames of their calling contexts.
const (
	ColEntered query.Column = "entry"
	ColDepth   query.Column = "depth"
)

// EntryColumns are those that entries can be sorted or filtered by.
var EntryColumns = []query.Column{ColTotal, ColHead, ColEntered, ColSum, ColMax, ColDepth, ColName}

// EntryQuery selects, orders and pages entries. The zero value is all by total, as
// llvm-profdata lists them. Words are sought in the names of all frames.
type EntryQuery struct {
	query.RowQuery
	Function uint64 // GUID of the function that they are of; 0 is any
	Hot      bool   // those with a count that is hot by the summary, as show --hot-func-list
}

// EntryPage is one page of entries, which have no bodies.
type EntryPage struct {
	Rows          []Entry
	All, Matching int
	// The totals of all, and of those that match, modulo 2^64 as llvm-profdata adds them.
	AllTotal, Total uint64
}

// heads are the rows of sample_function in memory, less what is in the functions.
type heads struct {
	rows   []head
	frames []byte // packed calling contexts, one behind the other
	total  uint64
}

// head is one of them.
type head struct {
	name, depth                    uint32
	frames                         int // where its context ends
	total, head, entered, sum, max uint64
}

const headBytes = 56

func (p *Profile) heads(ctx context.Context, x *index) (*heads, error) {
	return stored.Cached(ctx, p.Profile, "sample entries", func() (*heads, int64, error) {
		m := budget.NewMeter(ctx)
		if err := budget.Take(ctx, int64(p.n)*headBytes); err != nil {
			return nil, 0, err
		}
		h := &heads{rows: make([]head, 0, p.n)}
		err := p.EachRow("sample_function", func(row *btree.Row) error {
			if row.ID%stored.CheckEvery == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			e, err := x.entry(row, false)
			if err != nil {
				return err
			}
			before := len(h.frames)
			h.frames = appendContext(h.frames, e.Context)
			if err := m.Add(2 * (len(h.frames) - before)); err != nil {
				return err
			}
			h.rows = append(h.rows, head{
				uint32(e.Name), uint32(len(e.Context)), len(h.frames), e.Total, e.Head, e.Entered, e.Sum, e.Max,
			})
			h.total += e.Total
			return nil
		})
		return h, int64(len(h.rows))*headBytes + int64(len(h.frames)), err
	})
}

// contextOf is a row's calling context.
func (h *heads) contextOf(x *index, i uint32) []sampleprof.Frame {
	from := 0
	if i > 0 {
		from = h.rows[i-1].frames
	}
	u := unpacking{rest: h.frames[from:h.rows[i].frames], names: len(x.names)}
	return u.context()
}

// context shows the frames of a row's calling context, or the function itself.
func (h *heads) context(x *index, i uint32, show func(name []byte)) {
	frames := h.contextOf(x, i)
	for _, f := range frames {
		show(x.names[f.Name].Linkage)
	}
	if len(frames) == 0 {
		show(x.names[h.rows[i].name].Linkage)
	}
}

func (h *heads) value(c query.Column, x *index, among []uint32) (query.Value, error) {
	of := func(number func(r *head) uint64) (query.Value, error) {
		return query.Value{At: func(i uint32) uint64 { return number(&h.rows[among[i]]) }}, nil
	}
	switch c {
	case ColTotal:
		return of(func(r *head) uint64 { return r.total })
	case ColHead:
		return of(func(r *head) uint64 { return r.head })
	case ColEntered:
		return of(func(r *head) uint64 { return r.entered })
	case ColSum:
		return of(func(r *head) uint64 { return r.sum })
	case ColMax:
		return of(func(r *head) uint64 { return r.max })
	case ColDepth:
		return of(func(r *head) uint64 { return uint64(r.depth) })
	case ColName:
		return query.Words(len(among), func(i uint32) string { return string(x.names[h.rows[among[i]].name].Linkage) }), nil
	}
	return query.Value{}, &query.ColumnError{Column: c, Known: EntryColumns}
}

// FindEntries returns one page of entries. Errors are a *query.ColumnError, that of
// names.NewMatcher for a pattern, the context's, or about the file.
func (p *Profile) FindEntries(ctx context.Context, q EntryQuery) (*EntryPage, error) {
	x, err := p.index(ctx)
	if err != nil {
		return nil, err
	}
	h, err := p.heads(ctx, x)
	if err != nil {
		return nil, err
	}
	key := "sample entry order " + query.CacheKey(q.RowQuery.Key(), q.Function, q.Hot)
	ids, err := stored.Cached(ctx, p.Profile, key, func() ([]uint32, int64, error) {
		list, err := p.pickEntries(ctx, x, h, &q)
		return list, int64(len(list)) * 4, err
	})
	if err != nil {
		return nil, err
	}
	page := &EntryPage{All: p.n, Matching: len(ids), AllTotal: h.total}
	for _, i := range ids {
		page.Total += h.rows[i].total
	}
	c := p.functions.Cursor()
	from, to := query.Clamp(q.Offset, q.Limit, len(ids))
	for _, i := range ids[from:to] {
		row, err := stored.Find(c, int(i)+1)
		if err != nil {
			return nil, err
		}
		e, err := x.entry(row, false)
		if err != nil {
			return nil, err
		}
		page.Rows = append(page.Rows, e)
	}
	return page, nil
}

func (p *Profile) pickEntries(ctx context.Context, x *index, h *heads, q *EntryQuery) ([]uint32, error) {
	var among []uint32
	for i := range h.rows {
		r := &h.rows[i]
		if (q.Function == 0 || x.names[r.name].GUID == q.Function) && (!q.Hot || r.max >= p.Overview.HotCount) {
			among = append(among, uint32(i))
		}
	}
	if q.Plain() {
		return among, nil
	}
	picked, err := q.Pick(ctx, query.Rows{
		Len:   len(among),
		Names: func(i uint32, show func([]byte)) { h.context(x, among[i], show) },
		Value: func(c query.Column) (query.Value, error) { return h.value(c, x, among) },
	})
	list := make([]uint32, len(picked))
	for at, i := range picked {
		list[at] = among[i]
	}
	return list, err
}

// Frames are the steps that lead to a place: the calling context, or the function, and what
// is inlined down to it. The last one's place means nothing.
func (e *Entry) Frames() []sampleprof.Frame {
	if len(e.Context) > 0 {
		return e.Context
	}
	return []sampleprof.Frame{{Name: e.Name}}
}
