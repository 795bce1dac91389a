package mipdb

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"proflens/analyze"
	"proflens/profile/query"
	"proflens/profile/stored"
	"proflens/profile/table"
)

// StartupQuery asks in which order functions first ran.
type StartupQuery struct {
	Run     int // by one run alone, from 1; 0 is by the average of all
	MinRuns int // functions that ran in at least so many runs
}

// Startup is the functions that ran in the order in which they first did. It
// is shared: do not change it.
type Startup struct {
	Indices []uint32 // read their rows with Profile.Rows
	// Offsets and Sizes are those of the functions, in that order: address minus
	// that of the raw section, and bytes.
	Offsets []int64
	Sizes   []uint32
	Bytes   uint64 // of all
	// Pages is how many memory pages of 4 KiB the functions touch as they are
	// linked, NeededPages how few would do.
	Pages, NeededPages uint64
}

// Placed is a function at its place in an order, from 0.
type Placed struct {
	Index uint32
	Place int
}

// IndicesOf are those of functions at their places.
func IndicesOf(rows []Placed) []uint32 {
	indices := make([]uint32, len(rows))
	for i := range rows {
		indices[i] = rows[i].Index
	}
	return indices
}

// StartupRows are the functions of a start-up order whose names match, in the order of
// columns, or where there are none in that of their places: the other way round where
// back is set. whole is unset where the search used up its time; ask again to go on.
// Errors are those of [Profile.Functions].
func (p *Profile) StartupRows(ctx context.Context, s *Startup, names query.Names, ranges []query.Range,
	sort []query.Key, back bool) (rows []Placed, whole bool, err error) {
	rows = make([]Placed, len(s.Indices))
	for place, i := range s.Indices {
		rows[place] = Placed{i, place}
	}
	whole = true
	if names.Any() || len(ranges)+len(sort) > 0 {
		o, scanned, err := p.order(ctx, &Query{Names: names, Ranges: ranges, Sort: sort})
		if err != nil {
			return nil, false, err
		}
		whole = scanned == p.n
		at := make([]int32, p.n) // of the function in that order, from 1
		for n, i := range o.ids {
			at[i] = int32(n) + 1
		}
		rows = slices.DeleteFunc(rows, func(r Placed) bool { return at[r.Index] == 0 })
		if len(sort) > 0 {
			slices.SortFunc(rows, func(a, b Placed) int { return cmp.Compare(at[a.Index], at[b.Index]) })
		}
	}
	if back {
		slices.Reverse(rows)
	}
	return rows, whole, nil
}

// OrderedRow is a function at its place in the start-up order, as the table has it.
type OrderedRow struct {
	Place         int    `col:"place" width:"8" head:"#" is:"sort,up" help:"place in the order, from 0"`
	F             *Row   // the function
	_             column `col:"avg_timestamp" width:"13" head:"First position" is:"number,sort,up,range"`
	_             column `help:"average of its positions at first run" as:"number null"`
	_             column `col:"merge_count" width:"11" head:"Runs" is:"number,sort,range"`
	_             column `help:"merge count: runs in which it ran" as:"Count"`
	Key           string `col:"fid" width:"16" is:"key,script" as:"/^[0-9a-f]{16}(-[0-9a-f]+)?$/"`
	*FunctionName `col:"demangled" head:"Function" is:"sort,up,words" as:"!"`
	_             column  `col:"size" width:"10" head:"Bytes" is:"number,sort,range" as:"Count"`
	Linked        *uint64 `col:"address" width:"18" is:"address,sort,up"`
	_             column  `col:"function_offset" width:"15" is:"number,script" as:"integer or /^-?[0-9]+$/"`
	_             column  `col:"index" head:"Link order" is:"page,number,sort,up,range"`
	_             column  `col:"covered_share" head:"Covered" is:"page,number,sort,range,part"`
	_             column  `col:"covered_bytes" is:"page,number,sort,range"`
	_             column  `col:"missed_bytes" is:"page,number,sort,range"`
	_             column  `col:"blocks" is:"page,number,sort,range"`
	_             column  `col:"call_count" head:"Calls" is:"page,number,sort,range"`
	_             column  `col:"weight" head:"Calls × size" is:"page,number,sort,range"`
}

// Cell implements [table.Celler].
func (r *OrderedRow) Cell(column string, o *table.Options) table.Cell { return r.F.Cell(column, o) }

// Order is the table of the functions that ran, in the order in which they first did,
// which is that of the export "order" (mip.md §6).
var Order = table.Declare[OrderedRow](table.Declaration{
	Around: (*OrderAround)(nil),
	About:  "A function at its place in the start-up order.", Noun: "function", Usual: "place",
	Sought: "words of a name",
	Show:   "place demangled avg_timestamp merge_count size address",
	Text:   "place avg_timestamp merge_count size demangled",
})

// OrderAround is what stands around them.
type OrderAround struct {
	Bytes       uint64 `col:"bytes"`
	Pages       int    `col:"pages"`
	NeededPages int    `col:"needed_pages"`
	*Startup
}

