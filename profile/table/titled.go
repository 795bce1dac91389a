package table

// Titled is the declaration with another head and help of a column.
func (d *Declaration) Titled(name, head, help string) *Declaration {
	return d.altered(func(f *Field) {
		if f.Name == name {
			f.Head, f.Help = head, help
		}
	})
}

// Shown is the declaration with other columns for its page.
func (d *Declaration) Shown(columns string) *Declaration {
	other := *d
	other.Show = columns
	return &other
}
