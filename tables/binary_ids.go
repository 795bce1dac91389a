package tables

import (
	"context"
	"encoding/hex"

	"proflens/profile/table"
	"proflens/profiledb/query"
	"proflens/profiledb/stored"
)

var binaryIDColumns = []table.Column[[]byte]{
	{"id", 40, func(id *[]byte) table.Cell { return table.Text(hex.EncodeToString(*id)) }},
	{"bytes", 5, func(id *[]byte) table.Cell { return table.Int(uint64(len(*id))) }},
}

// BinaryIDSorts are what build IDs can be sorted by.
var BinaryIDSorts = []query.Column{"place", "id", "bytes"}

// BinaryID is a build ID with its place in the profile, from 0.
type BinaryID struct {
	Place int
	ID    []byte
}

// FindBinaryIDs are all build IDs of the programs that were profiled (instrprof.md
// §2.12) that a query selects, whatever its Offset and Limit. Errors are a
// *query.ColumnError, that of names.NewMatcher for a pattern, or the context's.
func FindBinaryIDs(ctx context.Context, p *stored.Profile, q query.RowQuery) ([]BinaryID, error) {
	ids := p.Overview.Info.BinaryIDs
	picked, err := q.Pick(ctx, query.Rows{
		Len: len(ids), Names: func(i uint32, show func([]byte)) { show(hex.AppendEncode(nil, ids[i])) },
		Value: func(c query.Column) (query.Value, error) {
			switch c {
			case "place":
				return query.Value{At: func(i uint32) uint64 { return uint64(i) }}, nil
			case "id":
				return query.Words(len(ids), func(i uint32) string { return string(ids[i]) }), nil
			case "bytes":
				return query.Value{At: func(i uint32) uint64 { return uint64(len(ids[i])) }}, nil
			}
			return query.Value{}, &query.ColumnError{Column: c, Known: BinaryIDSorts}
		},
	})
	list := make([]BinaryID, len(picked))
	for n, i := range picked {
		list[n] = BinaryID{int(i), ids[i]}
	}
	return list, err
}

func openBinaryIDs(ctx context.Context, p *stored.Profile, o table.Options) (table.Table, error) {
	return BinaryIDs(ctx, p, query.RowQuery{}, o)
}

// BinaryIDs is the table of FindBinaryIDs.
func BinaryIDs(ctx context.Context, p *stored.Profile, q query.RowQuery, o table.Options) (table.Table, error) {
	ids, err := FindBinaryIDs(ctx, p, q)
	if err != nil {
		return nil, err
	}
	return &table.List[[]byte]{Columns: binaryIDColumns, Quote: o.Quote,
		Read: func(_ context.Context, offset, limit int) (table.Step[[]byte], error) {
			from, to := query.Clamp(offset, limit, len(ids))
			step := table.Step[[]byte]{Total: len(ids)}
			for _, id := range ids[from:to] {
				step.Rows = append(step.Rows, id.ID)
			}
			return step, nil
		}}, nil
}
