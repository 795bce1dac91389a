package table

import (
	"fmt"
	"slices"
	"strings"
)

// Column is one column of a table of T: its name in every format, and how wide
// the text format writes it, in characters (0: as long as it is; such a column
// comes last).
type Column[T any] struct {
	Name  string
	Width int
	Value func(*T) Cell
	// inPlace is Value of all rows that will stand where one does: to find a field, and the struct
	// that makes computed cells, takes longer than most cells. It may be nil.
	inPlace func(*T) func() Cell
}

// bind is Value of the rows in a place.
func (c *Column[T]) bind(row *T) func() Cell {
	if c.inPlace != nil {
		return c.inPlace(row)
	}
	return func() Cell { return c.Value(row) }
}

// ColumnError says that a table has no such column.
type ColumnError struct {
	Name  string
	Known []string // columns of the table
}

// Error is a sentence with the known columns.
func (e *ColumnError) Error() string {
	return fmt.Sprintf("there is no column %q; the columns are %s", e.Name, strings.Join(e.Known, ", "))
}

// Pick gives the columns of these names, in the order of the names. The error is
// a *[ColumnError].
func Pick[T any](all []Column[T], names []string) ([]Column[T], error) {
	places, err := placesOf(ColumnNames(all), names)
	return at(all, places), err
}

// at are the columns of these places.
func at[T any](all []Column[T], places []int) []Column[T] {
	picked := make([]Column[T], len(places))
	for i, at := range places {
		picked[i] = all[at]
	}
	return picked
}

// placesOf are where names stand among all. The error is a *[ColumnError].
func placesOf(all, names []string) ([]int, error) {
	places := make([]int, len(names))
	for i, name := range names {
		if places[i] = slices.Index(all, name); places[i] < 0 {
			return nil, &ColumnError{name, all}
		}
	}
	return places, nil
}

// ColumnNames are the names of columns, in their order.
func ColumnNames[T any](columns []Column[T]) []string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.Name
	}
	return names
}

// fill makes the cells of a row in place.
func fill[T any](cells []Cell, columns []Column[T], item *T) {
	for i := range columns {
		cells[i] = columns[i].Value(item)
	}
}
