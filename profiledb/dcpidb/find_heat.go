package dcpidb

import (
	"context"

	"proflens/names"
	"proflens/profiledb/query"
)

// Sampled are the cells that have samples, of procedures whose names match where a text
// asks for some, in an order: by ColSamples, ColAddress, ColName of the procedure, or
// columns; as they stand where there is none.
//
// Errors are a *query.ColumnError, that of names.NewMatcher, or the context's.
func (h *Heat) Sampled(ctx context.Context, text string, sort []query.Key) ([]HeatCell, error) {
	matcher, err := names.NewMatcher(text, "")
	if err != nil {
		return nil, err
	}
	var cells []HeatCell
	for _, c := range h.Cells {
		if c.Cells != nil && (text == "" || c.Procedure != nil && matcher.Match([]byte(c.Procedure.Name))) {
			cells = append(cells, c)
		}
	}
	plan := &plan{columns: h.Columns}
	return sorted(ctx, cells, sort, func(by query.Column) (query.Value, error) {
		column, err := plan.sortBy(by, ColAddress, ColName)
		switch {
		case err != nil || len(cells) == 0:
			return query.Value{}, err
		case column >= 0:
			unit := h.Columns[column].Unit
			return query.Real(func(i uint32) float64 { return cells[i].Cells[column].Value(unit) }), nil
		case by == ColAddress:
			return query.Value{At: func(i uint32) uint64 { return cells[i].Offset }}, nil
		}
		named := query.Words(len(cells), func(i uint32) string {
			if p := cells[i].Procedure; p != nil {
				return p.Name
			}
			return ""
		})
		named.Known = func(i uint32) bool { return cells[i].Procedure != nil }
		return named, nil
	})
}