// FindOrder finds functions in a start-up order; of a profile without timestamps none.
// Errors are those of Startup.
func (p *Profile) FindOrder(ctx context.Context, q StartupQuery) (table.Find, error) {
	order := &Startup{}
	if p.Overview.HasTimestamps() {
		var err error
		if order, err = p.Startup(ctx, q); err != nil {
			return nil, err
		}
	}
	around := &OrderAround{order.Bytes, int(order.Pages), int(order.NeededPages), order}
	return func(ctx context.Context, t table.Query) (table.Page, error) {
		sort, back := t.Sort, false
		if len(sort) > 0 && sort[0].Column == "place" {
			sort, back = nil, sort[0].Desc
		}
		// behind others it tells nothing apart
		sort = slices.DeleteFunc(slices.Clone(sort), func(k query.Key) bool { return k.Column == "place" })
		page := table.Page{All: len(order.Indices), Set: table.Set{Around: around}}
		placed, whole, err := p.StartupRows(ctx, order, query.Names{Text: t.Text, Regexp: t.Regexp}, t.Ranges, sort, back)
		if err != nil {
			return page, err
		}
		if !whole {
			page.Searched = &table.Progress{Done: len(placed), Of: p.n}
		}
		page.Matching = len(placed)
		from, to := query.Clamp(t.Offset, t.Limit, len(placed))
		shown := placed[from:to]
		functions, err := p.Rows(ctx, IndicesOf(shown))
		rows := make([]OrderedRow, len(functions))
		for i := range functions {
			f := &functions[i]
			rows[i] = OrderedRow{Place: shown[i].Place, F: f, Key: f.FID, FunctionName: &f.FunctionName, Linked: f.Address}
		}
		page.Rows = rows
		return page, err
	}, nil
}

// PageSize is the memory page that Startup counts by, in bytes.
const PageSize = 4096

// Startup returns the start-up order: what an order file holds. The error is
// stored.ErrNoPart for a profile without timestamps, or without that run, the
// context's, or about the file.
func (p *Profile) Startup(ctx context.Context, q StartupQuery) (*Startup, error) {
	if !p.Overview.HasTimestamps() || q.Run < 0 || q.Run > p.Overview.Runs {
		return nil, stored.ErrNoPart
	}
	return stored.Cached(ctx, p.Profile, fmt.Sprintf("mip startup %d %d", q.Run, q.MinRuns),
		func() (*Startup, int64, error) {
			order, err := p.firstOrder(ctx)
			if err == nil && q.Run > 0 {
				order, err = p.runOrder(ctx, q.Run)
			}
			if err != nil {
				return nil, 0, err
			}
			c, err := p.columns(ctx)
			if err != nil {
				return nil, 0, err
			}
			s := newStartup(order, c, uint64(max(q.MinRuns, 0)))
			return s, int64(len(s.Indices)) * 16, nil
		})
}

func newStartup(order []uint32, c *columns, minRuns uint64) *Startup {
	s := &Startup{}
	type span struct{ from, to int64 } // pages, both ends inclusive
	var spans []span
	for _, i := range order {
		if c.merges[i] < minRuns {
			continue
		}
		s.Indices, s.Offsets, s.Sizes = append(s.Indices, i), append(s.Offsets, c.offset[i]), append(s.Sizes, c.size[i])
		s.Bytes += uint64(c.size[i])
		if c.size[i] > 0 {
			end := c.offset[i] + int64(c.size[i]) - 1
			spans = append(spans, span{c.offset[i] >> 12, max(end, c.offset[i]) >> 12})
		}
	}
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	next := int64(math.MinInt64) // the first page not counted yet
	for _, pages := range spans {
		if from := max(pages.from, next); from <= pages.to {
			s.Pages += uint64(pages.to - from + 1)
			next = pages.to + 1
		}
	}
	s.NeededPages = (s.Bytes + PageSize - 1) / PageSize
	return s
}

// firstOrder is the functions that ran by the average of the places in which they
// first did; ties in link order.
func (p *Profile) firstOrder(ctx context.Context) ([]uint32, error) {
	return stored.Cached(ctx, p.Profile, "mip first order", func() ([]uint32, int64, error) {
		c, err := p.columns(ctx)
		if err != nil {
			return nil, 0, err
		}
		order := query.Select(p.n, nil, []query.Test{func(i uint32) bool { return c.merges[i] > 0 }})
		slices.SortStableFunc(order, func(a, b uint32) int {
			return analyze.CompareAverages(c.timestamps[a], c.merges[a], c.timestamps[b], c.merges[b])
		})
		return order, int64(len(order)) * 4, nil
	})
}

// runOrder is the functions of one run in the order in which they first ran.
func (p *Profile) runOrder(ctx context.Context, run int) ([]uint32, error) {
	var items []query.Keyed
	n := 0
	err := p.Walk("mip_function_run", func(row *stored.Row) {
		if n++; n%stored.CheckEvery == 0 && ctx.Err() != nil {
			row.Fail(ctx.Err())
		}
		if row.ID < 1 || row.ID > int64(p.n) {
			row.Fail(stored.Damaged("runs of function %d of %d", row.ID, p.n))
			return
		}
		numbers := row.Vector(1)
		for at := 0; at+2 < len(numbers); at += 3 {
			if numbers[at] == uint64(run) {
				items = append(items, query.Keyed{Key: numbers[at+2], ID: uint32(row.ID - 1)})
			}
		}
	})
	if err != nil || len(items) == 0 {
		return nil, err
	}
	var order []uint32
	for _, item := range query.SortKeyed(items) {
		order = append(order, item.ID)
	}
	return order, nil
}
