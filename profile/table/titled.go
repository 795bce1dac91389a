package table

import (
	"slices"
)

// Titled is the declaration with another head and help of a column.
func (d *Declaration) Titled(name, head, help string) *Declaration {
	other := *d
	other.Fields = slices.Clone(d.Fields)
	for i, f := range other.Fields {
		if f.Name == name {
			titled := *f
			titled.Head, titled.Help = head, help
			other.Fields[i] = &titled
		}
	}
	return &other
}

// Shown is the declaration with other columns for its page.
func (d *Declaration) Shown(columns string) *Declaration {
	other := *d
	other.Show = columns
	return &other
}
