package handlers

import (
	"encoding/hex"
	"unicode/utf8"

	"proflens/names"
)

// namedItem is a function of a table that is not the function table.
type namedItem struct {
	ref           uint64
	name          []byte
	path, linkage string
	demangle      func(linkage string) string
}

func newNamedItem(ref uint64, name []byte, demangle func(string) string) namedItem {
	n := namedItem{ref: ref, name: name, demangle: demangle}
	n.path, n.linkage = names.Split(name)
	return n
}

// nameColumnsOf are the columns of a function's name, as the function table has
// them. A name that the file does not have is null.
func nameColumnsOf[T any](item func(*T) *namedItem) []column[T] {
	known := func(value func(n *namedItem) string) func(*T) cell {
		return func(row *T) cell {
			n := item(row)
			if len(n.name) == 0 {
				return cell{}
			}
			return textOf(value(n))
		}
	}
	return []column[T]{
		{"fid", 16, func(row *T) cell { return textOf(fid(item(row).ref)) }},
		{"name", 0, known(func(n *namedItem) string { return string(n.name) })},
		{"name_hex", 0, func(row *T) cell {
			if n := item(row); !utf8.Valid(n.name) {
				return textOf(hex.EncodeToString(n.name))
			}
			return cell{kind: absentCell}
		}},
		{"linkage_name", 0, known(func(n *namedItem) string { return n.linkage })},
		{"demangled", 0, known(func(n *namedItem) string { return n.demangle(n.linkage) })},
		{"path", 0, func(row *T) cell { return textOf(item(row).path) }},
	}
}
