package sampledb

import (
	"context"
	"math"

	"proflens/decode/sampleprof"
	"proflens/profile/btree"
	"proflens/profile/budget"
	"proflens/profile/stored"
	"proflens/profile/table"
)

// EntryRow is a row of the profile: a function, or one calling context of it.
type EntryRow struct {
	page    *entryPage // of the row, nil where it is not shown
	frames  uint32     // where its packed context ends
	ID      uint32     `col:"index" width:"8" help:"its place in the profile, from 1"`
	Total   uint64     `col:"total" width:"20" is:"sort,range" help:"with all that it inlined"`
	_       column     `col:"share" width:"8" is:"part,number" help:"of all totals" as:"number 0..1"`
	Head    uint64     `col:"head" width:"12" is:"sort,range" help:"times it was entered by a branch"`
	Entered uint64     `col:"entry" width:"12" is:"sort,range"`
	_       column     `help:"times it was entered, estimated as the compiler does"`
	Sum     uint64     `col:"sum" width:"12" is:"sort,range" help:"its counts and those of what is inlined into it"`
	Max     uint64     `col:"max" width:"12" is:"sort,range" help:"the largest of these"`
	_       column     `col:"heat" width:"6" as:"hot|warm|cold"`
	_       column     `col:"checksum" width:"20" as:"Count null"`
	_       column     `col:"attributes" width:"10" as:"integer 0.."`
	Depth   uint32     `col:"depth" width:"5" is:"sort,range" help:"frames of the context"`
	Of      *Name      `col:"name" parts:"name" as:"!"`
	_       column     `col:"context" as:"string" help:"the frames that lead to it, the outermost first"`
}

// entryPage is what a row has that is read where it is shown.
type entryPage struct {
	Entry
	total uint64 // of all rows
}

// EntryRows is the table of the rows of a profile, by total, as llvm-profdata lists them.
// Words are sought in the names of all frames.
var EntryRows = table.Declare[EntryRow](table.Declaration{
	Around: (*EntrySums)(nil),
	About:  "A row of a sample profile: a function or, with calling contexts, one context of it.",
	Noun:   "function",
	All:    true, Usual: "-total",
	Show: "name total share head max depth", Text: "total share max entry context",
})

// Cell implements [table.Celler].
func (e *EntryRow) Cell(column string, _ *table.Options) table.Cell {
	x, p := e.Of.x, e.page
	switch {
	case column == "heat":
		return table.Text(string(x.o.HeatOf(e.Max)))
	case p == nil:
	case column == "share":
		return table.Ratio(share(float64(e.Total), float64(p.total)))
	case column == "attributes":
		return table.Int(p.Attributes)
	case column == "checksum" && p.Checksum != 0:
		return table.Count(p.Checksum)
	case column == "context":
		f := Frames{x.names, p.Context}
		if len(p.Context) == 0 {
			f.list = []sampleprof.Frame{{Name: p.Name}}
		}
		return f.Cell("", nil)
	}
	return table.Null
}

// EntrySums is what rows come to, modulo 2^64 as llvm-profdata adds them.
type EntrySums struct {
	All      uint64 `col:"all_total"`
	Matching uint64 `col:"matching_total"`
	HotCount uint64 `col:"hot_count"`
}

// heads are the rows of sample_function in memory, less what is in the functions.
type heads struct {
	rows   []EntryRow
	frames []byte // packed calling contexts, one behind the other
	total  uint64
}

const headBytes = 80

func (p *Profile) heads(ctx context.Context, x *index) (*heads, error) {
	return stored.Cached(ctx, p.Profile, "sample entries", func() (*heads, int64, error) {
		m := budget.NewMeter(ctx)
		if err := budget.Take(ctx, int64(p.n)*headBytes); err != nil {
			return nil, 0, err
		}
		h := &heads{rows: make([]EntryRow, 0, p.n)}
		err := p.EachRow(ctx, "sample_function", func(row *btree.Row) error {
			e, err := x.entry(row, false)
			if err != nil {
				return err
			}
			before := len(h.frames)
			h.frames = appendContext(h.frames, e.Context)
			if err := m.Add(2 * (len(h.frames) - before)); err != nil {
				return err
			}
			if len(h.frames) > math.MaxUint32 {
				return stored.Damaged("contexts of %d bytes", len(h.frames))
			}
			h.rows = append(h.rows, EntryRow{
				frames: uint32(len(h.frames)), ID: uint32(e.ID), Of: &x.names[e.Name], Depth: uint32(len(e.Context)),
				Total: e.Total, Head: e.Head, Entered: e.Entered, Sum: e.Sum, Max: e.Max,
			})
			h.total += e.Total
			return nil
		})
		return h, int64(len(h.rows))*headBytes + int64(len(h.frames)), err
	})
}

// contextOf is a row's calling context.
func (h *heads) contextOf(x *index, i uint32) []sampleprof.Frame {
	from := uint32(0)
	if i > 0 {
		from = h.rows[i-1].frames
	}
	return x.unpack(h.frames[from:h.rows[i].frames]).context()
}

// context shows the frames of a row's calling context, or the function itself.
func (h *heads) context(x *index, i uint32, show func(name []byte)) {
	frames := h.contextOf(x, i)
	for _, f := range frames {
		show(x.names[f.Name].Linkage)
	}
	if len(frames) == 0 {
		show(h.rows[i].Of.Linkage)
	}
}

// FindEntries finds rows of the profile: of a function by its GUID, or of all with 0; with
// hot set those with a count that is hot by the summary, as show --hot-func-list. The error
// is the context's, or about the file.
func (p *Profile) FindEntries(ctx context.Context, function uint64, hot bool) (table.Find, error) {
	x, err := p.index(ctx)
	if err != nil {
		return nil, err
	}
	h, err := p.heads(ctx, x)
	if err != nil {
		return nil, err
	}
	set := table.Set{Rows: h.rows, Sorted: true, Names: func(i uint32, show func([]byte)) { h.context(x, i, show) }}
	if function != 0 {
		set.Tests = append(set.Tests, func(i uint32) bool { return h.rows[i].Of.GUID == function })
	}
	if hot {
		set.Tests = append(set.Tests, func(i uint32) bool { return h.rows[i].Max >= x.o.HotCount })
	}
	set.Matched = func(ids []uint32) any {
		s := &EntrySums{All: h.total, HotCount: x.o.HotCount}
		for _, i := range ids {
			s.Matching += h.rows[i].Total
		}
		return s
	}
	find := EntryRows.Within(set)
	return func(ctx context.Context, q table.Query) (table.Page, error) {
		page, err := find(ctx, q)
		if err != nil {
			return page, err
		}
		found, rows := table.RowsOf[EntryRow](&page), make([]EntryRow, page.Len())
		page.Rows, page.IDs = rows, nil
		return page, stored.Pick(ctx, p.functions, len(rows), func(i int) int { return int(found[i].ID) },
			func(i int, row *btree.Row) (err error) {
				rows[i] = *found[i]
				rows[i].page = &entryPage{total: h.total}
				rows[i].page.Entry, err = x.entry(row, false)
				return err
			})
	}, nil
}
