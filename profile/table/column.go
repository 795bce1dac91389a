package table

import (
	"fmt"
	"slices"
	"strings"
)

// ColumnError says that a table has no such column.
type ColumnError struct {
	Name  string
	Known []string // columns of the table
}

// Error is a sentence with the known columns.
func (e *ColumnError) Error() string {
	return fmt.Sprintf("there is no column %q; the columns are %s", e.Name, strings.Join(e.Known, ", "))
}

// pick gives the columns of these names, in the order of the names. The error is
// a *[ColumnError].
func pick(all []*Field, names []string) ([]*Field, error) {
	picked := make([]*Field, len(names))
	for i, name := range names {
		at := slices.IndexFunc(all, func(f *Field) bool { return f.Name == name })
		if at < 0 {
			return nil, &ColumnError{name, ColumnNames(all)}
		}
		picked[i] = all[at]
	}
	return picked, nil
}

// ColumnNames are the names of columns, in their order.
func ColumnNames(columns []*Field) []string {
	names := make([]string, len(columns))
	for i, f := range columns {
		names[i] = f.Name
	}
	return names
}
