package tables

import (
	"encoding/hex"
	"unicode/utf8"

	"proflens/names"
	"proflens/profile/table"
)

// named is a function of a table, by its PGO name.
type named struct {
	ref           uint64
	name          string // empty when the file has none
	path, linkage string
	demangle      func(linkage string) string
}

func newNamed(ref uint64, name []byte, demangle func(string) string) named {
	text := string(name)
	path, linkage := names.Cut(name)
	return named{ref: ref, name: text, path: text[:len(path)], linkage: text[len(text)-len(linkage):], demangle: demangle}
}

// nameColumns are the columns of a function's name, which all tables have alike.
// A name that the file does not have is null.
func nameColumns[T any](item func(*T) *named) []table.Column[T] {
	known := func(value func(n *named) string) func(*T) table.Cell {
		return func(row *T) table.Cell {
			n := item(row)
			if len(n.name) == 0 {
				return table.Null
			}
			return table.Text(value(n))
		}
	}
	return []table.Column[T]{
		{"fid", 16, func(row *T) table.Cell { return table.Hex(item(row).ref) }},
		{"name", 0, known(func(n *named) string { return n.name })},
		// There only when name had to replace bytes.
		{"name_hex", 0, func(row *T) table.Cell {
			if n := item(row); !utf8.ValidString(n.name) {
				return table.Text(hex.EncodeToString([]byte(n.name)))
			}
			return table.Absent
		}},
		{"linkage_name", 0, known(func(n *named) string { return n.linkage })},
		{"demangled", 0, known(func(n *named) string { return n.demangle(n.linkage) })},
		{"path", 0, func(row *T) table.Cell { return table.Text(item(row).path) }},
	}
}
