package tables

import (
	"context"
	"slices"
	"strconv"

	"proflens/profiledb/mipdb"
	"proflens/profiledb/query"
)

// mipPlaced is a function of machine IR at its place in the start-up order.
type mipPlaced struct {
	MIPFunction
	place int // from 0
}

var mipOrderColumns = slices.Concat(
	[]Column[mipPlaced]{{"place", 8, func(f *mipPlaced) Cell { return Int(uint64(f.place)) }}},
	ofPlaced("avg_timestamp", "merge_count", "fid", "name", "name_hex", "linkage_name", "demangled", "path", "size",
		"address", "function_offset"))

// ofPlaced are columns of the function table.
func ofPlaced(names ...string) []Column[mipPlaced] {
	var columns []Column[mipPlaced]
	picked, _ := Pick(MIPFunctionColumns, names)
	for _, c := range picked {
		columns = append(columns, Column[mipPlaced]{
			c.Name, c.Width, func(f *mipPlaced) Cell { return c.Value(&f.MIPFunction) },
		})
	}
	return columns
}

func openMIPOrder(ctx context.Context, p *mipdb.Profile, o Options) (Table, error) {
	return MIPOrder(ctx, p, MIPOrderQuery{}, o)
}

// MIPOrderQuery selects and orders the functions of a start-up order.
type MIPOrderQuery struct {
	mipdb.StartupQuery
	query.Names
	Sort []query.Key
	Back bool // where Sort is empty: the last first
}

// MIPOrder is the functions that ran in the order in which they first did, which
// is that of the export "order" (mip.md §6).
func MIPOrder(ctx context.Context, p *mipdb.Profile, q MIPOrderQuery, o Options) (Table, error) {
	order := &mipdb.Startup{}
	var placed []mipdb.Placed
	if p.Overview.HasTimestamps() {
		var err error
		if order, err = p.Startup(ctx, q.StartupQuery); err != nil {
			return nil, err
		}
		for whole := false; !whole; {
			if placed, whole, err = p.StartupRows(ctx, order, q.Names, q.Sort, q.Back); err != nil {
				return nil, err
			}
		}
	}
	l := &List[mipPlaced]{
		Columns: mipOrderColumns, Text: []string{"place", "avg_timestamp", "merge_count", "size", "demangled"},
		Quote: o.Quote,
	}
	l.Read = func(ctx context.Context, offset, limit int) (Step[mipPlaced], error) {
		from := min(offset, len(placed))
		shown := placed[from:min(len(placed), from+limit)]
		functions, err := p.Rows(ctx, mipdb.IndicesOf(shown))
		if err != nil {
			return Step[mipPlaced]{}, err
		}
		rows := make([]mipPlaced, len(functions))
		for i := range functions {
			rows[i] = mipPlaced{NewMIPFunction(p.Overview, &functions[i], o.Demangle), shown[i].Place}
		}
		return Step[mipPlaced]{Rows: rows, Total: len(placed)}, nil
	}
	l.More = func(b []byte, _ []Column[mipPlaced]) []byte {
		b = AppendCount(append(b, `,"bytes":`...), order.Bytes, o.Quote)
		b = strconv.AppendUint(append(b, `,"pages":`...), order.Pages, 10)
		return strconv.AppendUint(append(b, `,"needed_pages":`...), order.NeededPages, 10)
	}
	return l, nil
}
