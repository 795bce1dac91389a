package tables

import (
	"proflens/profile/table"
	"proflens/profiledb/covdb"
	"proflens/sources"
)

// sourceURL is the column of where a row's line is on another host; null where it is
// nowhere. Line 0 is the file.
func sourceURL[T any](o table.Options, of func(*T) (f *covdb.File, line uint32)) table.Column[T] {
	var last *covdb.File // rows of one file follow each other
	var link sources.Link
	return table.Column[T]{"source_url", 0, func(row *T) table.Cell {
		f, line := of(row)
		if f == nil {
			return table.Null
		}
		if f != last {
			last, link = f, o.Sources.File(f.Name, f.Path)
		}
		to := link.Whole()
		if line > 0 {
			to = link.At(line)
		}
		if to == "" {
			return table.Null
		}
		return table.Text(to)
	}}
}
