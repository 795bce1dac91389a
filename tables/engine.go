package tables

import "proflens/profile/table"

// What the tables that are programmed here share with those that are declared: they go
// with the last of the former.
type (
	Cell          = table.Cell
	Column[T any] = table.Column[T]
	ColumnError   = table.ColumnError
	End           = table.End
	Format        = table.Format
	Head          = table.Head
	List[T any]   = table.List[T]
	Options       = table.Options
	Rows          = table.Rows
	Step[T any]   = table.Step[T]
	Table         = table.Table
	Writer        = table.Writer
)

// The formats.
const (
	FormatJSON   = table.FormatJSON
	FormatCSV    = table.FormatCSV
	FormatNDJSON = table.FormatNDJSON
	FormatText   = table.FormatText
)

// The cells.
var (
	Null, Absent                 = table.Null, table.Absent
	Text, Hex, Count, SumCount   = table.Text, table.Hex, table.Count, table.SumCount
	BigCount, Int, Ratio, Change = table.BigCount, table.Int, table.Ratio, table.Change
	Number, JSON, Bool           = table.Number, table.JSON, table.Bool
	NewWriter                    = table.NewWriter
	AppendString, AppendCount    = table.AppendString, table.AppendCount
	appendBig, appendCell        = table.AppendBig, table.AppendCell
)

// AppendObject appends an item's columns as a JSON object; see [table.AppendObject].
func AppendObject[T any](b []byte, columns []Column[T], quote bool, item *T) []byte {
	return table.AppendObject(b, columns, quote, item)
}

// ColumnNames are the names of columns, in their order.
func ColumnNames[T any](columns []Column[T]) []string { return table.ColumnNames(columns) }

// Pick gives the columns of these names; see [table.Pick].
func Pick[T any](all []Column[T], names []string) ([]Column[T], error) { return table.Pick(all, names) }
