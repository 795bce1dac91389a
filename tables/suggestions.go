package tables

import (
	"context"
	"proflens/profile/table"
)

// Suggestion is a name that a search may mean, and where it leads.
type Suggestion struct {
	FID     string // empty where functions have none
	Name    string // demangled
	Measure string // of Total
	Total   string // decimal
	Share   float64
	Path    string // of its page, below the profile's
}

var suggestionColumns = []table.Column[Suggestion]{
	{"fid", 16, func(s *Suggestion) table.Cell { return table.Text(s.FID) }},
	{"measure", 8, func(s *Suggestion) table.Cell { return table.Text(s.Measure) }},
	{"total", 20, func(s *Suggestion) table.Cell { return table.BigCount(s.Total) }},
	{"share", 8, func(s *Suggestion) table.Cell { return table.Ratio(s.Share) }},
	{"path", 28, func(s *Suggestion) table.Cell { return table.Text(s.Path) }},
	{"demangled", 0, func(s *Suggestion) table.Cell { return table.Text(s.Name) }},
}

// Suggestions are names that match a search, the best first. whole is unset where there
// was no time to look at every name.
func Suggestions(rows []Suggestion, whole bool, o table.Options) table.Table {
	return &table.List[Suggestion]{Columns: suggestionColumns, Quote: o.Quote,
		Read: func(_ context.Context, offset, limit int) (table.Step[Suggestion], error) {
			from := min(offset, len(rows))
			return table.Step[Suggestion]{Rows: rows[from : from+min(limit, len(rows)-from)], Total: len(rows),
				Unsettled: !whole}, nil
		},
		More: func(b []byte, _ []table.Column[Suggestion]) []byte {
			if whole {
				return append(b, `,"complete":true`...)
			}
			return append(b, `,"complete":false`...)
		}}
}
